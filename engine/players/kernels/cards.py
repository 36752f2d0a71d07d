"""Compiled loops for cards, random numbers and rules, on the arrays of a ruleset.

They play by the same rules as `engine.play`. A table is a `RoundArrays`: arrays that the loops
write to. Sets of cards are uint64 everywhere: uint64 mixed with int64 would give floats.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from engine.odds.bids.kernels import popcount
from engine.odds.compiling import njit
from engine.players.arrays import Ints, Masks, RuleArrays

CHALLENGE = -1
NOBODY = -1
MOST_BIDS = 512  # a round has at most as many bids as the ladder has rungs, and no ladder has more

_1 = np.uint64(1)
_11 = np.uint64(11)
_27 = np.uint64(27)
_30 = np.uint64(30)
_31 = np.uint64(31)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)


class RoundArrays(NamedTuple):
    """The seats and the round being played.

    `state` is (opener, bids made, cards in play, whether a tie is played off).
    """

    cards: Ints  # number dealt to each seat; 0 if it is out
    live: Any  # for each seat, whether it is still in the match
    hands: Masks
    bids: Ints  # places of the bids made
    by: Ints  # seats of the bids made
    state: Ints


# index in `RoundArrays.state` of a number that is 1 while a tie for the fewest cards is played off
PLAYING_OFF = 3


def round_arrays(seats: int, most_bids: int) -> RoundArrays:
    """Return a table with nothing dealt and room for `most_bids` bids."""
    return RoundArrays(
        np.zeros(seats, np.int64),
        np.ones(seats, np.bool_),
        np.zeros(seats, np.uint64),
        np.zeros(most_bids + 1, np.int64),
        np.zeros(most_bids + 1, np.int64),
        np.zeros(4, np.int64),
    )


@njit(inline="always")
def count_of(cards: Any) -> Any:
    """Return the number of cards in a set, as a signed number."""
    return np.int64(popcount(cards))


@njit(inline="always")
def random_bits(rng: Masks) -> Any:
    """Return the next 64 random bits (splitmix64); `rng` is an array of one uint64."""
    rng[0] += _GOLDEN
    z = rng[0]
    z = (z ^ z >> _30) * _MIX_1
    z = (z ^ z >> _27) * _MIX_2
    return z ^ z >> _31


@njit(inline="always")
def uniform(rng: Masks) -> Any:
    """Return a random number in [0, 1)."""
    return np.float64(random_bits(rng) >> _11) * (1.0 / 9007199254740992.0)


@njit(cache=True, nogil=True)
def holds(g: RuleArrays, place: int, pool: Any) -> Any:
    """Return whether the cards of `pool` make the bid true."""
    short = 0
    for i in range(g.needs[place]):
        present = count_of(pool & g.masks[place, i])
        if present < g.counts[place, i]:
            short += g.counts[place, i] - present
    return short <= count_of(pool & g.wild)


@njit(inline="always")
def row_of(g: RuleArrays, place: int, known: Any) -> Any:
    """Return the row of the odds table for a bid, given the `known` cards."""
    row = g.base[place]
    for i in range(2):
        useful = count_of(known & g.part_mask[place, i])
        row += min(useful, g.part_most[place, i]) * g.part_stride[place, i]
    for i in range(2, g.parts[place]):
        useful = count_of(known & g.part_mask[place, i])
        row += min(useful, g.part_most[place, i]) * g.part_stride[place, i]
    return row


@njit(inline="always")
def chance_of(g: RuleArrays, place: int, known: Any, in_play: int) -> Any:
    """Return the chance that the bid holds with `in_play` cards, including the `known` ones."""
    held = count_of(known)
    return g.odds[count_of(known & g.wild), held, max(0, in_play - held), row_of(g, place, known)]


@njit(inline="always")
def fill_chances(g: RuleArrays, known: Any, in_play: int, first: int, out: Any, rows: Any) -> None:
    """Fill `out[b]` with the chance, and `rows[b]` with the row, of each bid b from `first` on."""
    held = count_of(known)
    chances = g.odds[count_of(known & g.wild), held, max(0, in_play - held)]
    for b in range(first, g.rung.size):
        row = row_of(g, b, known)
        rows[b] = row
        out[b] = chances[row]


@njit(cache=True, nogil=True)
def deal(g: RuleArrays, t: RoundArrays, deck: Ints, rng: Masks, middle: bool) -> Any:
    """Shuffle `deck`, as far as it is dealt, and deal it; return the middle hand, or 0 if none.

    `t.cards` and the opener decide which seat gets which cards.
    """
    total = 0
    largest = 0
    for seat in range(t.cards.size):
        total += t.cards[seat]
        largest = max(largest, t.cards[seat])
    if middle:
        total += largest
    for i in range(total):
        j = i + np.int64(random_bits(rng) % np.uint64(deck.size - i))
        deck[i], deck[j] = deck[j], deck[i]
    return hand_out(t, deck, middle)


@njit(cache=True, nogil=True)
def hand_out(t: RoundArrays, order: Ints, middle: bool) -> Any:
    """Hand out a shuffled deck, as `engine.play` does; return the middle hand, or 0 if none.

    Also reset the number of bids made, and set the number of cards in play.
    """
    seats = t.cards.size
    t.hands[:] = np.uint64(0)
    at = 0
    largest = t.cards.max()
    for turn in range(largest):
        for step in range(seats):
            seat = (t.state[0] + step) % seats
            if t.cards[seat] > turn:
                t.hands[seat] |= _1 << np.uint64(order[at])
                at += 1
    hidden = np.uint64(0)
    if middle:
        for i in range(at, at + largest):
            hidden |= _1 << np.uint64(order[i])
        at += largest
    t.state[1] = 0
    t.state[2] = at
    return hidden


@njit(cache=True, nogil=True)
def see(t: RoundArrays, seat: int, sight: RoundArrays) -> None:
    """Copy the table to `sight` as `seat` sees it: with only that seat's cards."""
    # one by one, as in all kernels: to assign an array to a slice also compiles numba's messages
    # about shapes, which takes seconds
    for place in range(t.cards.size):
        sight.cards[place] = t.cards[place]
        sight.live[place] = t.live[place]
        sight.hands[place] = t.hands[place] if place == seat else np.uint64(0)
    for at in range(t.state[1]):
        sight.bids[at] = t.bids[at]
        sight.by[at] = t.by[at]
    for i in range(t.state.size):
        sight.state[i] = t.state[i]


@njit(inline="always")
def lowest_bid(g: RuleArrays, t: RoundArrays) -> Any:
    """Return the place of the lowest bid that may be made now; the number of bids if none may."""
    count = t.state[1]
    return g.above[t.bids[count - 1]] if count else 0


@njit(inline="always")
def next_live(live: Any, seat: int) -> Any:
    """Return the next live seat to the left of `seat`; `seat` itself if no other is live."""
    for step in range(1, live.size + 1):
        if live[(seat + step) % live.size]:
            return (seat + step) % live.size
    return seat


@njit(inline="always")
def live_seats(t: RoundArrays) -> Any:
    """Return the number of seats that are still in the match."""
    live = 0
    for seat in range(t.live.size):
        live += t.live[seat]
    return live


@njit(inline="always")
def limit_of(g: RuleArrays, t: RoundArrays) -> Any:
    """Return the most cards a player may hold now; in a play-off, the most that anyone holds."""
    if t.state[PLAYING_OFF]:
        return t.cards.max()
    return g.limits[t.live.size if g.by_start else live_seats(t)]


@njit(inline="always")
def loser_of(t: RoundArrays, challenger: int, held: Any) -> Any:
    """Return the seat that loses a round; `held` is whether the standing bid was true."""
    return challenger if held else t.by[t.state[1] - 1]


@njit(cache=True, nogil=True)
def end_round(g: RuleArrays, t: RoundArrays, challenger: int, held: Any) -> None:
    """End a challenged round, as `engine.play` does; `held` is whether the standing bid was true.

    The loser gets one more card, or is out if that exceeds the limit. The loser opens the next
    round; if out, the next live seat to the left does. If a player goes out and the match ends with
    the first player out, only the seats with the fewest cards stay, to play off the tie.

    Every compiled round of a match ends here, in benchmarks and tests too.
    """
    loser = loser_of(t, challenger, held)
    if t.cards[loser] + 1 <= limit_of(g, t):
        t.cards[loser] += 1
        t.state[0] = loser
        return
    t.live[loser] = False
    t.cards[loser] = 0
    if g.first_out:
        t.state[PLAYING_OFF] = 1
        fewest = t.cards.max()
        for seat in range(t.live.size):
            if t.live[seat]:
                fewest = min(fewest, t.cards[seat])
        for seat in range(t.live.size):
            if t.cards[seat] > fewest:
                t.live[seat] = False
                t.cards[seat] = 0
    t.state[0] = next_live(t.live, loser)
