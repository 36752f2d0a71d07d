"""Two players who use all their cards, and nothing asked but who wins: boards counted quickest.

As in `count`, boards go by rank multiset and flushes are counted apart. A multiset is a part of low
ranks and a part of high ones (`score_tables`), and so are its weight, a product, and its place in
the table of scores, a sum: each part is looked up once, not once a multiset. A board with a flush
does not take its weight out of its multiset; it adds by how much its result differs.
"""

from __future__ import annotations

import numpy as np
from numba.extending import register_jitable

from engine.odds.compiling import njit
from engine.odds.showdown.kernels.multisets import (
    CODES,
    fill_ways,
    ones_in,
    suit_mask,
    weight_of,
)
from engine.odds.showdown.score_tables import (
    BASE,
    DENSE,
    FLUSH,
    HIGH,
    HIGH_AT,
    HIGH_PART_CODES,
    HIGH_PART_START,
    HIGH_PART_SUM,
    LOW,
    LOW_AT,
    LOW_PART_CODES,
    LOW_PART_START,
    LOW_PART_SUM,
    MULTI_HIGH,
    MULTI_LOW,
    MULTI_START,
    RANK_HIGH,
    RANK_LOW,
    SUBSET_HIGH,
    SUBSET_LOW,
    SUBSET_MASK,
    SUBSET_START,
)

U64 = np.uint64
HALF = np.uint32(0xFFFF)


@register_jitable
def room_for(parts):
    """Arrays for what `fill_parts` fills."""
    return (
        np.empty(parts, np.int64),
        np.empty(parts, np.uint16),
        np.empty(parts, np.uint16),
    )


@njit(cache=True, nogil=True)
def fill_parts(codes, sums, ways, row, known, parts):
    """Per part of a multiset its ways, and both players' places with it in `row` (LOW or HIGH).

    `row` begins where hands of the players' size do; `known` are the key sums of their known cards.
    """
    part_ways, one_places, other_places = parts
    first, second = U64(known[0]), U64(known[1])
    for part in range(part_ways.shape[0]):
        way = np.int64(1)
        for slot in range(5):
            way *= ways[codes[part, slot]]
        part_ways[part] = way
        one_places[part] = 0
        other_places[part] = 0
        if way:  # sums of parts that cannot be dealt may lie outside the table
            one_places[part] = row[first + U64(sums[part])]
            other_places[part] = row[second + U64(sums[part])]


@njit(cache=True, nogil=True)
def count_plain(unseen, base, low, high, plain):
    """Fill `plain` and count who wins, flushes apart: (boards, won by the first, by the second).

    `low` and `high` are what `fill_parts` filled; `plain[row]` is both dense scores of a multiset
    in one number, the first player's in the upper half.
    """
    low_ways, low_one, low_other = low
    high_ways, high_one, high_other = high
    boards, first, second = np.int64(0), np.int64(0), np.int64(0)
    row = U64(0)
    for low_cards in range(unseen + 1):
        start = U64(HIGH_PART_START[unseen - low_cards])
        stop = U64(HIGH_PART_START[unseen - low_cards + 1])
        for part in range(LOW_PART_START[low_cards], LOW_PART_START[low_cards + 1]):
            ways = low_ways[part]
            if ways == 0:
                row += stop - start
                continue
            ones, others = base + U64(low_one[part]), base + U64(low_other[part])
            won, lost, dealt = np.int64(0), np.int64(0), np.int64(0)
            for top in range(start, stop):
                weight = high_ways[top]
                one = DENSE[ones + U64(high_one[top])]
                other = DENSE[others + U64(high_other[top])]
                plain[row] = np.uint32(one) << np.uint32(16) | np.uint32(other)
                row += U64(1)
                won += weight * np.int64(one > other)
                lost += weight * np.int64(other > one)
                dealt += weight
            first += ways * won
            second += ways * lost
            boards += ways * dealt
    return boards, first, second


@njit(cache=True, nogil=True)
def count_flushes(one, other, board, left, avail, unseen, short, ways, plain):
    """By how much boards with a flush change what the first and the second player win."""
    first, second = np.int64(0), np.int64(0)
    most = MULTI_START[6] - MULTI_START[5]
    row_low = np.empty(most, np.uint64)
    row_high = np.empty(most, np.uint64)
    row_weight = np.empty(most, np.int64)
    done = np.zeros(4, np.bool_)
    low_row, high_row = U64(LOW_AT[unseen]), U64(HIGH_AT[unseen])
    for suit in range(4):
        if done[suit]:
            continue
        shown = suit_mask(board, suit)
        own, opposed = suit_mask(one, suit), suit_mask(other, suit)
        alike = 1
        for later in range(suit + 1, 4):
            if (
                avail[later] == avail[suit]
                and suit_mask(board, later) == shown
                and suit_mask(one, later) == own
                and suit_mask(other, later) == opposed
            ):
                done[later] = True
                alike += 1
        needed = 5 - ones_in(shown) - max(ones_in(own), ones_in(opposed))
        if needed > unseen:
            continue
        fill_ways(left, avail[suit], ways)
        for size in range(max(0, needed), unseen + 1):
            count = 0
            for row in range(MULTI_START[unseen - size], MULTI_START[unseen - size + 1]):
                weight = weight_of(ways, row) * alike
                if weight:
                    row_low[count] = low_row + U64(MULTI_LOW[row])
                    row_high[count] = high_row + U64(MULTI_HIGH[row])
                    row_weight[count] = weight
                    count += 1
            for at in range(SUBSET_START[size], SUBSET_START[size + 1]):
                ranks = np.int64(SUBSET_MASK[at])
                if ranks & ~avail[suit]:
                    continue
                flush = np.uint32(FLUSH[short, own | shown | ranks])
                opposing = np.uint32(FLUSH[short, opposed | shown | ranks])
                low, high = U64(SUBSET_LOW[at]), U64(SUBSET_HIGH[at])
                for i in range(U64(count)):
                    weight = row_weight[i]
                    both = plain[U64(LOW[low + row_low[i]]) + U64(HIGH[high + row_high[i]])]
                    before, against = both >> np.uint32(16), both & HALF
                    now, then = max(before, flush), max(against, opposing)
                    first += weight * (np.int64(now > then) - np.int64(before > against))
                    second += weight * (np.int64(then > now) - np.int64(against > before))
    return first, second


@njit(cache=True, nogil=True)
def count_heads_up(classes, multiples, board, dead, public, short, shares):
    """Add up, over every class of hole cards of two players, all boards: who wins.

    Arguments as those of `count.count_boards`; adds to `shares` (int64, 2 x 3) alike.
    """
    unseen, cards = public, public
    for card in range(52):
        unseen -= np.int64((board >> U64(card)) & U64(1))
        cards += np.int64((classes[0, 0] >> U64(card)) & U64(1))
    base = U64(BASE[short, cards])
    low_most, high_most = LOW_PART_START[unseen + 1], HIGH_PART_START[unseen + 1]
    low_row, high_row = LOW[LOW_AT[cards] :], HIGH[HIGH_AT[cards] :]
    low, high = room_for(low_most), room_for(high_most)
    plain = np.zeros(MULTI_START[unseen + 1] - MULTI_START[unseen], np.uint32)
    avail = np.zeros(4, np.int64)
    left = np.zeros(13, np.int64)
    ways = np.ones(CODES, np.int64)
    low_known, high_known = np.zeros(2, np.int64), np.zeros(2, np.int64)
    for at in range(classes.shape[0]):
        one, other = classes[at, 0], classes[at, 1]
        known = board | dead | one | other
        left[:] = 0
        low_known[:] = 0
        high_known[:] = 0
        for suit in range(4):
            avail[suit] = np.int64(0x1FFF) & ~suit_mask(known, suit)
            for rank in range(13):
                left[rank] += (avail[suit] >> rank) & 1
                card = U64(13 * suit + rank)
                for player in range(2):
                    if ((classes[at, player] | board) >> card) & U64(1):
                        low_known[player] += RANK_LOW[rank]
                        high_known[player] += RANK_HIGH[rank]
        fill_ways(left, 0, ways)
        fill_parts(LOW_PART_CODES, LOW_PART_SUM, ways, low_row, low_known, low)
        fill_parts(HIGH_PART_CODES, HIGH_PART_SUM, ways, high_row, high_known, high)
        boards, first, second = count_plain(unseen, base, low, high, plain)
        more, others = count_flushes(one, other, board, left, avail, unseen, short, ways, plain)
        first += more
        second += others
        shared = boards - first - second
        shares[0, 1] += first * multiples[at]
        shares[1, 1] += second * multiples[at]
        shares[0, 2] += shared * multiples[at]
        shares[1, 2] += shared * multiples[at]
