"""Compiled scoring: the table evaluator, and `scoring`'s functions for hands without a table."""

from __future__ import annotations

import numpy as np
from numba.extending import register_jitable

from engine.odds.compiling import njit
from engine.odds.showdown import scoring
from engine.odds.showdown.kernel_codes import CARD_KEY, WILD_KEY
from engine.odds.showdown.ranking import LOW_TOP
from engine.odds.showdown.score_tables import (
    BASE,
    BYTE_KEY,
    DENSE,
    FLUSH,
    HIGH,
    HIGH_AT,
    LOW,
    LOW_AT,
    RAW_TABLE,
)

for _plain in (
    scoring.bit_total,
    scoring.top_rank,
    scoring.at_least,
    scoring.held,
    scoring.highest,
    scoring.sequence,
    scoring.straight,
    scoring.fill_high,
    scoring.best_flush,
    scoring.few_alike,
    scoring.high,
    scoring.ace_low,
    scoring.lowest_missing,
    scoring.lowest,
    scoring.bit_nibble,
    scoring.lowest_five,
    scoring.ace_five,
    scoring.deuce_seven,
    scoring.badugi,
):
    register_jitable(_plain)

U64 = np.uint64
FIVE_OF_A_SUIT = np.uint64(0x8888 << 32)
START = np.uint64(0x3333 << 32)
FIRST_LOW = 3  # from this ranking code on, the lowest raw score wins
HALF = np.uint64(0xFFFF)
SUIT = np.uint64(0x1FFF)
NO_CARD = np.uint64(WILD_KEY)
CARD_BITS = np.uint8(63)
LAST_CARD = np.uint64(1 << 16)  # index after all pairs of bytes
BLOCK = 2048


@register_jitable
def flush_suit(counters):
    """Return the suit whose counter has its top bit set; `counters` is `key & FIVE_OF_A_SUIT`."""
    at = counters >> U64(35)
    return (at >> U64(4) & U64(1)) + (at >> U64(8) & U64(1)) * U64(2) + (at >> U64(12)) * U64(3)


@register_jitable
def low_ranks(mask):
    """Return the ranks from ace to eight held in any suit, as 8 bits with the ace lowest."""
    ranks = (mask | mask >> U64(13) | mask >> U64(26) | mask >> U64(39)) & SUIT
    return (ranks << U64(1) | ranks >> U64(12)) & U64(0xFF)


@register_jitable
def dense_score(key, mask, cards, short):
    """Return the dense score of 5 to 7 natural cards. `key` includes `START`; `mask` has the bits.

    `cards` is the number of cards, `short` the code of the ranking: high or short deck.
    """
    counters = key & FIVE_OF_A_SUIT
    if counters:
        return U64(FLUSH[short, (mask >> U64(13) * flush_suit(counters)) & SUIT])
    place = U64(LOW[LOW_AT[cards] + (key & HALF)])
    place += U64(HIGH[HIGH_AT[cards] + ((key >> U64(16)) & HALF)])
    return U64(DENSE[U64(BASE[short, cards]) + place])


@register_jitable
def strength(key, mask, cards, ranking):
    """Return the strength of a hand of `cards` cards; the highest wins, in lowball too.

    `ranking` is a `Ranking.code`. `WORST` and `DEUCE_SEVEN` need exactly five cards, `ACE_FIVE` at
    least five. Wild cards are counted in the key, not in the mask.
    """
    wilds = np.int64(key >> U64(56))
    if ranking < FIRST_LOW and wilds == 0 and 5 <= cards <= 7:
        return np.int64(RAW_TABLE[ranking, dense_score(key, mask, cards, ranking)])
    clubs = np.int64(mask & SUIT)
    diamonds = np.int64(mask >> U64(13) & SUIT)
    hearts = np.int64(mask >> U64(26) & SUIT)
    spades = np.int64(mask >> U64(39) & SUIT)
    if ranking < FIRST_LOW:
        return np.int64(scoring.high(clubs, diamonds, hearts, spades, wilds, ranking))
    if ranking == 4:
        return LOW_TOP - scoring.ace_five(clubs, diamonds, hearts, spades, wilds)
    if ranking == 5:
        return LOW_TOP - scoring.deuce_seven(clubs, diamonds, hearts, spades, wilds)
    if ranking == 6:
        return LOW_TOP - scoring.badugi(clubs, diamonds, hearts, spades)
    if wilds == 0:
        return LOW_TOP - np.int64(RAW_TABLE[0, dense_score(key, mask, 5, 0)])
    return LOW_TOP - scoring.high(clubs, diamonds, hearts, spades, wilds, 0)


@njit(cache=True, nogil=True)
def score_rows(hands, short, scores):
    """Fill `scores` (uint16) with the dense scores of the rows of `hands` (uint8 card numbers).

    Returns whether all numbers are natural cards; if not, the scores are unusable.
    """
    cards = hands.shape[1]
    row = np.int64(short)
    odd = U64(0)
    for hand in range(U64(hands.shape[0])):
        key = START
        mask = U64(0)
        for place in range(U64(cards)):
            card = hands[hand, place]
            key += BYTE_KEY[card]
            mask |= U64(1) << U64(card & CARD_BITS)
        odd |= key
        scores[hand] = dense_score(key, mask, cards, row)
    return odd < NO_CARD


@njit(cache=True, nogil=True)
def score_sevens(hands, rows, pairs, short, scores):
    """Fill `scores` and return a bool like `score_rows`, for hands of seven cards.

    `rows` are the hands as `SEVEN`s, `pairs` is `pair_keys()`. Each block of hands goes through
    three loops. The first computes keys and lists the flushes. The second scores all hands as
    if there were no flushes. The third scores the flushes.

    In a single loop, the branch for flushes cost a fifth of the time or more. One hand in 33
    takes that branch. The processor can't predict it, and notices its error only after look-ups
    that miss the first cache. Each of the three loops also has the first cache for its own
    tables.
    """
    row = np.int64(short)
    base = U64(BASE[row, 7])
    count = U64(rows.shape[0])
    keys = np.empty(BLOCK, np.uint64)
    suited = np.empty(BLOCK, np.uint16)
    odd = U64(0)
    for start in range(U64(0), count, U64(BLOCK)):
        size = min(U64(BLOCK), count - start)
        flushes = U64(0)
        for place in range(size):
            hand = rows[start + place]
            key = pairs[U64(hand["first"])]["key"] + pairs[U64(hand["second"])]["key"]
            key += pairs[U64(hand["third"])]["key"] + pairs[LAST_CARD + U64(hand["last"])]["key"]
            odd |= key
            keys[place] = key
            suited[flushes] = place
            flushes += U64(key & FIVE_OF_A_SUIT != U64(0))
        for place in range(size):
            key = keys[place]
            at = U64(LOW[LOW_AT[7] + (key & HALF)])
            at += U64(HIGH[HIGH_AT[7] + ((key >> U64(16)) & HALF)])
            scores[start + place] = DENSE[base + at]
        for number in range(flushes):
            place = U64(suited[number])
            mask = U64(0)
            for card in range(U64(7)):
                mask |= U64(1) << U64(hands[start + place, card] & CARD_BITS)
            suit = flush_suit(keys[place] & FIVE_OF_A_SUIT)
            scores[start + place] = FLUSH[row, (mask >> U64(13) * suit) & SUIT]
    return odd < NO_CARD


@njit(cache=True, nogil=True)
def count_sevens(deck, first, second, short, totals):
    """Add to `totals` (by dense score, int64) the 7-card hands that begin with two given cards.

    `deck` (uint8) holds different natural cards; `first` < `second` are the places in `deck` of
    a hand's first two cards. The innermost loop has no branch if the first six cards rule out a
    flush.
    """
    size = U64(deck.shape[0])
    keys = np.empty(52, np.uint64)
    bits = np.empty(52, np.uint64)
    for place in range(deck.shape[0]):
        keys[place] = CARD_KEY[deck[place]]
        bits[place] = U64(1) << U64(deck[place])
    step = U64(1)
    row = np.int64(short)
    base = U64(BASE[row, 7])
    four_of_a_suit = U64(0x1111 << 32)
    key2, mask2 = START + keys[first] + keys[second], bits[first] | bits[second]
    for third in range(U64(second) + step, size):
        key3, mask3 = key2 + keys[third], mask2 | bits[third]
        for fourth in range(third + step, size):
            key4, mask4 = key3 + keys[fourth], mask3 | bits[fourth]
            for fifth in range(fourth + step, size):
                key5, mask5 = key4 + keys[fifth], mask4 | bits[fifth]
                for sixth in range(fifth + step, size):
                    key6, mask6 = key5 + keys[sixth], mask5 | bits[sixth]
                    if (key6 + four_of_a_suit) & FIVE_OF_A_SUIT:
                        for last in range(sixth + step, size):
                            totals[dense_score(key6 + keys[last], mask6 | bits[last], 7, row)] += 1
                    else:
                        for last in range(sixth + step, size):
                            key = key6 + keys[last]
                            place = U64(LOW[LOW_AT[7] + (key & HALF)])
                            place += U64(HIGH[HIGH_AT[7] + ((key >> U64(16)) & HALF)])
                            totals[DENSE[base + place]] += 1
