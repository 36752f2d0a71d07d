"""The strength of a hand and who wins, in lanes: many deals at a time, and the steps it is made of.

Every step is a plain loop over arrays without branches or look-ups that depend on the lane, which
the compiler turns into vector instructions. That pays only where vectors are wide and can count
bits (AVX-512); elsewhere the tables are faster, so `dealing` picks by machine. The evaluator
works on four suit masks: its scores order hands like the tables, and their top bits are the
category.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.extending import intrinsic, overload, register_jitable

from engine.odds.compiling import njit

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


U64 = np.uint64
SUIT = np.uint32(0x1FFF)
TWO_SUITS = np.uint64(0x3FFFFFF)


@register_jitable(forceinline=True)
def without_low_bit(mask):
    """`mask` without its lowest bit that is set."""
    return U32(mask & U32(mask - U32(1)))


@register_jitable(forceinline=True)
def lane_straight(mask):
    """The top card's bit of the best straight in 13 ranks; 0 if there is none."""
    wheel = U32(U32(mask << U32(1)) | U32(mask >> U32(12)))
    run = U32(wheel & U32(wheel >> U32(1)))
    run = U32(run & U32(run >> U32(2)))
    return top_bit(U32(run & U32(wheel >> U32(4))))


@register_jitable(forceinline=True)
def lane_score(clubs, diamonds, hearts, spades):
    """The strength of seven cards as `category << 26 | ...`, without a branch or a table."""
    either, other = U32(clubs | diamonds), U32(hearts | spades)
    both, pair = U32(clubs & diamonds), U32(hearts & spades)
    ones = U32(either | other)
    twos = U32(U32(both | pair) | U32(either & other))
    threes = U32(U32(both & other) | U32(pair & either))
    fours = U32(both & pair)
    suited = choose(set_bits(clubs) >= U32(5), clubs, U32(0))
    suited = choose(set_bits(diamonds) >= U32(5), diamonds, suited)
    suited = choose(set_bits(hearts) >= U32(5), hearts, suited)
    suited = choose(set_bits(spades) >= U32(5), spades, suited)
    ranks = choose(suited != U32(0), suited, ones)
    run = lane_straight(ranks)
    number = set_bits(ranks)
    five = choose(number > U32(5), without_low_bit(ranks), ranks)
    five = choose(number > U32(6), without_low_bit(five), five)
    three = top_bit(threes)
    pairs = U32(twos ^ three)
    first = top_bit(pairs)
    second = top_bit(U32(pairs ^ first))
    two_pair = U32(first | second)
    score = five
    rest = without_low_bit(without_low_bit(U32(ones ^ first)))
    score = choose(first != U32(0), U32(U32(1 << 26) | U32(first << U32(13)) | rest), score)
    rest = top_bit(U32(ones ^ two_pair))
    score = choose(second != U32(0), U32(U32(2 << 26) | U32(two_pair << U32(13)) | rest), score)
    rest = without_low_bit(without_low_bit(U32(ones ^ three)))
    score = choose(three != U32(0), U32(U32(3 << 26) | U32(three << U32(13)) | rest), score)
    score = choose(run != U32(0), U32(U32(4 << 26) | run), score)
    full = U32(U32(6 << 26) | U32(three << U32(13)) | first)
    score = choose((three != U32(0)) & (first != U32(0)), full, score)
    rest = top_bit(U32(ones ^ fours))
    score = choose(fours != U32(0), U32(U32(7 << 26) | U32(fours << U32(13)) | rest), score)
    flush = choose(run != U32(0), U32(U32(8 << 26) | run), U32(U32(5 << 26) | five))
    return choose(suited != U32(0), flush, score)


@njit(cache=True, nogil=True)
def score_lanes(hands, lows, highs, player, scores, best):
    """The score of every lane's seven cards, as this player's; `best` is raised to it.

    Each half of the deck has words of its own (`lows`, `highs`): as many as fit are scored at once.
    """
    for lane in range(hands.shape[0]):
        lows[lane] = U32(hands[lane] & TWO_SUITS)
    for lane in range(hands.shape[0]):
        highs[lane] = U32(hands[lane] >> U64(26))
    for lane in range(lows.shape[0]):
        low, high = lows[lane], highs[lane]
        score = lane_score(
            U32(low & SUIT), U32(low >> U32(13)), U32(high & SUIT), U32(high >> U32(13))
        )
        scores[player, lane] = score
        best[lane] = choose(score > best[lane], score, best[lane])
