"""CFR+ on a tree of bids that grows where play may come, as compiled loops.

A node is a list of bids made; the row of a node holds what its parent's seat weighs for that last
bid, and what the seat to act there weighs for a challenge. Everything is by hand of that seat, so
that one step works on all hands at once. With CFR+ most weights are exactly 0: what neither seat
can reach is not walked, and never gets nodes (of 262,144 sets of 18 bids some 2,000 are walked).

`solving` wraps these loops. Sources: Tammelin, "Solving large imperfect information games using
CFR+", 2014; the regrets of actions of which the other seat's chance is 0 do not change (Lanctot and
others, "Monte Carlo sampling for regret minimization", 2009).
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from engine.odds.compiling import njit

Array = np.ndarray[Any, Any]

# by node: last bid, first child (0: none yet) and who acts; by node and hand: the regret of bidding
# and of challenging, the sums of the average strategy, the current chances, the value; by seat,
# node and hand: the chance to come here with this hand as far as the seat's own choices go
Tree = namedtuple(
    "Tree",
    "last child actor regret doubt_regret total doubt_total chance doubt value reach order",
)


@njit(cache=True)
def grow(tree: Any, node: Any, used: Any, above: Array) -> Any:
    """Give `node` its children from place `used` on; returns the place after them, or -1: no room.

    `above[1 + bid]` is the first bid above `bid`, `above[0]` the first of all.
    """
    bids = above.size - 1
    low = above[1 + tree.last[node]]
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
    """The chances at `node` in proportion to weights of 0 or more; all 0: a challenge.

    Where nothing stands yet to be challenged, all bids alike.
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
def spread(tree: Any, used: Any, above: Array, hands: Array) -> Any:
    """Work out the chances and reaches from the regrets, parents first, where anybody can come.

    Fills `order` with the nodes walked; returns (how many, nodes there are now), or (-1, nodes)
    if there is no room for more: nothing but scratch rows has changed then.
    """
    bids = above.size - 1
    tree.reach[:, 0, :] = 1.0
    # the order doubles as the queue: a node is walked once all before it are
    tree.order[0] = 0
    queued = 1
    at = 0
    while at < queued:
        node = tree.order[at]
        at += 1
        who = tree.actor[node]
        count = bids - above[1 + tree.last[node]]
        if count and not tree.child[node]:
            used_after = grow(tree, node, used, above)
            if used_after < 0:
                return -1, used
            used = used_after
        match_weights(tree, tree.regret, tree.doubt_regret, node, count, hands[who])
        first = tree.child[node]
        for c in range(first, first + count):
            come = False
            for h in range(hands[who]):
                tree.reach[who, c, h] = tree.reach[who, node, h] * tree.chance[c, h]
                come = come or tree.reach[who, c, h] > 0
            for h in range(hands[1 - who]):
                tree.reach[1 - who, c, h] = tree.reach[1 - who, node, h]
                come = come or tree.reach[1 - who, c, h] > 0
            if come:
                tree.order[queued] = c
                queued += 1
    return queued, used


@njit(cache=True)
def learn(tree: Any, walked: Any, above: Array, me: Any, payoff: Array, weight: Any) -> None:
    """Values of seat `me`, children first; then its regrets and average are brought up to date.

    `payoff[bid, own hand, other's hand]` is the chance of the deal, with a minus if the bid fails:
    what the bid is worth to its maker once it is challenged. `weight` is that of this round of
    learning in the average.
    """
    bids = above.size - 1
    mine, theirs = payoff.shape[1], payoff.shape[2]
    doubted = np.zeros(mine)
    for at in range(walked - 1, -1, -1):
        node = tree.order[at]
        first = tree.child[node]
        after = first + bids - above[1 + tree.last[node]]
        acts = tree.actor[node] == me
        if acts:
            for h in range(mine):
                own = weight * tree.reach[me, node, h]
                tree.doubt_total[node, h] += own * tree.doubt[node, h]
                for c in range(first, after):
                    tree.total[c, h] += own * tree.chance[c, h]
        other = tree.reach[1 - me, node]
        if not other[:theirs].any():
            continue  # what the other never does teaches nothing
        value = tree.value[node]
        for h in range(mine):
            worth = 0.0
            if node and acts:
                for o in range(theirs):
                    worth -= payoff[tree.last[node], h, o] * other[o]
            elif node:
                for o in range(theirs):
                    worth += payoff[tree.last[node], h, o] * other[o] * tree.doubt[node, o]
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
