"""Boards by rank multiset: how often each comes, and what it makes of a hand, flushes apart.

The ground of `count` and `heads_up`. A row of the `MULTI_*` tables is a multiset of ranks of the
public cards to come.
"""

from __future__ import annotations

import numpy as np
from numba.extending import register_jitable

from engine.odds.compiling import njit
from engine.odds.showdown.kernels.score import low_ranks
from engine.odds.showdown.score_tables import (
    BASE,
    DENSE,
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

U64 = np.uint64
NO_LOW = 256
# WAYS[5 * rank + count]: ways to pick `count` of the cards left of that rank; 65 is padding.
CODES = 66


@register_jitable
def suit_mask(cards, suit):
    """The ranks held in `suit` as 13 bits."""
    return np.int64((cards >> U64(13 * suit)) & U64(0x1FFF))


@register_jitable
def ones_in(mask):
    """How many bits are set in 13."""
    total = 0
    while mask:
        mask &= mask - 1
        total += 1
    return total


@njit(cache=True, nogil=True)
def fill_ways(left, without, ways):
    """Fill `ways` for ranks of which `left[r]` cards remain, `without` the ranks of one suit."""
    for rank in range(13):
        n = left[rank] - ((without >> rank) & 1)
        ways[5 * rank] = 1
        ways[5 * rank + 1] = n
        ways[5 * rank + 2] = n * (n - 1) // 2
        ways[5 * rank + 3] = n * (n - 1) * (n - 2) // 6
        ways[5 * rank + 4] = 1 if n >= 4 else 0
    ways[65] = 1


@register_jitable
def weight_of(ways, row):
    """In how many ways the rank multiset in that row of the tables can be dealt."""
    return (
        ways[MULTI_CODES[row, 0]]
        * ways[MULTI_CODES[row, 1]]
        * ways[MULTI_CODES[row, 2]]
        * ways[MULTI_CODES[row, 3]]
        * ways[MULTI_CODES[row, 4]]
    )


@njit(cache=True, nogil=True)
def plain_all(known, cards, short, unseen, player, weights, plain):
    """Per board multiset the dense score of the `known` cards with it, flushes apart.

    `known` are hole cards and board already dealt, `cards` the size of the hand at the end.
    """
    low, high = U64(0), U64(0)
    for card in range(52):
        if (known >> U64(card)) & U64(1):
            low += U64(RANK_LOW[card % 13])
            high += U64(RANK_HIGH[card % 13])
    first = MULTI_START[unseen]
    base = U64(BASE[short, cards])
    for at in range(U64(weights.shape[0])):
        if weights[at]:
            row = U64(first) + at
            place = U64(LOW[LOW_AT[cards] + low + U64(MULTI_LOW[row])])
            place += U64(HIGH[HIGH_AT[cards] + high + U64(MULTI_HIGH[row])])
            plain[at, player] = DENSE[base + place]


@njit(cache=True, nogil=True)
def plain_two_three(hole, board, short, unseen, player, weights, plain):
    """Like `plain_all` where exactly two hole cards and three of the board are used.

    The best pair of hole cards is found once for each of the 455 rank multisets of three cards;
    a board then tries its ten triples.
    """
    holes = np.empty(13, np.int64)
    count = 0
    for card in range(52):
        if (hole >> U64(card)) & U64(1):
            holes[count] = card % 13
            count += 1
    triples = MULTI_START[4] - MULTI_START[3]
    best = np.zeros(triples, np.uint16)
    base = np.int64(BASE[short, 5])
    for at in range(triples):
        row = MULTI_START[3] + at
        for i in range(count):
            for j in range(i + 1, count):
                one, two = holes[i], holes[j]
                place = np.int64(LOW[LOW_AT[5] + MULTI_LOW[row] + RANK_LOW[one] + RANK_LOW[two]])
                place += np.int64(
                    HIGH[HIGH_AT[5] + MULTI_HIGH[row] + RANK_HIGH[one] + RANK_HIGH[two]]
                )
                best[at] = max(best[at], DENSE[base + place])
    ranks = np.empty(5, np.int64)
    dealt = 0
    for card in range(52):
        if (board >> U64(card)) & U64(1):
            ranks[dealt] = card % 13
            dealt += 1
    first = MULTI_START[unseen]
    for at in range(weights.shape[0]):
        if weights[at] == 0:
            continue
        size = dealt
        for slot in range(5):
            code = np.int64(MULTI_CODES[first + at, slot])
            if code < 65:
                for _ in range(code % 5):
                    ranks[size] = code // 5
                    size += 1
        top = np.uint16(0)
        for a in range(size):
            for b in range(a + 1, size):
                low = LOW_AT[3] + RANK_LOW[ranks[a]] + RANK_LOW[ranks[b]]
                high = HIGH_AT[3] + RANK_HIGH[ranks[a]] + RANK_HIGH[ranks[b]]
                for c in range(b + 1, size):
                    place = LOW[low + RANK_LOW[ranks[c]]] + HIGH[high + RANK_HIGH[ranks[c]]]
                    top = max(top, best[place])
        plain[at, player] = top


@njit(cache=True, nogil=True)
def fill_lows(holes, board, unseen, lows, cells):
    """Fill `cells` (multisets, players): who wins the low half of a split pot with each multiset.

    0 for a player who does not, else among how many; players + 1 for all where nobody has a low
    hand. No suit matters to it, so it is the same for all boards of a multiset. `lows` is a
    `low_tables.low_table`.
    """
    players = holes.shape[0]
    first = MULTI_START[unseen]
    own = np.empty(players, np.uint64)
    for player in range(players):
        own[player] = low_ranks(holes[player]) << U64(8)
    hands = np.empty(players, np.int64)
    for at in range(cells.shape[0]):
        shared = low_ranks(board)
        for slot in range(5):
            code = np.int64(MULTI_CODES[first + at, slot])
            if code < 65:
                shared |= low_ranks(U64(1) << U64(code // 5))
        lowest, winners = NO_LOW, 0
        for player in range(players):
            hands[player] = lows[own[player] | shared]
            winners = 1 if hands[player] < lowest else winners + np.int64(hands[player] == lowest)
            lowest = min(lowest, hands[player])
        for player in range(players):
            cells[at, player] = winners * np.int64(hands[player] == lowest)
            if lowest == NO_LOW:
                cells[at, player] = players + 1
