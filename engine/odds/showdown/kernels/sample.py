"""Draw the cards of many deals at once, for `kernels.lanes`.

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

U8 = np.uint8
U64 = np.uint64
BLOCK_STEP = np.uint64(0xD1342543DE82EF95)
WORD = np.uint64(0xFFFFFFFF)
FRACTION = 2.0**-53


mix = register_jitable(forceinline=True)(kernel_codes.mix)


@register_jitable
def block_start(seed, block):
    """Return the first random counter of a block."""
    return mix(seed + mix((U64(block) + U64(1)) * BLOCK_STEP))


@njit()
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


@njit()
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


@njit()
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


@njit()
def try_hands(start, attempt, tries, ranges, words, taken, clash, tried):
    """Draw a hand of every range into `tried` (ranges, lanes), as its index, for `tries` lanes.

    `attempt` is the first lane's number among all attempts since the random counter `start`.
    `clash` (lanes,) gets the cards that are in two hands, as bits. `words` and `taken` are scratch.
    """
    order, begins, sizes, ways, combos, _, sums = ranges
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
                at = U64(begin + U64(U64(U64(words[lane] & WORD) * size) >> U64(32)))
                tried[part, lane] = at
        else:
            for lane in range(tries):
                at = U64(place_weighed(words[lane], begins[seat], sizes[seat], sums))
                tried[part, lane] = at
        for lane in range(tries):
            words[lane] = combos[tried[part, lane]]
        for lane in range(tries):
            clash[lane] |= U64(words[lane] & taken[lane])
        for lane in range(tries):
            taken[lane] |= words[lane]


@njit()
def draw_hands(start, ranges, words, taken, clash, todo, tried, held):
    """Fill `held` (ranges, lanes) with indexes of hands of all ranges that share no card.

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


@njit()
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


@njit()
def skip_hands(held, spots, gone, largest, places):
    """Convert `places`, which skip the cards of `held`, to places in the whole deck.

    `held` are the indexes of the hands drawn from ranges, `spots` the places of each hand's cards;
    `gone` and `largest` are scratch.
    """
    size = gone.shape[0] // held.shape[0]
    for part in range(held.shape[0]):
        for card in range(size):
            shift = U64(6 * card)
            for lane in range(BLOCK):
                spot = U64(spots[held[part, lane]] >> shift)
                gone[part * size + card, lane] = U8(spot & U64(63))
    sort_rows(gone, largest)
    for draw in range(places.shape[0]):
        for at in range(gone.shape[0]):
            for lane in range(BLOCK):
                place = places[draw, lane]
                places[draw, lane] = U8(place + U8(place >= gone[at, lane]))


@njit()
def name_cards(absent, places):
    """Convert `places` in the deck to cards, skipping the `absent` cards, which are in order."""
    for draw in range(places.shape[0]):
        for card in absent:
            for lane in range(BLOCK):
                place = places[draw, lane]
                places[draw, lane] = U8(place + U8(place >= card))
