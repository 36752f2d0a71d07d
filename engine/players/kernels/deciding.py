"""Decide for a seat: five simple players without weights, and the network.

A player is a row of `PLAYER` numbers. docs/computer-players.md describes how each decides.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.odds.compiling import njit
from engine.players.arrays import Floats, Masks, RuleArrays
from engine.players.kernels.cards import (
    CHALLENGE,
    RoundArrays,
    chance_of,
    fill_chances,
    lowest_bid,
    uniform,
)
from engine.players.kernels.features import Work, look
from engine.players.kernels.network import draw_place, score, softmax

RANDOM, TRUTHFUL, HIDER, THRESHOLD, CAREFUL, NETWORK = range(6)
# kind, parameter (a threshold, or the network's cut), and `sensible` and `many` of `look`
PLAYER = 4
STEPS = 20  # the random player makes one of this many next bids


@njit(cache=True, nogil=True)
def weigh(g: RuleArrays, w: Work, player: Any, p: Floats, t: RoundArrays, seat: int) -> Any:
    """Fill `w.chances` with the network's chances; return the numbers of bids and of actions.

    The bids that the network considers, `w.places`, come first. Then comes the challenge, if a bid
    stands that isn't certain to hold. A standing bid that cannot hold is always challenged. Call it
    only if there is a bid above the standing one.
    """
    n = look(g, w, t, seat, player[2], np.int64(player[3]))
    bid_count = t.state[1]
    stands = w.views[0, t.bids[bid_count - 1]] if bid_count else np.float32(1)
    if stands <= 0:
        w.chances[:n] = 0
        w.chances[n] = 1
        return n, n + 1
    m = n + 1 if stands < 1 else n
    score(w, n, m > n, p)
    softmax(w, m, player[1])
    return n, m


@njit(cache=True, nogil=True)
def decide(
    g: RuleArrays, w: Work, player: Any, p: Floats, t: RoundArrays, seat: int, rng: Masks
) -> Any:
    """Return the index of the bid that `seat` makes on its turn, or CHALLENGE.

    `p` are the weights of the seat's network.
    """
    count = g.rung.size
    bid_count, in_play = t.state[1], t.state[2]
    standing = t.bids[bid_count - 1] if bid_count else -1
    low = lowest_bid(g, t)
    if low >= count:
        return CHALLENGE
    if player[0] == NETWORK:
        n, m = weigh(g, w, player, p, t, seat)
        i = draw_place(w.chances, m, uniform(rng))
        return CHALLENGE if i == n else w.places[i]
    fill_chances(g, t.hands[seat], in_play, standing if bid_count else 0, w.views[0], w.rows[0])
    return _decide_by_counting(g, w, player, t, seat, standing, low, rng)


@njit(cache=True, nogil=True)
def _decide_by_counting(
    g: RuleArrays,
    w: Work,
    player: Any,
    t: RoundArrays,
    seat: int,
    standing: int,
    low: int,
    rng: Masks,
) -> Any:
    """Return the action of a simple player; `low` is the first bid above the `standing` one."""
    count = g.rung.size
    bid_count, in_play = t.state[1], t.state[2]
    kind = player[0]
    mine = w.views[0]
    doubt = 1 - mine[standing] if bid_count else np.float32(-1)
    if kind == RANDOM:
        i = np.int64(uniform(rng) * STEPS)
        if i == 0 and bid_count:
            return CHALLENGE
        return min(low + i, count - 1)
    if kind == TRUTHFUL or kind == HIDER:
        total = np.float32(0)
        for b in range(low, count):
            weight = mine[b] ** 3
            if kind == HIDER:
                weight *= g.prior[in_play - t.cards[seat], b] ** 2
            w.chances[b - low] = weight
            total += weight
        if total <= 0:
            return CHALLENGE if bid_count else low
        b = low + draw_place(w.chances, count - low, uniform(rng) * total)
        return CHALLENGE if bid_count and doubt >= mine[b] else b
    best = low
    for b in range(low, count):
        if mine[b] > mine[best]:
            best = b
    if kind == THRESHOLD:
        if bid_count and mine[standing] < player[1]:
            return CHALLENGE
        for b in range(low, count):
            if mine[b] >= player[1]:
                return b
    return CHALLENGE if bid_count and doubt >= mine[best] else best


@njit(cache=True, nogil=True)
def doubter(g: RuleArrays, t: RoundArrays) -> Any:
    """Return the first seat that challenges out of turn; -1 if none.

    Such a seat knows from its own cards that the bid cannot hold. Seats are tried in order of
    play, from the second one after the bidder.
    """
    bid_count = t.state[1]
    bidder = t.by[bid_count - 1]
    for step in range(2, t.cards.size + 1):
        seat = (bidder + step) % t.cards.size
        if t.live[seat] and seat != bidder:
            if chance_of(g, t.bids[bid_count - 1], t.hands[seat], t.state[2]) <= 0:
                return seat
    return -1
