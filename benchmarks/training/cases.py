"""The compiled loop that collects cases for the estimate of a bid's chance from whole matches."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.odds.compiling import njit
from engine.players.arrays import Ints, Masks, RuleArrays
from engine.players.kernels.cards import (
    CHALLENGE,
    PLAYING_OFF,
    RoundArrays,
    deal,
    end_round,
    holds,
    live_seats,
    next_live,
    random_bits,
    see,
    uniform,
)
from engine.players.kernels.deciding import decide
from engine.players.kernels.estimating import describe
from engine.players.kernels.features import Work, look
from engine.players.kernels.reading import Hands, Models, note_round
from engine.players.kernels.search import Reader

LOOKED_AT = 0.25  # fraction of the decisions: successive ones are too similar


@njit(cache=True, nogil=True)
def collect(
    g: RuleArrays,
    w: Work,
    r: Models,
    reader: Reader,
    kinds: Ints,
    t: RoundArrays,
    view: RoundArrays,
    hands: Hands,
    rng: Masks,
    chances: Any,
    facts: Any,
    held: Any,
    at: int,
) -> int:
    """Play a match; write its cases into rows of `chances`, `facts` and `held`, from row `at` on.

    Return the next free row; the match stops when the arrays are full. Each seat is played by a
    random model of `kinds`.
    """
    n = t.cards.size
    model = np.zeros(n, np.int64)
    for seat in range(n):
        model[seat] = kinds[np.int64(uniform(rng) * kinds.size)]
    notes = np.zeros((n, r.prior.size))
    deck = g.deck.copy()
    places = np.zeros(2, np.int64)
    own_draw = np.empty(1, np.uint64)
    t.cards[:] = g.starting[n]
    t.live[:] = True
    t.state[0] = np.int64(uniform(rng) * n)
    t.state[PLAYING_OFF] = 0
    while live_seats(t) > 1:
        deck[:] = g.deck
        pool = deal(g, t, deck, rng, g.middle)
        for seat in range(n):
            pool |= t.hands[seat]
        turn = t.state[0]
        while True:
            bids_made = t.state[1]
            if bids_made and uniform(rng) < LOOKED_AT:
                see(t, turn, view)
                k = look(g, w, view, turn, r.players[0, 2], np.int64(r.players[0, 3]))
                places[0] = t.bids[bids_made - 1]
                # which bids are open follows from the view alone
                places[1] = w.places[np.int64(uniform(rng) * k)] if k else places[0]
                if k:
                    own_draw[0] = random_bits(rng)
                    rows = min(2, held.size - at)
                    describe(
                        *(g, w, r, reader, view, turn, notes, hands, own_draw, places[:rows]),
                        *(chances[at : at + rows], facts[at : at + rows]),
                    )
                    for row in range(rows):
                        held[at] = holds(g, places[row], pool)
                        at += 1
                    if at == held.size:
                        return at
            action = decide(g, w, r.players[model[turn]], r.nets[model[turn]], t, turn, rng)
            if action == CHALLENGE:
                challenger = turn
                break
            t.bids[bids_made], t.by[bids_made] = action, turn
            t.state[1] = bids_made + 1
            turn = next_live(t.live, turn)
        is_true = holds(g, t.bids[t.state[1] - 1], pool)
        note_round(g, w, r, t, challenger, -1, notes)
        end_round(g, t, challenger, is_true)
    return at
