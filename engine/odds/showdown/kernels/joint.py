"""Results of all players together: the order of hands on one board, or the winners on each of two.

A `table` is that of `kernels.deal`. For each set of hole cards, every possible complete
board gets a code: the winners, as bits, or the places of all players.

Two boards come from one pack, so they share no card. The number of pairs in which the first
board has result a and the second has b is found by inclusion and exclusion over sets of
cards. It is the sum, over all sets, of `(-1) ** size` times the number of first boards with
result a that contain the set, times the number of second boards with result b that contain
it. With n cards to come on each board, the number of steps is the number of boards times 2
** n, for each set of hole cards. Comparing every pair of boards would take one step for
each pair.
"""

from __future__ import annotations

import numpy as np

from engine.odds.compiling import njit
from engine.odds.showdown.kernel_codes import DENSE, WHOLE
from engine.odds.showdown.kernels.deal import advance, best_strength, largest, order_code, sum_picks
from engine.odds.showdown.kernels.score import START, dense_score, strength

U64 = np.uint64
ONE = np.uint64(1)
MOST_UNSEEN = 5
WAYS = np.zeros((65, MOST_UNSEEN + 2), np.int64)
WAYS[:, 0] = 1
for _n in range(1, 65):
    WAYS[_n, 1:] = WAYS[_n - 1, 1:] + WAYS[_n - 1, :-1]


@njit()
def winner_code(scores):
    """Return the players with the best score, as bits."""
    best = largest(scores)
    code = np.int64(0)
    for player in range(scores.shape[0]):
        code |= np.int64(scores[player] == best) << player
    return code


@njit()
def spread(hands, full, holes, deck):
    """Fill `holes` with the cards of `hands` (bits), and `deck` with all other cards of `full`.

    Returns the number of cards in the deck.
    """
    taken = U64(0)
    for player in range(hands.shape[0]):
        taken |= hands[player]
        place = 0
        for card in range(64):
            if hands[player] >> U64(card) & ONE:
                holes[player, place] = card
                place += 1
    size = 0
    for card in full:
        if taken >> U64(card) & ONE == U64(0):
            deck[size] = card
            size += 1
    return size


@njit()
def code_boards(table, holes, deck, size, way, ordered, codes):
    """Fill `codes` with the result on each complete board; return the number of boards.

    The cards to come are among the first `size` cards of `deck`. The boards are in
    lexicographic order of their cards' places in the deck. `way`: `WHOLE` and `DENSE` score all
    cards at once, `DENSE` with the table evaluator; otherwise all picks are tried. Codes are
    `order_code`s if `ordered`, else `winner_code`s.
    """
    board_known, board_held = table[1], table[2]
    keys, bits, hole_picks, board_picks, ranking, exactly = table[5:11]
    players = holes.shape[0]
    unseen = board_known.shape[0] - board_held
    board = board_known.copy()
    of_board = np.zeros((board_picks.shape[0], 2), np.uint64)
    of_holes = np.zeros((players, hole_picks.shape[0], 2), np.uint64)
    for player in range(players):
        sum_picks(holes[player], hole_picks, keys, bits, of_holes[player])
    board_keys = np.full(unseen + 1, START, np.uint64)
    board_bits = np.zeros(unseen + 1, np.uint64)
    for place in range(board_held):
        board_keys[0] += keys[board[place]]
        board_bits[0] |= bits[board[place]]
    cards = holes.shape[1] + board.shape[0]
    scores = np.zeros(players, np.int64)
    earlier = max(unseen - 1, 0)  # all cards to come but the last
    places = np.arange(earlier)
    number = 0
    while True:
        for at in range(earlier):
            card = deck[places[at]]
            board[board_held + at] = card
            board_keys[at + 1] = board_keys[at] + keys[card]
            board_bits[at + 1] = board_bits[at] | bits[card]
        begin = places[earlier - 1] + 1 if earlier else 0
        for last in range(begin, size if unseen else begin + 1):
            key, mask = board_keys[earlier], board_bits[earlier]
            if unseen:
                card = deck[last]
                board[board_held + earlier] = card
                key, mask = key + keys[card], mask | bits[card]
            if way == DENSE:
                for player in range(players):
                    scores[player] = dense_score(
                        key + of_holes[player, 0, 0], mask | of_holes[player, 0, 1], cards, ranking
                    )
            elif way == WHOLE:
                for player in range(players):
                    scores[player] = strength(
                        key + of_holes[player, 0, 0], mask | of_holes[player, 0, 1], cards, ranking
                    )
            else:
                sum_picks(board, board_picks, keys, bits, of_board)
                for player in range(players):
                    scores[player] = best_strength(
                        hole_picks, board_picks, of_holes[player], of_board, ranking, exactly
                    )
            codes[number] = order_code(scores) if ordered else winner_code(scores)
            number += 1
        if not advance(places, earlier, size):
            return number


@njit(cache=True, nogil=True)
def count_orders(rows, times, table, way, codes, counts):
    """Add the boards of each row of hands to `counts`, by `order_code`.

    The boards of row i count `times[i]` times. `codes` (int32) has room for the boards of one row.
    """
    holes, deck = table[3].copy(), table[0].copy()
    for row in range(rows.shape[0]):
        size = spread(rows[row], table[0], holes, deck)
        boards = code_boards(table, holes, deck, size, way, True, codes)
        for board in range(boards):
            counts[codes[board]] += times[row]


@njit()
def count_sets(size, unseen, codes, sets):
    """Count the boards that contain each set of cards, by the boards' codes.

    `sets` gets the counts, in the shape (sets, codes). `codes` has a code for each board of
    `unseen` cards from a deck of `size`. Sets are ordered by size, then like boards; `sets` has
    room for all sets smaller than a board, and may have room for whole boards. Sets with one card
    less than a board are counted board by board. The counts of a smaller set, of `chosen` cards,
    are the sums over all sets with one card more, divided by `unseen - chosen`: that is how often
    these sums count each board.
    """
    sets[:] = 0
    starts = np.zeros(unseen + 2, np.int64)
    for chosen in range(unseen + 1):
        starts[chosen + 1] = starts[chosen] + WAYS[size, chosen]
    if sets.shape[0] > starts[unseen]:
        for number in range(WAYS[size, unseen]):
            sets[starts[unseen] + number, codes[number]] = 1
    if unseen == 0:
        return
    most = unseen - 1
    earlier = np.arange(most)
    without = np.zeros(most, np.int64)
    number, whole = 0, starts[most]
    while True:  # a board is `earlier` and a last card, and a set lacks one of its cards
        for left_out in range(most):
            # the place of the set, less its last card
            place = starts[most] + WAYS[size, most] - size
            for at in range(most):
                if at != left_out:
                    place -= WAYS[size - 1 - earlier[at], most - at + np.int64(at > left_out)]
            without[left_out] = place
        for last in range(earlier[most - 1] + 1 if most else 0, size):
            code = codes[number]
            number += 1
            sets[whole, code] += 1
            for left_out in range(most):
                sets[without[left_out] + last, code] += 1
        whole += 1
        if not advance(earlier, most, size):
            break
    for chosen in range(most - 1, -1, -1):
        larger = np.arange(chosen + 1)
        for rank in range(starts[chosen + 1], starts[chosen + 2]):
            for left_out in range(chosen + 1):
                place = starts[chosen + 1] - 1
                for at in range(chosen + 1):
                    if at != left_out:
                        place -= WAYS[size - 1 - larger[at], chosen - at + np.int64(at > left_out)]
                for code in range(sets.shape[1]):
                    sets[place, code] += sets[rank, code]
            advance(larger, chosen + 1, size)
        for at in range(starts[chosen], starts[chosen + 1]):
            for code in range(sets.shape[1]):
                sets[at, code] //= unseen - chosen


@njit(cache=True, nogil=True)
def count_two_boards(rows, times, first, second, alike, way, codes, sets, others, shares):
    """Add both boards' winners to `shares` for each row of hands; row i counts `times[i]` times.

    `first` and `second` are the boards' tables, and equal if `alike`. `codes` (2, boards),
    `sets` and `others` (sets of cards, codes) are working space. `shares` has the columns of a
    split pot: the first board counts as the high half, the second as the low half. If both
    boards need equally many cards, the results of whole boards are read from `codes`.
    """
    holes, deck = first[3].copy(), first[0].copy()
    players = holes.shape[0]
    unseen, unseen_second = first[1].shape[0] - first[2], second[1].shape[0] - second[2]
    is_even = unseen == unseen_second
    most = min(unseen, unseen_second) - np.int64(is_even)
    results = sets.shape[1]
    pairs = np.zeros((results, results), np.int64)
    for row in range(rows.shape[0]):
        size = spread(rows[row], first[0], holes, deck)
        boards = code_boards(first, holes, deck, size, way, False, codes[0])
        count_sets(size, unseen, codes[0], sets)
        on_second, second_codes = sets, codes[0]
        if not alike:
            code_boards(second, holes, deck, size, way, False, codes[1])
            count_sets(size, unseen_second, codes[1], others)
            on_second, second_codes = others, codes[1]
        pairs[:] = 0
        begin, sign = np.int64(0), np.int64(1)
        for chosen in range(most + 1):
            end = begin + WAYS[size, chosen]
            for number in range(begin, end):
                for high in range(1, results):
                    with_set = sign * np.int64(sets[number, high])
                    if with_set:
                        for low in range(1, results):
                            pairs[high, low] += with_set * on_second[number, low]
            begin, sign = end, -sign
        if is_even:
            for board in range(boards):
                pairs[codes[0, board], second_codes[board]] += sign
        for high in range(1, results):
            for low in range(1, results):
                add_pair(high, low, times[row] * pairs[high, low], players, shares)


@njit()
def add_pair(high, low, weight, players, shares):
    """Add the winners of two boards to `shares`, as `kernels.deal.add_result` adds two halves."""
    highs, lows = np.int64(0), np.int64(0)
    for player in range(players):
        highs += high >> player & 1
        lows += low >> player & 1
    for player in range(players):
        column = (highs if high >> player & 1 else 0) * (players + 2)
        column += lows if low >> player & 1 else 0
        shares[player, column] += weight
