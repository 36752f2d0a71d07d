"""A round of two seats that is small enough to be solved: its bids, and the hands that differ.

Few cards in play leave few bids that can be true. Any other bid is lost as soon as it is
challenged, so leaving those out changes neither the value of the round nor who does best. Cards
that every remaining bid treats alike are one kind of card (with three cards in play no suit
matters), and a hand is how many it has of each kind.
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

MOST_BIDS: Final = 24  # the tree of bids has a node for each set of them
MOST_HANDS: Final = 64  # of a seat

Hand = tuple[int, ...]  # how many cards of each kind


@dataclass(frozen=True)
class SmallRound:
    """Two seats with `cards` each, the opener's first.

    `bids` are the bids that can be true, as places in the ladder's order; below, a bid is its place
    among them. `above[bid]` is the first bid on a higher rung (`len(bids)`: none). `kinds` are the
    sets of cards that differ for these bids, as bits; `hands[who]` what `who` (0: the opener) may
    hold.
    """

    ruleset: Ruleset
    cards: tuple[int, int]
    bids: tuple[int, ...]
    above: tuple[int, ...]
    kinds: tuple[int, ...]
    hands: tuple[tuple[Hand, ...], tuple[Hand, ...]]

    @cached_property
    def chance(self) -> NDArray[np.float64]:
        """The chance that both are dealt these hands, (opener's hands, other's hands)."""
        import numpy as np

        ways = [[self._ways(one, other) for other in self.hands[1]] for one in self.hands[0]]
        return np.array(ways, float) / sum(map(sum, ways))

    @cached_property
    def true(self) -> NDArray[np.bool_]:
        """Whether a bid holds, (bids, opener's hands, other's hands); False for no deal at all."""
        import numpy as np

        ladder = self.ruleset.ladder
        out = np.zeros((len(self.bids), len(self.hands[0]), len(self.hands[1])), np.bool_)
        for (i, one), (j, other) in product(*map(enumerate, self.hands)):
            if self._ways(one, other):
                pool = self._pool(one, other)
                for number, place in enumerate(self.bids):
                    out[number, i, j] = holds(ladder.at(place), pool)
        return out

    def hand_of(self, who: int, hole: int) -> int:
        """The place among `hands[who]` of the cards `hole`, as bits. Raises KeyError if none."""
        return self._places[who][tuple((hole & kind).bit_count() for kind in self.kinds)]

    @cached_property
    def _places(self) -> tuple[dict[Hand, int], dict[Hand, int]]:
        one, other = ({hand: place for place, hand in enumerate(each)} for each in self.hands)
        return one, other

    def _ways(self, one: Hand, other: Hand) -> int:
        """In how many ways the deck deals both hands."""
        sizes = [kind.bit_count() for kind in self.kinds]
        return prod(
            comb(size, a) * comb(size - a, b) if a + b <= size else 0
            for size, a, b in zip(sizes, one, other, strict=True)
        )

    def _pool(self, one: Hand, other: Hand) -> Cards:
        """Some cards that both hands may be."""
        bits = 0
        for kind, a, b in zip(self.kinds, one, other, strict=True):
            for card in list(Cards(kind))[: a + b]:
                bits |= 1 << card.number
        return Cards(bits)


def small_round(ruleset: Ruleset, cards: Sequence[int]) -> SmallRound | None:
    """The round in which the opener has `cards[0]` and the other seat `cards[1]` cards.

    None if it has too many bids or hands to be solved, or no bid that can be true.
    """
    in_play = sum(cards)
    bids = [
        (place, bid)
        for place, bid in enumerate(ruleset.ladder)
        if sum(need.count for need in bid.needs) <= in_play
    ]
    if not 0 < len(bids) <= MOST_BIDS:
        return None
    kinds = _kinds(ruleset, [bid for _, bid in bids])
    sizes = [kind.bit_count() for kind in kinds]
    if any(_count(sizes, held) > MOST_HANDS for held in cards):
        return None
    first_above = [ruleset.ladder.first_above(place) for place, _ in bids]
    above = tuple(sum(place < first for place, _ in bids) for first in first_above)
    one, other = (tuple(_hands(sizes, held)) for held in cards)
    return SmallRound(
        ruleset=ruleset,
        cards=(cards[0], cards[1]),
        bids=tuple(place for place, _ in bids),
        above=above,
        kinds=kinds,
        hands=(one, other),
    )


def _kinds(ruleset: Ruleset, bids: Sequence[Bid]) -> tuple[int, ...]:
    """Sets of cards, as bits, that every need of `bids` holds whole or not at all."""
    alike: dict[tuple[bool, ...], int] = {}
    for card in ruleset.deck.order:
        bit = 1 << card.number
        wanted = tuple(bool(need.cards.bits & bit) for bid in bids for need in bid.needs)
        key = (card.is_joker, *wanted)
        alike[key] = alike.get(key, 0) | bit
    return tuple(alike.values())


def _hands(sizes: Sequence[int], held: int) -> Iterator[Hand]:
    """Every way to hold so many cards of kinds of these sizes."""
    if not sizes:
        if held == 0:
            yield ()
        return
    for some in range(min(sizes[0], held) + 1):
        for rest in _hands(sizes[1:], held - some):
            yield (some, *rest)


def _count(sizes: Sequence[int], held: int) -> int:
    """How many ways there are, without listing them."""
    ways = [1] + [0] * held
    for size in sizes:
        ways = [sum(ways[n - some] for some in range(min(size, n) + 1)) for n in range(held + 1)]
    return ways[held]
