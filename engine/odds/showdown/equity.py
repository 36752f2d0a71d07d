"""Showdowns: who wins how often, what the pot is worth to each player, and which hands they make.

`showdown_odds` counts exactly whenever that takes about a second, else it samples until it is told
to stop or has dealt enough. It looks at no clock and starts no threads beyond `threads`: progress
and cancelling are callables.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Any, Final

from engine.cards import Cards
from engine.errors import EngineError, TextError
from engine.odds.showdown.counting import CountPlan, board_jobs, cheapest
from engine.odds.showdown.dealing import Job, deal_jobs, sample_jobs
from engine.odds.showdown.ranges import Range
from engine.odds.showdown.ranking import HandRank
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
    vector kernel (None: where the machine is made for it; the answer is the same).
    """

    exact: bool | None = None
    seconds: float = 1.0
    deals: int | None = None
    error: float | None = None
    seed: int = 0
    threads: int = 1
    ranked: bool = True
    lanes: bool | None = None

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

    `tie` counts the deals shared with anyone. `value` is the share of the pot, ties split;
    `standard_error` is that of `value`, None if exact. `ranks` has all ten kinds, in deals.
    """

    cards: str
    win: int
    tie: int
    lose: int
    value: Fraction
    standard_error: float | None
    ranks: dict[HandRank, int]


@dataclass(frozen=True, slots=True)
class Showdown:
    """The answer: counts out of `deals`, exact or sampled, with everything to draw a table of."""

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
                {
                    "cards": player.cards,
                    "win": player.win,
                    "tie": player.tie,
                    "lose": player.lose,
                    "win_probability": player.win / self.deals,
                    "tie_probability": player.tie / self.deals,
                    "value": float(player.value),
                    "ranks": {
                        rank.value: count / self.deals for rank, count in player.ranks.items()
                    },
                }
                for player in self.players
            ],
        }


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
    totals = _Totals(len(scenario.players))
    for count, shares, kinds in _in_order(jobs, len(scenario.players), effort.threads):
        totals.add(count, shares, kinds)
        if cancelled is not None and cancelled():
            raise ShowdownCancelled("the computation was cancelled")
        if progress is not None:
            progress(totals.deals, _expected(totals, deals, error))
        if error is not None and totals.deals >= _FEWEST_DEALS and totals.error() <= error:
            break
    if not totals.deals:
        raise TextError("", NO_HAND_FOR_ALL, RANGES_EXAMPLE)
    return totals.answer(scenario, exact=plan is not None)


def _plan(scenario: Scenario, effort: Effort) -> CountPlan | None:
    """How to count, or None to sample."""
    if effort.exact is False or (
        effort.exact is None and (effort.deals is not None or effort.error is not None)
    ):
        return None
    plan = cheapest(scenario)
    if effort.exact is None:
        return plan if plan is not None and plan.seconds <= effort.seconds else None
    if plan is None or plan.seconds > LONGEST_COUNT:
        raise TextError("", "there are too many deals to count them all", "--error 0.0001 samples")
    return plan


def _in_order(
    jobs: Iterator[tuple[int, Job]], players: int, threads: int
) -> Iterator[tuple[int, NDArray[np.int64], NDArray[np.int64]]]:
    """Run the jobs, a few ahead, and give their sums in the order of the jobs.

    Stopping early is decided on sums in order, so it falls on the same deal with any number of
    threads. A closed iterator lets no further job start.
    """
    import numpy as np

    def run(job: Job) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        shares = np.zeros((players, players + 1), np.int64)
        kinds = np.zeros((players, 10), np.int64)
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
    """Sums over deals: `shares[p, m]`, the deals that p wins among m winners, and kinds."""

    def __init__(self, players: int) -> None:
        self.deals = 0
        self.shares = [[0] * (players + 1) for _ in range(players)]
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
        mean = sum(count / m for m, count in enumerate(shares) if m) / self.deals
        square = sum(count / m**2 for m, count in enumerate(shares) if m) / self.deals
        return sqrt(max(0.0, square - mean * mean) / self.deals)

    def answer(self, scenario: Scenario, *, exact: bool) -> Showdown:
        order = scenario.rules.ranking.order
        players = []
        for seat, shares in enumerate(self.shares):
            win, tie = shares[1], sum(shares[2:])
            kinds = dict(zip(order, self.kinds[seat], strict=True))
            value = sum((Fraction(n, m) for m, n in enumerate(shares) if m), Fraction(0))
            players.append(
                PlayerOdds(
                    cards=_cards_text(scenario.players[seat]),
                    win=win,
                    tie=tie,
                    lose=self.deals - win - tie,
                    value=value / self.deals,
                    standard_error=None if exact else self._error_of(shares),
                    ranks={rank: kinds[rank] for rank in HandRank},
                )
            )
        return Showdown(
            scenario, exact, self.deals, None if exact else self.error(), tuple(players)
        )


def _cards_text(holding: Cards | Range) -> str:
    return holding.text if isinstance(holding, Range) else str(holding)
