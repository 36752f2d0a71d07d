"""Showdowns: how often each player wins, their share of the pot, and the hands they make.

`showdown_odds` counts exactly if that takes at most about a second, else it samples until the
caller stops it or enough deals are dealt. It reads no clock and starts only `threads` threads.
Callables report progress, cancel the work, or say that the time is up.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import chain, islice
from math import lcm, sqrt
from operator import mul
from typing import TYPE_CHECKING, Any, Final, TypeVar

from engine.cards import Cards
from engine.errors import EngineError, Reason, TextError
from engine.odds.showdown.counting import CountPlan, board_jobs, cheapest
from engine.odds.showdown.dealing import Job, Sums, deal_jobs, no_sums, orders_of, sample_jobs
from engine.odds.showdown.joint import places_of
from engine.odds.showdown.preflop import table_sums
from engine.odds.showdown.ranges import Range
from engine.odds.showdown.ranking import HandRank
from engine.odds.showdown.scenario import NO_HAND_FOR_ALL, RANGES_EXAMPLE, Scenario

if TYPE_CHECKING:
    from engine.odds.showdown.conditions import Condition
    from engine.odds.showdown.pots import Winnings

_Result = TypeVar("_Result")
_TELLING: Final = 100  # the spread of fewer deals isn't trusted


class Totals:
    """Sums over deals: each player's deals by the part of the pot won, and by kind of hand.

    A column of `shares` is a number of winners; for a split pot, `kernels.deal.add_result`
    describes the columns. If deals differ in weight (`dealing`), all sums are sums of weights, and
    `weight` is the total; otherwise `weight` equals `deals`. With stakes, deals are also counted by
    the order of all hands.
    """

    def __init__(self, scenario: Scenario) -> None:
        players, split = len(scenario.players), scenario.has_halves
        self.deals = 0
        self.tried = 0
        self.weight: float = 0
        self._square: float = 0
        parts, self._unit, self.units = parts_of_pot(players, split)
        self._parts = [*map(float, parts)]
        self._chances = chance_columns(players, split)
        columns = len(self._parts)
        self.shares: list[list[float]] = [[0] * columns for _ in range(players)]
        self.kinds: list[list[float]] = [[0] * 10 for _ in range(players)]
        self._share_squares: list[list[float]] = [[0] * columns for _ in range(players)]
        self._kind_squares: list[list[float]] = [[0] * 10 for _ in range(players)]
        self._stakes = scenario.stakes
        self._orders: list[list[float]] = [[0] * orders_of(scenario) for _ in range(2)]

    def add(self, sums: Sums) -> None:
        """Add the sums of a job."""
        weights = sums.weights
        self.deals += sums.deals
        self.tried += sums.tried
        self.weight += sums.deals if weights is None else weights.total
        self._square += sums.deals if weights is None else weights.square
        _add(self.shares, sums.shares.tolist())
        _add(self.kinds, sums.kinds.tolist())
        if weights is not None:
            _add(self._share_squares, weights.share_squares.tolist())
            _add(self._kind_squares, weights.kind_squares.tolist())
        if sums.orders is not None:
            _add(self._orders, [counts.tolist() for counts in sums.orders])

    def in_deals(self, weight: float) -> int:
        """Convert a sum of weights to a number of deals."""
        return int(weight if self.weight == self.deals else weight * self.deals / self.weight)

    @property
    def worth(self) -> float:
        """The number of deals of equal weight that would give the same precision."""
        return self.weight * self.weight / self._square if self._square else 0.0

    def value(self, seat: int) -> Fraction:
        """Return the pot share of the player in `seat`."""
        return Fraction(self._won(seat)) / Fraction(self._unit * self.weight)

    def _won(self, seat: int) -> float:
        won: float = sum(map(mul, self.units, self.shares[seat]))
        return won

    def winnings(self, *, exact: bool) -> Winnings | None:
        """Return the expected chips; None if the question has no stakes."""
        if self._stakes is None:
            return None
        from engine.odds.showdown.pots import count_winnings

        orders = (
            (places_of(code, len(self.shares)), weight, square)
            for code, (weight, square) in enumerate(zip(*self._orders, strict=True))
            if weight
        )
        return count_winnings(self._stakes, orders, self.weight, exact=exact)

    def is_whole(self, units: int) -> bool:
        """Return whether this many units are the whole pot."""
        return units == self._unit

    def error(self) -> float:
        """Return the largest standard error of all figures: values, pots won, kinds of hands."""
        seats = range(len(self.shares))
        return max(max(self.error_of(seat), self._chance_error(seat)) for seat in seats)

    def error_of(self, seat: int) -> float:
        """Return the standard error of a player's value, a ratio of two sums over deals.

        The error follows from the spread of w (x - value) over deals of weight w and share x. A few
        deals may happen to be equal and show no spread, so with few deals a spread of at least 0.5
        is assumed, the largest that shares from 0 to 1 can have.
        """
        squares = self._share_squares[seat] if self._is_weighted else self.shares[seat]
        parts = [(part, count) for part, count in zip(self._parts, squares, strict=True) if part]
        value = self._won(seat) / (self._unit * self.weight)  # as `value`, which is slow
        lost = self._square - sum(count for _, count in parts)
        spread = sum((part - value) ** 2 * count for part, count in parts) + value**2 * lost
        error = sqrt(max(0.0, spread)) / self.weight
        return error if self.worth >= _TELLING else max(error, 0.5 / sqrt(max(self.worth, 1.0)))

    @property
    def _is_weighted(self) -> bool:
        return self.weight != self._square

    def _chance_error(self, seat: int) -> float:
        """Return the largest standard error of a player's chances: winning, tying, each kind."""
        shares, kinds = self.shares[seat], self.kinds[seat]
        share_squares, kind_squares = shares, kinds
        if self._is_weighted:
            share_squares, kind_squares = self._share_squares[seat], self._kind_squares[seat]
        sums = [
            (sum(shares[column] for column in columns), sum(share_squares[c] for c in columns))
            for columns in self._chances
        ]
        spread = 0.0
        for weight, square in (*sums, *zip(kinds, kind_squares, strict=True)):
            chance = weight / self.weight
            spread = max(spread, (1 - 2 * chance) * square + chance**2 * self._square)
        return sqrt(spread) / self.weight


def _add(sums: list[list[float]], added: list[list[float]]) -> None:
    for row, others in zip(sums, added, strict=True):
        row[:] = [a + b for a, b in zip(row, others, strict=True)]


@cache
def parts_of_pot(players: int, split: bool) -> tuple[list[Fraction], int, list[int]]:
    """Return each column's part of the pot, the units in a pot, and the parts in these units.

    The columns are those of `Totals.shares`. `split`: the pot has a high and a low half.
    """
    if split:
        columns = range((players + 1) * (players + 2))
        parts = [_part_of_split(column, players) for column in columns]
    else:
        parts = [Fraction(1, among) if among else Fraction(0) for among in range(players + 1)]
    unit = lcm(*(part.denominator for part in parts))
    return parts, unit, [int(part * unit) for part in parts]


@cache
def chance_columns(players: int, split: bool) -> tuple[tuple[int, ...], ...]:
    """Return the columns of `shares` for each event whose chance is reported.

    The events are winning the whole pot and winning a part of it; for a split pot, also all that
    `Halves` counts.
    """
    parts, _, _ = parts_of_pot(players, split)
    columns = range(len(parts))
    happens: list[Sequence[bool]] = [
        [part == 1 for part in parts],
        [0 < part < 1 for part in parts],
    ]
    if split:
        happens += zip(*(_halves_won(column, players) for column in columns), strict=True)
    return tuple(tuple(column for column in columns if event[column]) for event in happens)


def _part_of_split(column: int, players: int) -> Fraction:
    """Return the part of a split pot that a column of `shares` stands for."""
    high, low = divmod(column, players + 2)
    of_high = Fraction(1, high) if high else Fraction(0)
    if low > players:  # no player has a low hand
        return of_high
    return (of_high + (Fraction(1, low) if low else 0)) / 2


POT_EXAMPLE: Final = "--pot 60 --call 20"


@dataclass(frozen=True, slots=True)
class PotOdds:
    """The odds for calling `call` into a pot of `pot`, both in the same unit.

    `needed` is the share of the whole pot at which a call breaks even, `held` the share that the
    hand has at the showdown, and `worth` the average gain from calling without further betting;
    folding is worth 0.
    """

    pot: Fraction
    call: Fraction
    needed: Fraction
    held: Fraction
    worth: Fraction


def pot_odds(held: Fraction, pot: Fraction, call: Fraction) -> PotOdds:
    """Return the pot odds of a call for a player whose share of the pot is `held`, 0 to 1.

    `pot` is the pot before the call, including the bet to call. Raises `TextError` if the call
    isn't positive or the pot is negative.
    """
    if pot < 0:
        raise TextError(
            str(pot),
            Reason("expected a pot of 0 or more, got {given}", given=f"{float(pot):g}"),
            POT_EXAMPLE,
        )
    if call <= 0:
        reason = Reason("expected a call of more than 0, got {given}", given=f"{float(call):g}")
        raise TextError(str(call), reason, POT_EXAMPLE)
    return PotOdds(pot, call, call / (pot + call), held, held * (pot + call) - call)


DEFAULT_ERROR: Final = 0.0005
MOST_DEALS: Final = 2_000_000_000
LONGEST_COUNT: Final = 120.0
_FEWEST_DEALS: Final = 32_768
# hands of ranges to try before giving up on finding a possible deal
_MOST_TRIED: Final = 100_000_000


class ShowdownCancelled(EngineError):
    """The caller's `cancelled` returned True before the answer was complete."""


@dataclass(frozen=True, slots=True)
class Effort:
    """Limits for an answer, and how to get it.

    `exact`: True counts, or refuses if that takes longer than `longest` seconds. False samples.
    None counts if `deals` and `error` are None and counting takes at most about `seconds`;
    otherwise it samples. Sampling stops after `deals`, or when the standard error of every figure
    is at most `error`, or when `enough()`, called after every job, returns true. `seed` makes the
    sample repeatable. `ranked`: also count the kinds of hands. If `table` is False, the tables for
    before the flop (`preflop`) are not used. Raises `TextError` for limits that are out of range or
    can't be combined.
    """

    exact: bool | None = None
    seconds: float = 1.0
    longest: float = LONGEST_COUNT
    deals: int | None = None
    error: float | None = None
    seed: int = 0
    threads: int = 1
    ranked: bool = True
    table: bool = True
    enough: Callable[[], bool] | None = None

    def __post_init__(self) -> None:
        if self.deals is not None and not 1 <= self.deals <= MOST_DEALS:
            reason = Reason(
                "expected 1 to {most} deals, got {given}", most=MOST_DEALS, given=self.deals
            )
            raise TextError(str(self.deals), reason, "-i 10000")
        if self.error is not None and not 1e-6 <= self.error < 1:
            reason = Reason(
                "expected a standard error from 0.000001 to below 1, got {given}",
                given=str(self.error),
            )
            raise TextError(str(self.error), reason, "--error 0.001")
        if not 1 <= self.threads <= 64:
            reason = Reason("expected 1 to 64 threads, got {given}", given=self.threads)
            raise TextError(str(self.threads), reason, "-t 2")
        if self.exact and (self.deals is not None or self.error is not None):
            reason = Reason("an exact count can't be combined with a number of deals or an error")
            raise TextError("", reason, "--exact without -i and --error")


@dataclass(frozen=True, slots=True)
class PlayerOdds:
    """One player's part of the answer.

    `win`, `tie` and `lose` are the numbers of deals in which the player gets the whole pot, a
    part of it, or nothing. If deals are weighted, they are weights scaled to the number of
    deals. `value` is the player's share of the pot, and `standard_error` its standard error,
    None if exact. `ranks` counts the deals by kind of hand (in a split pot, the kind of the
    high hand). It is empty with two boards or pots, and all 0 without `Effort.ranked`. In a
    split pot, `halves` has the results by half. With two boards, its `high` is the first board
    and its `low` the second.
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
    """A player's results in a split pot, in deals.

    `high` and `low` count the deals in which the player has the best high and the best low hand,
    alone or tied; `high_tie` and `low_tie` only the tied ones. `scoop` counts the deals in which
    the player wins the whole pot. `three_quarters` counts the deals with one half won alone and the
    other tied, `quartered` the deals with one half tied and the other lost.
    """

    high: int
    high_tie: int
    low: int
    low_tie: int
    scoop: int
    three_quarters: int
    quartered: int

    def to_boards(self) -> dict[str, Any]:
        """Return the results on two boards as plain values."""
        boards = ((self.high, self.high_tie), (self.low, self.low_tie))
        return {
            "scoop": self.scoop,
            "boards": [{"win": best - tie, "tie": tie} for best, tie in boards],
        }


@dataclass(frozen=True, slots=True)
class ConditionOdds:
    """The chance of a question's condition: `favourable` of `total` deals or boards fit it.

    `standard_error` is None if the chance is exact.
    """

    text: str
    favourable: int
    total: int
    standard_error: float | None = None

    @property
    def probability(self) -> float:
        """The chance, 0 to 1."""
        return self.favourable / self.total

    def to_json(self) -> dict[str, Any]:
        """Return the chance as plain values."""
        return asdict(self) | {"probability": self.probability}


@dataclass(frozen=True, slots=True)
class Showdown:
    """The answer to a question: counts out of `deals`, exact or sampled.

    If the question has a condition, only deals that fit it are counted, and `condition` is the
    chance that it holds. If the question only asks how often a hand hits, there is no opponent:
    the player wins all deals, and `ranks` are empty. If the question has stakes, `pots` are the
    expected chips, and the players win, tie and lose as if there were one pot.

    With weighted ranges, `deals` of an exact answer is a sum of weights: a deal of hands that
    weigh 2 and 3 counts as 6.
    """

    scenario: Scenario
    exact: bool
    deals: int
    standard_error: float | None  # the largest of all figures, including kinds; None if exact
    players: tuple[PlayerOdds, ...]
    condition: ConditionOdds | None = None
    pots: Winnings | None = None

    @property
    def only_hits(self) -> bool:
        """Whether the answer only says how often a hand hits."""
        return self.condition is not None and len(self.players) == 1

    def to_json(self) -> dict[str, Any]:
        """Return the answer as plain values, in the format of `bluffhouse odds showdown --json`."""
        extra: dict[str, Any] = (
            {} if self.condition is None else {"condition": self.condition.to_json()}
        )
        extra |= {} if self.pots is None else {"pots": self.pots.to_json()}
        drawing = self.scenario.drawing
        extra |= {} if drawing is None else {"draws_left": drawing.draws}
        return extra | {
            "exact": self.exact,
            "deals": self.deals,
            "standard_error": self.standard_error,
            "players": [
                self._of_player(held, player, self.scenario.name(seat))
                | ({"keeps_up_to": limit} if (limit := self.scenario.limit(seat)) else {})
                for seat, (held, player) in enumerate(
                    zip(self.scenario.players, self.players, strict=True)
                )
            ],
        }

    def _of_player(self, held: Cards | Range, player: PlayerOdds, name: str) -> dict[str, Any]:
        values: dict[str, Any] = {"name": name} if name else {}
        values |= {
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
            halves = player.halves
            values |= asdict(halves) if self.scenario.second is None else halves.to_boards()
        if isinstance(held, Range):
            values |= {"hands": len(held), "hands_share": float(held.share)}
        return values


Progress = Callable[[int, int], None]


def showdown_odds(
    scenario: Scenario,
    effort: Effort = Effort(),
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Showdown:
    """Return how often each player of `scenario` wins, and their share of the pot.

    `progress(done, total)`, in deals, is called in the caller's thread after every job, which takes
    some hundredths of a second. If a condition is counted exactly, `done` and `total` are jobs.
    `cancelled()` is called after every job too; if it returns true, this raises
    `ShowdownCancelled`. An answer from the tables for before the flop calls `progress` once and
    never calls `cancelled`.

    Raises `TextError` if a required exact count would take longer than `effort.longest`, or isn't
    finished when `effort.enough` returns true. Raises it also if the condition doesn't apply to the
    game, or if no possible deal that fits the condition is found. The answer does not depend on
    `effort.threads`.
    """
    if scenario.condition is not None:
        return _odds_under_condition(scenario, scenario.condition, effort, progress, cancelled)
    completed = scenario.with_unknown_cards()
    known = _from_table(completed, effort)
    if known is not None:
        if progress is not None:
            progress(known.deals, known.deals)
        return _answer(known, scenario, exact=True)
    plan = _plan(completed, effort)
    error = effort.error
    if plan is None:
        if effort.deals is None and error is None:
            error = DEFAULT_ERROR
        deals = effort.deals or MOST_DEALS
        jobs = _jobs_of_sample(completed, deals, effort)
    elif plan.by_boards:
        deals, jobs = board_jobs(completed, effort.ranked)
    else:
        deals, jobs = plan.deals, _jobs_of_count(completed, plan.deals, effort)
    totals = Totals(completed)
    for sums in _in_order(jobs, effort.threads):
        totals.add(sums)
        if cancelled is not None and cancelled():
            raise ShowdownCancelled("the computation was cancelled")
        reached = totals.error() if error is not None and totals.deals else 1.0
        if progress is not None:
            progress(totals.deals, _expected_deals(totals.deals, deals, error, reached))
        if error is not None and totals.worth >= _FEWEST_DEALS and reached <= error:
            break
        if totals.deals < deals and effort.enough is not None and effort.enough():
            if plan is not None and effort.exact:
                raise _out_of_time(100 * totals.deals // deals)
            if plan is not None:
                return showdown_odds(scenario, replace(effort, exact=False), progress, cancelled)
            break
        if not totals.deals and totals.tried > _MOST_TRIED:
            break
    if not totals.deals:
        raise TextError("", _no_hand(totals), RANGES_EXAMPLE)
    return _answer(totals, scenario, exact=plan is not None)


def _jobs_of_sample(scenario: Scenario, deals: int, effort: Effort) -> Iterator[Job]:
    if scenario.drawing is None:
        return sample_jobs(scenario, deals, effort.seed, effort.ranked)
    from engine.odds.showdown import later_draws

    return later_draws.sample_jobs(scenario, deals, effort.seed)


def _jobs_of_count(scenario: Scenario, deals: int, effort: Effort) -> Iterator[Job]:
    if scenario.drawing is None:
        return deal_jobs(scenario, deals, effort.ranked)
    from engine.odds.showdown import later_draws

    return later_draws.count_jobs(scenario)


def _odds_under_condition(
    scenario: Scenario,
    condition: Condition,
    effort: Effort,
    progress: Progress | None,
    cancelled: Callable[[], bool] | None,
) -> Showdown:
    """Answer a question with a condition, as `showdown_odds` does."""
    from engine.odds.showdown import condition_jobs
    from engine.odds.showdown.conditions import CONDITION_EXAMPLE

    condition_jobs.check_condition(scenario)
    alone = len(scenario.players) == 1
    table = condition_jobs.table_of_condition(scenario, condition, effort.ranked and not alone)
    sampler = condition_jobs.Sampler(scenario, table, effort.seed)
    exact = _may_count(effort)
    if exact:
        limit = effort.longest if effort.exact else effort.seconds
        exact = condition_jobs.counting_seconds(scenario, condition, sampler, limit) <= limit
        if effort.exact and not exact:
            raise _too_many()
    error = effort.error
    if exact:
        jobs, most = condition_jobs.counting_jobs(scenario, condition, table)
    else:
        error = DEFAULT_ERROR if effort.deals is None and error is None else error
        most = effort.deals or condition_jobs.MOST_SAMPLED
        jobs = sampler.jobs(most)
    totals, counts, finished = Totals(scenario), [0, 0], 0
    for sums, counted in _in_order(jobs, effort.threads):
        totals.add(sums)
        counts = [a + int(b) for a, b in zip(counts, counted, strict=False)]
        finished = finished + 1 if exact else counts[1]
        if cancelled is not None and cancelled():
            raise ShowdownCancelled("the computation was cancelled")
        if progress is not None:
            progress(finished, most)
        if error is not None and _is_precise(totals, counts, error, alone=alone):
            break
        if finished < most and effort.enough is not None and effort.enough():
            if exact and effort.exact:
                raise _out_of_time(100 * finished // most)
            if exact:
                return showdown_odds(scenario, replace(effort, exact=False), progress, cancelled)
            break
    favourable, total = counts
    if not total or (not alone and not totals.deals):
        reason = Reason('no deal fits "{condition}"', condition=condition.text)
        raise TextError(condition.text, reason, CONDITION_EXAMPLE)
    chance = ConditionOdds(
        condition.text, favourable, total, None if exact else _chance_error(favourable, total)
    )
    if not totals.deals:  # the hand never hits, and there is no opponent
        totals.add(Sums(1, *no_sums(scenario)))
    answer = _answer(totals, scenario, exact=exact)
    if alone:
        players = (replace(answer.players[0], win=answer.deals, lose=0, ranks={}),)
        answer = replace(answer, players=players, standard_error=chance.standard_error)
    elif chance.standard_error is not None:
        error = max(answer.standard_error or 0, chance.standard_error)
        answer = replace(answer, standard_error=error)
    return replace(answer, condition=chance)


def _chance_error(favourable: int, total: int) -> float:
    """Return the standard error of a chance; never 0, even if all deals are alike."""
    share = min(max(favourable, 1), max(total - 1, 1)) / total
    return sqrt(share * (1 - share) / total) if total > 1 else 0.5


def _is_precise(totals: Totals, counts: list[int], error: float, *, alone: bool) -> bool:
    favourable, total = counts
    if total < _FEWEST_DEALS or _chance_error(favourable, total) > error:
        return False
    return alone or (totals.worth >= _FEWEST_DEALS and totals.error() <= error)


def _out_of_time(share: int) -> TextError:
    reason = Reason("time ran out with {share}% of the deals counted", share=share)
    return TextError("", reason, "--seconds 120, or --error 0.0001 samples")


def _too_many() -> TextError:
    reason = Reason("there are too many deals to count exactly")
    return TextError("", reason, "--error 0.0001 samples")


def _no_hand(totals: Totals) -> Reason:
    if not totals.tried:
        return NO_HAND_FOR_ALL
    return Reason(
        "these ranges almost never leave a hand for everyone: {tried} tries gave no deal",
        tried=totals.tried,
    )


def _may_count(effort: Effort) -> bool:
    """Return whether an exact answer is required or allowed."""
    if effort.exact is None:
        return effort.deals is None and effort.error is None
    return effort.exact


def _from_table(scenario: Scenario, effort: Effort) -> Totals | None:
    """Return the exact sums from the tables for before the flop, if allowed and available."""
    if not effort.table or not _may_count(effort) or scenario.is_joint:
        return None
    sums = table_sums(scenario, effort.ranked)
    if sums is None or not sums.deals:
        return None
    totals = Totals(scenario)
    totals.add(sums)
    return totals


def _plan(scenario: Scenario, effort: Effort) -> CountPlan | None:
    """Return the plan for counting, or None to sample.

    Raises `TextError` if counting is required but would take too long.
    """
    if not _may_count(effort):
        return None
    plan = cheapest(scenario)
    if effort.exact is None:
        return plan if plan is not None and plan.seconds <= effort.seconds else None
    if plan is None or plan.seconds > effort.longest:
        raise _too_many()
    return plan


def _in_order(jobs: Iterator[Callable[[], _Result]], threads: int) -> Iterator[_Result]:
    """Run the jobs, one more than there are threads, and yield their results in the jobs' order.

    Early stopping depends on the sums in this order, so it happens at the same deal with any number
    of threads. Once the iterator is closed, no more jobs start. A single job starts no thread.
    """
    first = list(islice(jobs, 2))
    if threads == 1 or len(first) == 1:
        for job in chain(first, jobs):
            yield job()
        return
    from concurrent.futures import Future, ThreadPoolExecutor  # slow: imports logging

    waiting: deque[Future[_Result]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for job in chain(first, jobs):
                waiting.append(pool.submit(job))
                if len(waiting) > threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()


def _expected_deals(dealt: int, deals: int, error: float | None, reached: float) -> int:
    """Estimate how many deals will have been dealt when the answer is ready.

    The `dealt` deals so far have a standard error of `reached`.
    """
    if error is None or not dealt:
        return deals
    if reached <= error:
        return dealt
    return max(dealt + 1, min(deals, round(dealt * (reached / error) ** 2)))


def _answer(totals: Totals, scenario: Scenario, *, exact: bool) -> Showdown:
    ranking = scenario.rules.ranking
    kinds_shown = () if scenario.is_joint else ranking.kinds
    places = [(kind, ranking.order.index(kind)) for kind in kinds_shown]
    players = []
    for seat, weights in enumerate(totals.shares):
        shares = list(map(totals.in_deals, weights))
        parts = list(zip(totals.units, shares, strict=True))
        win = sum([n for units, n in parts if totals.is_whole(units)])
        tie = sum([n for units, n in parts if units]) - win
        kinds = totals.kinds[seat]
        players.append(
            PlayerOdds(
                cards=str(scenario.players[seat]),
                win=win,
                tie=tie,
                lose=totals.deals - win - tie,
                value=totals.value(seat),
                standard_error=None if exact else totals.error_of(seat),
                ranks={kind: totals.in_deals(kinds[place]) for kind, place in places},
                halves=_halves(shares, len(totals.shares), win) if scenario.has_halves else None,
            )
        )
    error = None if exact else totals.error()
    pots = totals.winnings(exact=exact)
    return Showdown(scenario, exact, totals.deals, error, tuple(players), pots=pots)


def _halves(shares: list[int], players: int, scoop: int) -> Halves:
    sums = [0] * 6
    for column, deals in enumerate(shares):
        for place, won in enumerate(_halves_won(column, players)):
            sums[place] += deals * won
    high, high_tie, low, low_tie, three_quarters, quartered = sums
    return Halves(high, high_tie, low, low_tie, scoop, three_quarters, quartered)


def _halves_won(column: int, players: int) -> tuple[bool, bool, bool, bool, bool, bool]:
    """Return which results of `Halves` a column of `shares` counts towards.

    They are in the order of the fields of `Halves`, without `scoop`.
    """
    highs, lows = divmod(column, players + 2)
    if lows > players:  # no player has a low hand, so there are no halves
        return highs > 0, highs > 1, False, False, False, False
    fewer, most = sorted((highs, lows))
    three_quarters, quartered = fewer == 1 < most, fewer == 0 and most > 1
    return highs > 0, highs > 1, lows > 0, lows > 1, three_quarters, quartered
