"""The hands of the deck, once as suit classes and once one by one, with their prefix counts.

Renaming the suits changes no odds, so the 22,100 hands fall into 1,755 classes: every set of
three ranks with every pattern of equal suits. Everything that can be counted for one hand of a
class holds for all of them. Smaller decks (fewer ranks, always four suits) obey the same code;
they are small enough to be dealt out card by card, which is how the counting is checked.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.odds.three_card.strength import IntArray, strength_keys

# For three ranks high > middle > low, a pair, a three: the patterns of equal suits, and how many
# hands have each. A pair's kicker shares the suit of one of the two, or of neither; whether it is
# the highest card or the lowest, it and one card of the pair lie outside.
_DISTINCT_RANKS = (
    np.array([(0, 0, 0), (0, 0, 1), (0, 1, 0), (0, 1, 1), (0, 1, 2)]),
    np.array([4, 12, 12, 12, 24]),
)
_PAIR = (np.array([(0, 1, 0), (0, 1, 2)]), np.array([12, 12]))
_THREE = (np.array([(0, 1, 2)]), np.array([4]))
_FIRST, _SECOND = np.array([0, 0, 1]), np.array([1, 2, 2])  # the three pairs among three cards


@dataclass(frozen=True, eq=False)
class HandClasses:
    """The classes of hands that only the suits' names tell apart, in no particular order.

    `ranks` and `suits` (classes, 3) are one hand of each class, ranks in descending order;
    `hands` (classes,) says how many hands the class has. `strength` (classes,) is 0 for the
    weakest hands, and `keys[strength]` their `strength_keys`. `pair_kinds` (classes, 3) numbers
    each two of the three cards by the kind of starting hand they are: 13 x 13, suited pairs
    `13 * high + low`, others `13 * low + high`.
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
        """(classes,) values of `Category`."""
        return self.keys[self.strength] // self.deck_ranks**3

    @property
    def deck_size(self) -> int:
        """Cards in the deck."""
        return 4 * self.deck_ranks

    @property
    def dealers(self) -> int:
        """How many dealer hands each player hand meets: 18,424 with 52 cards."""
        return comb(self.deck_size - 3, 3)

    @property
    def deals(self) -> int:
        """All deals of a player and a dealer: 407,170,400 with 52 cards."""
        return comb(self.deck_size, 3) * self.dealers


@cache
def suit_classes(deck_ranks: int = 13) -> HandClasses:
    """The suit classes of a deck of `deck_ranks` ranks in four suits."""
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
    """How many hands are weaker than a given strength: all, with one card, with two cards.

    `every[t]` counts all hands of strength below t; `with_card[t, rank]` those that hold one
    given card of the rank; `with_pair[t, kind]` those that hold two given cards of that kind
    (see `HandClasses.pair_kinds`). t goes from 0 to the number of strengths.
    """

    every: IntArray
    with_card: IntArray
    with_pair: IntArray


@cache
def prefix_counts(deck_ranks: int = 13) -> PrefixCounts:
    """The prefix counts of a deck, counted from its suit classes."""
    classes = suit_classes(deck_ranks)
    rows = len(classes.keys) + 1
    row = classes.strength[:, None] + 1

    def sums(groups: IntArray, cards: NDArray[Any]) -> IntArray:
        """Hands below each strength that hold given cards; there are `cards` ways to give them."""
        columns = len(cards)
        weights = classes.hands.repeat(groups.shape[1])
        hands = np.bincount((row * columns + groups).ravel(), weights, rows * columns)
        # Each hand was entered once for each of the ways that it holds.
        given = (hands.reshape(rows, columns) / cards).astype(np.int64)
        below: IntArray = given.cumsum(axis=0)
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
    """Every hand by its `combination_index`: 22,100 of them with 52 cards.

    `cards` (hands, 3) ascending card numbers `deck_ranks * suit + rank`, `bits` (hands,) the same
    as sets, `strength` (hands,) as in `HandClasses`, `suit_class` (hands,) the class's place.
    """

    cards: IntArray
    bits: IntArray
    strength: IntArray
    suit_class: IntArray


@cache
def all_hands(deck_ranks: int = 13) -> AllHands:
    """All hands of the deck in the order of their combination index."""
    classes = suit_classes(deck_ranks)
    cards = np.array(list(combinations(range(4 * deck_ranks), 3)))
    # Descending ranks, and among equal ranks any order: the class key below sorts what is left.
    by_rank = np.argsort(-(cards % deck_ranks), axis=1, kind="stable")
    ordered = np.take_along_axis(cards, by_rank, axis=1)
    ranks, suits = ordered % deck_ranks, ordered // deck_ranks
    keys = strength_keys(ranks, (suits == suits[:, :1]).all(axis=1), deck_ranks)
    own_class = _class_keys(classes.ranks, classes.suits, deck_ranks)
    order = np.argsort(own_class)
    found = np.searchsorted(own_class, _class_keys(ranks, suits, deck_ranks), sorter=order)
    return AllHands(
        cards=cards,
        bits=(np.int64(1) << cards).sum(axis=1),
        strength=np.searchsorted(classes.keys, keys),
        suit_class=order[found],
    )


def _class_keys(ranks: IntArray, suits: IntArray, deck_ranks: int) -> IntArray:
    """An integer equal for hands of one class: the ranks and which suits are the same."""
    same = suits[:, _FIRST] == suits[:, _SECOND]
    # Which of a pair's two cards shares the kicker's suit is chance of the order: say "one does".
    high, middle, low = ranks.T
    paired = (high == middle) | (middle == low)
    pattern = np.where(paired, same.any(axis=1), same @ np.array([1, 2, 4]))
    keys: IntArray = ((high * deck_ranks + middle) * deck_ranks + low) * 8 + pattern
    return keys
