"""Every player hand against every dealer hand, by counting instead of dealing.

Dealer hands that avoid the player's three cards and are weaker than t are counted by
inclusion and exclusion over those cards: all hands below t, less those with one of the cards,
plus those with two of them, less the player's hand itself. Three thresholds settle all: the
weakest hand that qualifies, the player's own strength, and the strength just above it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from engine.odds.three_card.hand_classes import (
    HandClasses,
    PrefixCounts,
    prefix_counts,
    suit_classes,
)
from engine.odds.three_card.strength import IntArray

QUEEN_HIGH_KEY = 10 * 13**2  # the weakest queen high would be Q-2-2: below Q-3-2, above J-10-8


@dataclass(frozen=True, eq=False)
class Showdowns:
    """What each class of hands meets when it is played: dealer hands, (classes,) each.

    `win`, `tie` and `lose` are against dealers that qualify; the four sum to `dealers`.
    """

    classes: HandClasses
    qualifies: int  # the lowest strength with which the dealer qualifies
    win: IntArray
    tie: IntArray
    lose: IntArray
    not_qualified: IntArray

    @property
    def net(self) -> IntArray:
        """Units of the ante won by ante and play over all dealers, bonus apart, if played.

        A dealer who does not qualify pays the ante and returns the play; otherwise both win,
        both lose, or both are returned.
        """
        return self.not_qualified + 2 * (self.win - self.lose)


def showdowns(qualifies: int | None = None, deck_ranks: int = 13) -> Showdowns:
    """Counts all deals: 407,170,400 of them with 52 cards.

    `qualifies` is the lowest strength with which the dealer qualifies (0: always), None queen
    high as the game is played (only with 13 ranks).
    """
    return _showdowns(queen_high() if qualifies is None else qualifies, deck_ranks)


def queen_high() -> int:
    """The strength of Q-3-2, the weakest hand with which the dealer qualifies."""
    return int(np.searchsorted(suit_classes().keys, QUEEN_HIGH_KEY))


@cache
def _showdowns(qualifies: int, deck_ranks: int) -> Showdowns:
    return count_showdowns(suit_classes(deck_ranks), prefix_counts(deck_ranks), qualifies)


def count_showdowns(classes: HandClasses, counts: PrefixCounts, qualifies: int) -> Showdowns:
    """The counting itself, without remembering the answer: what the benchmark times."""
    own = classes.strength
    not_qualified = weaker_dealers(classes, counts, np.full_like(own, qualifies))
    weaker = weaker_dealers(classes, counts, own)
    not_stronger = weaker_dealers(classes, counts, own + 1)
    win = np.where(own > qualifies, weaker - not_qualified, 0)
    tie = np.where(own >= qualifies, not_stronger - weaker, 0)
    return Showdowns(
        classes=classes,
        qualifies=qualifies,
        win=win,
        tie=tie,
        lose=classes.dealers - not_qualified - win - tie,
        not_qualified=not_qualified,
    )


def weaker_dealers(classes: HandClasses, counts: PrefixCounts, below: IntArray) -> IntArray:
    """For each class, the dealer hands without its three cards whose strength is under `below`."""
    at = below[:, None]
    with_one = counts.with_card[at, classes.ranks].sum(axis=1)
    with_two = counts.with_pair[at, classes.pair_kinds].sum(axis=1)
    dealers: IntArray = counts.every[below] - with_one + with_two - (classes.strength < below)
    return dealers
