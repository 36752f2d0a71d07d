"""Whole rounds and matches, and fields of players on duplicate deals, in compiled loops."""

from __future__ import annotations

from typing import Any, NamedTuple

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
    see,
    uniform,
)
from engine.players.kernels.deciding import decide, doubter
from engine.players.kernels.features import Work
from engine.players.kernels.reading import Hands, Models, note_round
from engine.players.kernels.search import Found, Reader, look_ahead

READER = 6  # a kind of player beside those of `deciding`

# what is counted for each player
DECISIONS, CHALLENGES, RIGHT, BIDS, BLUFFS, FALSE, ROUNDS, LOST = range(8)
COUNTED = 8
BLUFF = 0.25  # a bid with a smaller chance by one's own cards is a bluff

# What is inlined here is called in one place. LLVM optimises all that a kernel calls once more for
# each kernel above it, so every further one would add some two seconds to a cold start. A field in
# which nobody reads has None for `Readers`, and what follows from that is not compiled.
_DEALS = np.uint64(0xD1342543DE82EF95)
_CHOICES = np.uint64(0x9E6C63D0876A9A35)


class Readers(NamedTuple):
    """What those who read and look ahead go by, and their scratch memory."""

    models: Models
    reader: Reader
    seen: Table
    notes: Any  # (seats, models) of `note_round` in this match
    hands: Hands
    found: Found


@njit(inline="always")
def play_round(
    g: RuleArrays,
    w: Work,
    players: Any,
    nets: Floats,
    readers: Any,
    t: Table,
    middle: Any,
    rng: Masks,
    stats: Any,
) -> Any:
    """Bid until somebody challenges: (the seat that loses, the challenger).

    `middle` is the hand nobody holds; `readers` is None where nobody reads.
    """
    pool = middle
    for seat in range(t.cards.size):
        pool |= t.hands[seat]
        if t.live[seat]:
            stats[seat, ROUNDS] += 1
    turn = t.state[0]
    while True:
        made = t.state[1]
        if readers is None:
            action = decide(g, w, players[turn], nets[turn], t, turn, rng)
        else:
            action = _read_or_decide(g, w, players[turn], nets[turn], readers, t, turn, rng)
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
def _read_or_decide(
    g: RuleArrays, w: Work, player: Any, p: Floats, r: Readers, t: Table, seat: int, rng: Masks
) -> Any:
    """As `decide`, where a player may be a `READER`, who is shown its own cards alone."""
    if player[0] != READER:
        return decide(g, w, player, p, t, seat, rng)
    see(t, seat, r.seen)
    return look_ahead(g, w, r.models, r.reader, r.seen, seat, r.notes, r.hands, rng, r.found)


@njit(inline="always")
def play_match(
    g: RuleArrays,
    w: Work,
    players: Any,
    nets: Floats,
    readers: Any,
    t: Table,
    deck: Ints,
    deals: Masks,
    choices: Masks,
    stats: Any,
) -> Any:
    """The seat that wins. `deals` gives the first opener and the deals, `choices` the players'."""
    n = t.cards.size
    t.cards[:] = g.starting[n]
    t.live[:] = True
    t.state[0] = np.int64(uniform(deals) * n)
    t.state[PLAYING_OFF] = 0
    if readers is not None:
        readers.notes[:] = 0
    own = np.empty(1, np.uint64)
    while live_seats(t) > 1:
        own[0] = random_bits(deals)
        deck[:] = g.deck
        middle = deal(g, t, deck, own, g.middle)
        loser, challenger = play_round(g, w, players, nets, readers, t, middle, choices, stats)
        if readers is not None:
            note_round(g, w, readers.models, t, challenger, -1, readers.notes)
        penalise(g, t, loser)
    return t.state[0]


@njit(cache=True, nogil=True)
def play_field(
    g: RuleArrays,
    w: Work,
    players: Any,
    nets: Floats,
    readers: Any,
    t: Table,
    seatings: Ints,
    seed: Any,
    first: int,
    wins: Any,
    stats: Any,
) -> None:
    """Play deals `first`, `first` + 1, ... each with the players in every one of the `seatings`.

    `seatings[k, seat]` is the player who sits there. Adds wins to `wins[deal, player]` and counts
    to `stats[player]`. A deal is the same in each seating: cards by seat, opener, later rounds.
    """
    n = seatings.shape[1]
    seated, seated_nets = np.empty((n, players.shape[1])), np.empty((n, nets.shape[1]), np.float32)
    own = np.empty((n, stats.shape[1]))
    deck = g.deck.copy()
    deals, choices = np.empty(1, np.uint64), np.empty(1, np.uint64)
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
            seat = play_match(g, w, seated, seated_nets, readers, t, deck, deals, choices, own)
            wins[number, seatings[k, seat]] += 1
            for seat in range(n):
                stats[seatings[k, seat]] += own[seat]
