"""The deal of the day: one match for each day and game, dealt alike for everyone in the world.

Its seeds are hashed from a published text (docs/fair-deals.md), so every server and the terminal
deal the same cards to the same computer players. Their random numbers come from those seeds too:
the same play gets the same answers. Pure functions: a day's deal, and a person's result in it.
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

# The version of the computer players' choices. Raise it whenever they choose differently (a test
# hashes whole matches): the new version then begins with the next day's deal, and nobody compares
# results of two versions.
PLAYERS: Final = 4
DAILY: Final = "daily"  # stored where a computer player's character would be
OPPONENTS: Final = 3
PERSON: Final = 0  # the person's seat
# the result of a round: lost, won by the person's own bid or challenge, neither
LOST, WON, SURVIVED = "x", "w", "."


@dataclass(frozen=True, slots=True)
class Daily:
    """A game's deal for a day: the root of its seeds, and the opponents to the person's left."""

    game: str
    day: int  # as `date.toordinal` counts
    root: bytes
    characters: tuple[str, ...]

    @property
    def options(self) -> dict[str, OptionValue]:
        """The match's options: the game's defaults, with the shortest length."""
        return variant(self.game).values({LENGTH.key: "first_out"})


def day_at(ms: int) -> int:
    """Return the UTC day of a moment (milliseconds since 1970), as `date.toordinal` counts."""
    return datetime.fromtimestamp(ms / 1000, UTC).toordinal()


def daily(game: str, day: int) -> Daily:
    """Return a game's deal of a day (`date.toordinal`). Raises RulesetError for an unknown game."""
    text = f"bluffhouse/daily/1 {variant(game).key} {date.fromordinal(day)} players/{PLAYERS}"
    root = hashlib.sha256(text.encode()).digest()

    def draw_key(character: str) -> bytes:
        return hashlib.sha256(root + character.encode()).digest()

    return Daily(game, day, root, tuple(sorted(CHARACTERS, key=draw_key)[:OPPONENTS]))


def counts(live: LiveTable) -> bool:
    """Return whether a match counts as a deal of the day.

    It does if it is dealt from the seeds that the computer players' current version gives.
    """
    day = live.table.daily_day
    if day is None:
        return False
    return live.seeds.get(1) == round_seed(daily(live.table.variant, day).root, 1)


def result_of(live: LiveTable) -> DailyResult | None:
    """Return the person's result in a deal of the day that they have finished.

    None if the match isn't such a deal, or the deal doesn't count (`counts`).
    """
    table, match = live.table, live.match
    if match is None or table.daily_day is None or not counts(live):
        return None
    place, rounds, boldest = person_outcome(match, live.left, live.ended_rounds)
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


def person_outcome(
    match: Match, left: Iterable[Departure], past_rounds: Sequence[ShownRound]
) -> tuple[int | None, str, float | None]:
    """Return the person's place (None: gave up), their rounds, and their boldest bluff's chance.

    The rounds are a string with a letter for each: `LOST`, `WON` or `SURVIVED`. The chance is how
    likely the bluff was to hold, 0 to 1; None if they never bluffed. `left` holds the departures in
    order, `past_rounds` the rounds that have ended.
    """
    rounds = "".join(_round(past_round) for past_round in past_rounds)
    return _place(match, left), rounds, boldest_bluff(match.ruleset, past_rounds, PERSON)


def _place(match: Match, left: Iterable[Departure]) -> int | None:
    if match.winner == PERSON:
        return 1
    ahead = len(match.seats)
    for seats, _ in left:
        ahead -= len(seats)
        if PERSON in seats:
            return ahead + 1
    return None


def _round(past_round: ShownRound) -> str:
    if past_round.loser == PERSON:
        return LOST
    decided = past_round.challenger == PERSON or (
        bool(past_round.bids) and past_round.bids[-1][0] == PERSON
    )
    return WON if decided and past_round.challenger is not None else SURVIVED


# -- a server's board ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Week:
    """A person's results in a week of deals; `beaten` sums the opponents placed behind them."""

    player: int
    beaten: int
    deals: int


def rank_results(results: Iterable[DailyResult]) -> list[DailyResult]:
    """Sort the results of one deal, best first: by place, then by the fewest rounds lost.

    Deals given up come last.
    """
    return sorted(results, key=_standing)


def _standing(result: DailyResult) -> tuple[int, int, int]:
    place = result.place if result.place is not None else OPPONENTS + 2
    return place, result.rounds.count(LOST), result.player


def week_of(results: Iterable[DailyResult]) -> list[Week]:
    """Return each person's week from these results; deals given up don't count.

    Sort by `beaten`, highest first, then by `deals`, fewest first.
    """
    by_player: dict[int, list[DailyResult]] = {}
    for result in results:
        if result.place is not None:
            by_player.setdefault(result.player, []).append(result)
    weeks = [
        Week(player, sum(OPPONENTS + 1 - (result.place or 0) for result in theirs), len(theirs))
        for player, theirs in by_player.items()
    ]
    return sorted(weeks, key=lambda week: (-week.beaten, week.deals, week.player))


def monday(day: int) -> int:
    """Return the Monday of the week that `day` is in; both as `date.toordinal` counts."""
    return day - date.fromordinal(day).weekday()


def streak(days: Iterable[int], today: int) -> int:
    """Return how many consecutive days are among `days`, counted back from `today`.

    If `today` isn't among them, count back from the day before.
    """
    played = set(days)
    last = today if today in played else today - 1
    length = 0
    while last - length in played:
        length += 1
    return length
