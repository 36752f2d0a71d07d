"""The order of four-card hands that a percentage of an Omaha range goes by.

Hands that differ by more than a change of suits are 16,432 classes, ordered by equity against one
random hand. `python -m benchmarks.omaha_order` counted it: on each of the 134,459 boards that
differ, every hand against every opponent. The file has the place of each class, classes sorted by
their smallest set of cards: compressed numbers of 16 bits.
"""

from __future__ import annotations

import zlib
from functools import cache
from itertools import permutations
from pkgutil import get_data
from typing import TYPE_CHECKING, Final

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

CLASSES: Final = 16_432
_FILE: Final = "omaha_order.bin"
_U64 = np.uint64


def packed(places: NDArray[np.int64]) -> bytes:
    """The places of the classes as the bytes of the file."""
    return zlib.compress(places.astype("<u2").tobytes(), 9)


@cache
def class_places() -> NDArray[np.int64]:
    """The place of each class, 0 for the strongest; classes sorted by their smallest hand."""
    data = get_data(__package__, _FILE)
    if data is None:
        raise ImportError(f"the package is not whole: {_FILE} cannot be read")
    return np.frombuffer(zlib.decompress(data), "<u2").astype(np.int64)


def smallest(hands: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """For each set of cards the smallest of those that differ from it by a change of suits."""
    suits = [hands >> _U64(13 * suit) & _U64(0x1FFF) for suit in range(4)]
    least = hands
    for order in permutations(range(4)):
        moved = np.zeros_like(hands)
        for suit in range(4):
            moved |= suits[suit] << _U64(13 * order[suit])
        least = np.minimum(least, moved)
    return least


def strongest_first(hands: NDArray[np.uint64], often: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each of some hands of four cards, how many are at least as strong, itself among them.

    `hands` are one of every class or more, in any order, of which each stands for `often`; those
    of one class have the same number.
    """
    _, of_class = np.unique(smallest(hands), return_inverse=True)
    places = class_places()[of_class]
    by_place = np.bincount(places, often).astype(np.int64)
    reached: NDArray[np.int64] = np.cumsum(by_place)[places]
    return reached
