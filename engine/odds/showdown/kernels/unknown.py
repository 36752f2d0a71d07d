"""Count boards for players with known hands and one whose two hole cards are unknown.

On a board, the pot depends on the best of the known hands, and on how many of the unknown player's
hands beat or equal it. These are counted by ranks, 91 pairs of them instead
of some thousand hands, unless the board has three cards of a suit. Boards that do are counted for
each suit, as in `count`; then the unknown player's cards of that suit are counted one by one.
"""

from __future__ import annotations

import numpy as np

from engine.odds.compiling import njit
from engine.odds.showdown.kernels.count import suit_mask
from engine.odds.showdown.score_tables import (
    BASE,
    CATEGORY,
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
    SUBSET_HIGH,
    SUBSET_LOW,
    SUBSET_MASK,
    SUBSET_START,
)

U64 = np.uint64
PAIRS = 91
CARDS = 7
THREE = 3  # cards of a suit on the board, without which nobody has a flush


@njit()
def fill_pairs(short, table, tally):
    """Fill `table` (boards, PAIRS) with the score of each board and pair of ranks, without flushes.

    A board is a multiset of five ranks. The pair of ranks `high` and `low` is in column
    `high * (high + 1) / 2 + low`. `tally` gets the category of each score.
    """
    base = U64(BASE[short, CARDS])
    for at in range(table.shape[0]):
        row = MULTI_START[5] + at
        low_sum = LOW_AT[CARDS] + U64(MULTI_LOW[row])
        high_sum = HIGH_AT[CARDS] + U64(MULTI_HIGH[row])
        pair = 0
        for high in range(13):
            for low in range(high + 1):
                place = U64(LOW[low_sum + U64(RANK_LOW[high]) + U64(RANK_LOW[low])])
                place += U64(HIGH[high_sum + U64(RANK_HIGH[high]) + U64(RANK_HIGH[low])])
                table[at, pair] = DENSE[base + place]
                pair += 1
    for score in range(tally.shape[0]):
        tally[score] = CATEGORY[short, score]


@njit()
def take_ranks(row, left, free):
    """Fill `free` with the cards of each rank that are left without those of a multiset."""
    free[:] = left
    for slot in range(5):
        code = np.int64(MULTI_CODES[row, slot])
        if code < 65:
            free[code // 5] -= code % 5


@njit()
def compare_pairs(scores, free, suited, best, weight, numbers, sums):
    """Count the unknown player's hands by ranks that beat and equal `best`; return both numbers.

    `scores` are those of the pairs of ranks, `free` the cards of each rank. Hands with two of the
    `suited` ranks' cards of one suit are left out. `sums`, if not empty, gets `weight` for each
    hand, by its pair of ranks. `numbers` is scratch.
    """
    pair = 0
    for high in range(13):
        ways, bit = free[high], suited >> high & 1
        for low in range(high):
            numbers[pair] = ways * free[low] - (bit & suited >> low)
            pair += 1
        numbers[pair] = ways * (ways - 1) // 2
        pair += 1
    above, equal = np.int64(0), np.int64(0)
    for place in range(PAIRS):
        score = np.int64(scores[place])
        above += numbers[place] * np.int64(score > best)
        equal += numbers[place] * np.int64(score == best)
    for place in range(sums.shape[0]):
        sums[place] += numbers[place] * weight
    return above, equal


@njit()
def add_kinds(table, sums, tally, kinds):
    """Add `sums`, by board and pair of ranks as in `table`, to the unknown player's `kinds`."""
    for at in range(sums.shape[0]):
        for pair in range(sums.shape[1]):
            kinds[tally[table[at, pair]]] += sums[at, pair]


@njit()
def add_boards(weight, scores, best, hands, above, equal, seat, shares):
    """Add `weight` boards to `shares`, on each of which the unknown player has `hands` hands.

    `scores` are those of the other players, of which `best` is the highest; `above` and `equal` are
    how many hands beat and equal it.
    """
    winners = np.int64(0)
    for player in range(scores.shape[0]):
        winners += np.int64(scores[player] == best)
    shares[seat, 1] += weight * above
    shares[seat, winners + 1] += weight * equal
    for player in range(scores.shape[0]):
        if scores[player] == best:
            place = player + np.int64(player >= seat)
            shares[place, winners] += weight * (hands - above - equal)
            shares[place, winners + 1] += weight * equal


@njit()
def compare_suit(
    suit, fewest, whole, holes, avail, besides, hands, short, seat, work, shares, kinds
):
    """Add the boards of `whole`, with flushes of a suit, to `shares` and `kinds`.

    `streets.grow_suit` filled `whole` with boards that have at least `fewest` cards of the suit.
    They are subtracted from the weights in `work`. `holes` are the other players' cards, `avail`
    the ranks of the suit that may be on a board or in the unknown hand, and `besides` the numbers
    of cards of other suits. The unknown player may have `hands` hands.
    """
    table, weights, plain, tally, sums = work
    players = holes.shape[0]
    free, scores = np.zeros(13, np.int64), np.zeros(players, np.int64)
    flushes = np.zeros(players, np.int64)
    ones, twos = np.zeros(13, np.int64), np.zeros(78, np.int64)
    numbers = np.zeros(PAIRS, np.int64)
    at = 0
    for size in range(5, fewest - 1, -1):
        others = 5 - size
        for subset in range(SUBSET_START[size], SUBSET_START[size + 1]):
            ranks = np.int64(SUBSET_MASK[subset])
            if ranks & ~avail:
                at += MULTI_START[others + 1] - MULTI_START[others]
                continue
            unused = avail & ~ranks
            singles, doubles = 0, 0
            for first in range(13):
                if unused >> first & 1:
                    ones[singles] = FLUSH[short, ranks | 1 << first]
                    singles += 1
                    for second in range(first):
                        if unused >> second & 1:
                            twos[doubles] = FLUSH[short, ranks | 1 << first | 1 << second]
                            doubles += 1
            for player in range(players):
                flushes[player] = FLUSH[short, ranks | suit_mask(holes[player], suit)]
            none = np.int64(FLUSH[short, ranks])
            # the suit's cards count by ranks if one of them makes no flush
            loose = unused if size == THREE else 0
            if size == THREE:
                singles = 0
            boards, lone_hands = np.int64(0), np.int64(0)
            for row in range(MULTI_START[others], MULTI_START[others + 1]):
                weight = whole[at]
                at += 1
                if weight == 0:
                    continue
                low = U64(SUBSET_LOW[subset]) + U64(MULTI_LOW[row])
                high = U64(SUBSET_HIGH[subset]) + U64(MULTI_HIGH[row])
                place = np.int64(LOW[LOW_AT[5] + low]) + np.int64(HIGH[HIGH_AT[5] + high])
                weights[place] -= weight
                best = np.int64(0)
                for player in range(players):
                    scores[player] = max(np.int64(plain[place, player]), flushes[player])
                    best = max(best, scores[player])
                    if tally.shape[0]:
                        kind_of = player + np.int64(player >= seat)
                        kinds[kind_of, tally[scores[player]]] += weight * hands
                take_ranks(row, besides, free)
                loners = np.int64(0)
                for rank in range(13):
                    loners += free[rank]
                    free[rank] += loose >> rank & 1
                above, equal = np.int64(0), np.int64(0)
                if none:
                    pairs = loners * (loners - 1) // 2
                    above, equal = pairs * np.int64(none > best), pairs * np.int64(none == best)
                    if tally.shape[0]:
                        kinds[seat, tally[none]] += pairs * weight
                else:
                    above, equal = compare_pairs(
                        table[place], free, loose, best, weight, numbers, sums[place]
                    )
                for single in range(singles):
                    above += loners * np.int64(ones[single] > best)
                    equal += loners * np.int64(ones[single] == best)
                for double in range(doubles):
                    above += np.int64(twos[double] > best)
                    equal += np.int64(twos[double] == best)
                boards += weight
                lone_hands += loners * weight
                add_boards(weight, scores, best, hands, above, equal, seat, shares)
            if tally.shape[0]:
                for single in range(singles):
                    kinds[seat, tally[ones[single]]] += lone_hands
                for double in range(doubles):
                    kinds[seat, tally[twos[double]]] += boards


@njit()
def compare_ranks(left, hands, seat, work, shares, kinds):
    """Add the boards of the weights in `work`, without flushes, to `shares` and `kinds`.

    Also add to `kinds` what `compare_suit` has put into the sums of `work`. `left` are the numbers
    of cards of each rank that may be on a board or in the unknown hand.
    """
    table, weights, plain, tally, sums = work
    players = plain.shape[1]
    free, scores = np.zeros(13, np.int64), np.zeros(players, np.int64)
    numbers = np.zeros(PAIRS, np.int64)
    for place in range(weights.shape[0]):
        weight = weights[place]
        if weight == 0:
            continue
        best = np.int64(0)
        for player in range(players):
            scores[player] = plain[place, player]
            best = max(best, scores[player])
            if tally.shape[0]:
                kind_of = player + np.int64(player >= seat)
                kinds[kind_of, tally[scores[player]]] += weight * hands
        take_ranks(MULTI_START[5] + place, left, free)
        above, equal = compare_pairs(table[place], free, 0, best, weight, numbers, sums[place])
        add_boards(weight, scores, best, hands, above, equal, seat, shares)
    add_kinds(table, sums, tally, kinds[seat])
