"""The compiled loop of `omaha_order`: all hands of four cards on one board."""

from __future__ import annotations

import numpy as np

from engine.odds.compiling import njit
from engine.odds.showdown.kernel_codes import CARD_KEY
from engine.odds.showdown.kernels.score import START, dense_score

U64 = np.uint64
HANDS = 178_365  # of the 47 cards that a board leaves
OPPONENTS = 123_410  # of the 43 that a hand leaves then
SCORES = 7_463


@njit(cache=True)
def add_board(board, weight, starts, class_of, points, deals):
    """Add each hand's score on `board` to the hand's class in `points`.

    A hand scores 2 for each opponent it beats and 1 for each tie; `deals` gets the number of
    opponents. Both are multiplied by `weight`, the number of boards equivalent to `board`. `starts`
    numbers the hands (`omaha_order.numbering`), and `class_of` has the class of each hand.
    """
    cards = np.empty(47, np.int64)
    community = np.empty(5, np.int64)
    size, dealt = 0, 0
    for card in range(52):
        if (board >> U64(card)) & U64(1):
            community[dealt] = card
            dealt += 1
        else:
            cards[size] = card
            size += 1
    pair = np.zeros((47, 47), np.int64)
    for i in range(47):
        for j in range(i + 1, 47):
            key = START + CARD_KEY[cards[i]] + CARD_KEY[cards[j]]
            mask = U64(1) << U64(cards[i]) | U64(1) << U64(cards[j])
            best = 0
            for a in range(5):
                for b in range(a + 1, 5):
                    for c in range(b + 1, 5):
                        full = (
                            key
                            + CARD_KEY[community[a]]
                            + CARD_KEY[community[b]]
                            + CARD_KEY[community[c]]
                        )
                        bits = mask | U64(1) << U64(community[a])
                        bits |= U64(1) << U64(community[b])
                        bits |= U64(1) << U64(community[c])
                        best = max(best, np.int64(dense_score(full, bits, 5, 0)))
            pair[i, j] = best
            pair[j, i] = best
    total = HANDS
    strength = np.empty(total, np.int32)
    packed = np.empty(total, np.uint32)
    buckets = np.zeros(SCORES + 1, np.int64)
    at = 0
    for a in range(47):
        for b in range(a + 1, 47):
            ab = pair[a, b]
            for c in range(b + 1, 47):
                abc = max(ab, max(pair[a, c], pair[b, c]))
                for d in range(c + 1, 47):
                    score = max(max(abc, pair[a, d]), max(pair[b, d], pair[c, d]))
                    strength[at] = score
                    packed[at] = np.uint32(a | b << 8 | c << 16 | d << 24)
                    buckets[score + 1] += 1
                    at += 1
    for score in range(1, SCORES + 1):
        buckets[score] += buckets[score - 1]
    place = buckets.copy()
    order = np.empty(total, np.int32)
    for hand in range(total):
        order[place[strength[hand]]] = hand
        place[strength[hand]] += 1
    single = np.zeros(47, np.int64)
    two = np.zeros((47, 47), np.int32)
    three = np.zeros((47, 47, 47), np.int32)
    less = np.empty(total, np.int64)
    for score in range(SCORES):
        first, last = buckets[score], buckets[score + 1]
        for step in range(2):
            for row in range(first, last):
                hand = packed[order[row]]
                a, b = np.int64(hand & 255), np.int64(hand >> 8 & 255)
                c, d = np.int64(hand >> 16 & 255), np.int64(hand >> 24)
                apart = first if step == 0 else last
                apart -= single[a] + single[b] + single[c] + single[d]
                apart += two[a, b] + two[a, c] + two[a, d] + two[b, c] + two[b, d] + two[c, d]
                apart -= three[a, b, c] + three[a, b, d] + three[a, c, d] + three[b, c, d]
                apart += step  # itself, which shares all four
                if step == 0:
                    less[row] = apart
                else:
                    number = starts[0, cards[a]] + starts[1, cards[b]]
                    number += starts[2, cards[c]] + starts[3, cards[d]]
                    points[class_of[number]] += weight * (less[row] + apart)
                    deals[class_of[number]] += weight * OPPONENTS
            if step == 0:
                for row in range(first, last):
                    hand = packed[order[row]]
                    a, b = np.int64(hand & 255), np.int64(hand >> 8 & 255)
                    c, d = np.int64(hand >> 16 & 255), np.int64(hand >> 24)
                    single[a] += 1
                    single[b] += 1
                    single[c] += 1
                    single[d] += 1
                    two[a, b] += 1
                    two[a, c] += 1
                    two[a, d] += 1
                    two[b, c] += 1
                    two[b, d] += 1
                    two[c, d] += 1
                    three[a, b, c] += 1
                    three[a, b, d] += 1
                    three[a, c, d] += 1
                    three[b, c, d] += 1
