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

BLOCK = 1024
U8 = np.uint8
U32 = np.uint32
U64 = np.uint64
STEP = np.uint64(0x9E3779B97F4A7C15)
BLOCK_STEP = np.uint64(0xD1342543DE82EF95)
MIX_ONE = np.uint64(0xBF58476D1CE4E5B9)
MIX_TWO = np.uint64(0x94D049BB133111EB)
WORD = np.uint64(0xFFFFFFFF)
CARDS = np.uint64((1 << 52) - 1)


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
def pick_places(start, size, picks):
    """Fill `picks` (draws, lanes): where in what is left of the deck each draw reaches.

    Two draws share a random word, so the rows are even in number. Each draw errs from uniform by
    less than 52 / 2**32.
    """
    words = U64(picks.shape[0] // 2)
    for draw in range(0, picks.shape[0], 2):
        left, fewer = U64(size - draw), U64(size - draw - 1)
        this, after = U64(draw), U64(draw + 1)
        for lane in range(BLOCK):
            word = mixed(U64(start + U64(U64(lane) * words + U64(draw // 2 + 1)) * STEP))
            near = U64(U64(U64(word & WORD) * left) >> U64(32))
            far = U64(U64(U64(word >> U64(32)) * fewer) >> U64(32))
            picks[draw, lane] = U8(near + this)
            picks[draw + 1, lane] = U8(far + after)


@njit(cache=True, nogil=True)
def resolve(picks, moved, places):
    """Fill `places` (draws, lanes) with the places in the fresh deck that the picks drew.

    `moved[e]` is the place in the fresh deck of the card that draw e moved to its pick: where a
    place holds a pick made before, there lies what that pick had moved.
    """
    for draw in range(places.shape[0]):
        own = U8(draw)
        for lane in range(BLOCK):
            places[draw, lane] = picks[draw, lane]
        for lane in range(BLOCK):
            moved[draw, lane] = own
        for before in range(draw):
            for lane in range(BLOCK):
                there, earlier = picks[draw, lane], picks[before, lane]
                places[draw, lane] = choose(
                    there == earlier, moved[before, lane], places[draw, lane]
                )
            for lane in range(BLOCK):
                earlier = picks[before, lane]
                moved[draw, lane] = choose(own == earlier, moved[before, lane], moved[draw, lane])


@njit(cache=True, nogil=True)
def try_hands(start, attempt, tries, ranges, words, taken, clash, tried):
    """Draw a hand of every range for each of `tries` lanes; `clash` has the cards held twice.

    Of a range's hands a lane gets one by Walker's alias method: a place of all alike, and at that
    place its hand, or with the chance that it lacks the other one.
    """
    starts, hands, even, keep, other = ranges
    parts = starts.shape[0] - 1
    for lane in range(tries):
        taken[lane] = U64(0)
    for lane in range(tries):
        clash[lane] = U64(0)
    for part in range(parts):
        begin, size = U64(starts[part]), U64(starts[part + 1] - starts[part])
        for lane in range(tries):
            number = U64(U64(attempt + lane) * U64(parts) + U64(part + 1))
            words[lane] = mixed(U64(start + number * STEP))
        if even[part]:
            for lane in range(tries):
                words[lane] = U64(begin + U64(U64(U64(words[lane] & WORD) * size) >> U64(32)))
            for lane in range(tries):
                tried[part, lane] = hands[words[lane]]
        else:
            for lane in range(tries):
                word = words[lane]
                at = U64(begin + U64(U64(U64(word & WORD) * size) >> U64(32)))
                tried[part, lane] = hands[choose(U64(word >> U64(32)) < keep[at], at, other[at])]
        for lane in range(tries):
            clash[lane] |= U64(U64(tried[part, lane] & CARDS) & taken[lane])
        for lane in range(tries):
            taken[lane] |= tried[part, lane]


@njit(cache=True, nogil=True)
def draw_hands(start, ranges, words, taken, clash, todo, tried, held):
    """Fill `held` (ranges, lanes) with hands of all ranges that share no card.

    Where two hold the same card all are drawn anew: so every set of different hands is as likely as
    its weights say. For ranges of which that is not too rare (`hand_sampling.FAIR_CHANCE`).
    """
    try_hands(start, 0, BLOCK, ranges, words, taken, clash, held)
    left = 0
    for lane in range(BLOCK):
        todo[left] = U64(lane)
        left += np.int64(clash[lane] != U64(0))
    attempt = BLOCK
    while left > 0:
        try_hands(start, attempt, left, ranges, words, taken, clash, tried)
        attempt += left
        for part in range(held.shape[0]):
            for at in range(left):
                held[part, todo[at]] = tried[part, at]
        still = 0
        for at in range(left):
            todo[still] = todo[at]
            still += np.int64(clash[at] != U64(0))
        left = still


@njit(cache=True, nogil=True)
def sort_rows(rows, largest):
    """Put each lane's bytes in order: the largest of the first rows is carried to the last."""
    for last in range(rows.shape[0] - 1, 0, -1):
        for lane in range(BLOCK):
            largest[lane] = rows[0, lane]
        for at in range(last):
            for lane in range(BLOCK):
                one, other = largest[lane], rows[at + 1, lane]
                rows[at, lane] = choose(one < other, one, other)
            for lane in range(BLOCK):
                one, other = largest[lane], rows[at + 1, lane]
                largest[lane] = choose(one < other, other, one)
        for lane in range(BLOCK):
            rows[last, lane] = largest[lane]


@njit(cache=True, nogil=True)
def skip_hands(held, gone, largest, places):
    """Turn places among the cards that no range has drawn into places in the whole deck."""
    for part in range(held.shape[0]):
        for lane in range(BLOCK):
            gone[2 * part, lane] = U8(U64(held[part, lane] >> U64(52)) & U64(63))
        for lane in range(BLOCK):
            gone[2 * part + 1, lane] = U8(held[part, lane] >> U64(58))
    sort_rows(gone, largest)
    for draw in range(places.shape[0]):
        for at in range(gone.shape[0]):
            for lane in range(BLOCK):
                place = places[draw, lane]
                places[draw, lane] = U8(place + U8(place >= gone[at, lane]))


@njit(cache=True, nogil=True)
def name_cards(absent, places):
    """Turn places in the deck into cards, passing over those that are `absent`, in order."""
    for draw in range(places.shape[0]):
        for card in absent:
            for lane in range(BLOCK):
                place = places[draw, lane]
                places[draw, lane] = U8(place + U8(place >= card))
