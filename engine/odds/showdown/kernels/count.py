"""Exact showdowns by counting boards, not dealing them: hold'em-like and Omaha-like games.

Boards are taken together that have the same ranks (6,175 multisets of five cards instead of
2,598,960 boards), weighted by the number of suits they can have. Only a flush looks at suits: for
each suit, the boards with exactly some set of ranks in that suit and a multiset of ranks in the
others are counted apart, and their weight is taken out of the plain count. Suits that look the
same to every player are counted once. `docs/showdown.md` explains it step by step. `heads_up` does
the same for the commonest question: who wins, of two.

Valid where no board can hold a flush of two suits: at least three cards of a flush come from at
most five board cards. That is so with one or two hole cards, or with exactly two of them used.
"""

from __future__ import annotations

import numpy as np

from engine.odds.compiling import njit
from engine.odds.showdown.kernels.multisets import (
    CODES,
    fill_lows,
    fill_ways,
    ones_in,
    plain_all,
    plain_two_three,
    suit_mask,
    weight_of,
)
from engine.odds.showdown.score_tables import (
    CATEGORY,
    FLUSH,
    HIGH,
    HIGH_AT,
    LOW,
    LOW_AT,
    MULTI_HIGH,
    MULTI_LOW,
    MULTI_START,
    SUBSET_HIGH,
    SUBSET_LOW,
    SUBSET_MASK,
    SUBSET_START,
)

U64 = np.uint64


@njit(cache=True, nogil=True)
def fill_flush(hole, board, short, two_three, flush):
    """Fill `flush` (8192 uint16): the best flush of one suit by the ranks dealt to the board in it.

    `hole` and `board` are the ranks already held and shown in the suit; the index is the mask of
    the unseen board cards of the suit. 0 where there is no flush.
    """
    if not two_three:
        for at in range(SUBSET_MASK.shape[0]):
            mask = np.int64(SUBSET_MASK[at])
            flush[mask] = FLUSH[short, hole | board | mask]
        return
    triple = np.zeros(8192, np.uint16)
    if ones_in(hole) >= 2:
        for at in range(SUBSET_START[3], SUBSET_START[4]):
            mask = np.int64(SUBSET_MASK[at])
            if mask & hole:
                continue
            for i in range(13):
                if (hole >> i) & 1:
                    for j in range(i + 1, 13):
                        if (hole >> j) & 1:
                            pair = (1 << i) | (1 << j)
                            triple[mask] = max(triple[mask], FLUSH[short, mask | pair])
        for at in range(SUBSET_START[4], SUBSET_START[6]):
            mask = np.int64(SUBSET_MASK[at])
            rest = mask
            while rest:  # the best triple inside is inside the mask without one of its ranks
                bit = rest & -rest
                rest ^= bit
                triple[mask] = max(triple[mask], triple[mask ^ bit])
    for at in range(SUBSET_MASK.shape[0]):
        mask = np.int64(SUBSET_MASK[at])
        if not mask & (board | hole):
            flush[mask] = triple[mask | board]


@njit(cache=True, nogil=True)
def count_flushes(holes, board, left, unseen, short, two_three, ranked, work, shares, kinds):
    """Count the boards on which someone may hold a flush and take their weight out of `weights`."""
    avail, weights, plain, flush, ways, cells = work
    split = cells.shape[0] > 0
    players = holes.shape[0]
    scores = np.zeros(players, np.int64)
    most = MULTI_START[6] - MULTI_START[5]
    rows = np.empty((most, 2), np.uint16)
    row_weight = np.empty(most, np.int64)
    done = np.zeros(4, np.bool_)
    for suit in range(4):
        if done[suit]:
            continue
        alike = 1
        for other in range(suit + 1, 4):
            same = avail[other] == avail[suit] and suit_mask(board, other) == suit_mask(board, suit)
            for player in range(players):
                if suit_mask(holes[player], other) != suit_mask(holes[player], suit):
                    same = False
            if same:
                done[other] = True
                alike += 1
        shown = suit_mask(board, suit)
        held = 0
        for player in range(players):
            held = max(held, ones_in(suit_mask(holes[player], suit)))
        needed = 5 - ones_in(shown) - (2 if two_three else held)
        if (two_three and held < 2) or needed > unseen:
            continue
        for player in range(players):
            fill_flush(suit_mask(holes[player], suit), shown, short, two_three, flush[player])
        fill_ways(left, avail[suit], ways)
        for size in range(max(0, needed), unseen + 1):
            others = unseen - size
            count = 0
            for row in range(MULTI_START[others], MULTI_START[others + 1]):
                weight = weight_of(ways, row) * alike
                if weight:
                    rows[count, 0] = MULTI_LOW[row]
                    rows[count, 1] = MULTI_HIGH[row]
                    row_weight[count] = weight
                    count += 1
            for at in range(SUBSET_START[size], SUBSET_START[size + 1]):
                ranks = np.int64(SUBSET_MASK[at])
                if ranks & ~avail[suit]:
                    continue
                low, high = U64(SUBSET_LOW[at]), U64(SUBSET_HIGH[at])
                for i in range(U64(count)):
                    weight = row_weight[i]
                    place = U64(LOW[LOW_AT[unseen] + low + U64(rows[i, 0])])
                    place += U64(HIGH[HIGH_AT[unseen] + high + U64(rows[i, 1])])
                    weights[place] -= weight
                    best, winner, winners = 0, 0, 0
                    for player in range(players):
                        score = np.int64(max(plain[place, player], flush[player, ranks]))
                        scores[player] = score
                        winners = 1 if score > best else winners + np.int64(score == best)
                        winner = player if score > best else winner
                        best = max(best, score)
                    if split:
                        for player in range(players):
                            column = np.int64(scores[player] == best) * winners * (players + 2)
                            shares[player, column + cells[place, player]] += weight
                    elif winners == 1:
                        shares[winner, 1] += weight
                    else:
                        for player in range(players):
                            shares[player, winners] += weight * np.int64(scores[player] == best)
                    if ranked:
                        for player in range(players):
                            kinds[player, CATEGORY[short, scores[player]]] += weight


@njit(cache=True, nogil=True)
def count_boards(
    classes, multiples, board, dead, public, short, two_three, lows, ranked, shares, kinds
):
    """Add up, over every class of hole cards, all boards: who wins, and every player's kinds.

    `classes` is uint64 (classes, players), the hole cards of everybody as sets of cards;
    `multiples` (int64) says how often each class counts; `board` the public cards dealt, `public`
    how many there will be, `dead` every other card that cannot come; `lows` is a table of
    `low_tables`, empty where the pot is not split. Adds to `shares` (int64, players x players + 1,
    for a split pot with the columns of `deal.add_split`) and, if `ranked`, to `kinds` (int64,
    players x 10, by category).
    """
    players = classes.shape[1]
    split = lows.shape[0] > 0
    unseen = public
    for card in range(52):
        unseen -= np.int64((board >> U64(card)) & U64(1))
    first = MULTI_START[unseen]
    size = MULTI_START[unseen + 1] - first
    avail = np.zeros(4, np.int64)
    left = np.zeros(13, np.int64)
    weights = np.empty(size, np.int64)
    plain = np.zeros((size, players), np.uint16)
    flush = np.zeros((players, 8192), np.uint16)
    ways = np.ones(CODES, np.int64)
    cells = np.zeros((size if split else 0, players), np.int64)
    some_shares = np.zeros_like(shares)
    some_kinds = np.zeros_like(kinds)
    for at in range(classes.shape[0]):
        holes = classes[at]
        known = board | dead
        for player in range(players):
            known |= holes[player]
        left[:] = 0
        for suit in range(4):
            avail[suit] = np.int64(0x1FFF) & ~suit_mask(known, suit)
            for rank in range(13):
                left[rank] += (avail[suit] >> rank) & 1
        fill_ways(left, 0, ways)
        for row in range(size):
            weights[row] = weight_of(ways, first + row)
        for player in range(players):
            hole = holes[player]
            if two_three:
                plain_two_three(hole, board, short, unseen, player, weights, plain)
            else:
                cards = public
                for card in range(52):
                    cards += np.int64((hole >> U64(card)) & U64(1))
                plain_all(hole | board, cards, short, unseen, player, weights, plain)
        some_shares[:] = 0
        some_kinds[:] = 0
        if split:
            fill_lows(holes, board, unseen, lows, cells)
        work = (avail, weights, plain, flush, ways, cells)
        count_flushes(
            holes, board, left, unseen, short, two_three, ranked, work, some_shares, some_kinds
        )
        for row in range(size):
            weight = weights[row]
            if weight:
                best, winner, winners = 0, 0, 0
                for player in range(players):
                    score = np.int64(plain[row, player])
                    winners = 1 if score > best else winners + np.int64(score == best)
                    winner = player if score > best else winner
                    best = max(best, score)
                if split:
                    for player in range(players):
                        column = np.int64(plain[row, player] == best) * winners * (players + 2)
                        some_shares[player, column + cells[row, player]] += weight
                elif winners == 1:
                    some_shares[winner, 1] += weight
                else:
                    for player in range(players):
                        some_shares[player, winners] += weight * np.int64(
                            plain[row, player] == best
                        )
                if ranked:
                    for player in range(players):
                        some_kinds[player, CATEGORY[short, plain[row, player]]] += weight
        for player in range(players):
            for winners in range(shares.shape[1]):
                shares[player, winners] += some_shares[player, winners] * multiples[at]
            for kind in range(kinds.shape[1]):
                kinds[player, kind] += some_kinds[player, kind] * multiples[at]
