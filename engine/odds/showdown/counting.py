"""Exact showdowns: choose how to count a scenario, estimate the cost, and count.

For hold'em- and Omaha-like games, boards are counted by their ranks (`kernels.count`), once
for each set of hole cards that the players may hold. Sets that differ only by a permutation
of suits count as one. If one player's cards are unknown in hold'em, that player's hands are
counted by their ranks too (`kernels.streets`). All other games are counted deal by deal
(`kernels.deal`). The module `joint` counts questions with two boards, and side pots in those
other games. The module `later_draws` counts questions with several draws.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from math import comb, prod
from typing import TYPE_CHECKING, Final

from engine.cards import Cards
from engine.odds.loading import np
from engine.odds.showdown import array_boards, compiled, joint
from engine.odds.showdown.dealing import (
    Job,
    Sums,
    is_holdem,
    lows_of,
    no_sums,
    orders_of,
    rows_per_job,
    uses_two_three,
)
from engine.odds.showdown.games import ShowdownRules
from engine.odds.showdown.omaha_terms import CHANGES, change_suits
from engine.odds.showdown.ranges import Range
from engine.odds.showdown.ranking import Ranking
from engine.odds.showdown.scenario import Scenario

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Rough seconds on one thread, rounded up: they decide whether counting takes "about a second".
# by the number of board cards to come
_CLASS_SECONDS: Final = (2e-6, 3e-6, 8e-6, 3e-5, 9e-5, 2.5e-4)
_TWO_THREE_FACTOR: Final = 4
_ARRAYS_FACTOR: Final = 3  # how much slower arrays are than kernels
_DEAL_SECONDS: Final = 6e-8
# seconds for a score from the table, or by the rules
_SCORE_SECONDS: Final = {True: 1.2e-8, False: 8e-8}
_BADUGI_SECONDS: Final = 4e-7
_WITHOUT_TABLES: Final = (Ranking.ACE_FIVE, Ranking.DEUCE_SEVEN, Ranking.BADUGI)
_MOST_SUM: Final = 1 << 62  # the largest sum of weighted deals
_MOST_HOLDINGS: Final = 4_000_000
_ORBIT_SECONDS: Final = 3e-7
_MOST_DEALT: Final = 1  # board cards, for counting the hands of an unknown player by ranks
_NOTHING_SECONDS: Final = 1e-3  # so fast that no other plan is considered


@dataclass(frozen=True, slots=True)
class CountPlan:
    """A plan to count the `deals` of a scenario, `by_boards` or one by one, in about `seconds`."""

    by_boards: bool
    deals: int
    seconds: float


def cheapest(scenario: Scenario) -> CountPlan | None:
    """Return the faster way of counting `scenario` exactly, or None if none is feasible."""
    if _needs_joint(scenario):
        return _joint_plan(scenario)
    if scenario.drawing is not None:
        return _draws_plan(scenario)
    boards = _boards_plan(scenario)
    if scenario.is_joint or (boards is not None and boards.seconds < _NOTHING_SECONDS):
        return boards
    plans = [plan for plan in (boards, _deals_plan(scenario)) if plan]
    return min(plans, key=lambda plan: plan.seconds, default=None)


def _needs_joint(scenario: Scenario) -> bool:
    """Return whether only `joint` counts this: two boards, or pots that `kernels.count` can't."""
    return scenario.is_joint and (
        scenario.second is not None or not counts_by_boards(scenario.rules)
    )


def counts_by_boards(rules: ShowdownRules) -> bool:
    """Return whether `kernels.count` supports these rules."""
    if rules.jokers or rules.wild or rules.ranking.is_low or not 3 <= rules.public <= 5:
        return False
    return uses_two_three(rules) or (
        rules.private <= 2
        and 5 <= rules.private + rules.public <= 7
        and rules.usable_private == rules.private
        and rules.usable_public == rules.public
    )


def deal_total(scenario: Scenario) -> int | None:
    """Return the number of possible deals; None if a player has a range."""
    if any(isinstance(held, Range) for held in scenario.players):
        return None
    left = len(scenario.left)
    total = 1
    for need in needs(scenario):
        total *= comb(left, need)
        left -= need
    return total


def needs(scenario: Scenario) -> list[int]:
    """Return how many cards are still to be dealt to the board and then to each player."""
    rules = scenario.rules
    return [
        rules.public - len(scenario.board),
        *(rules.private - len(cards) for cards in scenario.known),
    ]


def _deals_plan(scenario: Scenario) -> CountPlan | None:
    deals = deal_total(scenario)
    if deals is None or deals >= 2**53:
        return None
    rules = scenario.rules
    # From one deal to the next, mostly only the last player's cards change, and only that hand is
    # scored again.
    scored = [need for need in needs(scenario)[1:] if need][-1:] or [0] * len(scenario.players)
    pairs = len(rules.hole_picks()) * len(rules.board_picks())
    tables = not rules.five_possible and rules.ranking not in _WITHOUT_TABLES
    score = _BADUGI_SECONDS if rules.ranking is Ranking.BADUGI else _SCORE_SECONDS[tables]
    each = _DEAL_SECONDS + len(scored) * pairs * score
    return CountPlan(False, deals, deals * each)


def _draws_plan(scenario: Scenario) -> CountPlan | None:
    """Return the plan for several draws; None if there are too many deals."""
    from engine.odds.showdown.later_draws import counting_seconds

    deals, seconds = counting_seconds(scenario)
    return CountPlan(False, deals, seconds) if deals < _MOST_SUM else None


def _boards_plan(scenario: Scenario) -> CountPlan | None:
    rules = scenario.rules
    if not counts_by_boards(rules):
        return None
    holdings = _holdings(scenario)
    if holdings is None:
        return None
    unseen = rules.public - len(scenario.board)
    each = _CLASS_SECONDS[unseen] * len(scenario.players) / 2
    if uses_two_three(rules):
        each *= _TWO_THREE_FACTOR
    seconds = _holdings_seconds(scenario, holdings, each)
    deals = holdings * comb(scenario.undealt, unseen)
    if deals * _heaviest(scenario) > _MOST_SUM:
        return None
    return CountPlan(True, deals, seconds)


def _joint_plan(scenario: Scenario) -> CountPlan | None:
    """Return the plan for counting two boards or pots; None if there is too much to count."""
    holdings, each = _holdings(scenario), joint.row_seconds(scenario)
    if holdings is None or each is None:
        return None
    deals = holdings * joint.deals_of_row(scenario)
    if deals * _heaviest(scenario) > _MOST_SUM:
        return None
    return CountPlan(True, deals, _holdings_seconds(scenario, holdings, each))


def _holdings(scenario: Scenario) -> int | None:
    """Return about how many ways there are to deal all hole cards; None if too many to list."""
    holdings = 1
    for seat in range(len(scenario.players)):
        holdings *= _holding_total(scenario, seat)
        if holdings > _MOST_HOLDINGS:  # further seats have at least one hand each
            return None
    return holdings


def _holdings_seconds(scenario: Scenario, holdings: int, each: float) -> float:
    """Return about how many seconds it takes to count all `holdings`, the ways to hold cards.

    Ways that differ only by a permutation of suits are counted once, in `each` seconds.
    """
    alike = len(_suit_changes(scenario)) if holdings > 1 else 1
    classes = max(1.0, holdings / max(1.0, 0.6 * alike))
    return classes * each + (holdings * alike * len(scenario.players) * _ORBIT_SECONDS / 10)


def _heaviest(scenario: Scenario) -> int:
    """Return the product of each range's greatest weight, which no holding can exceed."""
    return prod(
        max(held.weights) if isinstance(held, Range) and held.weights else 1
        for held in scenario.players
    )


def _holding_total(scenario: Scenario, seat: int) -> int:
    if isinstance(scenario.players[seat], Range):
        return len(scenario.combos(seat))
    missing = scenario.rules.private - len(scenario.known[seat])
    return comb(len(scenario.left), missing)


def all_holdings(scenario: Scenario) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return all ways in which the players can hold cards, no card twice, and each way's weight.

    The ways have the shape (ways, players): each player's cards as bits.
    """
    table = np.zeros((1, 0), np.uint64)
    taken = np.zeros(1, np.uint64)
    weights = np.ones(1, np.int64)
    for seat in range(len(scenario.players)):
        hands, hand_weights = scenario.holdings(seat)
        combos, combo_weights = np.array(hands, np.uint64), np.array(hand_weights, np.int64)
        free = (taken[:, None] & combos[None, :]) == 0
        rows, columns = np.nonzero(free)
        table = np.column_stack((table[rows], combos[columns]))
        taken = taken[rows] | combos[columns]
        weights = weights[rows] * combo_weights[columns]
    return table, weights


def _suit_changes(scenario: Scenario) -> list[tuple[int, ...]]:
    """Return the permutations of suits that leave the boards and the dead cards as they are.

    With a condition, they must also leave each single card of the board, and the cards that the
    condition names, as they are. With wild cards, whose suits matter, the list is empty.
    """
    if scenario.rules.five_possible:
        return []
    fixed = [scenario.board.bits, scenario.dead.bits]
    if scenario.second is not None:
        fixed.append(scenario.second.bits)
    if scenario.condition is not None:
        fixed += [1 << card.number for card in scenario.board]
        fixed += scenario.condition.cards
    return [order for order in CHANGES if all(change_suits(bits, order) == bits for bits in fixed)]


def classes_of(scenario: Scenario) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Group the players' possible holdings that are equal after permuting the suits.

    Returns one holding of each group, (groups, players), and the number of holdings in each
    group. A holding of weight w counts w times.
    """
    if all(len(cards) == scenario.rules.private for cards in scenario.known):
        held = [cards.bits for cards in scenario.known]
        return np.array([held], np.uint64), np.ones(1, np.int64)
    table, weights = all_holdings(scenario)
    least = table.copy()
    for order in _suit_changes(scenario):
        changed = change_suits(table, order)
        smaller = _row_is_smaller(changed, least)
        least[smaller] = changed[smaller]
    return _distinct_rows(least, weights)


def _row_is_smaller(rows: NDArray[np.uint64], others: NDArray[np.uint64]) -> NDArray[np.bool_]:
    smaller = np.zeros(len(rows), np.bool_)
    equal = np.ones(len(rows), np.bool_)
    for column in range(rows.shape[1]):
        smaller |= equal & (rows[:, column] < others[:, column])
        equal &= rows[:, column] == others[:, column]
    return smaller


def _distinct_rows(
    rows: NDArray[np.uint64], weights: NDArray[np.int64]
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return each distinct row once, with the sum of the weights of its copies."""
    order = np.lexsort(rows.T[::-1])
    ordered = rows[order]
    new = np.ones(len(rows), np.bool_)
    new[1:] = (ordered[1:] != ordered[:-1]).any(axis=1)
    starts = np.flatnonzero(new)
    return ordered[starts], np.add.reduceat(weights[order], starts)


def board_jobs(scenario: Scenario, ranked: bool) -> tuple[int, Iterator[Job]]:
    """Return the number of deals, and jobs of some hundredths of a second that count boards."""
    if _needs_joint(scenario):
        return joint.joint_jobs(scenario, classes_of)
    rules = scenario.rules
    seat = unknown_seat(scenario)
    if seat is not None:
        return _unknown_jobs(scenario, seat, ranked)
    rows, multiples = classes_of(scenario)
    unseen = rules.public - len(scenario.board)
    gone = Cards(((1 << 52) - 1) & ~rules.deck.bits) | scenario.dead
    boards = comb(scenario.undealt, unseen)
    deals = int(multiples.sum()) * boards
    two_three = uses_two_three(rules)
    each = _CLASS_SECONDS[unseen] * len(scenario.players) * (_TWO_THREE_FACTOR if two_three else 1)
    has_pots = scenario.stakes is not None
    ranked = ranked and not has_pots
    by_arrays = not has_pots and array_boards.is_quick(deals, _ARRAYS_FACTOR * each * len(rows))
    size = rows_per_job(_ARRAYS_FACTOR * each if by_arrays else each)
    lows = lows_of(rules)
    heads_up = len(scenario.players) == 2 and not (ranked or two_three or rules.hi_lo or has_pots)
    board, dead, code = np.uint64(scenario.board.bits), np.uint64(gone.bits), rules.ranking.code

    def count_piece(at: int) -> Sums:
        some, times = rows[at : at + size], multiples[at : at + size]
        shares, kinds = no_sums(scenario)
        inputs = some, times, board, dead, rules.public, code
        if by_arrays:
            array_boards.count_boards(*inputs, two_three, lows, ranked, shares, kinds)
            return Sums(int(times.sum()) * boards, shares, kinds)
        if heads_up:
            compiled.count_heads_up(*inputs, shares)
            return Sums(int(times.sum()) * boards, shares, kinds)
        factors = np.zeros((0, 0), np.int64)
        orders = np.zeros(orders_of(scenario), np.int64)
        compiled.count_boards(*inputs, two_three, lows, ranked, factors, shares, kinds, orders)
        by_order = (orders, orders) if has_pots else None
        return Sums(int(times.sum()) * boards, shares, kinds, orders=by_order)

    pieces = (partial(count_piece, at) for at in range(0, len(rows), size))
    return deals, pieces


def unknown_seat(scenario: Scenario) -> int | None:
    """Return the seat whose cards alone are unknown, if `kernels.streets` counts its hands.

    There must be other players, no side pots, and at least four board cards to come: with fewer,
    hands are quickly counted one by one.
    """
    known = [len(held) for held in scenario.players]
    if len(known) == 1 or known.count(0) != 1 or not is_holdem(scenario):
        return None
    seat = known.index(0)
    missing = [len(held) < scenario.rules.private for held in players_without(scenario, seat)]
    if any(missing) or scenario.stakes is not None or len(scenario.board) > _MOST_DEALT:
        return None
    return seat


def players_without(scenario: Scenario, seat: int) -> tuple[Cards | Range, ...]:
    """Return what the players hold except the one in `seat`."""
    return scenario.players[:seat] + scenario.players[seat + 1 :]


def _unknown_jobs(scenario: Scenario, seat: int, ranked: bool) -> tuple[int, Iterator[Job]]:
    """Return the number of deals, and jobs that count them; the cards of `seat` are unknown.

    The kernel counts boards under a condition, here one that is true for the cards dealt so far.
    """
    from engine.odds.showdown.conditions import HAS_CARDS

    rules, dealt = scenario.rules, len(scenario.board)
    known = replace(scenario, players=players_without(scenario, seat), names=())
    rows, multiples = classes_of(known)
    gone = np.uint64((~rules.deck.bits | scenario.dead.bits) & (1 << 52) - 1)
    cards = np.array([card.number for card in scenario.board], np.int64)
    always = np.array([[dealt, HAS_CARDS, 0, 0, 0]]), np.zeros((1, 2), np.uint64), np.array([0])
    facts = np.array([rules.ranking.code, ranked, 0])
    stock, unseen = known.undealt, rules.public - dealt
    each = comb(stock, unseen) * comb(stock - unseen, rules.private)

    def count_piece(at: int) -> Sums:
        some, times = rows[at : at + 1], multiples[at : at + 1]
        shares, kinds = no_sums(scenario)
        compiled.count_street(
            some, times, seat, np.zeros(rows.shape[1], np.bool_), cards, gone, dealt, False,
            always, facts, shares, kinds, np.zeros(3, np.int64),
        )  # fmt: skip
        return Sums(int(times.sum()) * each, shares, kinds)

    return int(multiples.sum()) * each, (partial(count_piece, at) for at in range(len(rows)))
