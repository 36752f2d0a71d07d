"""Compiled loops for CFR+ on a round in which a seat remembers only the last few bids.

A situation is the last two bids (the seat's own and the standing bid), or the last three. A
seat may remember only the bucket of the third last bid. Lists of bids with the same end are
the same situation. `Graph` numbers situations so that the next situations, by bid, have
consecutive numbers. In a table, the row of a situation has a cell for each bid above the
standing bid, then a cell for the challenge.

Each deal is a walk over all situations: a pass forward computes how often each seat reaches
them, a pass backward computes what they are worth. So histories need not be listed. Regrets
are summed over a batch of drawn deals.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from engine.odds.compiling import njit

Array = np.ndarray[Any, Any]
SEEN = np.float32(1e-9)  # a situation that is reached less often in a deal is skipped


class Graph(NamedTuple):
    """All situations in the order of play. Here bids are numbered from 1, and 0 is no bid."""

    bids: int
    standing: Array  # (situations) the standing bid
    own_bid: Array  # (situations) the last bid of the seat that acts
    third: Array  # (situations) the bucket of the bid before that one, 0 if none is remembered
    bucket: Array  # (bids + 1) the bucket of each bid, all 0 if no third bid is remembered
    situation: Array  # (situations) the remembered bids, as bits
    number: Array  # (situations) its number, 0 for the opening
    after: Array  # (situations) after + b is the number of the situation after bid b
    row: Array  # (situations) the first cell of its row
    cells: int  # cells of a hand's table
    numbers: int  # one more than the largest number


def graph_of(bids: int, memory: int, buckets: Array | None = None) -> Graph:
    """Return the situations of a game of `bids` bids with a memory of the last 2 or 3 bids.

    With `buckets`, only the bucket of the third last bid is remembered: `buckets[b]` is the
    lowest bid in the bucket of bid `b`, both numbered from 0. Raises ValueError for another
    `memory`.
    """
    if memory not in (2, 3):
        raise ValueError(f"a seat remembers the last 2 or 3 bids, not {memory}")
    n = bids + 1
    lowest = np.arange(n) if buckets is None else np.concatenate([[0], buckets.astype(int) + 1])
    if memory == 2:
        lowest = np.zeros(n, int)
    lowest_bids, bucket = np.unique(lowest, return_inverse=True)  # 0 is the bucket of no bid
    rows, sets = [], []
    for s in range(n):
        for p in range(max(1, s)):
            for q in range(bucket[max(0, p - 1)] + 1):
                rows.append((s, p, q, (q * n + p) * n + s, (bucket[p] * n + s) * n))
                sets.append(_bits(int(lowest_bids[q]), p, s))
    standing, own_bid, third, number, after = np.array(rows, np.int64).T.copy()
    row = np.concatenate([[0], np.cumsum(n - standing)])
    return Graph(
        *(bids, standing, own_bid, third, bucket, np.array(sets, np.uint64), number, after),
        *(row[:-1], int(row[-1]), len(lowest_bids) * n**2),
    )


def _bits(*bids: int) -> int:
    return sum(1 << bid - 1 for bid in bids if bid)


@njit(cache=True, fastmath=True)
def match_regrets(regret: Array, chance: Array, g: Graph) -> None:
    """Fill `chance` in proportion to `regret`; both have the shape (hands, cells).

    Without positive regrets, always challenge; at the opening, make all bids equally often.
    """
    for h in range(regret.shape[0]):
        for i in range(g.row.size):
            low, count = g.row[i], g.bids - g.standing[i]
            total = np.float32(0)
            for c in range(low, low + count + 1):
                total += regret[h, c]
            if total > 0:
                for c in range(low, low + count + 1):
                    chance[h, c] = regret[h, c] / total
            else:
                opens = g.standing[i] == 0
                for c in range(low, low + count):
                    chance[h, c] = np.float32(1) / count if opens else np.float32(0)
                chance[h, low + count] = np.float32(0) if opens else np.float32(1)


@njit(cache=True, fastmath=True)
def walk_deals(
    g: Graph,
    deals: Array,
    weight: float,
    true: Array,
    me: int,
    chances: tuple[Array, Array],
    regret: Array,
    come: Array,
    tremble: float,
) -> None:
    """Add the regrets of seat `me` in each deal to `regret`, and its visits to `come`.

    `deals` (deals, 2) are the hands of both seats. Each deal counts with `weight`.
    `true[bid - 1, opener's hand, other's hand]` is whether a bid is true. Both seats make a
    random bid with the chance `tremble`, so that each situation is reached. A regret is
    weighted by both seats' chances to reach the situation, not only by the other seat's chance:
    frequent histories in a situation count for more.
    """
    often = np.zeros((2, g.numbers), np.float32)  # by the seat in turn and the situation
    value = np.zeros((2, g.numbers), np.float32)  # to the seat in turn
    shake = np.float32(tremble)
    # unsigned places: signed ones may count from the end, and loops over them do not vectorise
    n, unit, none = np.uint64(g.bids), np.uint64(1), np.uint64(0)
    for d in range(deals.shape[0]):
        often[:] = 0
        often[0, 0] = weight
        hands = np.uint64(deals[d, 0]), np.uint64(deals[d, 1])
        for i in range(g.row.size):
            s, low, index = np.uint64(g.standing[i]), np.uint64(g.row[i]), np.uint64(g.number[i])
            first, count = np.uint64(g.after[i]) + s + unit, n - s
            for actor in (none, unit):
                w = often[actor, index]
                if w > SEEN and count > none:
                    h, waiting = hands[actor], unit - actor
                    any_bid = w * shake / np.float32(count)
                    w *= 1 - shake
                    table = chances[actor]
                    for c in range(count):
                        often[waiting, first + c] += w * table[h, low + c] + any_bid
        for i in range(g.row.size - 1, -1, -1):
            s, low, index = np.uint64(g.standing[i]), np.uint64(g.row[i]), np.uint64(g.number[i])
            first, count = np.uint64(g.after[i]) + s + unit, n - s
            doubt = np.float32(0)
            if index > none:
                holds = true[s - unit, hands[0], hands[1]]
                doubt = np.float32(-1) if holds else np.float32(1)
            for actor in (none, unit):
                h, waiting = hands[actor], unit - actor
                table = chances[actor]
                worth = doubt * table[h, low + count]
                for c in range(count):
                    worth -= table[h, low + c] * value[waiting, first + c]
                value[actor, index] = worth
                w = often[actor, index]
                if actor == me and w > SEEN:
                    for c in range(count):
                        regret[h, low + c] -= w * (value[waiting, first + c] + worth)
                    if index > none:
                        regret[h, low + count] += w * (doubt - worth)
                    come[h, np.uint64(i)] += w


@njit(cache=True, fastmath=True)
def settle(
    g: Graph, regret: Array, change: Array, total: Array, chance: Array, come: Array, weight: float
) -> None:
    """Add the batch's regrets, `change`, to `regret` as CFR+ does: negative sums become 0.

    Add the strategy `chance` to `total`, with the weight `weight` times `come`, the visits. Reset
    `change` and `come`.
    """
    for h in range(regret.shape[0]):
        for i in range(g.row.size):
            if come[h, i] > 0:
                share = np.float32(weight) * come[h, i]
                come[h, i] = 0
                for c in range(g.row[i], g.row[i] + g.bids - g.standing[i] + 1):
                    regret[h, c] = max(np.float32(0), regret[h, c] + change[h, c])
                    change[h, c] = 0
                    total[h, c] += share * chance[h, c]


class Solver:
    """CFR+ on a round: call `iterate`, then take the `average`.

    `chance` and `true` are those of an `Abstraction`; `deals` is the number of deals in a batch.
    `memory` and `buckets` are as in `graph_of`, `tremble` is as in `walk_deals`.
    """

    def __init__(
        self,
        chance: Array,
        true: Array,
        memory: int,
        seed: int = 1,
        deals: int = 1024,
        buckets: Array | None = None,
        tremble: float = 0.01,
    ) -> None:
        self.graph = graph_of(true.shape[0], memory, buckets)
        self.true = true
        self.iterations = 0
        self._rng = np.random.default_rng(seed)
        self._tremble = tremble
        self._dealt = np.argwhere(chance > 0)
        self._sums = np.cumsum(chance[chance > 0])
        self._deals = deals
        sizes = [(hands, self.graph.cells) for hands in chance.shape]
        self._regret = [np.zeros(size, np.float32) for size in sizes]
        self._more = [np.zeros(size, np.float32) for size in sizes]
        self._total = [np.zeros(size, np.float32) for size in sizes]
        self._chance = [np.zeros(size, np.float32) for size in sizes]
        self._come = [np.zeros((hands, self.graph.row.size), np.float32) for hands in chance.shape]
        for seat in (0, 1):
            match_regrets(self._regret[seat], self._chance[seat], self.graph)

    def iterate(self, times: int) -> None:
        """Run `times` iterations; in each, both seats in turn learn from a batch of drawn deals."""
        for _ in range(times):
            self.iterations += 1
            for me in (0, 1):
                # stratified: a deal of each slice of the chances
                drawn = (np.arange(self._deals) + self._rng.random(self._deals)) / self._deals
                place = np.searchsorted(self._sums, drawn * self._sums[-1])
                deals = self._dealt[np.minimum(place, len(self._dealt) - 1)]
                walk_deals(
                    *(self.graph, deals, 1 / self._deals, self.true, me),
                    *((self._chance[0], self._chance[1]), self._more[me], self._come[me]),
                    self._tremble,
                )
                settle(
                    *(self.graph, self._regret[me], self._more[me], self._total[me]),
                    *(self._chance[me], self._come[me], float(self.iterations) ** 2 * 1e-6),
                )
                match_regrets(self._regret[me], self._chance[me], self.graph)

    def average(self) -> tuple[Array, Array]:
        """Return the average strategies, near an equilibrium: (hands, cells) for each seat."""
        opener, replier = (np.zeros_like(total) for total in self._total)
        match_regrets(self._total[0], opener, self.graph)
        match_regrets(self._total[1], replier, self.graph)
        return opener, replier
