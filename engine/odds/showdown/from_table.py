"""Questions that the tables of hold'em before the flop answer, without counting a board.

Two players and no card known besides theirs: each holds two known cards, one, none, or a range. The
sums are those that counting boards gives, which a test compares. Two known hands are looked up
without numpy; so are a few pairs of hands, as a hand against unknown cards, where numpy is not
loaded yet: that takes longer than looking them up. The rest adds up the table's rows, each as often
as it comes.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from engine.cards import Cards
from engine.odds.showdown import preflop
from engine.odds.showdown.ranges import Range
from engine.odds.showdown.ranking import Ranking
from engine.odds.showdown.scenario import Scenario

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_MOST_SUM: Final = 1 << 62  # of weighed deals
_MANY: Final = 20_000  # pairs of hands
_FEW: Final = preflop.HANDS
_SHOWN: Final = 10  # columns of kinds, as the kernels have them


@dataclass(frozen=True, slots=True)
class TableSums:
    """Deals, and per player what the kernels' `shares` and `kinds` have."""

    deals: int
    shares: tuple[list[int], ...]
    kinds: tuple[list[int], ...]


def table_sums(scenario: Scenario, ranked: bool) -> TableSums | None:
    """The sums over all deals of `scenario`; None where the tables do not know it."""
    rules = scenario.rules
    if (
        len(scenario.players) != 2
        or scenario.board
        or scenario.dead
        or (rules.private, rules.usable_private, rules.public, rules.usable_public) != (2, 2, 5, 5)
        or rules.ranking is not Ranking.HIGH
        or rules.hi_lo
        or rules.five_possible
    ):
        return None
    one, other = scenario.known
    if len(one) == len(other) == 2:
        return _of_hands(one, other, ranked)
    if "numpy" not in sys.modules:
        rows, columns = (_weights_held(scenario, seat) for seat in (0, 1))
        if len(rows) * len(columns) <= _FEW:
            return _of_few(rows, columns, ranked)
    return _of_many(scenario, ranked)


def _of_hands(one: Cards, other: Cards, ranked: bool) -> TableSums:
    place = preflop.place_of(one, other)
    found = preflop.matchup_at(place)
    kinds = [0] * _SHOWN, [0] * _SHOWN
    if ranked:
        from engine.odds.showdown.preflop_kinds import kinds_at

        kinds = [*kinds_at(place), 0], [*kinds_at(place ^ 1), 0]
    shares = [0, found.win, found.tie], [0, found.lose, found.tie]
    return TableSums(preflop.BOARDS, shares, kinds)


def _of_few(rows: dict[int, int], columns: dict[int, int], ranked: bool) -> TableSums:
    """Without numpy, of the hands that both may hold with their weights."""
    often: Counter[int] = Counter()
    for one, weight in rows.items():
        for other, more in columns.items():
            if not one & other:
                often[preflop.place_of(Cards(one), Cards(other))] += weight * more
    win = tie = 0
    kinds = [0] * _SHOWN, [0] * _SHOWN
    for place, times in often.items():
        found = preflop.matchup_at(place)
        win += times * found.win
        tie += times * found.tie
        if ranked:
            from engine.odds.showdown.preflop_kinds import kinds_at

            for own, at in zip(kinds, (place, place ^ 1), strict=True):
                for kind, boards in enumerate(kinds_at(at)):
                    own[kind] += times * boards
    deals = often.total() * preflop.BOARDS
    return TableSums(deals, ([0, win, tie], [0, deals - win - tie, tie]), kinds)


def _weights_held(scenario: Scenario, seat: int) -> dict[int, int]:
    """The hands that the player may hold, as sets of cards, with what each weighs."""
    held = scenario.players[seat]
    if isinstance(held, Range):
        return dict(zip(held.bits, held.weights or [1] * len(held), strict=True))
    known = held.bits
    return {bits: 1 for bits in preflop.numbers() if bits & known == known}


def _of_many(scenario: Scenario, ranked: bool) -> TableSums | None:
    import numpy as np

    (rows, row_weights), (columns, column_weights) = (_held(scenario, seat) for seat in (0, 1))
    if int(row_weights.sum()) * int(column_weights.sum()) * preflop.BOARDS > _MOST_SUM:
        return None
    at: NDArray[np.integer] = preflop.places()[rows[:, None], columns[None, :]].ravel()
    often: NDArray[np.int64] = np.outer(row_weights, column_weights).ravel()
    if len(at) > _MANY:  # each place once; sums of weights below 2**53, which floats have exactly
        often = np.bincount(at, often).astype(np.int64)
        at = np.flatnonzero(often)
        often = often[at]
    deals, win, tie = (often @ preflop.results()[at]).tolist()
    kinds = [0] * _SHOWN, [0] * _SHOWN
    if ranked:
        from engine.odds.showdown.preflop_kinds import kinds_by_place

        every = kinds_by_place()
        kinds = [*(often @ every[at]).tolist(), 0], [*(often @ every[at ^ 1]).tolist(), 0]
    return TableSums(deals, ([0, win, tie], [0, deals - win - tie, tie]), kinds)


def _held(scenario: Scenario, seat: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The numbers of the hands that the player may hold, and their weights."""
    import numpy as np

    weights, numbers = _weights_held(scenario, seat), preflop.numbers()
    hands = np.array([numbers[bits] for bits in weights], np.int64)
    return hands, np.array(list(weights.values()), np.int64)
