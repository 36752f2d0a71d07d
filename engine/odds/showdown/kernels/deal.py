"""Play out the deals of any game one by one: every deal in order, or random deals.

This is slower than counting boards (`count`) or sampling in lanes (`lanes`), but more general: any
number of cards, limits on the cards used, weighted hands, pots.

`dealing.table_of` makes the `table` of a game, a tuple of:

- deck (uint8): the cards left to deal
- board_known (uint8): room for the public cards; those dealt come first
- board_held (int): the number of public cards dealt
- holes_known (uint8): (players, private), room for hole cards; those known come first
- held (int64): the number of known hole cards of each player
- keys, bits (uint64): the values that each of the 64 cards adds; wild cards have no bits
- hole_picks, board_picks (int64): (picks, 1 + most), the number of cards used, then their places
- ranking (int): the code of the ranking
- exactly (int): the cards that a hole pick and a board pick must have together; 0 for any number
- lows (uint16): an `evaluator.low_table`, empty if the pot is not split
- second_known (uint8): room for the cards of a second board, empty if there is none
- second_held (int): the number of the second board's cards dealt
"""

from __future__ import annotations

import numpy as np
from numba.extending import register_jitable

from engine.odds.compiling import njit
from engine.odds.showdown.kernel_codes import ALIKE, HALVES, STEP, WILD_KEY
from engine.odds.showdown.kernels.sample import WORD, block_start, mix, place_weighed
from engine.odds.showdown.kernels.score import (
    FIRST_LOW,
    FIVE_OF_A_SUIT,
    HALF,
    START,
    SUIT,
    flush_suit,
    low_ranks,
    strength,
)
from engine.odds.showdown.score_tables import (
    BASE,
    DENSE,
    FLUSH,
    HIGH,
    HIGH_AT,
    LOW,
    LOW_AT,
    RAW_TABLE,
)

U64 = np.uint64
WILD = np.uint64(WILD_KEY)
LOW_RAW = 0xFFFFFF
NO_LOW = 256
BINOMIAL = np.zeros((65, 65), np.float64)
BINOMIAL[:, 0] = 1
for _n in range(1, 65):
    for _k in range(1, _n + 1):
        BINOMIAL[_n, _k] = BINOMIAL[_n - 1, _k - 1] + BINOMIAL[_n - 1, _k]


@register_jitable
def largest(numbers):
    """Return the largest of at least one number."""
    most = numbers[0]
    for number in numbers:
        most = max(most, number)
    return most


@register_jitable
def smallest(numbers):
    """Return the smallest of at least one number."""
    least = numbers[0]
    for number in numbers:
        least = min(least, number)
    return least


@njit()
def sum_picks(cards, picks, keys, bits, totals):
    """Fill `totals` with the sum of keys (column 0) and the bits (column 1) of each pick's cards.

    A row of `picks`: the number of cards, then their places in `cards`.
    """
    for pick in range(picks.shape[0]):
        key, mask = U64(0), U64(0)
        for place in range(picks[pick, 0]):
            card = cards[picks[pick, 1 + place]]
            key += keys[card]
            mask |= bits[card]
        totals[pick, 0] = key
        totals[pick, 1] = mask


@njit()
def best_natural(of_hole, of_board, cards, ranking):
    """Return what `best_strength` returns, for a high ranking and hands without wild cards.

    Every hole pick and board pick together have the same number of `cards`, five to seven.
    """
    low_at, high_at, base = LOW_AT[cards], HIGH_AT[cards], U64(BASE[ranking, cards])
    best = U64(0)
    for pick in range(U64(of_hole.shape[0])):
        key, mask = START + of_hole[pick, 0], of_hole[pick, 1]
        for board_pick in range(U64(of_board.shape[0])):
            whole = key + of_board[board_pick, 0]
            counters = whole & FIVE_OF_A_SUIT
            if counters:
                ranks = (mask | of_board[board_pick, 1]) >> U64(13) * flush_suit(counters)
                score = U64(FLUSH[ranking, ranks & SUIT])
            else:
                place = U64(LOW[low_at + (whole & HALF)])
                place += U64(HIGH[high_at + ((whole >> U64(16)) & HALF)])
                score = U64(DENSE[base + place])
            best = max(best, score)
    return np.int64(RAW_TABLE[ranking, best])


@njit()
def best_strength(hole_picks, board_picks, of_hole, of_board, ranking, exactly):
    """Return the highest strength of any hole pick with any board pick.

    If `exactly` isn't 0, only hands of that many cards count.
    """
    if ranking < FIRST_LOW and hole_picks.shape[0] > 1:
        cards = hole_picks[0, 0] + board_picks[0, 0]  # the same for all
        highest = largest(of_hole[:, 0]) | largest(of_board[:, 0])
        if 5 <= cards <= 7 and highest < WILD:
            return best_natural(of_hole, of_board, cards, ranking)
    best = np.int64(-1)
    for pick in range(hole_picks.shape[0]):
        hole_cards = hole_picks[pick, 0]
        key, mask = START + of_hole[pick, 0], of_hole[pick, 1]
        for board_pick in range(board_picks.shape[0]):
            cards = hole_cards + board_picks[board_pick, 0]
            if exactly and cards != exactly:
                continue
            score = strength(
                key + of_board[board_pick, 0], mask | of_board[board_pick, 1], cards, ranking
            )
            if score > best:
                best = score
    return best


@njit()
def add_result(scores, lows, ranking, ranked, weight, shares, kinds):
    """Count one deal with `weight`: each player's share of the pot and, if `ranked`, kind of hand.

    If the pot is not split, `lows` is empty. Then the column of `shares` is the number of
    winners, and losers are not counted. If it is split, `lows` are the low hands, `NO_LOW` for
    a hand without one, and the column is high * (players + 2) + low. High and low are the
    numbers of winners of each half, 0 for a half that the player loses. If nobody has a low
    hand, low is players + 1.
    """
    players = scores.shape[0]
    split = lows.shape[0] > 0
    best = largest(scores)
    lowest = smallest(lows) if split else NO_LOW
    highs, winners = np.int64(0), np.int64(0)
    for player in range(players):
        highs += np.int64(scores[player] == best)
        if split:
            winners += np.int64(lows[player] == lowest)
    for player in range(players):
        column = highs if scores[player] == best else np.int64(0)
        if split:
            column *= players + 2
            if lowest == NO_LOW:
                column += players + 1
            elif lows[player] == lowest:
                column += winners
        if split or column:
            shares[player, column] += weight
        if ranked:
            raw = LOW_RAW - scores[player] if ranking >= FIRST_LOW else scores[player]
            kinds[player, raw >> 20] += weight


@njit()
def order_code(scores):
    """Return a code in base `players`: each player's digit is the number of better hands."""
    players = scores.shape[0]
    code = np.int64(0)
    for player in range(players):
        better = np.int64(0)
        for rival in range(players):
            better += np.int64(scores[rival] > scores[player])
        code = code * players + better
    return code


@njit()
def low_hand(hole, board, bits, lows):
    """Return the low hand of one player, by `evaluator.low_table`."""
    hole_bits, board_bits = U64(0), U64(0)
    for place in range(hole.shape[0]):
        hole_bits |= bits[hole[place]]
    for place in range(board.shape[0]):
        board_bits |= bits[board[place]]
    return np.int64(lows[low_ranks(hole_bits) << U64(8) | low_ranks(board_bits)])


@njit()
def draw_seats(ranges, counter, chosen):
    """Draw one hand of each range into `chosen`, so that no two hands share a card.

    `ranges` are the arrays of `dealing.HandSampler`. Returns the deal's weight (0 if a seat
    found no hand), the random counter, the number of hands tried, and the cards drawn.
    """
    order, begins, sizes, ways, tries, scales, combos, sums = ranges
    taken = U64(0)
    weight = 1.0
    tried = 0
    for seat in order:
        fits, first = 0, np.int64(0)
        begin, size, way = begins[seat], sizes[seat], ways[seat]
        for _ in range(tries[seat]):
            counter += STEP
            word = mix(counter)
            if way == ALIKE or (way == HALVES and word >> U64(63)):
                at = begin + np.int64(((word & WORD) * U64(size)) >> U64(32))
            else:
                at = place_weighed(word << U64(1), begin, size, sums)
            if combos[at] & taken == U64(0):
                if fits == 0:
                    first = at
                fits += 1
        tried += tries[seat]
        if fits == 0:
            return 0.0, counter, tried, taken
        chosen[seat] = combos[first]
        taken |= combos[first]
        weight *= fits * scales[seat]
        if way == HALVES:
            own_weight = np.float64(sums[first] - (sums[first - 1] if first > begin else U64(0)))
            weight *= 2 / (1 + np.float64(sums[begin + size - 1]) / (size * own_weight))
    return weight, counter, tried, taken


@njit(cache=True, nogil=True)
def sample_deals(
    table, ranges, seed, first, deals, block, most_tried, ranked, weighs,
    shares, kinds, share_squares, kind_squares, orders, order_squares,
):  # fmt: skip
    """Deal `deals` times, beginning with number `first`, in blocks like those of `kernels.sample`.

    A block has `block` deals. Players with ranges draw by `ranges` (`draw_seats`). A deal's weight
    is added to `shares` and, if `ranked`, to `kinds`. If `weighs`, the weight's square is added to
    `share_squares` and `kind_squares`. The winners of a second board count like those of a low
    half. If `orders` isn't empty, the weight and its square are added to `orders` and
    `order_squares`, by `order_code`.

    Returns the number of deals (smaller if over `most_tried` hands of ranges were tried), the
    number of hands tried, and the sums of the deals' weights and of their squares.
    """
    deck, board_known, board_held, holes_known, held, keys, bits = table[:7]
    hole_picks, board_picks, ranking, exactly, lows, second_known, second_held = table[7:]
    sizes = ranges[2]
    twice = second_known.shape[0] > 0
    split = twice or lows.shape[0] > 0
    players = holes_known.shape[0]
    board, second = board_known.copy(), second_known.copy()
    holes = holes_known.copy()
    cards = deck.copy()
    of_board = np.zeros((board_picks.shape[0], 2), np.uint64)
    of_second = np.zeros((board_picks.shape[0], 2), np.uint64)
    of_hole = np.zeros((hole_picks.shape[0], 2), np.uint64)
    scores = np.zeros(players, np.int64)
    low_hands = np.zeros(players if split else 0, np.int64)
    chosen = np.zeros(players, np.uint64)
    counter = U64(0)
    total, square = 0.0, 0.0
    all_tried = 0
    for deal in range(deals):
        if deal % block == 0:
            counter = block_start(seed, (first + deal) // block)
        cards[:] = deck
        taken = U64(0)
        weight = 0.0
        while weight == 0.0:
            if all_tried > most_tried:
                return deal, all_tried, total, square
            weight, counter, tried, taken = draw_seats(ranges, counter, chosen)
            all_tried += tried
        total += weight
        square += weight * weight
        for player in range(players):
            if sizes[player] == 0:
                continue
            place = 0
            for card in range(64):
                if (chosen[player] >> U64(card)) & U64(1):
                    holes[player, place] = card
                    place += 1
        draw = U64(0)
        left = U64(deck.shape[0])
        for seat in range(-1, players + 1):
            if seat < 0:
                first_open, size = board_held, board.shape[0]
            elif seat == players:
                first_open, size = second_held, second.shape[0]
            elif sizes[seat] > 0:
                continue
            else:
                first_open, size = held[seat], holes.shape[1]
            for place in range(first_open, size):
                card = U64(64)
                while card == U64(64) or (taken >> card) & U64(1):
                    counter += STEP
                    pick = draw + (((mix(counter) & WORD) * (left - draw)) >> U64(32))
                    card = U64(cards[pick])
                    cards[pick] = cards[draw]
                    cards[draw] = card
                    draw += U64(1)
                if seat < 0:
                    board[place] = card
                elif seat == players:
                    second[place] = card
                else:
                    holes[seat, place] = card
        sum_picks(board, board_picks, keys, bits, of_board)
        if twice:
            sum_picks(second, board_picks, keys, bits, of_second)
        for player in range(players):
            sum_picks(holes[player], hole_picks, keys, bits, of_hole)
            scores[player] = best_strength(
                hole_picks, board_picks, of_hole, of_board, ranking, exactly
            )
            if twice:  # negated, since the lowest of the low hands wins
                low_hands[player] = -best_strength(
                    hole_picks, board_picks, of_hole, of_second, ranking, exactly
                )
            elif split:
                low_hands[player] = low_hand(holes[player], board, bits, lows)
        add_result(scores, low_hands, ranking, ranked, weight, shares, kinds)
        if weighs:
            square_of = weight * weight
            add_result(scores, low_hands, ranking, ranked, square_of, share_squares, kind_squares)
        if orders.shape[0]:
            code = order_code(scores)
            orders[code] += weight
            order_squares[code] += weight * weight
    return deals, all_tried, total, square


@njit()
def unrank(index, chosen, size, combination):
    """Write combination number `index` of `chosen` out of `size` items into `combination`.

    Combinations are numbered from 0, in lexicographic order.
    """
    item = 0
    for place in range(chosen):
        while True:
            block = np.int64(BINOMIAL[size - item - 1, chosen - place - 1])
            if index < block:
                break
            index -= block
            item += 1
        combination[place] = item
        item += 1


@njit()
def advance(combination, chosen, size):
    """Step to the next combination; return False after the last, having stepped to the first.

    A combination is `chosen` numbers below `size`, in ascending order.
    """
    place = chosen - 1
    while place >= 0 and combination[place] == size - chosen + place:
        place -= 1
    if place < 0:
        for at in range(chosen):
            combination[at] = at
        return False
    combination[place] += 1
    for at in range(place + 1, chosen):
        combination[at] = combination[at - 1] + 1
    return True


@njit(cache=True, nogil=True)
def enumerate_deals(table, first, deals, ranked, shares, kinds):
    """Add `deals` deals to `shares` and `kinds`, beginning with number `first` in a fixed order.

    The last player's cards change fastest, the board slowest. Only the cards that the last step
    changed are dealt and scored again. Deal numbers must be below 2**53.
    """
    deck, board_known, board_held, holes_known, held, keys, bits = table[:7]
    hole_picks, board_picks, ranking, exactly, lows = table[7:12]
    split = lows.shape[0] > 0
    players = holes_known.shape[0]
    board = board_known.copy()
    holes = holes_known.copy()
    needs = np.empty(players + 1, np.int64)
    needs[0] = board.shape[0] - board_held
    needs[1:] = holes.shape[1] - held
    sizes = np.empty(players + 1, np.int64)
    combinations = np.zeros((players + 1, 64), np.int64)
    left = np.zeros((players + 1, 64), np.uint8)
    left[0, : deck.shape[0]] = deck
    sizes[0] = deck.shape[0]
    for place in range(1, players + 1):
        sizes[place] = sizes[place - 1] - needs[place - 1]
    index = np.int64(first)
    for place in range(players, -1, -1):
        ways = np.int64(BINOMIAL[sizes[place], needs[place]])
        unrank(index % ways, needs[place], sizes[place], combinations[place])
        index //= ways
    of_board = np.zeros((board_picks.shape[0], 2), np.uint64)
    of_hole = np.zeros((hole_picks.shape[0], 2), np.uint64)
    scores = np.zeros(players, np.int64)
    low_hands = np.zeros(players if split else 0, np.int64)
    changed = 0
    for _ in range(deals):
        for place in range(changed, players + 1):
            for at in range(needs[place]):
                card = left[place, combinations[place, at]]
                if place == 0:
                    board[board_held + at] = card
                else:
                    holes[place - 1, held[place - 1] + at] = card
            at, into = 0, 0
            for item in range(sizes[place] if place < players else 0):
                if at < needs[place] and combinations[place, at] == item:
                    at += 1
                else:
                    left[place + 1, into] = left[place, item]
                    into += 1
        if changed == 0:
            sum_picks(board, board_picks, keys, bits, of_board)
        for player in range(max(0, changed - 1), players):
            if changed == 0 or needs[player + 1]:
                sum_picks(holes[player], hole_picks, keys, bits, of_hole)
                scores[player] = best_strength(
                    hole_picks, board_picks, of_hole, of_board, ranking, exactly
                )
                if split:
                    low_hands[player] = low_hand(holes[player], board, bits, lows)
        add_result(scores, low_hands, ranking, ranked, 1, shares, kinds)
        changed = players
        while changed >= 0 and not advance(combinations[changed], needs[changed], sizes[changed]):
            changed -= 1
        changed = max(changed, 0)
