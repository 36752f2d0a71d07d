"""An equilibrium of a small round by CFR+, kept as chances of each bid and of a challenge."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import numpy as np

from engine.players.exact.kernels import Tree, learn, match_weights, spread
from engine.players.exact.small_round import SmallRound
from engine.players.exact.strategy import Entry, Strategy

FIRST_NODES: Final = 4096
# the weight of round t in the average is t to this power: 2 was better than 1 and than 3
POWER: Final = 2
LEAST: Final = 1e-4  # chances too small to matter are not worth storing


class Solver:
    """CFR+ on one small round; `iterate` as often as you like, then take the `average`."""

    def __init__(self, small: SmallRound) -> None:
        self.small = small
        self.iterations = 0
        self.nodes = 1
        self._above = np.array([0, *small.above])
        self._hands = np.array([len(hands) for hands in small.hands])
        signed = np.where(small.true, small.chance, -small.chance)
        self._payoffs = (signed, np.ascontiguousarray(signed.transpose(0, 2, 1)))
        self._tree = _tree(FIRST_NODES, int(self._hands.max()))

    def iterate(self, times: int, stopped: Callable[[], bool] = lambda: False) -> None:
        """Let both seats learn in turn, `times` times, or until `stopped`."""
        for _ in range(times):
            if stopped():
                return
            self.iterations += 1
            weight = float(self.iterations) ** POWER
            for me in (0, 1):
                walked = self._spread()
                learn(self._tree, walked, self._above, me, self._payoffs[me], weight)

    def average(self, least: float = LEAST) -> Strategy:
        """The average strategies, which are what comes near the equilibrium.

        Left out is what a seat does where its own choices bring it with a chance below `least`,
        and choices with a smaller chance than that.
        """
        return Strategy.of(self.small, self._entries(least))

    def _entries(self, least: float) -> Iterator[Entry]:
        tree, above = self._tree, self._above
        bids = len(above) - 1
        made = [0] * self.nodes
        tree.reach[:, 0, :] = 1.0
        for node in range(self.nodes):  # a node's parent has a smaller number
            if not tree.child[node]:
                continue
            who, first = int(tree.actor[node]), int(tree.child[node])
            count, hands = int(bids - above[1 + tree.last[node]]), int(self._hands[who])
            match_weights(tree, tree.total, tree.doubt_total, node, count, hands)
            for child in range(first, first + count):
                made[child] = made[node] | 1 << int(tree.last[child])
                tree.reach[who, child] = tree.reach[who, node] * tree.chance[child]
                tree.reach[1 - who, child] = tree.reach[1 - who, node]
            for hand in range(hands):
                doubt = float(tree.doubt[node, hand])
                if tree.reach[who, node, hand] < least or doubt >= 1 - least:
                    continue
                if doubt >= least:
                    yield made[node], hand, None, doubt
                for child in range(first, first + count):
                    if tree.chance[child, hand] >= least:
                        yield (
                            made[node],
                            hand,
                            int(tree.last[child]),
                            float(tree.chance[child, hand]),
                        )

    def _spread(self) -> int:
        while True:
            walked, self.nodes = spread(self._tree, self.nodes, self._above, self._hands)
            if walked >= 0:
                return int(walked)
            self._tree = _tree(2 * len(self._tree.last), int(self._hands.max()), self._tree)


def solve(small: SmallRound, iterations: int) -> Strategy:
    """Both seats' strategies after so many iterations of CFR+. Compiled."""
    solver = Solver(small)
    solver.iterate(iterations)
    return solver.average()


def _tree(nodes: int, hands: int, smaller: Any = None) -> Any:
    """Room for so many nodes, with what `smaller` holds."""
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
