"""What beats what among three cards, and hands by name.

High card < pair < flush < straight < three of a kind < straight flush: with three cards a
straight is rarer than a flush and a three of a kind rarer than either. The ace is high, and low
in 3-2-A, the lowest straight. Suits never break a tie.
"""

from __future__ import annotations

import re
from enum import IntEnum
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.cards import RANK_CHARS, Cards
from engine.errors import Reason, TextError

IntArray = NDArray[np.int64]
HAND_EXAMPLE: Final = '"Qs 6h 4d"'


class Category(IntEnum):
    """The six kinds of three-card hands; the value orders them."""

    HIGH_CARD = 0
    PAIR = 1
    FLUSH = 2
    STRAIGHT = 3
    THREE_OF_A_KIND = 4
    STRAIGHT_FLUSH = 5

    @property
    def key(self) -> str:
        """The name used in JSON: `straight_flush`, `three`, `straight`, `flush`, `pair`, ..."""
        return "three" if self is Category.THREE_OF_A_KIND else self.name.lower()


def strength_keys(ranks: NDArray[Any], one_suit: NDArray[Any], deck_ranks: int = 13) -> IntArray:
    """An integer for each hand, the higher the stronger, equal for hands that tie.

    `ranks` (hands, 3), highest first, 0 to `deck_ranks` - 1; `one_suit` (hands,) bool. The key is
    `category * deck_ranks³` plus the ranks that break ties within the category, as digits.
    """
    high, middle, low = ranks.astype(np.int64).T
    wheel = (high == deck_ranks - 1) & (middle == 1) & (low == 0)
    straight = wheel | ((high - middle == 1) & (middle - low == 1))
    three = high == low
    pair = ((high == middle) | (middle == low)) & ~three
    category = np.select(
        [straight & one_suit, three, straight, one_suit, pair],
        [
            Category.STRAIGHT_FLUSH,
            Category.THREE_OF_A_KIND,
            Category.STRAIGHT,
            Category.FLUSH,
            Category.PAIR,
        ],
        Category.HIGH_CARD,
    )
    kicker = np.where(high == middle, low, high)
    within = np.select(
        # A straight is named by its top card, which in 3-2-A is the three (rank 1).
        [wheel, straight, pair],
        [np.ones_like(high), high, middle * deck_ranks + kicker],
        (high * deck_ranks + middle) * deck_ranks + low,
    )
    keys: IntArray = category * deck_ranks**3 + within
    return keys


def three_cards(text: str) -> Cards:
    """The hand written in `text`, as `engine.cards` reads cards. Raises `TextError`.

    Exactly three natural cards; `Qs 6h 4d`, `qs6h4d` and `Q♠, 6♥, 4♦` are the same hand.
    """
    cards = natural_cards(text, HAND_EXAMPLE)
    if len(cards) != 3:
        raise TextError(
            text, Reason("expected three cards, got {given}", given=len(cards)), HAND_EXAMPLE
        )
    return cards


def natural_cards(text: str, example: str) -> Cards:
    """The cards written in `text`, none of them a joker. Raises `TextError` with `example`."""
    try:
        cards = Cards.parse(text)
    except TextError as error:
        raise TextError(text, error.reason, example) from None
    if cards.jokers:
        raise TextError(text, Reason("Three Card Poker has no jokers"), example)
    return cards


def ranks_of(hand: Cards) -> tuple[int, int, int]:
    """The ranks of three natural cards as the hand is read aloud.

    A pair comes before its kicker, and the ace of 3-2-A last; otherwise from the highest down.
    """
    high, middle, low = sorted((card.rank for card in hand), reverse=True)
    return read_aloud(high, middle, low)


def read_aloud(high: int, middle: int, low: int) -> tuple[int, int, int]:
    """`high` >= `middle` >= `low` in the order in which the hand is named: see `ranks_of`."""
    if middle == low != high:
        return middle, low, high
    if (high, middle, low) == (12, 1, 0):
        return middle, low, high
    return high, middle, low


def short_name(ranks: tuple[int, int, int]) -> str:
    """A hand without its suits: `Q64`, `77K`, `32A`; the ten is `T`."""
    return "".join(RANK_CHARS[rank] for rank in ranks)


_NAME: Final = re.compile(r"(?:10|[2-9TJQKA]){3}")
_RANK: Final = re.compile(r"10|[2-9TJQKA]")


def ranks_named(text: str) -> tuple[int, int, int] | None:
    """The ranks of a hand given without suits (`Q64`, `q-6-4`, `10 4 2`), highest first.

    None if `text` is not three ranks.
    """
    plain = re.sub(r"[\s,-]+", "", text).upper()
    if not _NAME.fullmatch(plain):
        return None
    high, middle, low = sorted(
        (RANK_CHARS.index("T" if char == "10" else char) for char in _RANK.findall(plain)),
        reverse=True,
    )
    return high, middle, low
