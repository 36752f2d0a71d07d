"""Jobs that count or sample the deals that fit a condition; `equity` adds up their results.

The game is hold'em or short deck. A condition about one street is checked on the boards of that
street, in any order of their cards; if suits don't matter, on their ranks. Any other condition is
checked on every flop, turn and river in order, and decided as early as possible. Hands that differ
only by a permutation of suits are counted once, as in `counting`. If counting would take more than
about a second, the deals are sampled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from math import comb, prod
from typing import TYPE_CHECKING, Any, Final

from engine.errors import Reason, TextError
from engine.odds.loading import np
from engine.odds.showdown import array_conditions, compiled
from engine.odds.showdown.conditions import CONDITION_EXAMPLE, HAND, Condition
from engine.odds.showdown.counting import classes_of, players_without, unknown_seat
from engine.odds.showdown.dealing import Sums, is_holdem, no_sums, rows_per_job
from engine.odds.showdown.made_hands import Made, made_order
from engine.odds.showdown.ranges import Range
from engine.odds.showdown.scenario import Scenario

if TYPE_CHECKING:
    from numpy.typing import NDArray

_WHOLE: Final = 5  # cards of a board
_NO_SEAT: Final = -1
# Rough seconds on one thread, which decide whether counting takes "about a second".
_HAND_SECONDS: Final = 8e-8  # to find a hand's class and draws
_BOARD_SECONDS: Final = 2e-8
_SCORE_SECONDS: Final = 1.5e-8
_RANKS_SECONDS: Final = 2.5e-4  # for a player's hand, if only ranks matter
# for a player, to complete a board of this many cards in all ways
_COMPLETED_SECONDS: Final = {3: 1.2e-6, 4: 5e-8, 5: 5e-9}
_LISTED_SECONDS: Final = 1e-8  # to add up a board that fits
_GROWN_SECONDS: Final = 2e-4  # for a player, to compare all whole boards
_UNKNOWN_SECONDS: Final = 3e-2  # to compare known hands with all hands of another player
_QUICK_SECONDS: Final = 0.1
_MOST_LISTED: Final = 3  # cards to come; with more, counting by ranks is quicker
_MILLION_SECONDS: Final = 0.1  # to sample the million deals that an answer needs if all fit
_DEALS_PER_JOB: Final = 1 << 15
_PILOT: Final = 1 << 14
MOST_SAMPLED: Final = 100_000_000
_TRIES: Final = 200  # sets of hands to try for a deal, on average, before giving up
_MOST_HOLDINGS: Final = 2_000_000
_MOST_ALIKE: Final = 48  # holdings for a row: 24 that differ only by suits, and twice for clashes
_MOST_SUM: Final = 1 << 61
_MOST_BOARDS: Final = 10**8  # more than the number of boards, in order, for a set of hands


def check_condition(scenario: Scenario) -> None:
    """Raise `TextError` if the question's condition doesn't apply to its game and players.

    The game must be hold'em or short deck without wild cards. Every player that the condition names
    must be in the question.
    """
    condition = scenario.condition
    assert condition is not None
    if not is_holdem(scenario):
        reason = Reason("conditions work only in hold'em and short deck, without wild cards")
        raise TextError(condition.text, reason, CONDITION_EXAMPLE)
    missing = [seat for seat in condition.seats if seat >= len(scenario.players)]
    if missing:
        reason = Reason(
            "the condition is about player {number}, but there are only {most}",
            number=missing[0] + 1,
            most=len(scenario.players),
        )
        raise TextError(condition.text, reason, CONDITION_EXAMPLE)


@dataclass(frozen=True, slots=True)
class ConditionTable:
    """A question as arrays, which are arguments of `count_street` in `kernels.conditions`."""

    known: NDArray[np.bool_]
    dealt: NDArray[np.int64]
    gone: np.uint64
    condition: tuple[NDArray[Any], ...]
    facts: NDArray[np.int64]


def table_of_condition(scenario: Scenario, condition: Condition, ranked: bool) -> ConditionTable:
    """Return a question as arrays; if `ranked`, kernels also count the kinds of hands."""
    rules = scenario.rules
    atoms = [(a.stage, a.kind, a.seat, a.least, a.most) for a in condition.atoms]
    order, below = made_order(rules.ranking), 0
    for number, least in enumerate((Made.FLUSH, Made.STRAIGHT, Made.LOW_PAIR)):
        for place, hand_class in enumerate(Made):
            if order.index(hand_class) > order.index(least):
                below |= 1 << number * len(Made) + place
    return ConditionTable(
        np.array([len(cards) == rules.private for cards in scenario.known]),
        np.array([card.number for card in scenario.in_order], np.int64),
        np.uint64(((1 << 52) - 1) & ~rules.deck.bits | scenario.dead.bits),
        (
            np.array(atoms, np.int64),
            np.array([a.masks for a in condition.atoms], np.uint64),
            np.array(condition.program, np.int64),
        ),
        np.array([rules.ranking.code, ranked, below], np.int64),
    )


ConditionJob = Callable[[], tuple[Sums, "NDArray[np.int64]"]]
"""Returns the sums of the deals that fit, and an array that begins with two numbers: how many
boards or deals fit, and how many there are."""

# -- counting -------------------------------------------------------------------------------------


def counting_seconds(
    scenario: Scenario, condition: Condition, sampler: Sampler, limit: float
) -> float:
    """Return about how many seconds counting takes on one thread.

    A pilot sample tells how many deals fit, unless counting takes at most `limit` seconds even if
    all of them do. Infinity if there is too much to count; 0 if numpy arrays count it without
    compiled code.
    """
    sizes = [len(scenario.holdings(seat)[0]) for seat in range(len(scenario.players))]
    holdings = prod(sizes)
    if holdings > _MOST_HOLDINGS or holdings * sampler.heaviest * _MOST_BOARDS > _MOST_SUM:
        return float("inf")
    unknown = _without_unknown(scenario, condition)
    if unknown is not None:
        # quicker than to sample, or nearly nothing
        seconds = _unknown_seconds(unknown)
        if seconds <= _QUICK_SECONDS or seconds < _MILLION_SECONDS / sampler.pilot()[0]:
            return min(seconds, limit)
    # listing very many holdings takes seconds: first see whether even a few of them are too many
    fewest = holdings / _MOST_ALIKE
    if fewest * _row_seconds(scenario, condition, (0.0, 0.0, 0.0)) > limit:
        return float("inf")
    rows, _ = classes_of(scenario)
    if array_conditions.is_quick(scenario, condition, len(rows)):
        return 0.0
    most = len(rows) * _row_seconds(scenario, condition, (1.0, 1.0, 1.0))
    if most <= limit:
        return most
    shares = sampler.pilot()
    seconds = len(rows) * _row_seconds(scenario, condition, shares)
    if seconds > limit and _is_by_street(scenario, condition):
        # these estimates are too high where hands share a list of boards: count if that's quicker
        once, each = _street_seconds(scenario, condition, shares[0])
        by_street = _groups(scenario, condition, rows) * once + len(rows) * each
        if by_street < _MILLION_SECONDS / shares[0]:
            return by_street
    return seconds


@dataclass(frozen=True, slots=True)
class _Unknown:
    """A question in which only the cards of the player in `seat` are unknown.

    `scenario` and `condition` are those of the other players, `rows` and `times` their hands.
    """

    seat: int
    scenario: Scenario
    condition: Condition
    rows: NDArray[np.uint64]
    times: NDArray[np.int64]


def _without_unknown(scenario: Scenario, condition: Condition) -> _Unknown | None:
    """Return the question without its unknown hand, if `kernels.streets` counts all such hands."""
    seat, street = unknown_seat(scenario), condition.street
    if seat is None or street is None or len(scenario.board) > street or seat in condition.seats:
        return None
    if condition.by_ranks and street - len(scenario.board) > _MOST_LISTED:
        return None
    atoms = [replace(atom, seat=atom.seat - (atom.seat > seat)) for atom in condition.atoms]
    others = replace(condition, atoms=tuple(atoms))
    players = players_without(scenario, seat)
    known = replace(scenario, players=players, names=(), condition=others)
    return _Unknown(seat, known, others, *classes_of(known))


def _unknown_seconds(unknown: _Unknown) -> float:
    """Return about how many seconds it takes to count a question with an unknown hand."""
    once, _ = _street_seconds(unknown.scenario, unknown.condition, 0.0)
    lists = _groups(unknown.scenario, unknown.condition, unknown.rows)
    return lists * once + len(unknown.rows) * _UNKNOWN_SECONDS


def _is_by_street(scenario: Scenario, condition: Condition) -> bool:
    """Return whether `kernels.streets` counts this: one street, not by ranks alone."""
    street = condition.street
    return street is not None and len(scenario.board) <= street and not condition.by_ranks


def _street_seconds(scenario: Scenario, condition: Condition, share: float) -> tuple[float, float]:
    """Return about how many seconds it takes to list a street's boards, and to count them once.

    `share` is the fraction of boards that fit. They are counted for each row of hands; a list
    serves all successive rows that agree in the hands that the condition may depend on.
    """
    street = condition.street
    assert street is not None
    players, missing = len(scenario.players), street - len(scenario.board)
    boards = comb(len(scenario.left), missing)
    of_hands = any(atom.kind == HAND for atom in condition.atoms)
    choices = max(missing, 1) if condition.by_last else 1
    each = _GROWN_SECONDS * players if players > 1 else 0.0
    if missing and condition.by_last and len(condition.atoms) == 1:
        return 0.0, each
    listed = boards * choices * (_HAND_SECONDS if of_hands else _BOARD_SECONDS)
    return listed, each + boards * min(1.0, choices * share) * _LISTED_SECONDS


def _groups(scenario: Scenario, condition: Condition, rows: NDArray[np.uint64]) -> int:
    """Return how many lists of boards are needed for the rows of hands."""
    known = (len(cards) == scenario.rules.private for cards in scenario.known)
    seats = [seat for seat, whole in enumerate(known) if whole or seat in condition.seats]
    hands = rows[:, seats]
    return 1 + int((hands[1:] != hands[:-1]).any(axis=1).sum())


def _row_seconds(
    scenario: Scenario, condition: Condition, shares: tuple[float, float, float]
) -> float:
    """Return about how many seconds it takes to count all boards for one choice of hands.

    `shares` are fractions of a pilot sample's deals: those that fit the condition, those still
    undecided on the flop, and those still undecided on the turn.
    """
    share, flop_open, turn_open = shares
    players, held = len(scenario.players), len(scenario.board)
    gone = scenario.rules.deck - scenario.dead - scenario.board
    size = len(gone) - scenario.rules.private * players
    scoring = _SCORE_SECONDS * players if players > 1 else 0.0
    each = {False: _BOARD_SECONDS, True: _HAND_SECONDS}
    street = condition.street
    if street is not None and held <= street:
        if condition.by_ranks:
            return _RANKS_SECONDS * players
        of_hands = any(atom.kind == HAND for atom in condition.atoms)
        choices = street - held if condition.by_last else 1
        boards = comb(size, street - held)
        completed = _COMPLETED_SECONDS[street] * players if players > 1 else 0.0
        return boards * (max(choices, 1) * each[of_hands] + min(1.0, choices * share) * completed)
    flops = comb(size, 3 - held) if held < 3 else 1
    turns = size - 3 + min(held, 3) if held < 4 else 1
    rivers = size - 4 + min(held, 4) if held < 5 else 1
    seconds = 0.0
    boards = 1
    for stage, many, is_open in ((3, flops, 1.0), (4, turns, flop_open), (5, rivers, turn_open)):
        boards *= many
        atoms = [atom for atom in condition.atoms if atom.stage == stage]
        seconds += is_open * boards * each[any(atom.kind == HAND for atom in atoms)]
    return seconds + boards * share * scoring


def counting_jobs(
    scenario: Scenario, condition: Condition, table: ConditionTable
) -> tuple[Iterator[ConditionJob], int]:
    """Return jobs that together count all deals, and the number of jobs."""
    street = condition.street
    unknown = _without_unknown(scenario, condition)
    if unknown is not None:
        return _unknown_jobs(scenario, unknown, bool(table.facts[1])), len(unknown.rows)
    rows, multiples = classes_of(scenario)
    if array_conditions.is_quick(scenario, condition, len(rows)):

        def count_with_arrays() -> tuple[Sums, NDArray[np.int64]]:
            counted = array_conditions.count_hits(scenario, condition, rows[:, 0], multiples)
            totals = np.array([*counted, 0])
            return _sums(scenario, 0, *no_sums(scenario), totals), totals[:2]

        return iter([count_with_arrays]), 1
    by_street = street is not None and len(scenario.board) <= street
    by_ranks = by_street and condition.by_ranks
    if _is_by_street(scenario, condition):
        once, each = _street_seconds(scenario, condition, 1.0)
        alike = len(rows) / _groups(scenario, condition, rows)
        # a job begins with a list, so it should count some rows with it
        size = max(rows_per_job(each + once / alike), int(once / each) if each else 1)
    else:
        size = rows_per_job(_row_seconds(scenario, condition, (1.0, 1.0, 1.0)))

    def count_piece(at: int) -> tuple[Sums, NDArray[np.int64]]:
        shares, kinds = no_sums(scenario)
        totals = np.zeros(3, np.int64)
        some, times = rows[at : at + size], multiples[at : at + size]
        inputs = some, times, table.known, table.dealt, table.gone
        outputs = table.condition, table.facts, shares, kinds, totals
        if by_ranks:
            _count_by_ranks(scenario, condition, table, some, times, outputs)
        elif by_street:
            some, times, *others = inputs
            compiled.count_street(
                some, times, _NO_SEAT, *others, street, condition.by_last, *outputs
            )  # fmt: skip
        else:
            compiled.count_in_order(*inputs, *outputs)
        return _sums(scenario, int(totals[2]), shares, kinds, totals), totals[:2]

    def jobs() -> Iterator[ConditionJob]:
        for at in range(0, len(rows), size):
            yield lambda at=at: count_piece(at)  # type: ignore[misc]

    return jobs(), -(-len(rows) // size)


def _unknown_jobs(scenario: Scenario, unknown: _Unknown, ranked: bool) -> Iterator[ConditionJob]:
    """Yield jobs that together count all deals of a question with an unknown hand."""
    condition = unknown.condition
    table = table_of_condition(unknown.scenario, condition, ranked)

    def count_piece(at: int) -> tuple[Sums, NDArray[np.int64]]:
        shares, kinds = no_sums(scenario)
        totals = np.zeros(3, np.int64)
        compiled.count_street(
            unknown.rows[at : at + 1], unknown.times[at : at + 1], unknown.seat, table.known,
            table.dealt, table.gone, condition.street, condition.by_last, table.condition,
            table.facts, shares, kinds, totals,
        )  # fmt: skip
        return _sums(scenario, int(totals[2]), shares, kinds, totals), totals[:2]

    for at in range(len(unknown.rows)):
        yield lambda at=at: count_piece(at)  # type: ignore[misc]


def _count_by_ranks(
    scenario: Scenario,
    condition: Condition,
    table: ConditionTable,
    rows: NDArray[np.uint64],
    times: NDArray[np.int64],
    outputs: tuple[Any, ...],
) -> None:
    """Count a condition that depends on ranks alone, with the kernel that counts boards."""
    *inputs, shares, kinds, totals = outputs
    unseen = _WHOLE - len(table.dealt)
    # multisets of the cards to come; five of one rank are impossible
    multisets = comb(12 + unseen, unseen) - 13 * (unseen == _WHOLE)
    factors = np.zeros((len(rows), multisets), np.int64)
    compiled.fit_ranks(
        rows, times, table.dealt, table.gone, condition.street, condition.by_last, *inputs,
        totals, factors,
    )  # fmt: skip
    if len(scenario.players) > 1:
        ranking, ranked, _ = table.facts.tolist()
        none = np.zeros(0, np.int64)
        compiled.count_boards(
            rows, times, np.uint64(scenario.board.bits), table.gone, _WHOLE, ranking, False,
            none.astype(np.uint16), bool(ranked), factors, shares, kinds, none,
        )  # fmt: skip


def _sums(
    scenario: Scenario,
    whole: int,
    shares: NDArray[np.int64],
    kinds: NDArray[np.int64],
    totals: NDArray[np.int64],
) -> Sums:
    """Return the sums of the deals that fit the condition, for all players.

    `whole` is the number of these deals if there are several players. A single player wins all
    deals that fit; their number is `totals[0]`.
    """
    if len(scenario.players) == 1:
        whole = int(totals[0])
        shares[0, 1] = whole
    return Sums(whole, shares, kinds)


# -- sampling -------------------------------------------------------------------------------------


class Sampler:
    """The hands of each player with their weights, and jobs that deal from them."""

    def __init__(self, scenario: Scenario, table: ConditionTable, seed: int) -> None:
        hands, sums, begins = [], [], [0]
        self.heaviest = 1
        holdings = {}  # shared by players with the same range
        for seat, held in enumerate(scenario.players):
            key = held if isinstance(held, Range) else seat
            if key not in holdings:
                holdings[key] = scenario.holdings(seat)
            combos, weights = holdings[key]
            hands.append(np.array(combos, np.uint64))
            sums.append(np.cumsum(np.array(weights, np.uint64)))
            begins.append(begins[-1] + len(combos))
            self.heaviest *= max(weights, default=1)
        self._hands = np.concatenate(hands), np.array(begins, np.int64), np.concatenate(sums)
        self._scenario, self._table = scenario, table
        self._seed = np.uint64(seed & (1 << 64) - 1)

    def pilot(self) -> tuple[float, float, float]:
        """Estimate three shares of deals: fitting, undecided on the flop, undecided on the turn."""
        _, (fitting, total, on_flop, on_turn) = self._deal(0, _PILOT)
        fits, flop_open, turn_open = (
            float(count + 1) / float(total + 1) for count in (fitting, on_flop, on_turn)
        )
        return fits, flop_open, turn_open

    def jobs(self, deals: int) -> Iterator[ConditionJob]:
        """Yield jobs that together deal `deals` times.

        A job deals fewer times if the players' hands too often share a card.
        """
        for number, first in enumerate(range(0, deals, _DEALS_PER_JOB)):
            count = min(_DEALS_PER_JOB, deals - first)
            yield lambda number=number, count=count: self._deal(number, count)  # type: ignore[misc]

    def _deal(self, number: int, count: int) -> tuple[Sums, NDArray[np.int64]]:
        table = self._table
        shares, kinds = no_sums(self._scenario)
        totals = np.zeros(4, np.int64)
        compiled.sample_fitting(
            *self._hands, table.known, table.dealt, table.gone, table.condition, table.facts,
            self._seed, number, count, _TRIES * count, shares, kinds, totals,
        )  # fmt: skip
        return _sums(self._scenario, int(totals[0]), shares, kinds, totals), totals
