"""Sampled hold'em: the commonest question that cannot be counted, dealt as fast as we can.

A block of deals is drawn (`draw`), scored by tables or in lanes (`vector`), and counted. Both ways
to score give the same sums.
"""

from __future__ import annotations

import numpy as np

from engine.odds.compiling import njit
from engine.odds.showdown.kernels.draw import (
    BLOCK,
    CARDS,
    block_start,
    draw_hands,
    mixed,
    name_cards,
    pick_places,
    resolve,
    skip_hands,
)
from engine.odds.showdown.kernels.score import START, dense_score
from engine.odds.showdown.kernels.vector import score_lanes
from engine.odds.showdown.score_tables import CARD_KEY, CATEGORY

U32 = np.uint32
U64 = np.uint64
ONE = np.uint64(1)


@njit(cache=True, nogil=True)
def key_of(cards):
    """The key of a set of cards, without `START`."""
    key = U64(0)
    for card in range(52):
        if (cards >> U64(card)) & ONE:
            key += CARD_KEY[card]
    return key


@njit(cache=True, nogil=True)
def add_cards(places, first, last, hands):
    """Add to each lane's hand the cards of the draws from `first` to before `last`."""
    for draw in range(first, last):
        for lane in range(BLOCK):
            hands[lane] |= U64(ONE << U64(places[draw, lane]))


@njit(cache=True, nogil=True)
def add_keys(places, first, last, keys):
    """Add to each lane's key the cards of the draws from `first` to before `last`."""
    for draw in range(first, last):
        for lane in range(BLOCK):
            keys[lane] += CARD_KEY[places[draw, lane]]


@njit(cache=True, nogil=True)
def sample_holdem(
    deck, absent, known, missing, seats, ranges, board, short, lanes, seed, first, deals, ranked,
    shares, kinds,
):  # fmt: skip
    """Deal `deals` times from block `first` on and add up who wins.

    `deck` (uint8) are the cards left, in order, `absent` the others of the 52; `known` (uint64) the
    hole cards each player has, `missing` (int64) how many more each gets, `board` (uint64) the
    public cards shown, of five. `seats` (int64) says which of the ranges a player has, or -1. The
    hands of range r are those from place `starts[r]` to `starts[r + 1]` in `ranges` = (`starts`,
    int64; the hands, uint64: the set of cards and from bit 52 and 58 on their places in `deck`;
    whether all of a range weigh the same; Walker's chances in 32 bits and the other hands' places,
    uint64). A player with a range lacks nothing.

    Adds to `shares` and, if `ranked`, to `kinds` as `count` does. High or `short` deck (its code),
    two hole cards, all usable; `lanes`, for the high ranking alone, scores in lanes.
    """
    players = known.shape[0]
    parts = ranges[0].shape[0] - 1
    row = np.int64(short)
    unseen = 5
    for card in range(52):
        unseen -= np.int64((board >> U64(card)) & ONE)
    draws = unseen + missing.sum()
    left = deck.shape[0] - 2 * parts
    deck_keys = np.zeros(64, np.uint64)
    for at in range(deck.shape[0]):
        deck_keys[at] = CARD_KEY[deck[at]]
    picks = np.empty((draws + draws % 2, BLOCK), np.uint8)
    moved, places = np.empty((draws, BLOCK), np.uint8), np.empty((draws, BLOCK), np.uint8)
    gone, largest = np.empty((2 * parts, BLOCK), np.uint8), np.empty(BLOCK, np.uint8)
    held, tried = np.empty((parts, BLOCK), np.uint64), np.empty((parts, BLOCK), np.uint64)
    todo = np.empty(BLOCK, np.uint64)
    boards, hands = np.empty(BLOCK, np.uint64), np.empty(BLOCK, np.uint64)
    board_keys, keys = np.empty(BLOCK, np.uint64), np.empty(BLOCK, np.uint64)
    lows, highs = np.empty(BLOCK, np.uint32), np.empty(BLOCK, np.uint32)
    scores = np.empty((players, BLOCK), np.uint32)
    best, winners = np.empty(BLOCK, np.uint32), np.empty(BLOCK, np.uint32)
    for deal in range(0, deals, BLOCK):
        start = block_start(seed, first + deal // BLOCK)
        if parts:
            draw_hands(start, ranges, keys, boards, hands, todo, tried, held)
            start = mixed(start)  # the other cards have numbers of their own
        pick_places(start, left, picks)
        resolve(picks, moved, places)
        if parts:
            skip_hands(held, gone, largest, places)
        name_cards(absent, places)
        boards[:] = board
        add_cards(places, 0, unseen, boards)
        if not lanes:
            board_keys[:] = START + key_of(board)
            add_keys(places, 0, unseen, board_keys)
        best[:] = U32(0)
        at = unseen
        for player in range(players):
            part, drawn = seats[player], at + missing[player]
            if part >= 0:
                for lane in range(BLOCK):
                    hands[lane] = boards[lane] | U64(held[part, lane] & CARDS)
            else:
                for lane in range(BLOCK):
                    hands[lane] = boards[lane] | known[player]
                add_cards(places, at, drawn, hands)
            if lanes:
                score_lanes(hands, lows, highs, player, scores, best)
            else:
                if part >= 0:
                    for lane in range(BLOCK):
                        hand = held[part, lane] >> U64(52)
                        key = board_keys[lane] + deck_keys[hand & U64(63)]
                        keys[lane] = key + deck_keys[hand >> U64(6)]
                else:
                    own = key_of(known[player])
                    for lane in range(BLOCK):
                        keys[lane] = board_keys[lane] + own
                    add_keys(places, at, drawn, keys)
                for lane in range(BLOCK):
                    score = U32(dense_score(keys[lane], hands[lane], 7, row))
                    scores[player, lane] = score
                    best[lane] = max(score, best[lane])
            at = drawn
        number = min(BLOCK, deals - deal)
        count_winners(scores, best, number, winners, shares)
        if ranked:
            count_kinds(scores, number, lanes, row, kinds)


@njit(cache=True, nogil=True)
def count_winners(scores, best, number, winners, shares):
    """Add the first `number` lanes to `shares`: each player's by among how many they win."""
    for lane in range(number):
        winners[lane] = U32(0)
    for player in range(scores.shape[0]):
        for lane in range(number):
            winners[lane] = U32(winners[lane] + U32(scores[player, lane] == best[lane]))
    for player in range(scores.shape[0]):
        for among in range(1, scores.shape[0] + 1):
            wanted, total = U32(among), U32(0)
            for lane in range(number):
                wins = U32(scores[player, lane] == best[lane])
                total = U32(total + U32(wins & U32(winners[lane] == wanted)))
            shares[player, among] += total


@njit(cache=True, nogil=True)
def count_kinds(scores, number, lanes, row, kinds):
    """Add the first `number` lanes to `kinds`: which hand each player has."""
    for player in range(scores.shape[0]):
        if lanes:
            for lane in range(number):
                kinds[player, scores[player, lane] >> U32(26)] += 1
        else:
            for lane in range(number):
                kinds[player, CATEGORY[row, scores[player, lane]]] += 1
