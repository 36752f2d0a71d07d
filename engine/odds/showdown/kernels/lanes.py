"""Sample deals of games in which a hand uses all its cards, and of games like Omaha.

Every step is done for a block of deals before the next step, see `kernels.sample`. `kernels.deal`
samples what is not supported here: other limits on the cards used, deals of different weights, two
boards, and side pots.
"""

from __future__ import annotations

import numpy as np

from engine.odds.compiling import njit
from engine.odds.showdown.kernel_codes import BLOCK, DENSE, TWO_THREE, WHOLE
from engine.odds.showdown.kernels.deal import LOW_RAW, add_result
from engine.odds.showdown.kernels.omaha import (
    BOARDS,
    PAIRS,
    fill_best,
    place_boards,
    score_two_three,
)
from engine.odds.showdown.kernels.sample import (
    block_start,
    draw_hands,
    mix,
    name_cards,
    pick_places,
    resolve,
    skip_hands,
)
from engine.odds.showdown.kernels.score import FIRST_LOW, START, dense_score, low_ranks, strength
from engine.odds.showdown.score_tables import CATEGORY

U8 = np.uint8
U32 = np.uint32
U64 = np.uint64
ONE = np.uint64(1)


@njit()
def key_of(cards, keys):
    """Return the evaluator's key for a set of cards, without `START`."""
    key = U64(0)
    for card in range(64):
        if (cards >> U64(card)) & ONE:
            key += keys[card]
    return key


@njit()
def add_cards(places, first, last, hands):
    """Add each lane's cards in the draws `first` to `last - 1` to the lane's hand."""
    for draw in range(first, last):
        for lane in range(BLOCK):
            hands[lane] |= U64(ONE << U64(places[draw, lane]))


@njit()
def add_keys(places, first, last, keys, totals):
    """For the draws `first` to `last - 1`, add the drawn card's key to each lane's total."""
    for draw in range(first, last):
        for lane in range(BLOCK):
            totals[lane] += keys[places[draw, lane]]


@njit()
def add_range_hands(held, combos, spots, size, deck_keys, hands, totals):
    """Add the hands that were drawn from a range to each lane's hand and key.

    `held` are the hands' indexes in `combos` and `spots`, `size` is how many cards a hand has.
    """
    for lane in range(BLOCK):
        hands[lane] |= combos[held[lane]]
    for card in range(size):
        shift = U64(6 * card)
        for lane in range(BLOCK):
            totals[lane] += deck_keys[spots[held[lane]] >> shift & U64(63)]


@njit()
def fill_ranks(known, places, first, last, ranks):
    """Fill `ranks` (cards, lanes) with the ranks of the known cards and of some draws."""
    row = 0
    for card in range(52):
        if (known >> U64(card)) & ONE:
            ranks[row] = card % 13
            row += 1
    for draw in range(first, last):
        for lane in range(BLOCK):
            ranks[row, lane] = U8(places[draw, lane] % U8(13))
        row += 1


@njit()
def fill_range_ranks(held, spots, deck, ranks):
    """Fill `ranks` (cards, lanes) with the ranks of the hands that were drawn from a range."""
    for card in range(ranks.shape[0]):
        shift = U64(6 * card)
        for lane in range(BLOCK):
            ranks[card, lane] = U8(deck[spots[held[lane]] >> shift & U64(63)] % U8(13))


@njit(cache=True, nogil=True)
def sample_in_lanes(
    deck, absent, keys, natural, known, missing, seats, ranges, board, game, lows, seed, first,
    deals, ranked, shares, kinds,
):  # fmt: skip
    """Deal `deals` times, beginning with block `first`, and add up who wins.

    `deck` (uint8) are the cards left, in order; `absent` are all other cards below its last.
    `keys` (uint64) has what each of the 64 cards adds to a hand's key, and `natural` has the cards
    that aren't wild, as bits. `known` (uint64) are each player's known hole cards. `missing`
    (int64) is how many more each player gets: 0 for a player with a range. `board` (uint64) are
    the public cards dealt so far. `seats` (int64) is each player's place in the order in which
    players draw from ranges, or -1 without a range.

    `ranges` are seven arrays. The first has the seats with ranges, in the order in which they
    draw. The next three have, by seat, the index of a range's first hand, its number of hands,
    and the way of drawing. The fifth has the hands' cards (uint64), the sixth their cards' places
    in `deck`, with six bits each, lowest first. The last has the running sums of a range's weights
    (uint64).

    `game` are the way of scoring hands (`DENSE`, `WHOLE` or `TWO_THREE`), the code of the ranking,
    the numbers of hole cards and of public cards, and how many public cards are still to come.
    `lows` is an `evaluator.low_table`, empty if the pot is not split. Adds to `shares` and, if
    `ranked`, to `kinds`, like `deal.add_result`.
    """
    way, ranking, private, public, unseen = game
    players = known.shape[0]
    parts = ranges[0].shape[0]
    combos, spots = ranges[4], ranges[5]
    cards, row = private + public, np.int64(ranking)
    split = lows.shape[0] > 0
    draws = unseen + missing.sum()
    left = deck.shape[0] - private * parts
    deck_keys = np.zeros(64, np.uint64)
    for at in range(deck.shape[0]):
        deck_keys[at] = keys[deck[at]]
    picks = np.empty((draws + draws % 2, BLOCK), np.uint8)
    moved, places = np.empty((draws, BLOCK), np.uint8), np.empty((draws, BLOCK), np.uint8)
    gone, largest = np.empty((private * parts, BLOCK), np.uint8), np.empty(BLOCK, np.uint8)
    held, tried = np.empty((parts, BLOCK), np.uint64), np.empty((parts, BLOCK), np.uint64)
    todo = np.empty(BLOCK, np.uint64)
    boards, hands = np.empty(BLOCK, np.uint64), np.empty(BLOCK, np.uint64)
    board_keys, totals = np.empty(BLOCK, np.uint64), np.empty(BLOCK, np.uint64)
    scores = np.empty((players, BLOCK), np.uint32)
    best, winners = np.empty(BLOCK, np.uint32), np.empty(BLOCK, np.uint32)
    board_rows = np.empty(BLOCK, np.uint32)
    low_hands = np.empty((players if split else 0, BLOCK), np.int64)
    picked = way == TWO_THREE
    ranks = np.empty((private, BLOCK), np.uint8)
    pairs = np.empty((private * (private - 1) // 2, BLOCK), np.uint8)
    table = np.empty((BOARDS if picked else 0, PAIRS), np.uint16)
    if picked:
        fill_best(ranking, table)
    for deal in range(0, deals, BLOCK):
        start = block_start(seed, first + deal // BLOCK)
        if parts:
            draw_hands(start, ranges, totals, boards, hands, todo, tried, held)
            start = mix(start)  # the other cards use different random numbers
        pick_places(start, left, picks)
        resolve(picks, moved, places)
        if parts:
            skip_hands(held, spots, gone, largest, places)
        name_cards(absent, places)
        boards[:] = board
        add_cards(places, 0, unseen, boards)
        board_keys[:] = START + key_of(board, keys)
        add_keys(places, 0, unseen, keys, board_keys)
        if picked:
            place_boards(board_keys, board_rows)
        best[:] = U32(0)
        at = unseen
        for player in range(players):
            part, drawn = seats[player], at + missing[player]
            hands[:] = boards
            if part >= 0:
                totals[:] = board_keys
                add_range_hands(held[part], combos, spots, private, deck_keys, hands, totals)
            else:
                for lane in range(BLOCK):
                    hands[lane] |= known[player]
                totals[:] = board_keys + key_of(known[player], keys)
                add_cards(places, at, drawn, hands)
                add_keys(places, at, drawn, keys, totals)
            if split:
                for lane in range(BLOCK):
                    hole = low_ranks(hands[lane] ^ boards[lane])
                    low_hands[player, lane] = lows[hole << U64(8) | low_ranks(boards[lane])]
            if picked:
                if part >= 0:
                    fill_range_ranks(held[part], spots, deck, ranks)
                else:
                    fill_ranks(known[player], places, at, drawn, ranks)
                score_two_three(
                    ranks, hands, boards, board_keys, board_rows, row, table, pairs, scores[player]
                )
            elif way == DENSE:
                for lane in range(BLOCK):
                    scores[player, lane] = dense_score(totals[lane], hands[lane], cards, row)
            else:
                for lane in range(BLOCK):
                    mask = hands[lane] & natural
                    scores[player, lane] = strength(totals[lane], mask, cards, ranking)
            for lane in range(BLOCK):
                best[lane] = max(scores[player, lane], best[lane])
            at = drawn
        number = min(BLOCK, deals - deal)
        if split:
            split_pots(scores, low_hands, number, shares, kinds)
        else:
            count_winners(scores, best, number, winners, shares)
        if ranked and way == WHOLE:
            count_raw_kinds(scores, number, ranking, kinds)
        elif ranked:
            count_kinds(scores, number, row, kinds)


@njit()
def split_pots(scores, lows, number, shares, kinds):
    """Add the winners of both halves of the first `number` deals to `shares`."""
    deal_scores = np.empty(scores.shape[0], np.int64)
    deal_lows = np.empty(scores.shape[0], np.int64)
    for lane in range(number):
        for player in range(scores.shape[0]):
            deal_scores[player] = scores[player, lane]
            deal_lows[player] = lows[player, lane]
        add_result(deal_scores, deal_lows, 0, False, 1, shares, kinds)


@njit()
def count_winners(scores, best, number, winners, shares):
    """Add to `shares[player, n]` how many of the first `number` deals they win as one of n."""
    for lane in range(number):
        winners[lane] = U32(0)
    for player in range(scores.shape[0]):
        for lane in range(number):
            winners[lane] = U32(winners[lane] + U32(scores[player, lane] == best[lane]))
    for player in range(scores.shape[0]):
        for among in range(1, scores.shape[0] + 1):
            sharing, total = U32(among), U32(0)
            for lane in range(number):
                wins = U32(scores[player, lane] == best[lane])
                total = U32(total + U32(wins & U32(winners[lane] == sharing)))
            shares[player, among] += total


@njit()
def count_kinds(scores, number, row, kinds):
    """Count in `kinds` each player's kind of hand in the first `number` lanes of `scores`."""
    for player in range(scores.shape[0]):
        for lane in range(number):
            kinds[player, CATEGORY[row, scores[player, lane]]] += 1


@njit()
def count_raw_kinds(scores, number, ranking, kinds):
    """Count kinds of hands like `count_kinds`; the scores are what `strength` returns."""
    for player in range(scores.shape[0]):
        for lane in range(number):
            score = np.int64(scores[player, lane])
            kinds[player, (LOW_RAW - score if ranking >= FIRST_LOW else score) >> 20] += 1
