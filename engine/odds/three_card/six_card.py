"""The six-card bonus: the best five-card hand among the player's and the dealer's six cards.

All 20,358,520 sets of six cards are counted in closed form; for a known hand the dealers are
gone through one by one.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from math import comb

import numpy as np

from engine.cards import Cards
from engine.odds.three_card.hand_classes import all_hands
from engine.odds.three_card.strength import IntArray

SIX_CARD_SETS = comb(52, 6)
_SUIT = 0x1FFF
_STRAIGHTS = (*(0b11111 << low for low in range(9)), 0b1_0000_0000_1111)
_HAS_STRAIGHT = np.any([np.arange(1 << 13) & mask == mask for mask in _STRAIGHTS], axis=0)


@cache
def six_card_counts() -> tuple[int, ...]:
    """Sets of six cards by their best five: royal flush, straight flush, four ... down to three.

    In the order of `SixCardBonus`; each set counts where it ranks highest, and the sets that
    lose the bonus are left out.
    """
    six_ranks = (sum(1 << rank for rank in ranks) for ranks in combinations(range(13), 6))
    straight_six = sum(bool(_HAS_STRAIGHT[mask]) for mask in six_ranks)  # rank sets, not hands
    straight_five = len(_STRAIGHTS)
    royal = 4 * 47
    straight_flush = 4 * (straight_five * 39 + straight_six) - royal
    four = 13 * comb(48, 2)
    full_house = comb(13, 2) * comb(4, 3) ** 2 + 13 * 4 * 12 * 6 * 11 * 4
    flush = 4 * (comb(13, 5) * 39 + comb(13, 6)) - straight_flush - royal
    # Suits over six ranks, less those with five or six of one suit; and over five ranks of which
    # one is paired, less those with five of one suit (the pair then holds that suit and another).
    suits_of_six = 4**6 - 4 * (1 + 6 * 3)
    suits_of_five = 5 * (comb(4, 2) * 4**4 - 4 * 3)
    straight = straight_six * suits_of_six + straight_five * suits_of_five
    three = 13 * 4 * comb(12, 3) * 4**3
    return royal, straight_flush, four, full_house, flush, straight, three


def six_card_counts_with(hand: Cards, seen: Cards) -> tuple[tuple[int, ...], int]:
    """How many of the dealer's possible hands make each bonus with `hand`, and how many there are.

    The dealer holds none of the cards of `hand` (three) and `seen` (any number).
    """
    dealers = all_hands().bits
    possible = dealers[dealers & (hand.bits | seen.bits) == 0]
    kind = _kinds(possible | hand.bits)
    counts = np.bincount(kind, minlength=8)[:7]
    return tuple(int(count) for count in counts), len(possible)


def _kinds(sets: IntArray) -> IntArray:
    """The place of each six-card set's best kind in the order above, 7 for less than a three."""
    suits = np.stack([sets >> 13 * suit & _SUIT for suit in range(4)])
    ranks = suits[0] | suits[1] | suits[2] | suits[3]
    two_or_more = np.zeros_like(ranks)
    three_or_more = np.zeros_like(ranks)
    four = np.zeros_like(ranks)
    held = np.zeros_like(ranks)
    for suit in suits:
        four |= three_or_more & suit
        three_or_more |= two_or_more & suit
        two_or_more |= held & suit
        held |= suit
    pair_beside = two_or_more & (two_or_more - 1) != 0  # a second rank held twice or more
    royal = (suits & 0x1F00 == 0x1F00).any(axis=0)
    tests = [
        royal,
        _HAS_STRAIGHT[suits].any(axis=0),
        four != 0,
        (three_or_more != 0) & pair_beside,
        (np.bitwise_count(suits) >= 5).any(axis=0),
        _HAS_STRAIGHT[ranks],
        three_or_more != 0,
    ]
    return np.select(tests, list(range(7)), 7)
