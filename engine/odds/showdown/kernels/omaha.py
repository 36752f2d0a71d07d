"""Scores of many hands that use two hole cards and three board cards, as in Omaha.

Suits matter only for flushes. So the best score without one depends on the ranks of the board and
of a pair of hole cards: `fill_best` finds it for all of them. A hand then looks up its pairs.
"""

from __future__ import annotations

import numpy as np
from numba.extending import register_jitable

from engine.odds.compiling import njit
from engine.odds.showdown.kernel_codes import BLOCK
from engine.odds.showdown.kernels.score import FIVE_OF_A_SUIT, HALF, SUIT, flush_suit
from engine.odds.showdown.score_tables import (
    BASE,
    DENSE,
    FLUSH,
    HIGH,
    HIGH_AT,
    LOW,
    LOW_AT,
    MULTI_CODES,
    MULTI_HIGH,
    MULTI_LOW,
    MULTI_START,
    RANK_HIGH,
    RANK_LOW,
)

U8 = np.uint8
U32 = np.uint32
U64 = np.uint64
PAIRS = 96  # 91 pairs of ranks, and room to align the rows of a table
TRIPLES = int(MULTI_START[4] - MULTI_START[3])
BOARDS = int(MULTI_START[6] - MULTI_START[5])
FIRST_TRIPLE, FIRST_BOARD = int(MULTI_START[3]), int(MULTI_START[5])
TWO_OF_A_SUIT = np.uint64(0x2222 << 32)


@njit()
def fill_best(ranking, best):
    """Fill `best` with the best dense score of each board and pair of hole cards, without flushes.

    `best` is (BOARDS, PAIRS), uint16. A board is a multiset of five ranks, in the order of the
    `MULTI_*` tables. The pair of ranks `high` and `low` is in column `high * (high + 1) / 2 + low`.
    """
    triples = np.zeros((TRIPLES, PAIRS), np.uint16)
    base = np.int64(BASE[ranking, 5])
    for at in range(TRIPLES):
        low_sum = LOW_AT[5] + MULTI_LOW[FIRST_TRIPLE + at]
        high_sum = HIGH_AT[5] + MULTI_HIGH[FIRST_TRIPLE + at]
        pair = 0
        for high in range(13):
            for low in range(high + 1):
                place = np.int64(LOW[low_sum + RANK_LOW[high] + RANK_LOW[low]])
                place += np.int64(HIGH[high_sum + RANK_HIGH[high] + RANK_HIGH[low]])
                triples[at, pair] = DENSE[base + place]
                pair += 1
    ranks = np.empty(5, np.int64)
    for board in range(BOARDS):
        size = 0
        for slot in range(5):
            code = np.int64(MULTI_CODES[FIRST_BOARD + board, slot])
            if code < 65:
                for _ in range(code % 5):
                    ranks[size] = code // 5
                    size += 1
        for pair in range(PAIRS):
            best[board, pair] = 0
        for a in range(3):
            for b in range(a + 1, 4):
                low_sum = LOW_AT[3] + RANK_LOW[ranks[a]] + RANK_LOW[ranks[b]]
                high_sum = HIGH_AT[3] + RANK_HIGH[ranks[a]] + RANK_HIGH[ranks[b]]
                for c in range(b + 1, 5):
                    place = np.int64(LOW[low_sum + RANK_LOW[ranks[c]]])
                    place += np.int64(HIGH[high_sum + RANK_HIGH[ranks[c]]])
                    for pair in range(PAIRS):
                        best[board, pair] = max(best[board, pair], triples[place, pair])


@register_jitable
def lowest_bit(mask):
    """Return the lowest bit that is set."""
    return mask & (~mask + U64(1))


@njit()
def best_flush(hole, board, ranking):
    """Return the best flush of two ranks of `hole` and three of `board`; 0 if there is none."""
    best = U64(0)
    while hole:
        first = lowest_bit(hole)
        hole ^= first
        seconds = hole
        while seconds:
            second = lowest_bit(seconds)
            seconds ^= second
            low = board
            while low:
                third = lowest_bit(low)
                low ^= third
                middle = low
                while middle:
                    fourth = lowest_bit(middle)
                    middle ^= fourth
                    high = middle
                    while high:
                        fifth = lowest_bit(high)
                        high ^= fifth
                        ranks = first | second | third | fourth | fifth
                        best = max(best, U64(FLUSH[ranking, ranks]))
    return best


@njit()
def place_boards(keys, places):
    """Fill `places` with the row of `fill_best` for each lane's board; `keys` are its keys."""
    for lane in range(BLOCK):
        place = U64(LOW[LOW_AT[5] + (keys[lane] & HALF)])
        place += U64(HIGH[HIGH_AT[5] + (keys[lane] >> U64(16) & HALF)])
        places[lane] = place


@njit()
def score_two_three(ranks, hands, boards, keys, places, ranking, best, pairs, scores):
    """Fill `scores` with the dense score of each lane's hand.

    `ranks` (cards, lanes) are the ranks of the hole cards, `hands` (bits) their cards together with
    the `boards`, `keys` the keys of the boards, `places` what `place_boards` filled, and `best`
    what `fill_best` filled. `pairs` (pairs, lanes) is scratch.
    """
    pair = 0
    for first in range(ranks.shape[0]):
        for second in range(first + 1, ranks.shape[0]):
            for lane in range(BLOCK):
                high = max(ranks[first, lane], ranks[second, lane])
                low = min(ranks[first, lane], ranks[second, lane])
                pairs[pair, lane] = U8(U8(U8(high * U8(high + U8(1))) >> U8(1)) + low)
            pair += 1
    for lane in range(BLOCK):
        top = np.uint16(0)
        for pair in range(pairs.shape[0]):
            top = max(top, best[places[lane], pairs[pair, lane]])
        scores[lane] = U32(top)
    for lane in range(BLOCK):
        counters = (keys[lane] + TWO_OF_A_SUIT) & FIVE_OF_A_SUIT
        if counters:  # three or more board cards of a suit
            shift = U64(13) * flush_suit(counters)
            hole = (hands[lane] ^ boards[lane]) >> shift & SUIT
            if hole & (hole - U64(1)):
                flush = best_flush(hole, boards[lane] >> shift & SUIT, ranking)
                scores[lane] = max(scores[lane], U32(flush))
