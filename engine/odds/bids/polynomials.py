"""Polynomials with non-negative integer coefficients, each packed into one Python integer.

Coefficient `i` sits in bits `64 i` to `64 i + 63` (Kronecker substitution), so that a product of
polynomials is one product of integers. No coefficient here exceeds C(64, 32) < 2**61: each counts
some of the m-card subsets of at most 64 cards.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from math import comb
from typing import Final

SLOT: Final = 64
_MASK: Final = (1 << SLOT) - 1

Packed = int


def packed(coefficients: Iterable[int]) -> Packed:
    """The polynomial with these coefficients, the constant one first."""
    return sum(value << SLOT * power for power, value in enumerate(coefficients))


def coefficient(polynomial: Packed, power: int) -> int:
    """The coefficient of `x**power`."""
    return polynomial >> SLOT * power & _MASK


def shifted(polynomial: Packed, power: int) -> Packed:
    """The polynomial times `x**power`."""
    return polynomial << SLOT * power


@lru_cache(maxsize=1024)
def choices(cards: int, fewest: int, most: int) -> Packed:
    """Ways to draw `fewest` to `most` of `cards` cards: the sum of `C(cards, d) x**d`."""
    return packed(
        comb(cards, drawn) if drawn >= fewest else 0 for drawn in range(min(cards, most) + 1)
    )
