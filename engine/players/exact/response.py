"""What a strategy is worth, and how much its best opponents take: exactly, and slowly.

A best response is found hand by hand, knowing the other seat's strategy: all bids of one's own are
tried, and only those of the other that it makes. Numbers are rounds won less rounds lost.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from engine.players.exact.strategy import Strategy

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Worth:
    """`value` to the opener if both play the strategy; `best[who]` to a best response in seat `who`
    (0: the opener) against the strategy in the other seat.
    """

    value: float
    best: tuple[float, float]

    @property
    def exploitability(self) -> float:
        """What a best response wins a round, the mean of both seats; 0 for an equilibrium."""
        return sum(self.best) / 2


def worth(strategy: Strategy) -> Worth:
    """The worth of a strategy, by walking every list of bids that can matter."""
    own = _Walk(strategy, 0, follows=True).value()
    best = [_Walk(strategy, who, follows=False).value() for who in (0, 1)]
    return Worth(own, (best[0], best[1]))


class _Walk:
    """The values of seat `me`, which follows the strategy or does what is best against it."""

    def __init__(self, strategy: Strategy, me: int, *, follows: bool) -> None:
        small = strategy.small
        self.strategy, self.small, self.me, self.follows = strategy, small, me, follows
        signed = np.where(small.true, small.chance, -small.chance)
        # payoff[bid][own hand, other's hand]: what a challenged bid is worth to its maker
        self.payoff = signed if me == 0 else signed.transpose(0, 2, 1)

    def value(self) -> float:
        theirs = np.ones(len(self.small.hands[1 - self.me]))
        return float(self.after((), theirs).sum())

    def after(self, made: tuple[int, ...], reach: Floats) -> Floats:
        """The value of each own hand, weighed by the other's chance `reach` to come here."""
        if not reach.any():
            return np.zeros(len(self.small.hands[self.me]))
        if len(made) % 2 == self.me:
            return self.own(made, reach)
        chance, doubt = self.table(made, len(reach))
        value = self.payoff[made[-1]] @ (reach * doubt) if made else 0.0
        for bid in self.above(made):
            value = value + self.after((*made, bid), reach * chance[bid])
        return np.asarray(value)

    def own(self, made: tuple[int, ...], reach: Floats) -> Floats:
        """The value where seat `me` acts."""
        worths = {bid: self.after((*made, bid), reach) for bid in self.above(made)}
        doubted = -(self.payoff[made[-1]] @ reach) if made else None
        if not self.follows:
            each = list(worths.values()) if doubted is None else [*worths.values(), doubted]
            return np.asarray(np.max(each, axis=0))
        chance, doubt = self.table(made, len(self.small.hands[self.me]))
        value = doubt * doubted if doubted is not None else np.zeros(len(doubt))
        for bid, worth_of_bid in worths.items():
            value = value + chance[bid] * worth_of_bid
        return value

    def above(self, made: tuple[int, ...]) -> range:
        """The bids that may follow."""
        return range(self.small.above[made[-1]] if made else 0, len(self.small.bids))

    def table(self, made: tuple[int, ...], hands: int) -> tuple[Floats, Floats]:
        """What the seat to act does: chances (bid, hand), and of a challenge (hand)."""
        chance, doubt = np.zeros((len(self.small.bids), hands)), np.zeros(hands)
        for hand in range(hands):
            for bid, share in self.strategy.at(made, hand):
                if bid is None:
                    doubt[hand] = share
                else:
                    chance[bid, hand] = share
        return chance, doubt
