"""Which hands two players of hold'em make before the flop, for every matchup of `preflop`.

Counted and shipped with that table. A file of its own, since who wins needs none of it. For each
matchup how many of the 1,712,304 boards give the first hand a pair, two pair and so on up to a
straight flush (a high card is what is left), and the same for the second hand. The rows of the
first hands stand in the order of the table's keys, those of the second hands in the order of
`1326 * second + first`, so that rows side by side are alike; columns one after the other, as
compressed numbers of 32 bits.
"""

from __future__ import annotations

import zlib
from array import array
from dataclasses import dataclass
from functools import cache
from pkgutil import get_data
from typing import TYPE_CHECKING, Final

from engine.odds.showdown.preflop import (
    BOARDS,
    HANDS,
    MATCHUPS,
    NOWHERE,
    as_bytes,
    from_bytes,
    preflop_table,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

KINDS: Final = 9
_COLUMNS: Final = KINDS - 1
_FILE: Final = "preflop_kinds.bin"


@dataclass(frozen=True, slots=True)
class KindsTable:
    """Boards by kind from a pair up: 8 columns one after the other of the first and second hands.

    `row` is the row of each matchup's second hand, in the order of the keys.
    """

    first: array[int]
    second: array[int]
    row: tuple[int, ...]


def packed_kinds(first: array[int], second: array[int]) -> bytes:
    """The columns as the bytes of the file."""
    return zlib.compress(as_bytes(first) + as_bytes(second), 9)


def rows_of_second(keys: array[int]) -> tuple[int, ...]:
    """Where the second hand of each matchup stands among those of all."""
    second = [key % HANDS for key in keys]
    rows = [0] * len(second)
    # sorting keeps those of the same second hand in the order of the keys, which is by the first
    for row, at in enumerate(sorted(range(len(second)), key=second.__getitem__)):
        rows[at] = row
    return tuple(rows)


@cache
def kinds_table() -> KindsTable:
    """The table, read once."""
    data = get_data(__package__, _FILE)
    if data is None:
        raise ImportError(f"the package is not whole: {_FILE} cannot be read")
    figures = from_bytes(zlib.decompress(data))
    half = _COLUMNS * MATCHUPS
    return KindsTable(figures[:half], figures[half:], rows_of_second(preflop_table().keys))


def kinds_at(place: int) -> list[int]:
    """How many boards give the first hand of a place (`preflop.place_of`) each kind, weakest first.

    Without numpy.
    """
    table = kinds_table()
    at = place >> 1
    column, row = (table.second, table.row[at]) if place & 1 else (table.first, at)
    made = list(column[row::MATCHUPS])
    return [BOARDS - sum(made), *made]


@cache
def kinds_by_place() -> NDArray[np.int32]:
    """(2 * 47,008 + 2, 9): the same for every place; zeros for two hands that share a card."""
    import numpy as np

    table = kinds_table()
    found = np.zeros((NOWHERE + 2, KINDS), np.int32)
    for start, column in ((0, table.first), (1, table.second)):
        figures = np.frombuffer(column, np.uint32).reshape(_COLUMNS, MATCHUPS)
        found[start:NOWHERE:2, 1:] = (figures[:, list(table.row)] if start else figures).T
    found[:NOWHERE, 0] = BOARDS - found[:NOWHERE, 1:].sum(axis=1)
    return found
