"""The deal of the day: one match a day and game, dealt alike for everybody in the world.

Its seeds are hashed from a published text (docs/fair-deals.md), so every server and the terminal
deal the same cards to the same computer players, who draw their chance from those seeds: whoever
plays alike is answered alike. Pure functions: what a day deals, and how one fared.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final

from bot.roster import CHARACTERS
from bot.tables.highlights import boldest_bluff
from bot.tables.live import Departure, LiveTable
from bot.tables.model import DailyResult
from engine.cutting import round_seed
from engine.players import ShownRound
from engine.ruleset import LENGTH, OptionValue
from engine.state import Match
from engine.variants import variant

# Of what the computer players choose: raise it with every change of theirs (a test holds whole
# matches), so that the change begins with a deal of its own and splits no day.
PLAYERS: Final = 1
DAILY: Final = "daily"  # stands for it where a computer player's character does
OPPONENTS: Final = 3
PERSON: Final = 0  # the seat
LOST, WON, SURVIVED = "x", "w", "."  # a round: lost, won by one's own bid or challenge, neither


@dataclass(frozen=True, slots=True)
class Daily:
    """What a day deals in a game: the root of the seeds, and who sits to the person's left."""

    game: str
    day: int  # as `date.toordinal` counts
    root: bytes
    characters: tuple[str, ...]

    @property
    def options(self) -> dict[str, OptionValue]:
        """The house rules of the match: the game's own, the shortest length."""
        return variant(self.game).values({LENGTH.key: "first_out"})


def day_at(ms: int) -> int:
    """The day of a moment (milliseconds since 1970): days begin at midnight UTC everywhere."""
    return datetime.fromtimestamp(ms / 1000, UTC).toordinal()


def daily(game: str, day: int) -> Daily:
    """The deal of a day. Raises RulesetError for an unknown game."""
    text = f"bluffhouse/daily/1 {variant(game).key} {date.fromordinal(day)} players/{PLAYERS}"
    root = hashlib.sha256(text.encode()).digest()

    def drawn(character: str) -> bytes:
        return hashlib.sha256(root + character.encode()).digest()

    return Daily(game, day, root, tuple(sorted(CHARACTERS, key=drawn)[:OPPONENTS]))


def counts(live: LiveTable) -> bool:
    """Whether a match is its day's deal, and against the computer players of this version."""
    day = live.table.daily_day
    if day is None:
        return False
    return live.seeds.get(1) == round_seed(daily(live.table.variant, day).root, 1)


def result_of(live: LiveTable) -> DailyResult | None:
    """How its person has fared in a match that is over for them; None if it does not count."""
    table, match = live.table, live.match
    if match is None or table.daily_day is None or not counts(live):
        return None
    place, rounds, boldest = fared(match, live.left, live.shown)
    return DailyResult(
        player=match.seats[PERSON].player,
        game=table.variant,
        day=table.daily_day,
        version=PLAYERS,
        guild_id=table.daily_guild,
        match_id=table.match_id or 0,
        place=place,
        rounds=rounds,
        boldest=boldest,
    )


def fared(
    match: Match, left: Iterable[Departure], shown: Sequence[ShownRound]
) -> tuple[int | None, str, float | None]:
    """The person's place (None: given up), their rounds, and the chance of their boldest bluff.

    `left` is who left the match, in order; `shown` its rounds that have ended.
    """
    rounds = "".join(_round(one) for one in shown)
    return _place(match, left), rounds, boldest_bluff(match.ruleset, shown, PERSON)


def _place(match: Match, left: Iterable[Departure]) -> int | None:
    if match.winner == PERSON:
        return 1
    ahead = len(match.seats)
    for seats, _ in left:
        ahead -= len(seats)
        if PERSON in seats:
            return ahead + 1
    return None


def _round(shown: ShownRound) -> str:
    if shown.loser == PERSON:
        return LOST
    decided = shown.challenger == PERSON or (bool(shown.bids) and shown.bids[-1][0] == PERSON)
    return WON if decided and shown.challenger is not None else SURVIVED


# -- a server's board ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Week:
    """How somebody has fared in the deals of a week: how many opponents they came in ahead of."""

    player: int
    beaten: int
    deals: int


def ranked(results: Iterable[DailyResult]) -> list[DailyResult]:
    """Results of one deal, the best first: by place, then by rounds lost."""
    return sorted(results, key=_standing)


def _standing(one: DailyResult) -> tuple[int, int, int]:
    place = one.place if one.place is not None else OPPONENTS + 2
    return place, one.rounds.count(LOST), one.player


def week_of(results: Iterable[DailyResult]) -> list[Week]:
    """Who has come in ahead of how many in these results, the best first."""
    found: dict[int, list[DailyResult]] = {}
    for one in results:
        if one.place is not None:
            found.setdefault(one.player, []).append(one)
    weeks = [
        Week(player, sum(OPPONENTS + 1 - (one.place or 0) for one in theirs), len(theirs))
        for player, theirs in found.items()
    ]
    return sorted(weeks, key=lambda week: (-week.beaten, week.deals, week.player))


def monday(day: int) -> int:
    """The first day of the week of a day."""
    return day - date.fromordinal(day).weekday()


def streak(days: Iterable[int], today: int) -> int:
    """How many days in a row somebody has finished a deal, up to today or yesterday."""
    played = set(days)
    last = today if today in played else today - 1
    length = 0
    while last - length in played:
        length += 1
    return length
