"""The compiled loop that plays single rounds with random card counts among equal networks."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.odds.compiling import njit
from engine.players.arrays import Floats, Ints, Masks, RuleArrays
from engine.players.kernels.cards import RoundArrays, deal, loser_of, uniform
from engine.players.kernels.features import Work
from engine.players.kernels.match import COUNTED, play_round


@njit(cache=True, nogil=True)
def play_rounds(
    g: RuleArrays,
    w: Work,
    player: Any,
    weights: Floats,
    t: RoundArrays,
    rng: Masks,
    cards: Ints,
    losers: Ints,
) -> None:
    """Play rounds with random card counts; fill `cards` (rounds, seats) and `losers` (rounds)."""
    n = t.cards.size
    players, nets = np.empty((n, player.size)), np.empty((n, weights.size), np.float32)
    for seat in range(n):
        players[seat], nets[seat] = player, weights
    stats = np.zeros((n, COUNTED))
    low, high = g.starting[n], g.limits[n]
    deck = g.deck.copy()
    for number in range(losers.size):
        for seat in range(n):
            t.cards[seat] = low + np.int64(uniform(rng) * (high + 1 - low))
            cards[number, seat] = t.cards[seat]
        t.live[:] = True
        t.state[0] = np.int64(uniform(rng) * n)
        deck[:] = g.deck
        middle = deal(g, t, deck, rng, g.middle)
        challenger, held = play_round(g, w, players, nets, None, t, middle, rng, stats)
        losers[number] = loser_of(t, challenger, held)
