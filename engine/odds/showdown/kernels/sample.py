"""A fast sampler for hold'em, the most frequent game in questions that are too large to count.

Deals are drawn, scored and counted in blocks of `BLOCK` deals. Random numbers are functions
of a counter: deal number i of a seed always gets the same cards. So any split of the blocks
over threads gives the same sums. A lane is a deal's index in its block. Every step of the
drawing is a plain loop over the lanes without branches, which the compiler turns into
vector instructions. The exception is a hand from a range with weights: it is found by a
search in the running sums.
"""

from __future__ import annotations

import numpy as np
from numba.extending import register_jitable

from engine.odds.compiling import njit
from engine.odds.showdown import kernel_codes
from engine.odds.showdown.kernel_codes import ALIKE, BLOCK, STEP
from engine.odds.showdown.kernels.score import START, dense_score
from engine.odds.showdown.score_tables import CARD_KEY, CATEGORY

U8 = np.uint8
U32 = np.uint32
U64 = np.uint64
BLOCK_STEP = np.uint64(0xD1342543DE82EF95)
WORD = np.uint64(0xFFFFFFFF)
CARDS = np.uint64((1 << 52) - 1)
FRACTION = 2.0**-53


mix = register_jitable(forceinline=True)(kernel_codes.mix)


@register_jitable
def block_start(seed, block):
    """Return the first random counter of a block."""
    return mix(seed + mix((U64(block) + U64(1)) * BLOCK_STEP))


@njit(cache=True, nogil=True)
def pick_places(start, size, picks):
    """Fill `picks` (draws, lanes) with each draw's place among the cards left in the deck.

    Two draws share a random word, so `picks` has an even number of rows. The chance of each place
    is off by less than 52 / 2**32.
    """
    words = U64(picks.shape[0] // 2)
    for draw in range(0, picks.shape[0], 2):
        left, fewer = U64(size - draw), U64(size - draw - 1)
        this, after = U64(draw), U64(draw + 1)
        for lane in range(BLOCK):
            word = mix(U64(start + U64(U64(lane) * words + U64(draw // 2 + 1)) * STEP))
            near = U64(U64(U64(word & WORD) * left) >> U64(32))
            far = U64(U64(U64(word >> U64(32)) * fewer) >> U64(32))
            picks[draw, lane] = U8(near + this)
            picks[draw + 1, lane] = U8(far + after)


@njit(cache=True, nogil=True)
def resolve(picks, moved, places):
    """Fill `places` (draws, lanes) with each drawn card's place in the unshuffled deck.

    As in a Fisher-Yates shuffle, a draw takes the card at its pick and puts another card there;
    `moved` has the original place of that card. A later draw with the same pick takes that card.
    """
    for draw in range(places.shape[0]):
        number = U8(draw)
        for lane in range(BLOCK):
            places[draw, lane] = picks[draw, lane]
        for lane in range(BLOCK):
            moved[draw, lane] = number
        for before in range(draw):
            for lane in range(BLOCK):
                pick, earlier = picks[draw, lane], picks[before, lane]
                place, gone = places[draw, lane], moved[before, lane]
                places[draw, lane] = gone if pick == earlier else place
            for lane in range(BLOCK):
                earlier, place, gone = picks[before, lane], moved[draw, lane], moved[before, lane]
                moved[draw, lane] = gone if number == earlier else place


@njit(cache=True, nogil=True)
def place_weighed(word, begin, size, sums):
    """Return the index of the hand that a random word draws from a range, by weight."""
    reached = np.float64(word >> U64(11)) * FRACTION * np.float64(sums[begin + size - 1])
    low, high = begin, begin + size - 1
    while low < high:
        middle = (low + high) // 2
        if np.float64(sums[middle]) > reached:
            high = middle
        else:
            low = middle + 1
    return low


@njit(cache=True, nogil=True)
def try_hands(start, attempt, tries, ranges, words, taken, clash, tried):
    """Draw a hand of every range into `tried` (ranges, lanes), for `tries` lanes.

    `attempt` is the first lane's number among all attempts since the random counter `start`.
    `clash` (lanes,) gets the cards that are in two hands, as bits. `words` and `taken` are scratch.
    """
    order, begins, sizes, ways, hands, sums = ranges
    parts = order.shape[0]
    for lane in range(tries):
        taken[lane] = U64(0)
    for lane in range(tries):
        clash[lane] = U64(0)
    for part in range(parts):
        seat = order[part]
        begin, size = U64(begins[seat]), U64(sizes[seat])
        for lane in range(tries):
            number = U64(U64(attempt + lane) * U64(parts) + U64(part + 1))
            words[lane] = mix(U64(start + number * STEP))
        if ways[seat] == ALIKE:
            for lane in range(tries):
                words[lane] = U64(begin + U64(U64(U64(words[lane] & WORD) * size) >> U64(32)))
            for lane in range(tries):
                tried[part, lane] = hands[words[lane]]
        else:
            for lane in range(tries):
                at = place_weighed(words[lane], begins[seat], sizes[seat], sums)
                tried[part, lane] = hands[at]
        for lane in range(tries):
            clash[lane] |= U64(U64(tried[part, lane] & CARDS) & taken[lane])
        for lane in range(tries):
            taken[lane] |= tried[part, lane]


@njit(cache=True, nogil=True)
def draw_hands(start, ranges, words, taken, clash, todo, tried, held):
    """Fill `held` (ranges, lanes) with hands of all ranges that share no card.

    If two hands share a card, all are redrawn, so every set of different hands is as likely as its
    weights say. If the ranges have no such set, the function never returns, so the chance of such a
    set must be at least `dealing.FAIR_CHANCE`. `words`, `taken`, `clash`, `todo` and `tried` are
    scratch.
    """
    try_hands(start, 0, BLOCK, ranges, words, taken, clash, held)
    left = 0
    for lane in range(BLOCK):
        todo[left] = U64(lane)
        left += np.int64(clash[lane] != U64(0))
    attempt = BLOCK
    while left > 0:
        try_hands(start, attempt, left, ranges, words, taken, clash, tried)
        attempt += left
        for part in range(held.shape[0]):
            for at in range(left):
                held[part, todo[at]] = tried[part, at]
        still = 0
        for at in range(left):
            todo[still] = todo[at]
            still += np.int64(clash[at] != U64(0))
        left = still


@njit(cache=True, nogil=True)
def sort_rows(rows, largest):
    """Sort the bytes of each lane in `rows` (bytes, lanes), lowest first; `largest` is scratch."""
    for last in range(rows.shape[0] - 1, 0, -1):
        for lane in range(BLOCK):
            largest[lane] = rows[0, lane]
        for at in range(last):
            for lane in range(BLOCK):
                rows[at, lane] = min(largest[lane], rows[at + 1, lane])
            for lane in range(BLOCK):
                largest[lane] = max(largest[lane], rows[at + 1, lane])
        for lane in range(BLOCK):
            rows[last, lane] = largest[lane]


@njit(cache=True, nogil=True)
def skip_hands(held, gone, largest, places):
    """Convert `places`, which skip the cards of `held`, to places in the whole deck.

    `held` are the hands drawn from ranges; `gone` and `largest` are scratch.
    """
    for part in range(held.shape[0]):
        for lane in range(BLOCK):
            gone[2 * part, lane] = U8(U64(held[part, lane] >> U64(52)) & U64(63))
        for lane in range(BLOCK):
            gone[2 * part + 1, lane] = U8(held[part, lane] >> U64(58))
    sort_rows(gone, largest)
    for draw in range(places.shape[0]):
        for at in range(gone.shape[0]):
            for lane in range(BLOCK):
                place = places[draw, lane]
                places[draw, lane] = U8(place + U8(place >= gone[at, lane]))


@njit(cache=True, nogil=True)
def name_cards(absent, places):
    """Convert `places` in the deck to cards, skipping the `absent` cards, which are in order."""
    for draw in range(places.shape[0]):
        for card in absent:
            for lane in range(BLOCK):
                place = places[draw, lane]
                places[draw, lane] = U8(place + U8(place >= card))


ONE = np.uint64(1)


@njit(cache=True, nogil=True)
def key_of(cards):
    """Return the evaluator's key for a set of cards, without `START`."""
    key = U64(0)
    for card in range(52):
        if (cards >> U64(card)) & ONE:
            key += CARD_KEY[card]
    return key


@njit(cache=True, nogil=True)
def add_cards(places, first, last, hands):
    """Add each lane's cards in the draws `first` to `last - 1` to the lane's hand."""
    for draw in range(first, last):
        for lane in range(BLOCK):
            hands[lane] |= U64(ONE << U64(places[draw, lane]))


@njit(cache=True, nogil=True)
def add_keys(places, first, last, keys):
    """For the draws `first` to `last - 1`, add the drawn card's key to each lane's key."""
    for draw in range(first, last):
        for lane in range(BLOCK):
            keys[lane] += CARD_KEY[places[draw, lane]]


@njit(cache=True, nogil=True)
def sample_holdem(
    deck, absent, known, missing, seats, ranges, board, short, seed, first, deals, ranked,
    shares, kinds,
):  # fmt: skip
    """Deal `deals` times, beginning with block `first`, and add up who wins.

    `deck` (uint8) are the cards left, in order; `absent` are all other cards. `known` (uint64)
    are each player's known hole cards. `missing` (int64) is how many more each player gets: 0
    for a player with a range. `board` (uint64) are the public cards dealt so far. `seats`
    (int64) is each player's place in the order in which players draw from ranges, or -1 without
    a range.

    `ranges` are six arrays. The first has the seats with ranges, in the order in which they
    draw. The next three have, by seat, the index of a range's first hand, its number of hands,
    and the way of drawing. The fifth has the hands (uint64): the set of cards, and their places
    in `deck` from bits 52 and 58 on. The last has the running sums of a range's weights
    (uint64).

    Adds to `shares` and, if `ranked`, to `kinds` as `kernels.count` does. Only for two hole
    cards that may both be used; `short` is the code of the ranking, high or short deck.
    """
    players = known.shape[0]
    parts = ranges[0].shape[0]
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
    scores = np.empty((players, BLOCK), np.uint32)
    best, winners = np.empty(BLOCK, np.uint32), np.empty(BLOCK, np.uint32)
    for deal in range(0, deals, BLOCK):
        start = block_start(seed, first + deal // BLOCK)
        if parts:
            draw_hands(start, ranges, keys, boards, hands, todo, tried, held)
            start = mix(start)  # the other cards use different random numbers
        pick_places(start, left, picks)
        resolve(picks, moved, places)
        if parts:
            skip_hands(held, gone, largest, places)
        name_cards(absent, places)
        boards[:] = board
        add_cards(places, 0, unseen, boards)
        board_keys[:] = START + key_of(board)
        add_keys(places, 0, unseen, board_keys)
        best[:] = U32(0)
        at = unseen
        for player in range(players):
            part, drawn = seats[player], at + missing[player]
            if part >= 0:
                for lane in range(BLOCK):
                    hand = held[part, lane]
                    hands[lane] = boards[lane] | U64(hand & CARDS)
                    key = board_keys[lane] + deck_keys[U64(hand >> U64(52)) & U64(63)]
                    keys[lane] = key + deck_keys[hand >> U64(58)]
            else:
                known_key = key_of(known[player])
                for lane in range(BLOCK):
                    hands[lane] = boards[lane] | known[player]
                    keys[lane] = board_keys[lane] + known_key
                add_cards(places, at, drawn, hands)
                add_keys(places, at, drawn, keys)
            for lane in range(BLOCK):
                score = U32(dense_score(keys[lane], hands[lane], 7, row))
                scores[player, lane] = score
                best[lane] = max(score, best[lane])
            at = drawn
        number = min(BLOCK, deals - deal)
        count_winners(scores, best, number, winners, shares)
        if ranked:
            count_kinds(scores, number, row, kinds)


@njit(cache=True, nogil=True)
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


@njit(cache=True, nogil=True)
def count_kinds(scores, number, row, kinds):
    """Count in `kinds` each player's kind of hand in the first `number` lanes of `scores`."""
    for player in range(scores.shape[0]):
        for lane in range(number):
            kinds[player, CATEGORY[row, scores[player, lane]]] += 1
