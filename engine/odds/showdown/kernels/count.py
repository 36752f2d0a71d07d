"""Exact showdowns that count boards instead of dealing them: games like hold'em and Omaha.

Boards with the same ranks are counted together (6,175 multisets of five cards instead of
2,598,960 boards), weighted by the number of ways to give them suits. A row of the `MULTI_*`
tables is a multiset of ranks of the public cards to come. Suits matter only for flushes:
for each suit, the boards with exactly some set of ranks in that suit and a multiset of
ranks in the others are counted separately, and their weight is subtracted from the plain
count. Suits that look the same to every player are counted once.

Step 1: The weight of a multiset is the product of C(cards left of the rank, count). Score
each multiset without flushes.

Step 2: For each suit in which someone may get a flush, go through the sets F of ranks that
the board may have in that suit, and the multisets Q of its other cards. The number of such
boards is the weight of Q without the suit's cards. Subtract it from the multiset F + Q, and
compare the players by the higher of the score without a flush and the flush of F and their
own cards.

Step 3: In the remaining weight no one has a flush: compare by the scores of step 1.

This requires that no board can hold flushes in two suits. That is so if at least three
cards of a flush come from at most five board cards: with one or two hole cards, or with
exactly two used.

`count_heads_up` counts only the wins of two players who use all their cards, in a quarter
to a half of the time of `count_boards`. A multiset is split into low ranks and high ranks
(`score_tables`); its weight is the product of the parts' weights, and its place in the
table of scores is the sum of the parts' places. So each part is looked up once, not once
for each multiset. The weight of a board with a flush isn't subtracted; instead the
difference in its result is added.
"""

from __future__ import annotations

import numpy as np
from numba.extending import register_jitable

from engine.odds.compiling import njit
from engine.odds.showdown.kernels.deal import order_code
from engine.odds.showdown.kernels.score import low_ranks
from engine.odds.showdown.score_tables import (
    BASE,
    CATEGORY,
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
NO_LOW = 256
# The size of `ways`: ways[5 * rank + count] is the number of ways to pick `count` of the cards left
# of that rank, and ways[65] is 1, for the unused columns of `MULTI_CODES`.
CODES = 66


@register_jitable
def suit_mask(cards, suit):
    """Return the ranks held in `suit` as 13 bits."""
    return np.int64((cards >> U64(13 * suit)) & U64(0x1FFF))


@register_jitable
def ones_in(mask):
    """Return the number of bits set in a mask of 13 bits."""
    total = 0
    while mask:
        mask &= mask - 1
        total += 1
    return total


@njit()
def fill_ways(left, without, ways):
    """Fill `ways[5 * rank + count]` with the number of ways to pick `count` of a rank's cards.

    `left[rank]` cards of the rank are left, or one fewer if its bit is set in `without`.
    """
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
    """Return the number of ways to deal the multiset of ranks in a row of the tables."""
    return (
        ways[MULTI_CODES[row, 0]]
        * ways[MULTI_CODES[row, 1]]
        * ways[MULTI_CODES[row, 2]]
        * ways[MULTI_CODES[row, 3]]
        * ways[MULTI_CODES[row, 4]]
    )


@njit()
def plain_all(known, cards, short, unseen, player, weights, plain):
    """Fill `plain[:, player]` with the player's dense score for each multiset, without flushes.

    `known` are the hole cards and the board dealt so far, `unseen` the number of cards to come, and
    `cards` the size of the whole hand. Multisets without weight are skipped.
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


@njit()
def plain_two_three(hole, board, short, unseen, player, weights, plain):
    """Fill `plain` like `plain_all`, using exactly two hole cards and three of the board.

    First, the best pair of hole cards is found for each of the 455 rank multisets of three cards.
    Then each board tries its ten triples.
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
                first_rank, second_rank = holes[i], holes[j]
                place = np.int64(
                    LOW[LOW_AT[5] + MULTI_LOW[row] + RANK_LOW[first_rank] + RANK_LOW[second_rank]]
                )
                place += np.int64(
                    HIGH[
                        HIGH_AT[5]
                        + MULTI_HIGH[row]
                        + RANK_HIGH[first_rank]
                        + RANK_HIGH[second_rank]
                    ]
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


@njit()
def fill_lows(holes, board, unseen, lows, cells):
    """Fill `cells` (multisets, players) with the results in the low half of a split pot.

    A cell is 0 for a player who does not win, else the number of winners. If nobody has a low hand,
    all cells are players + 1. Suits don't matter, so all boards of a multiset have the same
    winners. `lows` is an `evaluator.low_table`.
    """
    players = holes.shape[0]
    first = MULTI_START[unseen]
    hole_lows = np.empty(players, np.uint64)
    for player in range(players):
        hole_lows[player] = low_ranks(holes[player]) << U64(8)
    hands = np.empty(players, np.int64)
    for at in range(cells.shape[0]):
        shared = low_ranks(board)
        for slot in range(5):
            code = np.int64(MULTI_CODES[first + at, slot])
            if code < 65:
                shared |= low_ranks(U64(1) << U64(code // 5))
        lowest, winners = NO_LOW, 0
        for player in range(players):
            hands[player] = lows[hole_lows[player] | shared]
            winners = 1 if hands[player] < lowest else winners + np.int64(hands[player] == lowest)
            lowest = min(lowest, hands[player])
        for player in range(players):
            cells[at, player] = winners * np.int64(hands[player] == lowest)
            if lowest == NO_LOW:
                cells[at, player] = players + 1


@njit()
def fill_flush(hole, board, short, two_three, flush):
    """Fill `flush` (8192 uint16) with the best flush of a suit for each set of ranks to come.

    `hole` and `board` are the ranks of the suit that are held and dealt. The index is a bit
    mask of the ranks of the suit still to come on the board. 0 means no flush.
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
            ranks_left = mask
            # the best triple within a mask of four is within the mask without one of its ranks
            while ranks_left:
                bit = ranks_left & -ranks_left
                ranks_left ^= bit
                triple[mask] = max(triple[mask], triple[mask ^ bit])
    for at in range(SUBSET_MASK.shape[0]):
        mask = np.int64(SUBSET_MASK[at])
        if not mask & (board | hole):
            flush[mask] = triple[mask | board]


@njit()
def count_flushes(
    holes, board, left, unseen, short, two_three, ranked, work, factors, times,
    shares, kinds, orders,
):  # fmt: skip
    """Add the boards on which a flush is possible, and subtract their weight from `weights`.

    The boards are added to `shares`, `times` times to `orders` and, if `ranked`, to `kinds`. `work`
    are the arrays of `count_boards`, among them `weights`; `factors` are this class's, or empty.
    """
    avail, weights, plain, flush, ways, cells = work
    split, has_factors, has_orders = cells.shape[0] > 0, factors.shape[0] > 0, orders.shape[0] > 0
    players = holes.shape[0]
    scores = np.zeros(players, np.int64)
    most = MULTI_START[6] - MULTI_START[5]
    rows = np.empty((most, 2), np.uint16)
    row_weight = np.empty(most, np.int64)
    merged = np.zeros(4, np.bool_)
    for suit in range(4):
        if merged[suit]:
            continue
        alike = 1
        for later in range(suit + 1, 4):
            same = avail[later] == avail[suit] and suit_mask(board, later) == suit_mask(board, suit)
            for player in range(players):
                if suit_mask(holes[player], later) != suit_mask(holes[player], suit):
                    same = False
            if same:
                merged[later] = True
                alike += 1
        board_ranks = suit_mask(board, suit)
        held = 0
        for player in range(players):
            held = max(held, ones_in(suit_mask(holes[player], suit)))
        needed = 5 - ones_in(board_ranks) - (2 if two_three else held)
        if (two_three and held < 2) or needed > unseen:
            continue
        for player in range(players):
            fill_flush(suit_mask(holes[player], suit), board_ranks, short, two_three, flush[player])
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
                ranks = U64(SUBSET_MASK[at])
                if ranks & ~U64(avail[suit]):
                    continue
                low, high = U64(SUBSET_LOW[at]), U64(SUBSET_HIGH[at])
                for i in range(U64(count)):
                    weight = row_weight[i]
                    place = U64(LOW[LOW_AT[unseen] + low + U64(rows[i, 0])])
                    place += U64(HIGH[HIGH_AT[unseen] + high + U64(rows[i, 1])])
                    if has_factors:
                        weight *= factors[place]
                    weights[place] -= weight
                    best, winner, winners = 0, U64(0), 0
                    for player in range(U64(players)):
                        score = np.int64(max(plain[place, player], flush[player, ranks]))
                        scores[player] = score
                        winners = 1 if score > best else winners + np.int64(score == best)
                        winner = player if score > best else winner
                        best = max(best, score)
                        if ranked:
                            kinds[player, CATEGORY[U64(short), U64(score)]] += weight
                    if split:
                        for player in range(players):
                            column = np.int64(scores[player] == best) * winners * (players + 2)
                            shares[player, column + cells[place, player]] += weight
                    elif winners == 1:
                        shares[winner, 1] += weight
                    else:
                        for player in range(players):
                            shares[player, winners] += weight * np.int64(scores[player] == best)
                    if has_orders:
                        orders[order_code(scores)] += weight * times


@njit()
def add_multisets(weights, plain, cells, short, ranked, times, shares, kinds, orders):
    """Add the boards without a flush, by multiset, to `shares`, `orders` and, if `ranked`, `kinds`.

    In `orders` each board counts `times` times. The arrays are those of `count_boards`.
    """
    players = plain.shape[1]
    split, has_orders = cells.shape[0] > 0, orders.shape[0] > 0
    for row in range(weights.shape[0]):
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
                    shares[player, column + cells[row, player]] += weight
            elif winners == 1:
                shares[winner, 1] += weight
            else:
                for player in range(players):
                    shares[player, winners] += weight * np.int64(plain[row, player] == best)
            if ranked:
                for player in range(players):
                    kinds[player, CATEGORY[U64(short), plain[row, player]]] += weight
            if has_orders:
                orders[order_code(plain[row])] += weight * times


@njit(cache=True, nogil=True)
def count_boards(
    classes, multiples, board, dead, public, short, two_three, lows, ranked, factors,
    shares, kinds, orders,
):  # fmt: skip
    """Count all boards for every class of hole cards: pots won, kinds and the order of hands.

    `classes` (uint64: classes, players) are all players' hole cards, and each class counts
    `multiples` times (int64). `board` are the public cards dealt so far, `public` is how many
    there will be, `dead` are all other cards that cannot come. If `two_three`, a hand is two
    hole cards and three public cards. `lows` is an `evaluator.low_table`, empty if the pot is
    not split. If `factors` (int64: classes, multisets of the cards to come) isn't empty, a board
    counts as often as it says. Adds to `shares` (int64, a row for each player, the columns of
    `deal.add_result`) and, if `ranked`, to `kinds` (int64, players x 10, by category). If `orders`
    isn't empty, adds to it by `deal.order_code`.
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
    has_factors, nothing = factors.shape[0] > 0, np.zeros(0, np.int64)
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
            if has_factors:
                weights[row] *= factors[at, row]
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
            holes, board, left, unseen, short, two_three, ranked, work,
            factors[at] if has_factors else nothing, multiples[at], some_shares, some_kinds, orders,
        )  # fmt: skip
        add_multisets(
            weights, plain, cells, short, ranked, multiples[at], some_shares, some_kinds, orders
        )
        for player in range(players):
            for winners in range(shares.shape[1]):
                shares[player, winners] += some_shares[player, winners] * multiples[at]
            for kind in range(kinds.shape[1]):
                kinds[player, kind] += some_kinds[player, kind] * multiples[at]


HALF = np.uint32(0xFFFF)


@register_jitable
def room_for(parts):
    """Return arrays that `fill_parts` can fill."""
    return (
        np.empty(parts, np.int64),
        np.empty(parts, np.uint16),
        np.empty(parts, np.uint16),
    )


@njit()
def fill_parts(codes, sums, ways, row, known, parts):
    """Fill the `parts` of `room_for`: the ways to deal each, and both players' entries of `row`.

    A part has the low or the high ranks of a multiset. `row` is the part of LOW or HIGH that
    begins at hands of the players' size. `known` are the key sums of the players' known cards.
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
        if way:  # sums for parts that cannot be dealt may be outside the table
            one_places[part] = row[first + U64(sums[part])]
            other_places[part] = row[second + U64(sums[part])]


@njit()
def count_plain(unseen, base, low, high, plain):
    """Fill `plain`; return the number of boards, and the number that each of two players wins.

    Flushes are ignored. `low` and `high` come from `fill_parts`. `base`: where the hands of the
    players' size begin in `DENSE`. `plain[row]` is both dense scores of a multiset in one number,
    the first player's in the upper half.
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
                score = DENSE[ones + U64(high_one[top])]
                opposing = DENSE[others + U64(high_other[top])]
                plain[row] = np.uint32(score) << np.uint32(16) | np.uint32(opposing)
                row += U64(1)
                won += weight * np.int64(score > opposing)
                lost += weight * np.int64(opposing > score)
                dealt += weight
            first += ways * won
            second += ways * lost
            boards += ways * dealt
    return boards, first, second


@njit()
def add_flushes(first_hole, second_hole, board, left, avail, unseen, short, ways, plain):
    """Return by how much flushes change the first and the second player's number of wins.

    `plain` is what `count_plain` filled; `ways` is scratch.
    """
    first, second = np.int64(0), np.int64(0)
    most = MULTI_START[6] - MULTI_START[5]
    row_low = np.empty(most, np.uint64)
    row_high = np.empty(most, np.uint64)
    row_weight = np.empty(most, np.int64)
    merged = np.zeros(4, np.bool_)
    low_row, high_row = U64(LOW_AT[unseen]), U64(HIGH_AT[unseen])
    for suit in range(4):
        if merged[suit]:
            continue
        board_ranks = suit_mask(board, suit)
        suited, opposed = suit_mask(first_hole, suit), suit_mask(second_hole, suit)
        alike = 1
        for later in range(suit + 1, 4):
            if (
                avail[later] == avail[suit]
                and suit_mask(board, later) == board_ranks
                and suit_mask(first_hole, later) == suited
                and suit_mask(second_hole, later) == opposed
            ):
                merged[later] = True
                alike += 1
        needed = 5 - ones_in(board_ranks) - max(ones_in(suited), ones_in(opposed))
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
                flush = np.uint32(FLUSH[short, suited | board_ranks | ranks])
                opposing = np.uint32(FLUSH[short, opposed | board_ranks | ranks])
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
    """Add up the wins and ties of two players on all boards, for every class of hole cards.

    The arguments mean what they mean in `count_boards`. `shares` is int64, 2 x 3.
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
        first_hole, second_hole = classes[at, 0], classes[at, 1]
        known = board | dead | first_hole | second_hole
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
        first_more, second_more = add_flushes(
            first_hole, second_hole, board, left, avail, unseen, short, ways, plain
        )
        first += first_more
        second += second_more
        shared = boards - first - second
        shares[0, 1] += first * multiples[at]
        shares[1, 1] += second * multiples[at]
        shares[0, 2] += shared * multiples[at]
        shares[1, 2] += shared * multiples[at]
