"""A heads-up round, simplified for a strategy table: fewer bids, and only hands that differ.

Three sorts of bids are left out: those that need more cards than are in play, since they lose when
challenged; those that name suits (such as flushes); and, on a ladder of more than `MOST_BIDS` bids,
the most numerous (for which `_is_usual` is False). Cards that every remaining bid treats alike are
one kind of card, here a rank or the jokers, and a hand is the number of cards of each kind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import comb, prod
from typing import TYPE_CHECKING, Final

from engine.bids import Bid, holds
from engine.cards import Cards
from engine.ruleset import Ruleset

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MOST_BIDS: Final = 63  # so that a set of bids fits in 64 bits
MOST_HANDS: Final = 1024  # hands of one seat

Hand = tuple[int, ...]  # the number of cards of each kind


@dataclass(frozen=True)
class Abstraction:
    """A round of two seats; `cards` are their numbers of cards, the opener's first.

    `bids` are the bids' places in the ladder's order, each on a different rung; in this class, a
    bid is its index in `bids`. `kinds` are sets of cards, as bits, that all these bids treat alike;
    `hands[side]` are the hands that a side (0: the opener, 1: the other seat) may hold.
    """

    ruleset: Ruleset
    cards: tuple[int, int]
    bids: tuple[int, ...]
    kinds: tuple[int, ...]
    hands: tuple[tuple[Hand, ...], tuple[Hand, ...]]

    @cached_property
    def chance(self) -> NDArray[np.float64]:
        """The chance of each pair of hands, (opener's hands, other's hands)."""
        import numpy as np

        ways = [[self._ways(first, second) for second in self.hands[1]] for first in self.hands[0]]
        return np.array(ways, float) / sum(map(sum, ways))

    @cached_property
    def true(self) -> NDArray[np.bool_]:
        """Whether each bid holds, (bids, opener's hands, other's hands).

        False for two hands that can't be dealt together.
        """
        import numpy as np

        ladder = self.ruleset.ladder
        out = np.zeros((len(self.bids), len(self.hands[0]), len(self.hands[1])), np.bool_)
        known: dict[Hand, list[bool]] = {}
        for (i, first), (j, second) in product(*map(enumerate, self.hands)):
            if self._ways(first, second):
                both = tuple(a + b for a, b in zip(first, second, strict=True))
                if both not in known:
                    pool = self.cards_of(both)
                    known[both] = [holds(ladder.at(place), pool) for place in self.bids]
                out[:, i, j] = known[both]
        return out

    @cached_property
    def places(self) -> dict[int, int]:
        """The bids' indexes by their places in the ladder's order."""
        return {place: bid for bid, place in enumerate(self.bids)}

    def hand_of(self, side: int, hole: int) -> int:
        """Return the index in `hands[side]` of the hand with the cards `hole`, given as bits.

        Raises KeyError for another number of cards.
        """
        return self._places[side][tuple((hole & kind).bit_count() for kind in self.kinds)]

    def facts(self) -> NDArray[np.uint64]:
        """Return `cards`, `bids` and `kinds` in one array, to check that a strategy fits."""
        import numpy as np

        return np.array([*self.cards, *self.bids, *self.kinds], np.uint64)

    def cards_of(self, hand: Hand) -> Cards:
        """Return some cards that make up the hand."""
        bits = 0
        for kind, number in zip(self.kinds, hand, strict=True):
            for card in list(Cards(kind))[:number]:
                bits |= 1 << card.number
        return Cards(bits)

    @cached_property
    def _places(self) -> tuple[dict[Hand, int], dict[Hand, int]]:
        first, second = ({hand: place for place, hand in enumerate(each)} for each in self.hands)
        return first, second

    def _ways(self, first: Hand, second: Hand) -> int:
        """Return the number of ways to deal both hands."""
        sizes = [kind.bit_count() for kind in self.kinds]
        return prod(
            comb(size, a) * comb(size - a, b) if a + b <= size else 0
            for size, a, b in zip(sizes, first, second, strict=True)
        )


def abstraction_of(ruleset: Ruleset, cards: Sequence[int]) -> Abstraction | None:
    """Return the round in which the opener has `cards[0]` and the other seat `cards[1]` cards.

    Return None if no bid or more than `MOST_BIDS` bids remain, if two bids share a rung, or if a
    seat may hold more than `MOST_HANDS` different hands.
    """
    bids = [
        (place, bid)
        for place, bid in enumerate(ruleset.ladder)
        if sum(need.count for need in bid.needs) <= sum(cards) and by_ranks(ruleset, bid)
    ]
    if len(bids) > MOST_BIDS:
        bids = [(place, bid) for place, bid in bids if _is_usual(bid)]
    rungs = {ruleset.ladder.number(bid) for _, bid in bids}
    if not 0 < len(bids) <= MOST_BIDS or len(rungs) < len(bids):
        return None
    kinds = _kinds(ruleset, [bid for _, bid in bids])
    sizes = [kind.bit_count() for kind in kinds]
    if any(_count(sizes, held) > MOST_HANDS for held in cards):
        return None
    first, second = (tuple(_hands(sizes, held)) for held in cards)
    return Abstraction(
        ruleset, (cards[0], cards[1]), tuple(place for place, _ in bids), kinds, (first, second)
    )


def _is_usual(bid: Bid) -> bool:
    """Return whether `bid` is any bid except two pair, a full house or five of a kind.

    That is: at most one of its classes needs several cards, and none needs a joker.
    """
    several = sum(need.count > 1 for need in bid.needs)
    return several <= 1 and all(need.count <= len(need.cards) for need in bid.needs)


def by_ranks(ruleset: Ruleset, bid: Bid) -> bool:
    """Return whether `bid` treats all cards of a rank alike."""
    ranks: dict[object, int] = {}
    for card in ruleset.deck.order:
        if not card.is_joker:
            ranks[card.rank] = ranks.get(card.rank, 0) | 1 << card.number
    return all(
        need.cards.bits & cards in (0, cards) for need in bid.needs for cards in ranks.values()
    )


def _kinds(ruleset: Ruleset, bids: Sequence[Bid]) -> tuple[int, ...]:
    """Split the deck into sets of cards, as bits, that no need of `bids` tells apart.

    No set has both jokers and natural cards.
    """
    alike: dict[tuple[bool, ...], int] = {}
    for card in ruleset.deck.order:
        bit = 1 << card.number
        needed = tuple(bool(need.cards.bits & bit) for bid in bids for need in bid.needs)
        key = (card.is_joker, *needed)
        alike[key] = alike.get(key, 0) | bit
    return tuple(alike.values())


def _hands(sizes: Sequence[int], held: int) -> Iterator[Hand]:
    """Yield the hands of `held` cards; `sizes` are the numbers of cards of each kind."""
    if not sizes:
        if held == 0:
            yield ()
        return
    for some in range(min(sizes[0], held) + 1):
        for others in _hands(sizes[1:], held - some):
            yield (some, *others)


def _count(sizes: Sequence[int], held: int) -> int:
    """Return the number of hands that `_hands` would yield, without listing them."""
    ways = [1] + [0] * held
    for size in sizes:
        ways = [sum(ways[n - some] for some in range(min(size, n) + 1)) for n in range(held + 1)]
    return ways[held]
