"""Whole matches in which some seats read and look ahead; as `match`, which is for those without."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.odds.compiling import njit
from engine.players.arrays import Floats, Ints, Masks, RuleArrays
from engine.players.kernels.cards import (
    CHALLENGE,
    PLAYING_OFF,
    Table,
    chance_of,
    deal,
    holds,
    live_seats,
    next_live,
    penalise,
    random_bits,
    uniform,
)
from engine.players.kernels.deciding import decide, doubter
from engine.players.kernels.features import Work
from engine.players.kernels.match import (
    BIDS,
    BLUFF,
    BLUFFS,
    CHALLENGES,
    DECISIONS,
    FALSE,
    LOST,
    RIGHT,
    ROUNDS,
)
from engine.players.kernels.reading import Hands, Models, note_round
from engine.players.kernels.search import Found, Reader, look_ahead

READER = 6  # a kind of player beside those of `deciding`

_DEALS = np.uint64(0xD1342543DE82EF95)
_CHOICES = np.uint64(0x9E6C63D0876A9A35)


@njit(cache=True, nogil=True)
def play_reading_round(
    g: RuleArrays,
    w: Work,
    r: Models,
    reader: Reader,
    players: Any,
    nets: Floats,
    t: Table,
    seen: Table,
    middle: Any,
    notes: Any,
    hands: Hands,
    found: Found,
    rng: Masks,
    stats: Any,
) -> Any:
    """Bid until somebody challenges: (the seat that loses, the challenger).

    A reader is given `seen`, a table with its own cards alone.
    """
    pool = middle
    for seat in range(t.cards.size):
        pool |= t.hands[seat]
        if t.live[seat]:
            stats[seat, ROUNDS] += 1
    turn = t.state[0]
    while True:
        made = t.state[1]
        if players[turn, 0] == READER:
            seen.cards[:] = t.cards
            seen.live[:] = t.live
            seen.bids[:made] = t.bids[:made]
            seen.by[:made] = t.by[:made]
            seen.state[:] = t.state
            seen.hands[:] = np.uint64(0)
            seen.hands[turn] = t.hands[turn]
            action = look_ahead(g, w, r, reader, seen, turn, notes, hands, rng, found)
        else:
            action = decide(g, w, players[turn], nets[turn], t, turn, rng)
        stats[turn, DECISIONS] += 1
        challenger = turn if action == CHALLENGE else -1
        if g.anyone and made and challenger < 0:
            challenger = doubter(g, t)
        if challenger >= 0:
            true = holds(g, t.bids[made - 1], pool)
            loser = challenger if true else t.by[made - 1]
            stats[challenger, CHALLENGES] += 1
            stats[challenger, RIGHT] += not true
            stats[loser, LOST] += 1
            return loser, challenger
        stats[turn, BIDS] += 1
        stats[turn, BLUFFS] += chance_of(g, action, t.hands[turn], t.state[2]) < BLUFF
        stats[turn, FALSE] += not holds(g, action, pool)
        t.bids[made], t.by[made] = action, turn
        t.state[1] = made + 1
        turn = next_live(t.live, turn)


@njit(cache=True, nogil=True)
def play_reading_field(
    g: RuleArrays,
    w: Work,
    r: Models,
    reader: Reader,
    players: Any,
    nets: Floats,
    seatings: Ints,
    t: Table,
    seen: Table,
    hands: Hands,
    found: Found,
    seed: Any,
    first: int,
    wins: Any,
    stats: Any,
) -> None:
    """As `match.play_field`, on the same deals, for players some of which are `READER`."""
    n = seatings.shape[1]
    seated, seated_nets = np.empty((n, players.shape[1])), np.empty((n, nets.shape[1]), np.float32)
    own = np.empty((n, stats.shape[1]))
    notes = np.empty((n, r.prior.size))
    deck = g.deck.copy()
    deals, choices, order = np.empty(1, np.uint64), np.empty(1, np.uint64), np.empty(1, np.uint64)
    for number in range(wins.shape[0]):
        for k in range(seatings.shape[0]):
            for seat in range(n):
                seated[seat] = players[seatings[k, seat]]
                seated_nets[seat] = nets[seatings[k, seat]]
            key = seed + np.uint64(first + number)
            deals[0] = key * _DEALS
            deals[0] = random_bits(deals)
            choices[0] = (key * _CHOICES) ^ np.uint64(k + 1)
            choices[0] = random_bits(choices)
            own[:] = 0
            notes[:] = 0
            t.cards[:] = g.starting[n]
            t.live[:] = True
            t.state[0] = np.int64(uniform(deals) * n)
            t.state[PLAYING_OFF] = 0
            while live_seats(t) > 1:
                order[0] = random_bits(deals)
                deck[:] = g.deck
                middle = deal(g, t, deck, order, g.middle)
                loser, challenger = play_reading_round(
                    *(g, w, r, reader, seated, seated_nets, t, seen, middle),
                    *(notes, hands, found, choices, own),
                )
                note_round(g, w, r, t, challenger, -1, notes)
                penalise(g, t, loser)
            wins[number, seatings[k, t.state[0]]] += 1
            for seat in range(n):
                stats[seatings[k, seat]] += own[seat]
