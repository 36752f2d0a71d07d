"""Every chance of a game without jokers in one small table.

A bid needs some cards from each of its classes, which are sets of cards. Its chance depends on few
things: how many cards a seat knows, how many are in play, and how many needed cards of each class
are known. Bids of the same shape (all pairs, all full houses) share their rows, so that 24 cards
and 68 bids take 135 KB; a table of all hands would take 1.3 GB. The rows are computed from the
terms that `exact` uses for a single chance.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from functools import cached_property
from itertools import combinations, product, repeat
from math import comb
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from engine.bids import Bid
from engine.cards import Cards, DeckSpec
from engine.errors import Reason
from engine.ladder import Ladder
from engine.odds.bids.exact import NOTHING_KNOWN, Open, choices, coefficient, shift, terms
from engine.odds.chance import Chance, OddsError, check_question
from engine.odds.loading import np
from engine.ruleset import Ruleset

if TYPE_CHECKING:
    from numpy.typing import NDArray

# with this many cards, the largest count, C(33, 16), fits a signed 32-bit integer
MOST_CARDS: Final = 33


class Summand(NamedTuple):
    """A summand of a row's number: `stride` times the number of known cards among `cards` (bits).

    At most `most` of these known cards count. A bid's summands add up to the number of its row
    within the rows of its shape.
    """

    cards: int
    most: int
    stride: int


class ClassGroup(NamedTuple):
    """A group of `times` classes with `size` cards each; the bid needs `needed` of each class."""

    size: int
    needed: int
    times: int

    @property
    def states(self) -> int:
        """The number of states: from 0 to `times * needed` of the needed cards are known."""
        return self.times * self.needed + 1


Shape = tuple[ClassGroup, ...]


class BidTable:
    """The number of deals in which each bid of a ladder holds, by known cards and cards in play.

    Bids are numbered from 0 in ladder order. Raises `OddsError` for a deck with jokers, and for
    more than 33 cards, when counts might not fit 32 bits.
    """

    def __init__(self, ladder: Ladder, deck: DeckSpec) -> None:
        if deck.jokers or deck.size > MOST_CARDS:
            raise OddsError(
                Reason(
                    "a table of every answer is for at most {most} cards and no jokers, not for"
                    " {number} cards with {jokers} jokers",
                    most=MOST_CARDS,
                    number=deck.size,
                    jokers=deck.jokers,
                ),
                "a deck of 24 cards",
            )
        self.deck = deck
        self._parts: list[tuple[Summand, ...]] = []
        self._bases: list[int] = []
        self._rows = array("i")
        first_rows: dict[Shape, int] = {}
        for bid in ladder:
            shape, parts = split_into_shape(bid)
            if shape not in first_rows:
                first_rows[shape] = len(self._rows) // self._row_size
                for states in product(*(range(group.states) for group in shape)):
                    self._rows.extend(_row(shape, states, deck.size))
            self._parts.append(parts)
            self._bases.append(first_rows[shape])

    @property
    def bids(self) -> int:
        """The number of bids."""
        return len(self._bases)

    @property
    def nbytes(self) -> int:
        """The size of the table in bytes."""
        return self._rows.itemsize * len(self._rows)

    @property
    def _row_size(self) -> int:
        return (self.deck.size + 1) ** 2

    def ways(self, number: int, in_play: int, known: int = 0) -> int:
        """Return how many sets of `in_play` cards, `known` (bits) included, make bid `number` hold.

        Returns 0 if fewer cards are in play than known. The caller must make sure that the deck
        has the `known` cards, and at least `in_play` cards.
        """
        row = self._bases[number]
        for cards, most, stride in self._parts[number]:
            row += min((known & cards).bit_count(), most) * stride
        width = self.deck.size + 1
        return self._rows[(row * width + known.bit_count()) * width + in_play]

    def chance(self, number: int, in_play: int, known: Cards = NOTHING_KNOWN) -> Chance:
        """Return the chance of bid `number`. Raises `OddsError` as `bid_chance` does."""
        check_question(self.deck, in_play, known)
        held = len(known)
        total = comb(self.deck.size - held, in_play - held)
        return Chance(self.ways(number, in_play, known.bits), total)

    def ways_of_bid(
        self, number: int, known: NDArray[np.uint64], out: NDArray[np.int32] | None = None
    ) -> NDArray[np.int32]:
        """Return `ways` of bid `number` for many sets of known cards, by number of cards in play.

        `known` are the sets, as bits. The result, written to `out` if given, has the shape (sets,
        deck size + 1).
        """
        from engine.odds.bids.kernels import look_up_all

        if out is None:
            out = np.empty((known.size, self.deck.size + 1), np.int32)
        rows, parts, bases = self._arrays
        # integer overflow is intended; numpy warns about it only with the JIT off
        with np.errstate(over="ignore"):
            look_up_all(rows, parts[number, : len(self._parts[number])], bases[number], known, out)
        return out

    @cached_property
    def _arrays(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """The table as three arrays: rows, parts and bases.

        Rows have the shape (row, known cards, cards in play), parts (bid, part, 3). A part is a
        `Summand`; unused parts are zeros. A base is the number of a bid's first row.
        """
        width = self.deck.size + 1
        rows = np.frombuffer(self._rows, np.int32).reshape(-1, width, width)
        most_parts = max(len(parts) for parts in self._parts)
        parts = np.zeros((len(self._parts), most_parts, 3), np.uint64)
        for number, summands in enumerate(self._parts):
            parts[number, : len(summands)] = summands
        return rows, parts, np.array(self._bases, np.uint64)


def holdings(deck: DeckSpec, most: int) -> NDArray[np.uint64]:
    """Return the sets of at most `most` cards of `deck`, as bits: by size, then in deck order."""
    ones = [1 << card.number for card in deck.order]
    sets = (sum(chosen) for held in range(most + 1) for chosen in combinations(ones, held))
    return np.fromiter(sets, np.uint64)


def bid_table(ruleset: Ruleset) -> BidTable:
    """Return the table of a game's ladder and deck. Raises `OddsError` as `BidTable` does."""
    return BidTable(ruleset.ladder, ruleset.deck)


def split_into_shape(bid: Bid) -> tuple[Shape, tuple[Summand, ...]]:
    """Return the shape of `bid`, and the summands of its row's number among the shape's rows.

    Classes of the same size from which one card is needed form a group, since it only matters
    how many of them have a known card. Classes of a single card also share one summand.
    """
    alike: dict[tuple[int, int, int], list[int]] = {}
    for place, need in enumerate(bid.needs):
        size = len(need.cards)
        class_number = 0 if need.count == 1 else place + 1
        alike.setdefault((size, need.count, class_number), []).append(need.cards.bits)
    shape = tuple(ClassGroup(size, count, len(masks)) for (size, count, _), masks in alike.items())
    parts: list[Summand] = []
    stride = 1
    for group, masks in reversed(list(zip(shape, alike.values(), strict=True))):
        if group.size == 1:
            parts.append(Summand(sum(masks), group.times, stride))
        else:
            parts += [Summand(mask, group.needed, stride) for mask in masks]
        stride *= group.states
    return shape, tuple(parts)


def open_classes(shape: Shape, states: tuple[int, ...]) -> Open:
    """Return what a bid still needs if `states[i]` of the cards needed from group i are known."""
    still: list[tuple[int, int]] = []
    for (size, needed, times), state in zip(shape, states, strict=True):
        if needed == 1:
            still += [(size, 1)] * (times - state)
        elif state < needed:
            still.append((size - state, needed - state))
    return tuple(sorted(still))


def _row(shape: Shape, states: tuple[int, ...], size: int) -> Iterator[int]:
    """Yield, for each pair (known cards, cards in play), how many deals make a bid hold.

    The number of cards in play changes fastest. Yields 0 if more cards are known than in play, or
    if `states` can't occur with this number of known cards.
    """
    still = open_classes(shape, states)
    unseen_of_bid = sum(size for size, _ in still)
    for known in range(size + 1):
        unseen = size - known
        if known < sum(states) or unseen < unseen_of_bid:
            yield from repeat(0, size + 1)
            continue
        draws = sum(
            term.weight * shift(choices(unseen - term.aside, 0, unseen), term.drawn)
            for term in terms(still, 0)
        )
        yield from repeat(0, known)
        yield from (coefficient(draws, drawn) for drawn in range(unseen + 1))
