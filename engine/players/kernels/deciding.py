"""What a seat does: five players that only count, and the network. See `docs/computer-players.md`.

A player is a row of `PLAYER` numbers: which one, its parameter, and what it considers.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.odds.compiling import njit
from engine.players.arrays import Floats, Masks, RuleArrays
from engine.players.kernels.cards import CHALLENGE, Table, chance_of, fill_chances, uniform
from engine.players.kernels.features import Work, look
from engine.players.kernels.network import drawn, score, softmax

RANDOM, TRUTHFUL, HIDER, THRESHOLD, CAREFUL, NETWORK = range(6)
PLAYER = 4  # kind, parameter (a threshold, or the cut of the softmax), sensible and many of `look`
STEPS = 20  # the random player bids one of so many next bids


@njit(cache=True, nogil=True)
def weigh(g: RuleArrays, w: Work, player: Any, p: Floats, t: Table, seat: int) -> Any:
    """The network's chance of each action: (bids considered, actions), `w` has the rest.

    The challenge is an action, the last one, unless nothing stands or what stands is certain. What
    cannot hold is challenged for sure. Needs a bid above the standing one.
    """
    n = look(g, w, t, seat, player[2], np.int64(player[3]))
    made = t.state[1]
    stands = w.views[0, t.bids[made - 1]] if made else np.float32(1)
    if stands <= 0:
        w.chances[:n] = 0
        w.chances[n] = 1
        return n, n + 1
    m = n + 1 if stands < 1 else n
    score(w, n, m > n, p)
    softmax(w, m, player[1])
    return n, m


@njit(cache=True, nogil=True)
def decide(g: RuleArrays, w: Work, player: Any, p: Floats, t: Table, seat: int, rng: Masks) -> Any:
    """The place of the bid that `seat` makes in its turn, or CHALLENGE; `p` are its weights."""
    count = g.rung.size
    made, in_play = t.state[1], t.state[2]
    standing = t.bids[made - 1] if made else -1
    low = g.above[standing] if made else 0
    if low >= count:
        return CHALLENGE
    if player[0] == NETWORK:
        n, m = weigh(g, w, player, p, t, seat)
        i = drawn(w.chances, m, uniform(rng))
        return CHALLENGE if i == n else w.places[i]
    fill_chances(g, t.hands[seat], in_play, standing if made else 0, w.views[0], w.rows[0])
    return _counted(g, w, player, t, seat, standing, low, rng)


@njit(cache=True, nogil=True)
def _counted(
    g: RuleArrays, w: Work, player: Any, t: Table, seat: int, standing: int, low: int, rng: Masks
) -> Any:
    """What a player does that has no weights."""
    count = g.rung.size
    made, in_play = t.state[1], t.state[2]
    who = player[0]
    mine = w.views[0]
    doubt = 1 - mine[standing] if made else np.float32(-1)
    if who == RANDOM:
        i = np.int64(uniform(rng) * STEPS)
        if i == 0 and made:
            return CHALLENGE
        return min(low + i, count - 1)
    if who == TRUTHFUL or who == HIDER:
        total = np.float32(0)
        for b in range(low, count):
            weight = mine[b] ** 3
            if who == HIDER:
                weight *= g.prior[in_play - t.cards[seat], b] ** 2
            w.chances[b - low] = weight
            total += weight
        if total <= 0:
            return CHALLENGE if made else low
        b = low + drawn(w.chances, count - low, uniform(rng) * total)
        return CHALLENGE if made and doubt >= mine[b] else b
    best = low
    for b in range(low, count):
        if mine[b] > mine[best]:
            best = b
    if who == THRESHOLD:
        if made and mine[standing] < player[1]:
            return CHALLENGE
        for b in range(low, count):
            if mine[b] >= player[1]:
                return b
    return CHALLENGE if made and doubt >= mine[best] else best


@njit(cache=True, nogil=True)
def doubter(g: RuleArrays, t: Table) -> Any:
    """Who challenges out of turn, seat by seat to the left of whose turn it is; -1 for nobody.

    Out of turn everybody challenges what cannot hold by their cards, and nothing else: to wait
    costs nothing, since somebody else loses the round.
    """
    made = t.state[1]
    bidder = t.by[made - 1]
    for step in range(2, t.cards.size + 1):
        seat = (bidder + step) % t.cards.size
        if t.live[seat] and seat != bidder:
            if chance_of(g, t.bids[made - 1], t.hands[seat], t.state[2]) <= 0:
                return seat
    return -1
