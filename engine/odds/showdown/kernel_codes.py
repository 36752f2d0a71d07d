"""Constants, the keys of cards and random numbers that the kernels share with their callers.

A random number is splitmix64's output for a counter that grows by `STEP`. Its constants are
S. Vigna's, in the public domain.
"""

from __future__ import annotations

from typing import Any

import numpy as np

BLOCK = 1024  # deals that have one random stream
ALIKE, WEIGHED, HALVES = 0, 1, 2  # ways to draw a hand of a range
PICKS, WHOLE, DENSE, TWO_THREE = 0, 1, 2, 3  # ways to score the hands on a board
STEP = np.uint64(0x9E3779B97F4A7C15)
_U64 = np.uint64
LOW_KEYS = (1, 5, 24, 112, 521, 2247)
HIGH_KEYS = (1, 5, 24, 112, 521, 2247, 9244)
WILD_KEY = 1 << 56
CARD_KEY = np.array(
    [
        [*LOW_KEYS, *(key << 16 for key in HIGH_KEYS)][card % 13] | 1 << 32 + 4 * (card // 13)
        for card in range(52)
    ]
    + [WILD_KEY] * 12,
    np.uint64,
)
"""The number that each of the 64 cards adds to a hand's key (`score_tables`); jokers are wild."""
_MIX_ONE = np.uint64(0xBF58476D1CE4E5B9)
_MIX_TWO = np.uint64(0x94D049BB133111EB)


def mix(counter: Any) -> Any:
    """Return splitmix64's output for a counter, or for each counter of an array."""
    counter = _U64(_U64(counter ^ _U64(counter >> _U64(30))) * _MIX_ONE)
    counter = _U64(_U64(counter ^ _U64(counter >> _U64(27))) * _MIX_TWO)
    return _U64(counter ^ _U64(counter >> _U64(31)))
