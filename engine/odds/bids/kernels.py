"""Compiled loops over bids: look answers up in a table, and judge sampled deals.

There are only loops here; `bid_table` and `sampling` wrap them and explain their arrays. Arrays are
always passed as arguments, never used as globals, so that a cached kernel cannot keep an outdated
table. Everything about cards is uint64: mixing it with int64 would give floats.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.odds.compiling import njit

Array = np.ndarray[Any, Any]

_1 = np.uint64(1)
_2 = np.uint64(2)
_4 = np.uint64(4)
_11 = np.uint64(11)
_27 = np.uint64(27)
_30 = np.uint64(30)
_31 = np.uint64(31)
_52 = np.uint64(52)
_53 = np.uint64(53)
_56 = np.uint64(56)
_64 = np.uint64(64)
_PAIRS = np.uint64(0x5555555555555555)
_NIBBLES = np.uint64(0x3333333333333333)
_BYTES = np.uint64(0x0F0F0F0F0F0F0F0F)
_SUM_OF_BYTES = np.uint64(0x0101010101010101)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)


@njit(inline="always")
def popcount(x: Any) -> Any:
    """Return the number of bits set in a uint64; LLVM turns this idiom into one instruction."""
    x = x - (x >> _1 & _PAIRS)
    x = (x & _NIBBLES) + (x >> _2 & _NIBBLES)
    x = x + (x >> _4) & _BYTES
    return x * _SUM_OF_BYTES >> _56


@njit(nogil=True, cache=True)
def look_up_all(rows: Array, parts: Array, base: Any, hands: Array, out: Array) -> None:
    """Fill `out[i, n]` with how many `n`-card deals that include `hands[i]` make a bid hold.

    `rows` are the whole table. `base` is the bid's first row, and `parts` (parts, 3) are the
    bid's summands; unused ones are left out.
    """
    width = rows.shape[2]
    for i in range(hands.size):
        hand = hands[i]
        row = base
        for part in range(parts.shape[0]):
            useful = popcount(hand & parts[part, 0])
            row += min(useful, parts[part, 1]) * parts[part, 2]
        held = popcount(hand)
        for n in range(width):
            out[i, n] = rows[row, held, n]


@njit(inline="always")
def random_bits(key: Any, counter: Any) -> Any:
    """Return 64 random bits: number `counter` of the stream `key` (splitmix64).

    Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
    """
    z = key + (counter + _1) * _GOLDEN
    z = (z ^ z >> _30) * _MIX_1
    z = (z ^ z >> _27) * _MIX_2
    return z ^ z >> _31


@njit(inline="always")
def draw(key: Any, deal: Any, unseen: Array, draws: Any) -> Any:
    """Draw `draws` of the `unseen` cards at random, by Floyd's method; return the set as bits.

    Each entry of `unseen` is one card's bit. The same `key` and `deal` (a deal's number) always
    give the same cards. A card's chance is off by less than 2**-46.
    """
    picked = np.uint64(0)  # positions in `unseen`
    cards = np.uint64(0)
    for step in range(draws):
        last = unseen.size - draws + step
        bits = random_bits(key, deal * _64 + np.uint64(step)) >> _11
        place = bits * np.uint64(last + 1) >> _53
        if picked >> place & _1:
            place = np.uint64(last)
        picked |= _1 << place
        cards |= unseen[place]
    return cards


@njit(nogil=True, cache=True)
def count_groups(
    key: Any,
    first: Any,
    deals: Any,
    unseen: Array,
    draws: Any,
    known: Any,
    masks: Array,
    counts: Array,
    ends: Array,
    group_ends: Array,
    hits: Array,
) -> None:
    """Add to `hits[g]` the number of deals in which a bid of group `g` holds.

    There are `deals` deals, numbered from `first` on. Each has the `known` cards (bits) and cards
    drawn by `draw`. Bid `b` needs `counts[i]` cards of `masks[i]` for each i from `ends[b - 1]`
    (0 for bid 0) to `ends[b] - 1`. The bids of group `g` end before bid `group_ends[g]`.
    """
    for deal in range(deals):
        pool = known | draw(key, np.uint64(first + deal), unseen, draws)
        jokers = np.int64(popcount(pool >> _52))
        bid = 0
        for group in range(group_ends.size):
            while bid < group_ends[group]:
                short = 0
                for need in range(ends[bid - 1] if bid else 0, ends[bid]):
                    present = np.int64(popcount(pool & masks[need]))
                    short += max(0, counts[need] - present)
                bid += 1
                if short <= jokers:
                    hits[group] += 1
                    break
            bid = group_ends[group]
