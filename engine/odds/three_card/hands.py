"""Hands of three cards: their order, names and suit classes, and each against every dealer.

High card < pair < flush < straight < three of a kind < straight flush: with three cards a straight
is rarer than a flush, and three of a kind rarer than either. The ace is high, and low in 3-2-A, the
lowest straight. Suits never break a tie.

Renaming the suits changes no odds, so the 22,100 hands fall into 1,755 classes: every set of three
ranks with every pattern of equal suits. A count for one hand of a class holds for all of them.
Smaller decks (fewer ranks, always four suits) work the same way; tests check the counts by dealing
them out card by card.

The dealer hands weaker than a strength t are counted by inclusion and exclusion. From all hands
weaker than t, subtract the hands with each of the player's cards, add the hands with each two of
them, and subtract the player's hand itself if it is weaker than t. Three strengths t are enough:
the weakest hand that qualifies, the player's own, and the one just above it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from itertools import combinations
from math import comb
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
    """Return an integer for each hand: higher for stronger hands, equal for hands that tie.

    `ranks` (hands, 3) are 0 to `deck_ranks` - 1, highest first. `one_suit` (hands,) is True for
    cards of one suit. The result is `category * deck_ranks³` plus the ranks that break ties within
    the category, as digits.
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
    """Parse a hand of three natural cards. Raises `TextError` for anything else.

    "Qs 6h 4d", "qs6h4d" and "Q♠, 6♥, 4♦" are the same hand.
    """
    cards = natural_cards(text, HAND_EXAMPLE)
    if len(cards) != 3:
        raise TextError(
            text, Reason("expected three cards, got {given}", given=len(cards)), HAND_EXAMPLE
        )
    return cards


def natural_cards(text: str, example: str) -> Cards:
    """Parse natural cards. Raises `TextError` with `example` for a joker or unknown text."""
    try:
        cards = Cards.parse(text)
    except TextError as error:
        raise TextError(text, error.reason, example) from None
    if cards.jokers:
        raise TextError(text, Reason("Three Card Poker has no jokers"), example)
    return cards


def ranks_of(hand: Cards) -> tuple[int, int, int]:
    """Return the ranks of three natural cards in the order in which the hand is named.

    A pair comes before its kicker, and the ace of 3-2-A last; otherwise from the highest down.
    """
    high, middle, low = sorted((card.rank for card in hand), reverse=True)
    return read_aloud(high, middle, low)


def read_aloud(high: int, middle: int, low: int) -> tuple[int, int, int]:
    """Return the ranks `high` >= `middle` >= `low` in the order that `ranks_of` describes."""
    if middle == low != high:
        return middle, low, high
    if (high, middle, low) == (12, 1, 0):
        return middle, low, high
    return high, middle, low


def short_name(ranks: tuple[int, int, int]) -> str:
    """Return a hand without its suits: "Q64", "77K", "32A"; the ten is "T"."""
    return "".join(RANK_CHARS[rank] for rank in ranks)


_NAME: Final = re.compile(r"(?:10|[2-9TJQKA]){3}")
_RANK: Final = re.compile(r"10|[2-9TJQKA]")


def ranks_named(text: str) -> tuple[int, int, int] | None:
    """Return the ranks of a hand given without suits ("Q64", "q-6-4", "10 4 2"), highest first.

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


# For three different ranks, a pair, and three of a kind: the patterns of equal suits, and the
# number of hands with each. A pair's kicker has the suit of one of the two cards, or of neither. It
# is the first or the last of the three cards; the pattern 0 1 0 gives it the suit of the other end.
_DISTINCT_RANKS = (
    np.array([(0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1), (0, 1, 2)]),
    np.array([4, 12, 12, 12, 24]),
)
_PAIR = (np.array([(0, 1, 0), (0, 1, 2)]), np.array([12, 12]))
_THREE = (np.array([(0, 1, 2)]), np.array([4]))
_FIRST, _SECOND = np.array([0, 0, 1]), np.array([1, 2, 2])  # the three pairs among three cards


@dataclass(frozen=True, eq=False)
class HandClasses:
    """The classes of hands that differ only by the names of suits, in no particular order.

    `ranks` and `suits` (classes, 3) are one hand of each class, ranks in descending order;
    `hands` (classes,) is the number of hands in the class. `strength` (classes,) is 0 for the
    weakest hands, and `keys[strength]` are the `strength_keys`. `pair_kinds` (classes, 3) has a
    number for each two of the hand's cards: `deck_ranks * high + low` if they are of one suit,
    else `deck_ranks * low + high`.
    """

    deck_ranks: int
    ranks: IntArray
    suits: IntArray
    hands: IntArray
    strength: IntArray
    keys: IntArray
    pair_kinds: IntArray

    @property
    def cards(self) -> IntArray:
        """One hand of each class, (classes, 3) card numbers `deck_ranks * suit + rank`."""
        return self.deck_ranks * self.suits + self.ranks

    @property
    def category(self) -> IntArray:
        """The categories as values of `Category`, (classes,)."""
        return self.keys[self.strength] // self.deck_ranks**3

    @property
    def deck_size(self) -> int:
        """The number of cards in the deck."""
        return 4 * self.deck_ranks

    @property
    def dealers(self) -> int:
        """The number of dealer hands that each player hand meets: 18,424 with 52 cards."""
        return comb(self.deck_size - 3, 3)

    @property
    def deals(self) -> int:
        """The number of deals of a player and a dealer: 407,170,400 with 52 cards."""
        return comb(self.deck_size, 3) * self.dealers


@cache
def suit_classes(deck_ranks: int = 13) -> HandClasses:
    """Return the suit classes of a deck of `deck_ranks` ranks in four suits."""
    every = np.arange(deck_ranks)
    distinct = np.array(list(combinations(range(deck_ranks), 3)))[:, ::-1]
    pair, kicker = every.repeat(deck_ranks), np.tile(every, deck_ranks)
    high, low = np.maximum(pair, kicker), np.minimum(pair, kicker)
    pairs = np.stack([high, pair, low], axis=1)[pair != kicker]
    threes = every[:, None].repeat(3, axis=1)
    shapes = ((distinct, *_DISTINCT_RANKS), (pairs, *_PAIR), (threes, *_THREE))
    ranks = np.concatenate([shape.repeat(len(hands), axis=0) for shape, _, hands in shapes])
    suits = np.concatenate([np.tile(patterns, (len(shape), 1)) for shape, patterns, _ in shapes])
    hands = np.concatenate([np.tile(hands, len(shape)) for shape, _, hands in shapes])
    one_suit = (suits == suits[:, :1]).all(axis=1)
    keys, strength = np.unique(strength_keys(ranks, one_suit, deck_ranks), return_inverse=True)
    suited = suits[:, _FIRST] == suits[:, _SECOND]
    high, low = ranks[:, _FIRST], ranks[:, _SECOND]
    return HandClasses(
        deck_ranks=deck_ranks,
        ranks=ranks,
        suits=suits,
        hands=hands,
        strength=strength.astype(np.int64),
        keys=keys,
        pair_kinds=np.where(suited, high * deck_ranks + low, low * deck_ranks + high),
    )


@dataclass(frozen=True, eq=False)
class PrefixCounts:
    """The numbers of hands weaker than a strength t, in total and by the cards they hold.

    `every[t]` counts all hands weaker than t. `with_card[t, rank]` counts those that hold one
    given card of the rank. `with_pair[t, kind]` counts those that hold two given cards of the
    kind (see `HandClasses.pair_kinds`). t goes from 0 to the number of strengths.
    """

    every: IntArray
    with_card: IntArray
    with_pair: IntArray


@cache
def prefix_counts(deck_ranks: int = 13) -> PrefixCounts:
    """Return the `PrefixCounts` of a deck with `deck_ranks` ranks."""
    classes = suit_classes(deck_ranks)
    rows = len(classes.keys) + 1
    row = classes.strength[:, None] + 1

    def sums(groups: IntArray, cards: NDArray[Any]) -> IntArray:
        """Count the weaker hands that hold given cards: (strengths, kinds of given cards).

        `groups` has the kinds of given cards that each class holds. `cards` has the number of ways
        to choose the given cards of each kind.
        """
        columns = len(cards)
        weights = classes.hands.repeat(groups.shape[1])
        hands = np.bincount((row * columns + groups).ravel(), weights, rows * columns)
        # Each hand was counted once for each choice of cards that it holds.
        holding = (hands.reshape(rows, columns) / cards).astype(np.int64)
        below: IntArray = holding.cumsum(axis=0)
        return below

    rank_of_kind = np.arange(deck_ranks)
    same_rank = rank_of_kind[:, None] == rank_of_kind[None, :]
    suited = rank_of_kind[:, None] > rank_of_kind[None, :]
    cards_of_kind = np.where(same_rank, 6, np.where(suited, 4, 12)).ravel()
    return PrefixCounts(
        every=sums(np.zeros_like(row), np.array([1]))[:, 0],
        with_card=sums(classes.ranks, np.full(deck_ranks, 4)),
        with_pair=sums(classes.pair_kinds, cards_of_kind),
    )


@dataclass(frozen=True, eq=False)
class AllHands:
    """All hands, indexed by their `combination_index`: 22,100 with 52 cards.

    `cards` (hands, 3) are ascending card numbers `deck_ranks * suit + rank`, `bits` (hands,) the
    same cards as bits. `strength` (hands,) is 0 for the weakest hands. `suit_class` (hands,) is the
    index of the hand's class in `HandClasses`.
    """

    cards: IntArray
    bits: IntArray
    strength: IntArray
    suit_class: IntArray


@cache
def all_hands(deck_ranks: int = 13) -> AllHands:
    """Return all hands of the deck in the order of their combination index."""
    classes = suit_classes(deck_ranks)
    cards = np.array(list(combinations(range(4 * deck_ranks), 3)))
    # In descending order of ranks; the order of equal ranks doesn't matter for the class key below.
    by_rank = np.argsort(-(cards % deck_ranks), axis=1, kind="stable")
    ordered = np.take_along_axis(cards, by_rank, axis=1)
    ranks, suits = ordered % deck_ranks, ordered // deck_ranks
    keys = strength_keys(ranks, (suits == suits[:, :1]).all(axis=1), deck_ranks)
    class_keys = _class_keys(classes.ranks, classes.suits, deck_ranks)
    order = np.argsort(class_keys)
    places = np.searchsorted(class_keys, _class_keys(ranks, suits, deck_ranks), sorter=order)
    return AllHands(
        cards=cards,
        bits=(np.int64(1) << cards).sum(axis=1),
        strength=np.searchsorted(classes.keys, keys),
        suit_class=order[places],
    )


def _class_keys(ranks: IntArray, suits: IntArray, deck_ranks: int) -> IntArray:
    """Return an integer for each hand, equal for the hands of one class."""
    same = suits[:, _FIRST] == suits[:, _SECOND]
    # Which of a pair's two cards has the kicker's suit depends on their order, so only test whether
    # one has.
    high, middle, low = ranks.T
    paired = (high == middle) | (middle == low)
    pattern = np.where(paired, same.any(axis=1), same @ np.array([1, 2, 4]))
    keys: IntArray = ((high * deck_ranks + middle) * deck_ranks + low) * 8 + pattern
    return keys


# the weakest possible queen high would be Q-2-2: below Q-3-2, above J-10-8
QUEEN_HIGH_KEY = 10 * 13**2


@dataclass(frozen=True, eq=False)
class Showdowns:
    """For each class of hands that plays: how many dealer hands lead to each outcome.

    `win`, `tie` and `lose` count dealer hands that qualify; all four counts add up to
    `classes.dealers`.
    """

    classes: HandClasses
    qualifies: int  # the lowest strength with which the dealer qualifies
    win: IntArray
    tie: IntArray
    lose: IntArray
    not_qualified: IntArray

    @property
    def net(self) -> IntArray:
        """The gain from ante and play, in antes, summed over all dealer hands, without the bonus.

        A dealer who does not qualify pays the ante and returns the play bet; otherwise both win,
        both lose, or both are returned.
        """
        return self.not_qualified + 2 * (self.win - self.lose)


def showdowns(qualifies: int | None = None, deck_ranks: int = 13) -> Showdowns:
    """Count the outcomes of all deals by class of hands; with 52 cards, 407,170,400 deals.

    `qualifies` is the lowest strength with which the dealer qualifies (0: always), None for queen
    high as usual (only with 13 ranks).
    """
    return _showdowns(queen_high() if qualifies is None else qualifies, deck_ranks)


@cache
def _showdowns(qualifies: int, deck_ranks: int) -> Showdowns:
    return count_showdowns(suit_classes(deck_ranks), prefix_counts(deck_ranks), qualifies)


def queen_high() -> int:
    """Return the strength of Q-3-2, the weakest hand with which the dealer qualifies."""
    return int(np.searchsorted(suit_classes().keys, QUEEN_HIGH_KEY))


def count_showdowns(classes: HandClasses, counts: PrefixCounts, qualifies: int) -> Showdowns:
    """Count the outcomes of all deals without caching the answer, so that counting can be timed."""
    strength = classes.strength
    not_qualified = weaker_dealers(classes, counts, np.full_like(strength, qualifies))
    weaker = weaker_dealers(classes, counts, strength)
    not_stronger = weaker_dealers(classes, counts, strength + 1)
    win = np.where(strength > qualifies, weaker - not_qualified, 0)
    tie = np.where(strength >= qualifies, not_stronger - weaker, 0)
    return Showdowns(
        classes=classes,
        qualifies=qualifies,
        win=win,
        tie=tie,
        lose=classes.dealers - not_qualified - win - tie,
        not_qualified=not_qualified,
    )


def weaker_dealers(classes: HandClasses, counts: PrefixCounts, below: IntArray) -> IntArray:
    """Count, for each class, dealer hands weaker than `below` that have none of its three cards."""
    at = below[:, None]
    with_one = counts.with_card[at, classes.ranks].sum(axis=1)
    with_two = counts.with_pair[at, classes.pair_kinds].sum(axis=1)
    dealers: IntArray = counts.every[below] - with_one + with_two - (classes.strength < below)
    return dealers
