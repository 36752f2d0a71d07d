"""CFR+ with all bids remembered, on a tree of bids that grows only where play can reach.

A node is a list of bids made. Its row has the last bid's figures for each hand of the seat
that made this bid, and a challenge's figures for each hand of the seat in turn. So one step
works on all hands at once. With CFR+ most weights are exactly 0. Nodes that neither seat
can reach are skipped, and never get children: of 262,144 sets of 18 bids, about 2,000 are
walked.

Sources: Tammelin, "Solving large imperfect information games using CFR+", 2014; the regrets
of actions that the other seat never reaches don't change (Lanctot and others, "Monte Carlo
sampling for regret minimization", 2009).
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from benchmarks.solving.tables import Choices, strategy_from
from engine.odds.compiling import njit
from engine.players.blueprint.abstraction import Abstraction
from engine.players.blueprint.strategy import CHALLENGE, Strategy

Array = np.ndarray[Any, Any]

# by node: last bid, first child (0: none yet) and seat in turn; by node and hand: the regrets of
# the bid and of a challenge, the sums of the average strategy, the current chances, the value; by
# seat, node and hand: the chance of the seat's own choices that lead to the node
Tree = namedtuple(
    "Tree",
    "last child actor regret doubt_regret total doubt_total chance doubt value reach order",
)


@njit(cache=True)
def grow(tree: Any, node: Any, used: Any, bids: int) -> Any:
    """Add the children of `node` from index `used` on; return the next free index, -1 if full."""
    low = 1 + tree.last[node]
    if used + bids - low > tree.last.size:
        return -1
    tree.child[node] = used
    for bid in range(low, bids):
        tree.last[used] = bid
        tree.actor[used] = 1 - tree.actor[node]
        used += 1
    return used


@njit(cache=True)
def match_weights(
    tree: Any, weights: Array, doubts: Array, node: Any, count: Any, hands: Any
) -> None:
    """Fill the chances at `node` in proportion to weights of 0 or more.

    If all are 0, always challenge; at the opening, make all bids equally often.
    """
    first = tree.child[node]
    for h in range(hands):
        total = doubts[node, h] if node else 0.0
        for c in range(first, first + count):
            total += weights[c, h]
        if total > 0:
            for c in range(first, first + count):
                tree.chance[c, h] = weights[c, h] / total
            tree.doubt[node, h] = doubts[node, h] / total if node else 0.0
        else:
            for c in range(first, first + count):
                tree.chance[c, h] = 0.0 if node else 1.0 / count
            tree.doubt[node, h] = 1.0 if node else 0.0


@njit(cache=True)
def spread(tree: Any, used: Any, bids: int, hands: Array) -> Any:
    """Compute the chances and reaches of all nodes that are reached, from the regrets.

    Fill `order` with these nodes, parents first; return (their number, the number of all
    nodes). If there is no room for more nodes, return (-1, the number of all nodes): call again
    with a larger tree.
    """
    tree.reach[:, 0, :] = 1.0
    # the order doubles as the queue: a node is walked once all before it are
    tree.order[0] = 0
    queued = 1
    at = 0
    while at < queued:
        node = tree.order[at]
        at += 1
        actor = tree.actor[node]
        count = bids - 1 - tree.last[node]
        if count and not tree.child[node]:
            used_after = grow(tree, node, used, bids)
            if used_after < 0:
                return -1, used
            used = used_after
        match_weights(tree, tree.regret, tree.doubt_regret, node, count, hands[actor])
        first = tree.child[node]
        for c in range(first, first + count):
            come = False
            for h in range(hands[actor]):
                tree.reach[actor, c, h] = tree.reach[actor, node, h] * tree.chance[c, h]
                come = come or tree.reach[actor, c, h] > 0
            for h in range(hands[1 - actor]):
                tree.reach[1 - actor, c, h] = tree.reach[1 - actor, node, h]
                come = come or tree.reach[1 - actor, c, h] > 0
            if come:
                tree.order[queued] = c
                queued += 1
    return queued, used


@njit(cache=True)
def learn(tree: Any, walked: Any, me: Any, payoff: Array, weight: Any) -> None:
    """Compute the values of seat `me`, children first, and update its regrets and average.

    `walked` is the number of nodes in `tree.order`. `payoff[bid, own hand, other's hand]` is
    the chance of the deal, negative if the bid is false there: what a challenge gives the
    bidder. `weight` is the weight of this iteration in the average.
    """
    bids, mine, theirs = payoff.shape
    doubted = np.zeros(mine)
    for at in range(walked - 1, -1, -1):
        node = tree.order[at]
        first = tree.child[node]
        after = first + bids - 1 - tree.last[node]
        acts = tree.actor[node] == me
        if acts:
            for h in range(mine):
                own_reach = weight * tree.reach[me, node, h]
                tree.doubt_total[node, h] += own_reach * tree.doubt[node, h]
                for c in range(first, after):
                    tree.total[c, h] += own_reach * tree.chance[c, h]
        their_reach = tree.reach[1 - me, node]
        if not their_reach[:theirs].any():
            continue  # the other seat never comes here, so regrets don't change
        value = tree.value[node]
        for h in range(mine):
            worth = 0.0
            if node and acts:
                for o in range(theirs):
                    worth -= payoff[tree.last[node], h, o] * their_reach[o]
            elif node:
                for o in range(theirs):
                    worth += payoff[tree.last[node], h, o] * their_reach[o] * tree.doubt[node, o]
            doubted[h] = worth
            value[h] = worth
        if not acts:
            for c in range(first, after):
                if tree.reach[1 - me, c, :theirs].any():
                    for h in range(mine):
                        value[h] += tree.value[c, h]
            continue
        for h in range(mine):
            value[h] *= tree.doubt[node, h]
            for c in range(first, after):
                value[h] += tree.chance[c, h] * tree.value[c, h]
            for c in range(first, after):
                better = tree.regret[c, h] + tree.value[c, h] - value[h]
                tree.regret[c, h] = max(0.0, better)
            if node:
                better = tree.doubt_regret[node, h] + doubted[h] - value[h]
                tree.doubt_regret[node, h] = max(0.0, better)


FIRST_NODES: Final = 4096
# the weight of round t in the average is t to this power: 2 was better than 1 and than 3
POWER: Final = 2
WHOLE: Final = (1 << 16) - 1  # the weight that stands for a chance of 1
LEAST: Final = 1e-4  # chances too small to matter are not worth storing


class Solver:
    """CFR+ on one small round: call `iterate`, then take the `average`."""

    def __init__(self, abstraction: Abstraction) -> None:
        self.abstraction = abstraction
        self.iterations = 0
        self.nodes = 1
        self._bids = len(abstraction.bids)
        self._hands = np.array([len(hands) for hands in abstraction.hands])
        signed = np.where(abstraction.true, abstraction.chance, -abstraction.chance)
        self._payoffs = (signed, np.ascontiguousarray(signed.transpose(0, 2, 1)))
        self._tree = _tree(FIRST_NODES, int(self._hands.max()))

    def iterate(self, times: int) -> None:
        """Run `times` iterations; in each, both seats learn in turn."""
        for _ in range(times):
            self.iterations += 1
            weight = float(self.iterations) ** POWER
            for me in (0, 1):
                walked = self._spread()
                learn(self._tree, walked, me, self._payoffs[me], weight)

    def average(self, least: float = LEAST) -> Strategy:
        """Return the average strategies, which approach an equilibrium.

        Leave out actions with a chance below `least`. Also leave out situations that the seat's own
        choices reach with a chance below `least`.
        """
        return strategy_from(self.abstraction, 0, self._choices(least))

    def _choices(self, least: float) -> Iterator[Choices]:
        tree, bids = self._tree, self._bids
        bids_made = [0] * self.nodes
        tree.reach[:, 0, :] = 1.0
        for node in range(self.nodes):  # a node's parent has a smaller number
            if not tree.child[node]:
                continue
            actor, first, last = int(tree.actor[node]), int(tree.child[node]), int(tree.last[node])
            count, hands = bids - 1 - last, int(self._hands[actor])
            match_weights(tree, tree.total, tree.doubt_total, node, count, hands)
            for child in range(first, first + count):
                bids_made[child] = bids_made[node] | 1 << int(tree.last[child])
                tree.reach[actor, child] = tree.reach[actor, node] * tree.chance[child]
                tree.reach[1 - actor, child] = tree.reach[1 - actor, node]
            row = np.vstack([tree.chance[first : first + count], tree.doubt[node]])[:, :hands].T
            row = np.where(row < least, 0, row)
            row[tree.reach[actor, node, :hands] < least] = 0
            actions = np.array([*range(last + 1, bids), CHALLENGE])
            yield actor, bids_made[node], last, actions, np.rint(row * WHOLE)

    def _spread(self) -> int:
        while True:
            walked, self.nodes = spread(self._tree, self.nodes, self._bids, self._hands)
            if walked >= 0:
                return int(walked)
            self._tree = _tree(2 * len(self._tree.last), int(self._hands.max()), self._tree)


def _tree(nodes: int, hands: int, smaller: Any = None) -> Any:
    """Return a tree with room for `nodes` nodes, and with the nodes of `smaller`, if given."""
    tree = Tree(
        last=np.full(nodes, -1),
        child=np.zeros(nodes, np.int64),
        actor=np.zeros(nodes, np.int64),
        order=np.zeros(nodes, np.int64),
        reach=np.zeros((2, nodes, hands)),
        **{name: np.zeros((nodes, hands)) for name in _ROWS},
    )
    if smaller is not None:
        for name in ("last", "child", "actor", *_ROWS):
            rows = getattr(smaller, name)
            getattr(tree, name)[: len(rows)] = rows
    return tree


_ROWS: Final = (*("regret", "doubt_regret", "total", "doubt_total", "chance", "doubt", "value"),)
