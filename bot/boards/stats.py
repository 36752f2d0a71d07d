"""Boards about stored records: people's statistics, and a server's seasons.

Their figures come from the logs of matches.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from bot.boards.board import Address, Board, Button, ChartPicture, Text
from bot.language.catalogues import KEYS, N_, figure, speaking, tr, trn
from bot.language.moments import stamp
from bot.language.wordings import GameWords, bid_text, game_words
from bot.language.words import Names, TypedText, capital, mention, percent, plain_name
from bot.pictures.palette import AMBER, GREEN, GREY
from bot.pictures.statistics import Figure, Scorecard, Share, StandingRow, Standings
from bot.stats.folding import (
    EVERY_GAME,
    EVERY_SEASON,
    NEWCOMER,
    PROVISIONAL,
    Pair,
    PersonTotals,
    Scope,
    points,
)
from bot.stats.match_record import CERTAIN, Feat
from bot.stats.standings import LeaderboardRank, PinnedRules, Season
from engine.variants import VARIANTS, ruleset, variant

IN_A_PAGE: Final = 10
UNNAMED: Final = N_("Season {number}")  # a season without a name
ALL_SEASONS: Final = N_("All seasons")
ALL_GAMES: Final = N_("All games")
COUNTED: Final = N_(
    "A match between people counts once somebody has won. Matches with computer players, matches"
    " ended early and matches a host removed somebody from don't count."
)
RATED: Final = N_(
    "Everyone starts at {newcomer}. Beat stronger players to gain more. A ? means provisional:"
    " fewer than {provisional} matches."
)
CHANCES: Final = N_(
    "Odds use the player's own cards at the time of the bid. Bids and challenges that the bot made"
    " for an absent player don't count."
)


@dataclass(frozen=True, slots=True)
class Statistics:
    """A player's statistics: their totals and rank, whom they beat most and who beats them most.

    `beats` and `beaten_by` are None if there is no such player.
    """

    row: PersonTotals
    rank: LeaderboardRank
    beats: Pair | None = None
    beaten_by: Pair | None = None


def scope_title(scope: Scope, seasons: Sequence[Season]) -> TypedText:
    """Return the game and the season of a scope."""
    game = tr(ALL_GAMES if scope.game == EVERY_GAME else variant(scope.game).title)
    return TypedText(f"{game} · {season_name(scope.season, seasons).visible_text}")


def season_name(number: int, seasons: Sequence[Season]) -> TypedText:
    """Return the title of a server's season, by its number."""
    if number == EVERY_SEASON:
        return TypedText(tr(ALL_SEASONS))
    unknown = TypedText(tr(UNNAMED, number=number))
    return next((season_title(season) for season in seasons if season.number == number), unknown)


def season_title(season: Season) -> TypedText:
    """Return a season's name; a default name, such as "Season 3", is in the current language."""
    if season.name in _default_names(season.number):
        return TypedText(tr(UNNAMED, number=season.number))
    return TypedText(season.name)


@lru_cache
def _default_names(number: int) -> frozenset[str]:
    """Return a season's default name in every language."""
    names = set()
    for key in KEYS:
        with speaking(key):
            names.add(tr(UNNAMED, number=number))
    return frozenset(names)


# -- statistics ------------------------------------------------------------------------------------


def nothing_board(player: int, title: TypedText) -> Board:
    """Return the board for a player who has finished no match that counts."""
    none = tr("{who} hasn't finished a match that counts here yet.", who=mention(player))
    return Board(GREY, (Text(f"**{title}**\n{none}"), Text(f"-# {tr(COUNTED)}")))


def stats_board(
    statistics: Statistics,
    title: TypedText,
    scope: Scope,
    names: Names,
    rules: Mapping[int, PinnedRules],
) -> Board:
    """Return a player's statistics.

    `names` are for the picture. `rules` has the rules of the matches that the highlights mention.
    """
    row = statistics.row
    card = Scorecard(
        plain_name(names, row.player, tr("Somebody")),
        title.visible_text,
        _figures(row, statistics.rank),
        _shares(row, _terms(scope)),
        _highlights(statistics, scope, names, rules),
    )
    heading = Text(tr("**{who}'s stats**", who=mention(row.player)))
    return Board(GREEN, (heading, ChartPicture.of(card), Text(f"-# {tr(CHANCES)}")))


def _figures(row: PersonTotals, rank: LeaderboardRank) -> tuple[Figure, ...]:
    place = tr("place {place} of {people}", place=rank.place, people=rank.of)
    rating = Figure(f"{points(row.worth)}", tr("rating"), place)
    if rank.place is None:
        rating = Figure(f"{points(row.worth)}?", tr("rating"), tr("provisional"))
    rounds = trn("{number} round", "{number} rounds", row.rounds)
    expected = tr("{wins} expected", wins=figure(row.expected_wins, ".1f"))
    return (
        rating,
        Figure(f"{row.matches}", trn("match", "matches", row.matches), rounds),
        Figure(f"{row.wins}", trn("win", "wins", row.wins), expected),
        Figure(f"{row.longest}", tr("best win streak"), tr("current: {streak}", streak=row.streak)),
    )


def _shares(row: PersonTotals, terms: GameWords) -> tuple[Share, ...]:
    words = {"plural": terms.plural}
    stood, stood_held = row.calls - row.doubted, row.held - row.doubted_held
    return (
        Share(
            tr("Challenged {plural} that were true", **words),
            _share(row.doubted_held, row.doubted),
            _part(row.doubted_held, row.doubted),
        ),
        Share(
            tr("Unchallenged {plural} that were true", **words),
            _share(stood_held, stood),
            _part(stood_held, stood),
        ),
        Share(
            tr("Successful challenges"),
            _share(row.challenges_right, row.challenges),
            _part(row.challenges_right, row.challenges),
        ),
        Share(
            tr("Average odds of {plural}", plural=terms.plural),
            row.mean_chance,
            tr("lower = bolder"),
        ),
    )


def _part(part: int, whole: int) -> str:
    return tr("{part} of {whole}", part=part, whole=whole)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def _highlights(
    statistics: Statistics,
    scope: Scope,
    names: Names,
    rules: Mapping[int, PinnedRules],
) -> tuple[tuple[str, str], ...]:
    row, terms = statistics.row, _terms(scope)
    lines: list[tuple[str, str]] = []
    # a bid that was certain is not bold
    if row.boldest is not None and row.boldest.chance < CERTAIN:
        lines.append(
            (tr("Boldest {noun} that was true", noun=terms.noun), _feat(row.boldest, rules, scope))
        )
    if row.catch is not None:
        lines.append((tr("Best catch"), _feat(row.catch, rules, scope)))
    if statistics.beats is not None:
        pair = statistics.beats
        lines.append((tr("Favourite victim"), _against(pair, names)))
    if statistics.beaten_by is not None:
        pair = statistics.beaten_by
        lines.append((tr("Nemesis"), _against(pair, names)))
    return tuple(lines)


def _against(pair: Pair, names: Names) -> str:
    return tr(
        "{who} ({ahead}–{behind})",
        ahead=pair.ahead,
        behind=pair.behind,
        who=plain_name(names, pair.other, tr("somebody")),
    )


def _feat(feat: Feat, rules: Mapping[int, PinnedRules], scope: Scope) -> str:
    """Return a bid and its chance, worded as in its match's game if its `rules` are known.

    Otherwise, the bid is worded as in the scope's game, or in any game that has it.
    """
    pinned = rules.get(feat.match_id)
    words = feat.key
    if pinned is not None:
        played = ruleset(pinned.variant, pinned.options, pinned.version)
        words = capital(bid_text(played, played.ladder.bid(feat.key)))
    # old matches may be deleted: use the words of the scope's game, or of any game with this bid
    else:
        for rules_of_game in map(ruleset, (scope.game,) if scope.game else VARIANTS):
            bid = rules_of_game.ladder.get(feat.key)
            if bid is not None:
                words = capital(bid_text(rules_of_game, bid))
                break
    return f"{words} ({percent(feat.chance / CERTAIN)})"


def _terms(scope: Scope) -> GameWords:
    """Return the words of a scope's game; for all games, the words of the first game."""
    return game_words(ruleset(scope.game or next(iter(VARIANTS))))


# -- leaderboards ----------------------------------------------------------------------------------


def leaders_board(
    rows: Sequence[PersonTotals],
    scope: Scope,
    title: TypedText,
    names: Names,
    page: int,
    people: int,
) -> Board:
    """Return a leaderboard's `page`, counted from 0; the whole leaderboard has `people` entries."""
    if not rows:
        head = tr("**Leaderboard · {title}**", title=title)
        none = tr("Nobody's finished a match that counts here yet.")
        return Board(GREY, (Text(f"{head}\n{none}\n-# {tr(COUNTED)}"),))
    first = page * IN_A_PAGE + 1
    standings = Standings(
        title.visible_text,
        tuple(
            StandingRow(
                place,
                plain_name(names, row.player, tr("Somebody")),
                points(row.worth),
                row.matches,
                row.wins,
                provisional=not row.is_established,
            )
            for place, row in enumerate(rows, start=first)
        ),
    )
    picture = ChartPicture.of(standings)
    rated = tr(RATED, newcomer=NEWCOMER, provisional=PROVISIONAL)
    blocks = (Text(tr("**Leaderboard**")), picture, Text(f"-# {rated}"))
    pages = -(-people // IN_A_PAGE)
    if pages <= 1:
        return Board(AMBER, blocks)
    row = (
        _turn(tr("Higher"), scope, page - 1, disabled=page == 0),
        _turn(tr("Lower"), scope, page + 1, disabled=page >= pages - 1),
    )
    page_text = tr("-# page {page} of {pages}", page=page + 1, pages=pages)
    return Board(AMBER, (*blocks, Text(page_text)), (row,))


def _turn(label: str, scope: Scope, page: int, *, disabled: bool) -> Button:
    choice = f"{scope.season}.{max(page, 0)}.{scope.game}"
    return Button("leaders", label, disabled=disabled, choice=choice)


# -- seasons ---------------------------------------------------------------------------------------


def seasons_board(seasons: Sequence[Season], most: int = 10) -> Board:
    """Return a server's `most` latest seasons for its moderators, and a button for a new one.

    `seasons` are newest first. Without seasons, there is no button.
    """
    if not seasons:
        none = tr("The first season starts with the first match that counts.")
        return Board(GREY, (Text(f"{_of_server()}\n{none}\n-# {tr(COUNTED)}"),))
    lines = [_season_line(season, now=number == 0) for number, season in enumerate(seasons[:most])]
    note = tr("A new season resets everyone's rating. Past seasons stay: `/stats season:…`.")
    text = "\n".join((_of_server(), *lines, f"-# {note}"))
    button = Button("newseason", tr("New season…"), choice=str(seasons[0].number))
    return Board(GREEN, (Text(text),), ((button,),), Address(0))


def begun_board(season: Season) -> Board:
    """Return the public board about a season that has just begun."""
    begun = tr(
        "**{season} has started.** The leaderboard is empty and everyone starts at {newcomer}. Past"
        " seasons stay: `/stats season:…`.",
        season=season_title(season),
        newcomer=NEWCOMER,
    )
    return Board(AMBER, (Text(begun),))


def _of_server() -> str:
    return tr("**This server's seasons**")


def _season_line(season: Season, *, now: bool) -> str:
    text = (
        tr("**{season}** (now): since {day}, {matches}")
        if now
        else tr("**{season}**: since {day}, {matches}")
    )
    return text.format(
        season=season_title(season),
        day=stamp(season.started_at, "D"),
        matches=trn("{number} match", "{number} matches", season.matches),
    )
