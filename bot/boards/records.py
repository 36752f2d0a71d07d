"""What logs say about people, as boards: statistics, a leaderboard, a server's seasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.boards.board import (
    Address,
    Board,
    Button,
    ScorecardPicture,
    StandingsPicture,
    Text,
)
from bot.pictures.palette import AMBER, GREEN, GREY
from bot.pictures.scorecard import Figure, Scorecard, Share, scorecard_text
from bot.pictures.standings import StandingRow, Standings, standings_text
from bot.records.folding import EVERY_GAME, EVERY_SEASON, Pair, Person, Scope
from bot.records.ports import PinnedRules, Rank, Season
from bot.records.ratings import NEWCOMER, PROVISIONAL, points
from bot.records.reading import CERTAIN, Feat
from bot.words import capital, count, escaped, mention, percent
from engine.terms import Terms
from engine.variants import VARIANTS, ruleset, variant

IN_A_PAGE: Final = 10
ALL_SEASONS: Final = "All seasons"
ALL_GAMES: Final = "All games"
COUNTED: Final = (
    "Matches between people count once somebody has won. Those with computer players, those that"
    " were ended, and those somebody was dropped from by the host count for nobody."
)
RATED: Final = (
    f"Rating: everybody begins at {NEWCOMER}; finishing ahead of others raises it, the more the"
    f" stronger they are. With fewer than {PROVISIONAL} matches it is provisional (?)."
)
CHANCES: Final = (
    "A chance is by one's own cards, at the moment of the call. What the house played for somebody"
    " who was away is not theirs."
)


@dataclass(frozen=True, slots=True)
class Statistics:
    """What `/stats` has found: a row, where it stands, whom one beats and is beaten by."""

    row: Person
    rank: Rank
    beats: Pair | None = None
    beaten_by: Pair | None = None


def scope_title(scope: Scope, seasons: Sequence[Season]) -> str:
    """The game and the season that something is about."""
    game = ALL_GAMES if scope.game == EVERY_GAME else variant(scope.game).title
    return f"{game} · {season_name(scope.season, seasons)}"


def season_name(number: int, seasons: Sequence[Season]) -> str:
    """A season as it is called in its server."""
    if number == EVERY_SEASON:
        return ALL_SEASONS
    return next((one.name for one in seasons if one.number == number), f"Season {number}")


# -- statistics ------------------------------------------------------------------------------------


def nothing_board(player: int, title: str) -> Board:
    """Somebody who has played no match that counts."""
    said = f"{mention(player)} has no finished match that counts here yet."
    return Board(GREY, (Text(f"**{escaped(title)}**\n{said}"), Text(f"-# {COUNTED}")))


def stats_board(
    found: Statistics,
    title: str,
    scope: Scope,
    names: Mapping[int, str],
    rules: Mapping[int, PinnedRules],
) -> Board:
    """Somebody's statistics. `names` are for the picture, `rules` of the matches it tells of."""
    row = found.row
    card = Scorecard(
        names.get(row.player, "Somebody"),
        title,
        _figures(row, found.rank),
        _shares(row, _terms(scope)),
        _told(found, _terms(scope), names, rules),
    )
    picture = ScorecardPicture(card, scorecard_text(card))
    heading = Text(f"**Statistics of {mention(row.player)}**")
    return Board(GREEN, (heading, picture, Text(f"-# {CHANCES}")))


def _figures(row: Person, rank: Rank) -> tuple[Figure, ...]:
    rating = Figure(f"{points(row.worth)}", "rating", f"place {rank.place} of {rank.of}")
    if rank.place is None:
        rating = Figure(f"{points(row.worth)}?", "rating", "provisional")
    matches = "match" if row.matches == 1 else "matches"
    wins = "win" if row.wins == 1 else "wins"
    return (
        rating,
        Figure(f"{row.matches}", matches, count(row.rounds, "round")),
        Figure(f"{row.wins}", wins, f"{row.expected_wins:.1f} expected"),
        Figure(f"{row.longest}", "wins in a row", f"now {row.streak}"),
    )


def _shares(row: Person, terms: Terms) -> tuple[Share, ...]:
    calls = terms.plural
    stood, stood_held = row.calls - row.doubted, row.held - row.doubted_held
    return (
        Share(
            f"{capital(calls)} {terms.challenged} that held",
            _share(row.doubted_held, row.doubted),
            f"{row.doubted_held} of {row.doubted}",
        ),
        Share(
            f"{capital(calls)} let stand that held",
            _share(stood_held, stood),
            f"{stood_held} of {stood}",
        ),
        Share(
            f"Right when they {terms.challenged}",
            _share(row.challenges_right, row.challenges),
            f"{row.challenges_right} of {row.challenges}",
        ),
        Share(f"Mean chance of the {calls}", row.mean_chance, "lower is bolder"),
    )


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _told(
    found: Statistics,
    terms: Terms,
    names: Mapping[int, str],
    rules: Mapping[int, PinnedRules],
) -> tuple[tuple[str, str], ...]:
    row = found.row
    told: list[tuple[str, str]] = []
    if row.boldest is not None:
        told.append((f"Boldest {terms.noun} that held", _feat(row.boldest, rules)))
    if row.catch is not None:
        told.append(("Best catch", _feat(row.catch, rules)))
    if found.beats is not None:
        pair = found.beats
        who = names.get(pair.other, "somebody")
        told.append(("Beats most", f"{pair.ahead} : {pair.behind} against {who}"))
    if found.beaten_by is not None:
        pair = found.beaten_by
        who = names.get(pair.other, "somebody")
        told.append(("Is beaten most by", f"{pair.ahead} : {pair.behind} against {who}"))
    return tuple(told)


def _feat(feat: Feat, rules: Mapping[int, PinnedRules]) -> str:
    """A bid and its chance, said as the game of its match says it."""
    pinned = rules.get(feat.match_id)
    said = feat.key
    if pinned is not None:
        played = ruleset(pinned.variant, pinned.options, pinned.version)
        said = capital(played.wording.say(played.ladder.bid(feat.key)))
    return f"{said} ({percent(feat.chance / CERTAIN)})"


def _terms(scope: Scope) -> Terms:
    """The words of a scope's game; of all games the first one's."""
    return ruleset(scope.game or next(iter(VARIANTS))).terms


# -- leaderboards ----------------------------------------------------------------------------------


def leaders_board(
    rows: Sequence[Person],
    scope: Scope,
    title: str,
    names: Mapping[int, str],
    page: int,
    people: int,
) -> Board:
    """A page of a leaderboard, from 0; `people` are on the whole of it."""
    if not rows:
        said = "Nobody has finished a match that counts here yet."
        return Board(GREY, (Text(f"**Leaderboard · {escaped(title)}**\n{said}\n-# {COUNTED}"),))
    first = page * IN_A_PAGE + 1
    standings = Standings(
        title,
        tuple(
            StandingRow(
                place if row.established else 0,
                names.get(row.player, "Somebody"),
                points(row.worth),
                row.matches,
                row.wins,
            )
            for place, row in enumerate(rows, start=first)
        ),
    )
    picture = StandingsPicture(standings, standings_text(standings))
    blocks = (Text("**Leaderboard**"), picture, Text(f"-# {RATED}"))
    pages = -(-people // IN_A_PAGE)
    if pages <= 1:
        return Board(AMBER, blocks)
    row = (
        _turn("Higher", scope, page - 1, disabled=page == 0),
        _turn("Lower", scope, page + 1, disabled=page >= pages - 1),
    )
    return Board(AMBER, (*blocks, Text(f"-# page {page + 1} of {pages}")), (row,))


def _turn(label: str, scope: Scope, page: int, *, disabled: bool) -> Button:
    choice = f"{scope.season}.{max(page, 0)}.{scope.game}"
    return Button("leaders", label, disabled=disabled, choice=choice)


# -- seasons ---------------------------------------------------------------------------------------


def seasons_board(seasons: Sequence[Season], most: int = 10) -> Board:
    """A server's seasons for its moderators, the newest first, and the button that begins one."""
    if not seasons:
        said = "The first season begins with the first match that counts."
        return Board(GREY, (Text(f"**Seasons of this server**\n{said}\n-# {COUNTED}"),))
    lines = [
        f"**{escaped(one.name)}**{' (now)' if number == 0 else ''}: since"
        f" <t:{one.started_at // 1000}:D>, {_matches(one.matches)}"
        for number, one in enumerate(seasons[:most])
    ]
    told = (
        "In a new season everybody begins anew. The older ones stay as they are, and anybody can"
        " read them: `/leaderboard season:…` and `/stats season:…`."
    )
    text = "\n".join(("**Seasons of this server**", *lines, f"-# {told}"))
    button = Button("newseason", "New season…", choice=str(seasons[0].number))
    return Board(GREEN, (Text(text),), ((button,),), Address(0))


def begun_board(season: Season) -> Board:
    """A season that has just begun, for everybody."""
    said = (
        f"**{escaped(season.name)} has begun.** The leaderboard is empty and everybody begins at"
        f" {NEWCOMER}; what was before stays readable with `/leaderboard season:…`."
    )
    return Board(AMBER, (Text(said),))


def _matches(number: int) -> str:
    return "1 match" if number == 1 else f"{number} matches"
