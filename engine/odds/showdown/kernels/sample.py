"""Sampled hold'em: the commonest question that cannot be counted, dealt as fast as we can.

Random numbers are counted, not stepped: deal number i of a seed always gets the same cards, in
blocks of `BLOCK` deals that each start from a full deck in order. So any split of the blocks
over threads gives the same sums. Portable scalar code; `vector` has the other evaluator.
"""

from __future__ import annotations

import numpy as np
from numba.extending import register_jitable

from engine.odds.compiling import njit
from engine.odds.showdown.kernels.score import (
    FIVE_OF_A_SUIT,
    HALF,
    START,
    SUIT,
    dense_score,
    flush_suit,
)
from engine.odds.showdown.score_tables import (
    BASE,
    CARD_KEY,
    CATEGORY,
    DENSE,
    FLUSH,
    HIGH,
    HIGH_AT,
    LOW,
    LOW_AT,
)

TABLE_VERSION = "d3093f58f111"
BLOCK = 1024
CLASHES = 1000
U64 = np.uint64
STEP = np.uint64(0x9E3779B97F4A7C15)
BLOCK_STEP = np.uint64(0xD1342543DE82EF95)
MIX_ONE = np.uint64(0xBF58476D1CE4E5B9)
MIX_TWO = np.uint64(0x94D049BB133111EB)
WORD = np.uint64(0xFFFFFFFF)


@register_jitable
def mixed(counter):
    """splitmix64's output for a counter (S. Vigna's public domain constants)."""
    counter = (counter ^ (counter >> U64(30))) * MIX_ONE
    counter = (counter ^ (counter >> U64(27))) * MIX_TWO
    return counter ^ (counter >> U64(31))


@register_jitable
def block_start(seed, block):
    """Where the random counter of a block begins."""
    return mixed(seed + mixed((U64(block) + U64(1)) * BLOCK_STEP))


@njit(cache=True, nogil=True)
def sample_holdem(deck, known, missing, board, short, seed, first, deals, ranked, shares, kinds):
    """Deal `deals` times from block `first` on and add up who wins.

    `deck` (uint8) are the cards left; `known` (uint64) the hole cards each player has, `missing`
    (int64) how many more each gets, `board` (uint64) the public cards shown, of five. Adds to
    `shares` and, if `ranked`, to `kinds` as `count` does. High or `short` deck (its code), two
    hole cards, all usable. Each draw errs from uniform by less than 52 / 2**32.
    """
    players = known.shape[0]
    row = np.int64(short)
    base = U64(BASE[row, 7])
    fresh = np.zeros(8, np.uint64)
    words = np.zeros(8, np.uint64)
    fresh.view(np.uint8)[: deck.shape[0]] = deck
    cards = words.view(np.uint8)
    size = U64(deck.shape[0])
    board_key, board_mask = START, board
    unseen = U64(5)
    held = np.zeros(players, np.uint64)
    for card in range(52):
        if (board >> U64(card)) & U64(1):
            board_key += CARD_KEY[card]
            unseen -= U64(1)
        for player in range(players):
            if (known[player] >> U64(card)) & U64(1):
                held[player] += CARD_KEY[card]
    draws = unseen
    for player in range(players):
        draws += U64(missing[player])
    scores = np.zeros(players, np.int64)
    counter = U64(0)
    for deal in range(deals):
        if deal % BLOCK == 0:
            counter = block_start(seed, first + deal // BLOCK)
        for eight in range(U64(8)):
            words[eight] = fresh[eight]
        word = U64(0)
        for draw in range(draws):
            if draw & U64(1):
                word >>= U64(32)
            else:
                counter += STEP
                word = mixed(counter)
            pick = draw + (((word & WORD) * (size - draw)) >> U64(32))
            card = cards[pick]
            cards[pick] = cards[draw]
            cards[draw] = card
        key, mask = board_key, board_mask
        for draw in range(unseen):
            card = cards[draw]
            key += CARD_KEY[card]
            mask |= U64(1) << U64(card)
        at = unseen
        best, winner, winners = 0, 0, 0
        for player in range(players):
            hand, bits = key + held[player], mask | known[player]
            for _ in range(missing[player]):
                card = cards[at]
                hand += CARD_KEY[card]
                bits |= U64(1) << U64(card)
                at += U64(1)
            counters = hand & FIVE_OF_A_SUIT
            if counters:
                score = np.int64(FLUSH[row, (bits >> U64(13) * flush_suit(counters)) & SUIT])
            else:
                place = U64(LOW[LOW_AT[7] + (hand & HALF)])
                place += U64(HIGH[HIGH_AT[7] + ((hand >> U64(16)) & HALF)])
                score = np.int64(DENSE[base + place])
            scores[player] = score
            winners = 1 if score > best else winners + np.int64(score == best)
            winner = player if score > best else winner
            best = max(best, score)
        if winners == 1:
            shares[winner, 1] += 1
        else:
            for player in range(players):
                shares[player, winners] += np.int64(scores[player] == best)
        if ranked:
            for player in range(players):
                kinds[player, CATEGORY[row, scores[player]]] += 1


@njit(cache=True, nogil=True)
def sample_ranges(
    deck, hands, chances, starts, known, missing, board, short, seed, first, deals, ranked, shares,
    kinds,
):  # fmt: skip
    """Like `sample_holdem` where some players have ranges.

    `hands[starts[p]:starts[p + 1]]` (uint64, two columns) are the hands in player p's range as sets
    of cards and as keys, none for a player without one, who has `known` cards and gets `missing`.
    Ranges are drawn first, all anew if two hold the same card: so every set of different hands is
    as likely as its weights say. `chances` (uint64) has each hand's weight as a part of its range's
    highest in 32 bits, and is empty where all weigh the same; a hand is kept with that chance, else
    another is drawn. False, with nothing to rely on, if that takes over `CLASHES` tries a deal.

    The other cards are drawn from `deck`, again if they are held already. Every draw takes a step
    of the random counter: sharing one between two draws costs a branch that is often guessed wrong.
    """
    players = known.shape[0]
    row = np.int64(short)
    size = U64(deck.shape[0])
    board_key = START
    unseen = 5
    open_keys = np.zeros(players, np.uint64)
    for card in range(52):
        if (board >> U64(card)) & U64(1):
            board_key += CARD_KEY[card]
            unseen -= 1
        for player in range(players):
            if (known[player] >> U64(card)) & U64(1):
                open_keys[player] += CARD_KEY[card]
    begins = np.empty(players, np.uint64)
    sizes = np.empty(players, np.uint64)
    lacks = np.empty(players, np.int64)  # a player with a range lacks nothing
    for player in range(players):
        begins[player] = starts[player]
        sizes[player] = starts[player + 1] - starts[player]
        lacks[player] = 0 if sizes[player] else missing[player]
    weighed = chances.shape[0] > 0
    keys = open_keys.copy()
    bits = known.copy()
    scores = np.zeros(players, np.int64)
    counter = U64(0)
    tries = 0
    for deal in range(deals):
        if deal % BLOCK == 0:
            counter = block_start(seed, first + deal // BLOCK)
        taken = U64(0)
        clash = True
        while clash:
            if tries > CLASHES * (deals + 10):
                return False
            tries += 1
            taken = U64(0)
            clash = False
            for player in range(players):
                if sizes[player] == 0:
                    continue
                at = U64(0)
                while True:
                    counter += STEP
                    word = mixed(counter)
                    at = begins[player] + (((word & WORD) * sizes[player]) >> U64(32))
                    if not weighed or (word >> U64(32)) <= chances[at]:
                        break
                held = hands[at, U64(0)]
                if held & taken:
                    clash = True
                    break
                taken |= held
                bits[player] = held
                keys[player] = hands[at, U64(1)]
        key, mask = board_key, board
        for player in range(-1, players):
            hand, own = U64(0), U64(0)
            for _ in range(unseen if player < 0 else lacks[player]):
                card = U64(0)
                while True:
                    counter += STEP
                    card = U64(deck[((mixed(counter) & WORD) * size) >> U64(32)])
                    if not (taken >> card) & U64(1):
                        break
                taken |= U64(1) << card
                own |= U64(1) << card
                hand += CARD_KEY[card]
            if player < 0:
                key += hand
                mask |= own
            elif lacks[player]:
                keys[player] = open_keys[player] + hand
                bits[player] = known[player] | own
        best, winner, winners = 0, 0, 0
        for player in range(players):
            score = np.int64(dense_score(key + keys[player], mask | bits[player], 7, row))
            scores[player] = score
            winners = 1 if score > best else winners + np.int64(score == best)
            winner = player if score > best else winner
            best = max(best, score)
        if winners == 1:
            shares[winner, 1] += 1
        else:
            for player in range(players):
                shares[player, winners] += np.int64(scores[player] == best)
        if ranked:
            for player in range(players):
                kinds[player, CATEGORY[row, scores[player]]] += 1
    return True
