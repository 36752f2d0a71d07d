"""Hands that differ by more than a change of suits, and sets of hands as rows of bits.

Of five cards there are 2,598,960 hands, but 134,459 classes. A row has a bit for each class. A set
of hands is one row where it asks for no suit by name, or else 24, one for each change of suits:
the hands that it makes of the classes. So numpy's `&`, `|` and `~` join any two sets.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from itertools import combinations, combinations_with_replacement, groupby, permutations
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    # (1 or 24, bytes): eight classes a byte, as numpy packs them
    Rows = NDArray[np.uint8]

CHANGES: Final = tuple(permutations(range(4)))  # in place s the suit that suit s becomes
SUIT: Final = 0x1FFF


class SuitClasses:
    """The classes of hands of `private` cards, of a pack that has `ranks` (13 bits) in each suit.

    `hands` has one of each class, as bits.
    """

    def __init__(self, private: int, ranks: int) -> None:
        import numpy as np

        suits = _suit_masks(private, ranks)
        self.hands: NDArray[np.uint64] = _joined(suits, range(4))
        alike = suits[:-1] == suits[1:]
        # two suits that are alike are changed for each other by half of the changes only
        one = [reduce(np.logical_and, _kept(alike, change)) for change in CHANGES]
        self._suits = suits
        self._once = np.packbits(one, axis=1)
        self.often: NDArray[np.int64] = np.sum(one, axis=0)

    def row(self, fits: NDArray[np.bool_]) -> Rows:
        """The set of hands of the classes that fit."""
        import numpy as np

        return np.packbits(fits)[None]

    def has_any(self, rows: Rows) -> bool:
        """Whether a set has a hand at all."""
        return bool((rows & self._once).any())

    def members(self, rows: Rows) -> NDArray[np.uint64]:
        """The hands of a set as bits, each once, in no order."""
        import numpy as np

        held = np.unpackbits(rows & self._once, axis=1, count=len(self.hands)).view(np.bool_)
        found = (
            _joined(self._suits[:, some], change)
            for some, change in zip(held, CHANGES, strict=True)
        )
        return np.concatenate(list(found))


def _kept(alike: NDArray[np.bool_], change: tuple[int, ...]) -> Iterator[NDArray[np.bool_]]:
    """For suits side by side, where a change is the one of two that is kept."""
    for place in range(3):
        yield ~alike[place] | (change[place] < change[place + 1])


def _joined(suits: NDArray[np.uint64], places: tuple[int, ...] | range) -> NDArray[np.uint64]:
    """Hands as bits, of the ranks held in four suits, each in the place of a suit."""
    import numpy as np

    hands = np.zeros(suits.shape[1], np.uint64)
    for ranks, place in zip(suits, places, strict=True):
        hands |= ranks << np.uint64(13 * place)
    return hands


def _suit_masks(private: int, ranks: int) -> NDArray[np.uint64]:
    """(4, classes): the ranks held in each suit; no suit has fewer cards than the next.

    Of suits with as many cards the first has the higher mask, if they differ.
    """
    import numpy as np

    held = [1 << rank for rank in range(13) if ranks >> rank & 1]
    masks = {
        size: sorted(map(sum, combinations(held, size)), reverse=True)
        for size in range(private + 1)
    }
    found = []
    for sizes in combinations_with_replacement(range(private, -1, -1), 4):
        if sum(sizes) != private:
            continue
        rows = np.zeros((1, 0), np.uint64)
        for size, alike in groupby(sizes):
            times = len(list(alike))
            some = np.array([*combinations_with_replacement(masks[size], times)], np.uint64)
            some = some.reshape(-1, times)  # no set where the pack has too few ranks
            rows = np.hstack([np.repeat(rows, len(some), 0), np.tile(some, (len(rows), 1))])
        found.append(rows)
    return np.ascontiguousarray(np.concatenate(found).T)
