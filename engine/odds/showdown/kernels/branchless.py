"""Steps without a branch, which loops over lanes are made of: an instruction or a few each."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.extending import intrinsic, overload

U32 = np.uint32


def set_bits(mask):
    """How many bits are set; one instruction when compiled."""
    return U32(int(mask).bit_count())


def top_bit(mask):
    """The highest bit that is set, 0 for 0; three instructions when compiled."""
    return U32(1 << int(mask).bit_length() >> 1)


def choose(condition, yes, no):
    """`yes if condition else no` without a branch when compiled."""
    return yes if condition else no


@intrinsic
def _ctpop(typing, value):  # pragma: no cover (code of the compiler's, not of the program's)
    return value(value), lambda _context, build, _signature, given: build.ctpop(given[0])


@intrinsic
def _ctlz(typing, value):  # pragma: no cover
    def emit(_context, build, _signature, given):
        return build.ctlz(given[0], ir.Constant(ir.IntType(1), 0))

    return value(value), emit


@intrinsic
def _select(typing, condition, yes, no):  # pragma: no cover
    def emit(_context, build, _signature, given):
        wanted = build.trunc(given[0], ir.IntType(1))
        return build.select(wanted, given[1], given[2])

    return yes(condition, yes, no), emit


INLINE: Any = {"forceinline": True}


@overload(set_bits, jit_options=INLINE)
def _set_bits(mask):  # pragma: no cover
    return lambda mask: _ctpop(U32(mask))


@overload(top_bit, jit_options=INLINE)
def _top_bit(mask):  # pragma: no cover
    return lambda mask: U32(U32(mask) & U32(U32(0x80000000) >> _ctlz(U32(mask | U32(1)))))


@overload(choose, jit_options=INLINE)
def _choose(condition, yes, no):  # pragma: no cover
    return lambda condition, yes, no: _select(condition, yes, no)
