"""Sampled hold'em: the commonest question that cannot be counted, dealt as fast as we can.

A block of deals is drawn (`draw`), scored by tables or in lanes (`vector`), and counted. Both ways
to score give the same sums.
"""

from __future__ import annotations

import numpy as np

from engine.odds.compiling import njit
from engine.odds.showdown.kernels.draw import (
    BLOCK,
    block_start,
    draw_hands,
    mixed,
    pick_places,
    resolve,
    skip_hands,
)
from engine.odds.showdown.kernels.score import START, dense_score
from engine.odds.showdown.kernels.vector import count_best, raise_best, score_lanes, won_among
from engine.odds.showdown.score_tables import CARD_KEY, CATEGORY

TABLE_VERSION = "259fd0d766de"
U32 = np.uint32
U64 = np.uint64


@njit(cache=True, nogil=True)
def add_cards(places, parts, hands):
    """Add what the card at each lane's place stands for to the lane's hand: its bit or its key."""
    for lane in range(hands.shape[0]):
        hands[lane] += parts[places[lane]]


@njit(cache=True, nogil=True)
def take_hands(kept, parts, hands):
    """Give each lane the hand that was drawn for it: its cards or its key."""
    for lane in range(hands.shape[0]):
        hands[lane] = parts[kept[lane]]


@njit(cache=True, nogil=True)
def score_by_table(hands, boards, keys, board_keys, row, scores):
    """The score of every lane's hole cards and board, whose keys are given too."""
    for lane in range(scores.shape[0]):
        key = U64(keys[lane] + board_keys[lane])
        scores[lane] = U32(dense_score(key, U64(hands[lane] | boards[lane]), 7, row))


@njit(cache=True, nogil=True)
def key_of(cards):
    """The key of a set of cards, without `START`."""
    key = U64(0)
    for card in range(52):
        if (cards >> U64(card)) & U64(1):
            key += CARD_KEY[card]
    return key


@njit(cache=True, nogil=True)
def sample_holdem(
    deck, known, missing, seats, ranges, board, short, lanes, seed, first, deals, ranked, shares,
    kinds,
):  # fmt: skip
    """Deal `deals` times from block `first` on and add up who wins.

    `deck` (uint8) are the cards left, in order; `known` (uint64) the hole cards each player has,
    `missing` (int64) how many more each gets, `board` (uint64) the public cards shown, of five.
    `seats` (int64) says which of the ranges a player has, or -1. The hands of range r are those
    from place `starts[r]` to `starts[r + 1]` in `ranges` = (`starts`, int64; the hands as sets of
    cards and as keys, uint64; their two cards' places in `deck`, uint8; Walker's chances in 32 bits
    and the other hands' places, uint64). A player with a range lacks nothing.

    Adds to `shares` and, if `ranked`, to `kinds` as `count` does. High or `short` deck (its code),
    two hole cards, all usable; `lanes`, for the high ranking alone, scores in lanes. False, with
    nothing to rely on, if the ranges hardly ever leave a hand for everybody.
    """
    players = known.shape[0]
    parts = ranges[0].shape[0] - 1
    row = np.int64(short)
    unseen = 5
    for card in range(52):
        unseen -= np.int64((board >> U64(card)) & U64(1))
    draws = unseen + missing.sum()
    left = deck.shape[0] - 2 * parts
    deck_bits, deck_keys = np.zeros(64, np.uint64), np.zeros(64, np.uint64)
    for at in range(deck.shape[0]):
        deck_bits[at] = U64(1) << U64(deck[at])
        deck_keys[at] = CARD_KEY[deck[at]]
    picks = np.empty((draws, BLOCK), np.uint8)
    moved = np.empty((draws, BLOCK), np.uint8)
    places = np.empty((draws, BLOCK), np.uint8)
    gone = np.empty((2 * parts, BLOCK), np.uint8)
    tried = np.empty((parts, BLOCK), np.uint32)
    kept = np.empty((parts, 2 * BLOCK), np.uint32)
    fits = np.empty(BLOCK, np.uint8)
    boards, hands = np.empty(BLOCK, np.uint64), np.empty(BLOCK, np.uint64)
    board_keys, keys = np.empty(BLOCK, np.uint64), np.empty(BLOCK, np.uint64)
    scores = np.empty((players, BLOCK), np.uint32)
    best, winners = np.empty(BLOCK, np.uint32), np.empty(BLOCK, np.uint32)
    for deal in range(0, deals, BLOCK):
        start = block_start(seed, first + deal // BLOCK)
        if parts:
            if not draw_hands(start, ranges, tried, boards, fits, kept):
                return False
            start = mixed(start)  # the other cards have numbers of their own
        pick_places(start, 0, draws, left, picks)
        resolve(picks, moved, places)
        if parts:
            skip_hands(kept, ranges, gone, places)
        boards[:] = board
        board_keys[:] = START + key_of(board)
        for draw in range(unseen):
            add_cards(places[draw], deck_bits, boards)
            if not lanes:
                add_cards(places[draw], deck_keys, board_keys)
        at = unseen
        best[:] = U32(0)
        for player in range(players):
            part = seats[player]
            if part >= 0:
                take_hands(kept[part], ranges[1], hands)
                if not lanes:
                    take_hands(kept[part], ranges[2], keys)
            else:
                hands[:] = known[player]
                keys[:] = key_of(known[player])
                for _ in range(missing[player]):
                    add_cards(places[at], deck_bits, hands)
                    if not lanes:
                        add_cards(places[at], deck_keys, keys)
                    at += 1
            if lanes:
                score_lanes(hands, boards, scores[player])
            else:
                score_by_table(hands, boards, keys, board_keys, row, scores[player])
            raise_best(scores[player], best)
        number = min(BLOCK, deals - deal)
        add_up(
            scores[:, :number], best[:number], winners[:number], lanes, row, ranked, shares, kinds
        )
    return True


@njit(cache=True, nogil=True)
def add_up(scores, best, winners, lanes, row, ranked, shares, kinds):
    """Add a block's deals to `shares` and, if `ranked`, to `kinds`."""
    players = scores.shape[0]
    winners[:] = U32(0)
    for player in range(players):
        count_best(scores[player], best, winners)
    for player in range(players):
        for number in range(1, players + 1):
            shares[player, number] += won_among(scores[player], best, winners, U32(number))
        if ranked:
            for lane in range(best.shape[0]):
                score = scores[player, lane]
                kind = np.int64(score >> U32(26)) if lanes else np.int64(CATEGORY[row, score])
                kinds[player, kind] += 1
