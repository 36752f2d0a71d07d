"""Draws a block of hold'em deals: who gets which hand of a range, and cards from what is left.

Random numbers are counted, not stepped: deal number i of a seed always gets the same cards, in
blocks of `BLOCK` deals. So any split of the blocks over threads gives the same sums. Every step is
a plain loop over the block's deals without branches, which the compiler turns into vector
instructions; a lane is a deal's place in its block.
"""

from __future__ import annotations

import numpy as np
from numba.extending import register_jitable

from engine.odds.compiling import njit
from engine.odds.showdown.kernels.branchless import choose

TABLE_VERSION = "259fd0d766de"
BLOCK = 1024
CLASHES = 1000
U8 = np.uint8
U32 = np.uint32
U64 = np.uint64
STEP = np.uint64(0x9E3779B97F4A7C15)
BLOCK_STEP = np.uint64(0xD1342543DE82EF95)
MIX_ONE = np.uint64(0xBF58476D1CE4E5B9)
MIX_TWO = np.uint64(0x94D049BB133111EB)
WORD = np.uint64(0xFFFFFFFF)


@register_jitable(forceinline=True)
def mixed(counter):
    """splitmix64's output for a counter (S. Vigna's public domain constants)."""
    counter = U64(U64(counter ^ U64(counter >> U64(30))) * MIX_ONE)
    counter = U64(U64(counter ^ U64(counter >> U64(27))) * MIX_TWO)
    return U64(counter ^ U64(counter >> U64(31)))


@register_jitable
def block_start(seed, block):
    """Where the random counter of a block begins."""
    return mixed(seed + mixed((U64(block) + U64(1)) * BLOCK_STEP))


@njit(cache=True, nogil=True)
def pick_places(start, deal, draws, size, picks):
    """Fill `picks` (draws, lanes): where in what is left of the deck each draw reaches.

    Each draw errs from uniform by less than 52 / 2**32.
    """
    step = U64((draws + 1) // 2)
    for draw in range(draws):
        left = U64(size - draw)
        half = U64(32 * (draw & 1))
        for lane in range(picks.shape[1]):
            word = U64(start + U64(U64(deal + lane) * step + U64(draw // 2 + 1)) * STEP)
            part = U64(U64(mixed(word) >> half) & WORD)
            picks[draw, lane] = U8(U64(U64(part * left) >> U64(32)) + U64(draw))


@njit(cache=True, nogil=True)
def follow(picks, earlier, moved, place):
    """Where `place` holds a pick made before, put what that pick had moved there."""
    for lane in range(place.shape[0]):
        there = place[lane]
        place[lane] = choose(picks[lane] == earlier[lane], moved[lane], there)


@njit(cache=True, nogil=True)
def resolve(picks, moved, places):
    """Fill `places` (draws, lanes) with the places in the fresh deck that the picks drew.

    `moved[e]` is the place in the fresh deck of the card that draw e moved to its pick.
    """
    lanes = picks.shape[1]
    own = np.empty(lanes, np.uint8)
    for draw in range(picks.shape[0]):
        places[draw] = picks[draw]
        own[:] = U8(draw)
        moved[draw] = U8(draw)
        for before in range(draw):
            follow(picks[draw], picks[before], moved[before], places[draw])
            follow(own, picks[before], moved[before], moved[draw])


@njit(cache=True, nogil=True)
def try_hands(start, attempt, part, parts, begin, size, ranges, tried, taken, fits):
    """Draw a hand of range `part` of `parts` for every lane; whose cards are taken fits no more.

    Of the range's hands, `size` from `begin` on, a lane gets one by Walker's alias method: a place
    of all alike, and at that place its hand, or with the chance that it lacks the other one.
    """
    _, bits, _, _, keep, other = ranges
    for lane in range(tried.shape[0]):
        word = mixed(U64(start + U64(U64(attempt + lane) * U64(parts) + U64(part + 1)) * STEP))
        at = U64(begin + U64(U64(U64(word & WORD) * size) >> U64(32)))
        tried[lane] = U32(choose(U64(word >> U64(32)) < keep[at], at, other[at]))
    for lane in range(tried.shape[0]):
        hand = bits[tried[lane]]
        clear = U8(U64(hand & taken[lane]) == U64(0))
        fits[lane] = U8(fits[lane] & clear)
        taken[lane] |= hand


@njit(cache=True, nogil=True)
def keep_fitting(tried, fits, kept, filled):
    """Move what fits to the lanes of `kept` from `filled` on; how many are filled then."""
    for lane in range(fits.shape[0]):
        for part in range(tried.shape[0]):
            kept[part, filled] = tried[part, lane]
        filled += np.int64(fits[lane])
    return filled


@njit(cache=True, nogil=True)
def draw_hands(start, ranges, tried, taken, fits, kept):
    """Fill `kept` (ranges, 2 * lanes) with hands of all ranges that share no card.

    Where two hold the same card all are drawn anew: so every set of different hands is as likely as
    its weights say. False, with nothing to rely on, if a deal takes over `CLASHES` tries.
    """
    starts = ranges[0]
    parts = starts.shape[0] - 1
    filled, attempt, lanes = 0, 0, BLOCK
    while filled < BLOCK:
        if attempt > CLASHES * BLOCK:
            return False
        taken[:lanes] = U64(0)
        fits[:lanes] = U8(1)
        for part in range(parts):
            begin, size = U64(starts[part]), U64(starts[part + 1] - starts[part])
            row = tried[part]
            try_hands(
                start, attempt, part, parts, begin, size, ranges,
                row[:lanes], taken[:lanes], fits[:lanes],
            )  # fmt: skip
        filled = keep_fitting(tried, fits[:lanes], kept, filled)
        attempt += lanes
        # about as many tries as what is missing will take, and some more
        needed = (BLOCK - filled) * attempt // (filled + 1)
        lanes = min(BLOCK, needed + needed // 8 + 16)
    return True


@njit(cache=True, nogil=True)
def put_in_order(one, other):
    """Have the smaller of both in `one`."""
    for lane in range(one.shape[0]):
        first, second = one[lane], other[lane]
        one[lane] = min(first, second)
        other[lane] = max(first, second)


@njit(cache=True, nogil=True)
def pass_over(places, gone):
    """Move each place on by one where it is not before the one that is `gone`."""
    for lane in range(places.shape[0]):
        places[lane] = U8(places[lane] + U8(places[lane] >= gone[lane]))


@njit(cache=True, nogil=True)
def skip_hands(kept, ranges, gone, places):
    """Turn places among the cards that no range has drawn into places in the whole deck."""
    spots = ranges[3]
    for part in range(kept.shape[0]):
        for lane in range(places.shape[1]):
            gone[2 * part, lane] = spots[kept[part, lane], 0]
            gone[2 * part + 1, lane] = spots[kept[part, lane], 1]
    for last in range(gone.shape[0] - 1, 0, -1):
        for at in range(last):
            put_in_order(gone[at], gone[at + 1])
    for draw in range(places.shape[0]):
        for at in range(gone.shape[0]):
            pass_over(places[draw], gone[at])
