"""Count boards for players with known hands and one whose two hole cards are unknown.

On a board, the pot depends on the best of the known hands, and on how many of the unknown player's
hands beat or equal it. These are counted by ranks, 91 pairs of them instead
of some thousand hands, unless the board has three cards of a suit. Boards that do are counted for
each suit, as in `count`; then the unknown player's cards of that suit are counted one by one.
"""

from __future__ import annotations

import numpy as np

from engine.odds.compiling import njit
from engine.odds.showdown.kernels.count import (
    CODES,
    fill_ways,
    ones_in,
    plain_all,
    suit_mask,
    weight_of,
)
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


@njit(cache=True, nogil=True)
def fill_pairs(board, short, unseen, table):
    """Fill `table` (multisets, PAIRS) with the score of each pair of ranks, without flushes.

    The rows are the multisets of the `unseen` board cards; `board` are those dealt so far. The pair
    of ranks `high` and `low` is in column `high * (high + 1) / 2 + low`.
    """
    low, high = U64(LOW_AT[CARDS]), U64(HIGH_AT[CARDS])
    for card in range(52):
        if board >> U64(card) & U64(1):
            low += U64(RANK_LOW[card % 13])
            high += U64(RANK_HIGH[card % 13])
    base = U64(BASE[short, CARDS])
    for at in range(table.shape[0]):
        row = MULTI_START[unseen] + at
        low_sum, high_sum = low + U64(MULTI_LOW[row]), high + U64(MULTI_HIGH[row])
        pair = 0
        for first in range(13):
            for second in range(first + 1):
                place = U64(LOW[low_sum + U64(RANK_LOW[first]) + U64(RANK_LOW[second])])
                place += U64(HIGH[high_sum + U64(RANK_HIGH[first]) + U64(RANK_HIGH[second])])
                table[at, pair] = DENSE[base + place]
                pair += 1


@njit(cache=True, nogil=True)
def suits_alike(holes, board, avail, suit):
    """Return how many suits look like this one to everybody; 0 if an earlier suit does."""
    alike = 0
    for other in range(4):
        same = avail[other] == avail[suit] and suit_mask(board, other) == suit_mask(board, suit)
        for player in range(holes.shape[0]):
            same &= suit_mask(holes[player], other) == suit_mask(holes[player], suit)
        if same and other < suit:
            return 0
        alike += np.int64(same)
    return alike


@njit(cache=True, nogil=True)
def take_ranks(row, left, free):
    """Fill `free` with the cards of each rank that are left without those of a multiset."""
    free[:] = left
    for slot in range(5):
        code = np.int64(MULTI_CODES[row, slot])
        if code < 65:
            free[code // 5] -= code % 5


@njit(cache=True, nogil=True)
def compare_pairs(scores, free, suited, best, weight, tally, kinds):
    """Add up the unknown player's hands by ranks that beat and equal `best`; return both numbers.

    `scores` are those of the pairs of ranks, `free` the cards of each rank. Hands with two of the
    `suited` ranks' cards of one suit are left out. `kinds` gets `weight` for each hand, by
    category, if `tally` isn't empty; it has the category of each score.
    """
    above, equal = np.int64(0), np.int64(0)
    pair = 0
    for high in range(13):
        ways = free[high]
        for low in range(high + 1):
            score = np.int64(scores[pair])
            pair += 1
            if low == high:
                hands = ways * (ways - 1) // 2
            else:
                hands = ways * free[low] - (suited >> high & suited >> low & 1)
            above += hands * np.int64(score > best)
            equal += hands * np.int64(score == best)
            if tally.shape[0]:
                kinds[tally[score]] += hands * weight
    return above, equal


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def count_suit(suit, alike, holes, board, avail, left, unseen, short, seat, work, shares, kinds):
    """Add the boards with three cards of a suit or more to `shares` and `kinds`, `alike` times.

    Their number is subtracted from the weights in `work`.
    """
    table, weights, plain, ways, tally, scores = work
    players = holes.shape[0]
    free, besides = np.zeros(13, np.int64), np.zeros(13, np.int64)
    flushes = np.zeros(players, np.int64)
    ones, twos = np.zeros(13, np.int64), np.zeros(78, np.int64)
    dealt = suit_mask(board, suit)
    for rank in range(13):
        besides[rank] = left[rank] - (avail[suit] >> rank & 1)
    fill_ways(left, avail[suit], ways)
    stock = np.int64(0)
    for rank in range(13):
        stock += left[rank]
    hands = (stock - unseen) * (stock - unseen - 1) // 2
    for size in range(max(0, THREE - ones_in(dealt)), unseen + 1):
        others = unseen - size
        for at in range(SUBSET_START[size], SUBSET_START[size + 1]):
            ranks = np.int64(SUBSET_MASK[at])
            if ranks & ~avail[suit]:
                continue
            suited, rest = ranks | dealt, avail[suit] & ~ranks
            count = ones_in(suited)
            singles, doubles = 0, 0
            for first in range(13):
                if rest >> first & 1:
                    ones[singles] = FLUSH[short, suited | 1 << first]
                    singles += 1
                    for second in range(first):
                        if rest >> second & 1:
                            twos[doubles] = FLUSH[short, suited | 1 << first | 1 << second]
                            doubles += 1
            for player in range(players):
                flushes[player] = FLUSH[short, suited | suit_mask(holes[player], suit)]
            none = np.int64(FLUSH[short, suited])
            # the suit's cards count by ranks if one of them makes no flush
            loose = rest if count == THREE else 0
            for row in range(MULTI_START[others], MULTI_START[others + 1]):
                weight = weight_of(ways, row) * alike
                if weight == 0:
                    continue
                low = U64(SUBSET_LOW[at]) + U64(MULTI_LOW[row])
                high = U64(SUBSET_HIGH[at]) + U64(MULTI_HIGH[row])
                place = np.int64(LOW[LOW_AT[unseen] + low]) + np.int64(HIGH[HIGH_AT[unseen] + high])
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
                        table[place], free, loose, best, weight, tally, kinds[seat]
                    )
                for single in range(singles if count > THREE else 0):
                    above += loners * np.int64(ones[single] > best)
                    equal += loners * np.int64(ones[single] == best)
                    if tally.shape[0]:
                        kinds[seat, tally[ones[single]]] += loners * weight
                for double in range(doubles):
                    above += np.int64(twos[double] > best)
                    equal += np.int64(twos[double] == best)
                    if tally.shape[0]:
                        kinds[seat, tally[twos[double]]] += weight
                add_boards(weight, scores, best, hands, above, equal, seat, shares)


@njit(cache=True, nogil=True)
def count_unknown(classes, multiples, board, dead, short, seat, ranked, shares, kinds):
    """Count all boards and hands of the player in `seat`, for each class of the others' hole cards.

    Hands are two hole cards and five board cards. `classes` (uint64: classes, players) are the
    other players' hole cards; each class counts `multiples` times (int64). `board` are the public
    cards dealt so far, `dead` all other cards that cannot come. Adds to `shares` and, if `ranked`,
    to `kinds`, like `count.count_boards`.
    """
    players = classes.shape[1]
    unseen = 5
    for card in range(52):
        unseen -= np.int64(board >> U64(card) & U64(1))
    first = MULTI_START[unseen]
    size = MULTI_START[unseen + 1] - first
    table = np.empty((size, PAIRS), np.uint16)
    fill_pairs(board, short, unseen, table)
    avail, left, free = np.zeros(4, np.int64), np.zeros(13, np.int64), np.zeros(13, np.int64)
    weights, plain = np.empty(size, np.int64), np.zeros((size, players), np.uint16)
    ways, scores = np.ones(CODES, np.int64), np.zeros(players, np.int64)
    tally = np.zeros(CATEGORY.shape[1] if ranked else 0, np.int64)
    for score in range(tally.shape[0]):
        tally[score] = CATEGORY[short, score]
    work = (table, weights, plain, ways, tally, scores)
    some_shares, some_kinds = np.zeros_like(shares), np.zeros_like(kinds)
    for at in range(classes.shape[0]):
        holes = classes[at]
        known = board | dead
        for player in range(players):
            known |= holes[player]
        left[:] = 0
        stock = np.int64(0)
        for suit in range(4):
            avail[suit] = np.int64(0x1FFF) & ~suit_mask(known, suit)
            stock += ones_in(avail[suit])
            for rank in range(13):
                left[rank] += (avail[suit] >> rank) & 1
        fill_ways(left, 0, ways)
        for row in range(size):
            weights[row] = weight_of(ways, first + row)
        for player in range(players):
            plain_all(holes[player] | board, CARDS, short, unseen, player, weights, plain)
        some_shares[:] = 0
        some_kinds[:] = 0
        for suit in range(4):
            alike = suits_alike(holes, board, avail, suit)
            if alike:
                count_suit(
                    suit, alike, holes, board, avail, left, unseen, short, seat, work,
                    some_shares, some_kinds,
                )  # fmt: skip
        hands = (stock - unseen) * (stock - unseen - 1) // 2
        for row in range(size):
            weight = weights[row]
            if weight == 0:
                continue
            best = np.int64(0)
            for player in range(players):
                scores[player] = plain[row, player]
                best = max(best, scores[player])
                if ranked:
                    kind_of = player + np.int64(player >= seat)
                    some_kinds[kind_of, tally[scores[player]]] += weight * hands
            take_ranks(first + row, left, free)
            above, equal = compare_pairs(table[row], free, 0, best, weight, tally, some_kinds[seat])
            add_boards(weight, scores, best, hands, above, equal, seat, some_shares)
        for player in range(shares.shape[0]):
            for winners in range(shares.shape[1]):
                shares[player, winners] += some_shares[player, winners] * multiples[at]
            for kind in range(kinds.shape[1]):
                kinds[player, kind] += some_kinds[player, kind] * multiples[at]
