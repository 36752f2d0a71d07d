"""Showdowns: who wins how often, what the pot is worth to each player, and which hands they make.

`showdown_odds` counts exactly whenever that takes about a second, else it samples until it is told
to stop or has dealt enough. It looks at no clock and starts no threads beyond `threads`: progress
and cancelling are callables.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cache
from math import lcm, sqrt
from operator import mul
from typing import TYPE_CHECKING, Any, Final

from engine.cards import Cards
from engine.errors import EngineError, TextError
from engine.odds.showdown.counting import CountPlan, board_jobs, cheapest
from engine.odds.showdown.dealing import Job, deal_jobs, sample_jobs
from engine.odds.showdown.few_boards import few_boards
from engine.odds.showdown.from_table import table_sums
from engine.odds.showdown.ranges import Range
from engine.odds.showdown.ranking import HandRank, Ranking
from engine.odds.showdown.scenario import NO_HAND_FOR_ALL, RANGES_EXAMPLE, Scenario

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

DEFAULT_ERROR: Final = 0.0005
MOST_DEALS: Final = 2_000_000_000
LONGEST_COUNT: Final = 120.0
_PER_THREAD_AHEAD: Final = 2
_FEWEST_DEALS: Final = 32_768


class ShowdownCancelled(EngineError):
    """The caller's `cancelled` answered True before the answer was there."""


@dataclass(frozen=True, slots=True)
class Effort:
    """How hard to try, and in which way.

    `exact`: True counts or refuses, False samples, None counts if that takes about `seconds` at
    most. Sampling stops after `deals`, or when every player's standard error is at most `error`;
    `seed` makes it repeatable. `ranked` asks for the kinds of hands too. `lanes` chooses the
    vector kernel (None: where the machine is made for it; the answer is the same). `table` False
    counts anew what the tables before the flop know (`from_table`).
    """

    exact: bool | None = None
    seconds: float = 1.0
    deals: int | None = None
    error: float | None = None
    seed: int = 0
    threads: int = 1
    ranked: bool = True
    lanes: bool | None = None
    table: bool = True

    def __post_init__(self) -> None:
        if self.deals is not None and not 1 <= self.deals <= MOST_DEALS:
            reason = f"expected 1 to {MOST_DEALS} deals, got {self.deals}"
            raise TextError(str(self.deals), reason, "-i 10000")
        if self.error is not None and not 1e-6 <= self.error < 1:
            reason = f"expected a standard error from 0.000001 to below 1, got {self.error}"
            raise TextError(str(self.error), reason, "--error 0.001")
        if not 1 <= self.threads <= 64:
            reason = f"expected 1 to 64 threads, got {self.threads}"
            raise TextError(str(self.threads), reason, "-t 2")
        if self.exact and (self.deals is not None or self.error is not None):
            reason = "an exact count takes neither a number of deals nor an error"
            raise TextError("", reason, "--exact without -i and --error")


@dataclass(frozen=True, slots=True)
class PlayerOdds:
    """One player's part of the answer; `win`, `tie` and `lose` are deals and add up to all of them.

    `win` is the whole pot, `tie` a part of it. `value` is the share of the pot, ties split;
    `standard_error` is that of `value`, None if exact. `ranks` has every kind of the ranking, in
    deals; in a split pot it is that of the high hand, and `halves` says who took which half.
    """

    cards: str
    win: int
    tie: int
    lose: int
    value: Fraction
    standard_error: float | None
    ranks: dict[HandRank, int]
    halves: Halves | None = None


@dataclass(frozen=True, slots=True)
class Halves:
    """What a player takes of a split pot, in deals.

    `high` and `low` count the deals in which they have the best high and the best low hand, alone
    or with others; `high_tie` and `low_tie` are those of them with others. `scoop` counts those in
    which the whole pot is theirs alone.
    """

    high: int
    high_tie: int
    low: int
    low_tie: int
    scoop: int


@dataclass(frozen=True, slots=True)
class Showdown:
    """The answer: counts out of `deals`, exact or sampled, with everything to draw a table of.

    With weighted ranges an exact `deals` is a sum of weights: a deal of hands that weigh 2 and 3,
    in lowest terms, counts as 6.
    """

    scenario: Scenario
    exact: bool
    deals: int
    standard_error: float | None  # the largest of the players'; None if exact
    players: tuple[PlayerOdds, ...]

    def to_json(self) -> dict[str, Any]:
        """As plain values: the contract of `bluffhouse odds showdown --json`."""
        return {
            "exact": self.exact,
            "deals": self.deals,
            "standard_error": self.standard_error,
            "players": [
                self._of_player(held, player)
                for held, player in zip(self.scenario.players, self.players, strict=True)
            ],
        }

    def _of_player(self, held: Cards | Range, player: PlayerOdds) -> dict[str, Any]:
        told: dict[str, Any] = {
            "cards": player.cards,
            "win": player.win,
            "tie": player.tie,
            "lose": player.lose,
            "win_probability": player.win / self.deals,
            "tie_probability": player.tie / self.deals,
            "value": float(player.value),
            "ranks": {rank.value: count / self.deals for rank, count in player.ranks.items()},
        }
        if player.halves is not None:
            told |= asdict(player.halves)
        if isinstance(held, Range):
            told |= {"hands": len(held), "hands_share": float(held.share)}
        return told


Progress = Callable[[int, int], None]


def showdown_odds(
    scenario: Scenario,
    effort: Effort = Effort(),
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Showdown:
    """Answer `scenario`.

    `progress(done, total)` is called in the caller's thread after every piece of work, some
    hundredths of a second each, with deals; `cancelled()` is asked at the same times and raises
    `ShowdownCancelled` here if true. Raises `TextError` if exact counting is asked for and would
    take more than two minutes, or if the ranges turn out to leave no deal at all. The answer does
    not depend on `effort.threads`.
    """
    known = _from_table(scenario, effort)
    if known is not None:
        if progress is not None:
            progress(known.deals, known.deals)
        return known
    plan = _plan(scenario, effort)
    error = effort.error
    if plan is None:
        if effort.deals is None and error is None:
            error = DEFAULT_ERROR
        deals = effort.deals or MOST_DEALS
        jobs = sample_jobs(scenario, deals, effort.seed, effort.ranked, effort.lanes)
    elif plan.by_boards:
        pieces = list(board_jobs(scenario, effort.ranked))
        deals, jobs = sum(count for count, _ in pieces), iter(pieces)
    else:
        deals, jobs = plan.deals, deal_jobs(scenario, plan.deals, effort.ranked)
    totals = _Totals(scenario)
    for count, shares, kinds in _in_order(jobs, totals.shape, effort.threads):
        totals.add(count, shares, kinds)
        if cancelled is not None and cancelled():
            raise ShowdownCancelled("the computation was cancelled")
        if progress is not None:
            progress(totals.deals, _expected(totals, deals, error))
        if error is not None and totals.deals >= _FEWEST_DEALS and totals.error() <= error:
            break
    if not totals.deals:
        raise TextError("", NO_HAND_FOR_ALL, RANGES_EXAMPLE)
    return totals.answer(exact=plan is not None)


def _may_count(effort: Effort) -> bool:
    """Whether an exact answer is what is asked for, or may be."""
    if effort.exact is None:
        return effort.deals is None and effort.error is None
    return effort.exact


def _from_table(scenario: Scenario, effort: Effort) -> Showdown | None:
    """The exact answer, where it is asked for and the tables have it."""
    if not effort.table or not _may_count(effort):
        return None
    sums = table_sums(scenario, effort.ranked) or few_boards(scenario, effort.ranked)
    if sums is None or not sums.deals:
        return None
    totals = _Totals(scenario)
    totals.deals = sums.deals
    totals.shares, totals.kinds = [*sums.shares], [*sums.kinds]
    return totals.answer(exact=True)


def _plan(scenario: Scenario, effort: Effort) -> CountPlan | None:
    """How to count, or None to sample."""
    if not _may_count(effort):
        return None
    plan = cheapest(scenario)
    if effort.exact is None:
        return plan if plan is not None and plan.seconds <= effort.seconds else None
    if plan is None or plan.seconds > LONGEST_COUNT:
        raise TextError("", "there are too many deals to count them all", "--error 0.0001 samples")
    return plan


def _in_order(
    jobs: Iterator[tuple[int, Job]], shape: tuple[int, int], threads: int
) -> Iterator[tuple[int, NDArray[np.int64], NDArray[np.int64]]]:
    """Run the jobs, a few ahead, and give their sums in the order of the jobs.

    Stopping early is decided on sums in order, so it falls on the same deal with any number of
    threads. A closed iterator lets no further job start.
    """
    import numpy as np

    def run(job: Job) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        shares = np.zeros(shape, np.int64)
        kinds = np.zeros((shape[0], 10), np.int64)
        job(shares, kinds)
        return shares, kinds

    if threads == 1:
        for count, job in jobs:
            yield count, *run(job)
        return
    waiting: deque[tuple[int, Future[tuple[NDArray[np.int64], NDArray[np.int64]]]]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for count, job in jobs:
                waiting.append((count, pool.submit(run, job)))
                if len(waiting) > threads * _PER_THREAD_AHEAD:
                    count, future = waiting.popleft()
                    yield count, *future.result()
            while waiting:
                count, future = waiting.popleft()
                yield count, *future.result()
        finally:
            for _, future in waiting:
                future.cancel()


def _expected(totals: _Totals, deals: int, error: float | None) -> int:
    """How many deals there will be, as far as can be said by now."""
    if error is None:
        return deals
    now = totals.error()
    if now <= error:
        return totals.deals
    return max(totals.deals + 1, min(deals, round(totals.deals * (now / error) ** 2)))


class _Totals:
    """Sums over deals: per player the deals by what part of the pot is theirs, and kinds of hands.

    The columns are those of `shares` in the kernels: among how many a player wins, and for a split
    pot those of `kernels.deal.add_split`.
    """

    def __init__(self, scenario: Scenario) -> None:
        players = len(scenario.players)
        self._scenario = scenario
        self.deals = 0
        self._parts, self._unit, self._units = _parts_of_pot(players, scenario.rules.hi_lo)
        columns = len(self._parts)
        self.shape = (players, columns)
        self.shares = [[0] * columns for _ in range(players)]
        self.kinds = [[0] * 10 for _ in range(players)]

    def add(self, deals: int, shares: NDArray[np.int64], kinds: NDArray[np.int64]) -> None:
        self.deals += deals
        for own, more in zip(self.shares, shares.tolist(), strict=True):
            own[:] = [a + b for a, b in zip(own, more, strict=True)]
        for own, more in zip(self.kinds, kinds.tolist(), strict=True):
            own[:] = [a + b for a, b in zip(own, more, strict=True)]

    def error(self) -> float:
        """The largest standard error of a player's value."""
        return max(map(self._error_of, self.shares))

    def _error_of(self, shares: list[int]) -> float:
        parts = [
            (float(part), count) for part, count in zip(self._parts, shares, strict=True) if part
        ]
        mean = sum(part * count for part, count in parts) / self.deals
        square = sum(part * part * count for part, count in parts) / self.deals
        return sqrt(max(0.0, square - mean * mean) / self.deals)

    def answer(self, *, exact: bool) -> Showdown:
        scenario = self._scenario
        every = _places_of_kinds(scenario.rules.ranking)
        none = _no_kinds(scenario.rules.ranking)
        players = []
        for seat, shares in enumerate(self.shares):
            win = sum(
                [n for units, n in zip(self._units, shares, strict=True) if units == self._unit]
            )
            tie = sum([n for units, n in zip(self._units, shares, strict=True) if units]) - win
            value = sum(map(mul, self._units, shares))
            kinds = self.kinds[seat]
            players.append(
                PlayerOdds(
                    cards=_cards_text(scenario.players[seat]),
                    win=win,
                    tie=tie,
                    lose=self.deals - win - tie,
                    value=Fraction(value, self._unit * self.deals),
                    standard_error=None if exact else self._error_of(shares),
                    ranks={rank: kinds[place] for rank, place in every} if any(kinds) else {**none},
                    halves=_halves(shares, self.shape[0], win) if scenario.rules.hi_lo else None,
                )
            )
        return Showdown(
            scenario, exact, self.deals, None if exact else self.error(), tuple(players)
        )


@cache
def _parts_of_pot(players: int, split: bool) -> tuple[list[Fraction], int, list[int]]:
    """The part of the pot in each column of `shares`; a unit of the pot, and the parts in units."""
    if split:
        columns = range((players + 1) * (players + 2))
        parts = [_part_of_split(column, players) for column in columns]
    else:
        parts = [Fraction(1, among) if among else Fraction(0) for among in range(players + 1)]
    unit = lcm(*(part.denominator for part in parts))
    return parts, unit, [int(part * unit) for part in parts]


@cache
def _places_of_kinds(ranking: Ranking) -> tuple[tuple[HandRank, int], ...]:
    """The kinds of a ranking as they are listed, each with its column of the kernels' `kinds`."""
    return tuple((kind, ranking.order.index(kind)) for kind in ranking.kinds)


@cache
def _no_kinds(ranking: Ranking) -> dict[HandRank, int]:
    """What nobody asked for, to be copied: a dictionary made anew asks each kind for its hash."""
    return {kind: 0 for kind, _ in _places_of_kinds(ranking)}


def _part_of_split(column: int, players: int) -> Fraction:
    """The part of the pot in a column of `shares` where it is split."""
    high, low = divmod(column, players + 2)
    of_high = Fraction(1, high) if high else Fraction(0)
    if low > players:  # nobody has a low hand
        return of_high
    return (of_high + (Fraction(1, low) if low else 0)) / 2


def _halves(shares: list[int], players: int, scoop: int) -> Halves:
    high = high_tie = low = low_tie = 0
    for column, deals in enumerate(shares):
        highs, lows = divmod(column, players + 2)
        high += deals * (highs > 0)
        high_tie += deals * (highs > 1)
        low += deals * (0 < lows <= players)
        low_tie += deals * (1 < lows <= players)
    return Halves(high, high_tie, low, low_tie, scoop)


def _cards_text(holding: Cards | Range) -> str:
    return holding.text if isinstance(holding, Range) else str(holding)
