"""Compiled loops for whole rounds and matches, and for fields of players on duplicate deals."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from engine.odds.compiling import njit
from engine.players.arrays import Floats, Ints, Masks, RuleArrays
from engine.players.kernels.cards import (
    CHALLENGE,
    PLAYING_OFF,
    RoundArrays,
    chance_of,
    deal,
    end_round,
    holds,
    live_seats,
    loser_of,
    next_live,
    random_bits,
    see,
    uniform,
)
from engine.players.kernels.deciding import decide, doubter
from engine.players.kernels.features import Work
from engine.players.kernels.reading import Hands, Models, note_round
from engine.players.kernels.search import Outlook, Reader, look_ahead

READER = 6  # one more kind of player, in addition to those of `deciding`

# indexes of the counts of each player
DECISIONS, CHALLENGES, RIGHT, BIDS, BLUFFS, FALSE, ROUNDS, LOST = range(8)
COUNTED = 8
BLUFF = 0.25  # a bid with a smaller chance, by its bidder's own cards, is a bluff

# The functions inlined here have a single caller. LLVM optimises everything that a kernel calls
# again for each kernel that calls it, so each further one would add some two seconds to a cold
# start. In a field without readers, `Readers` is None, so that their code is not compiled.
_DEALS = np.uint64(0xD1342543DE82EF95)
_CHOICES = np.uint64(0x9E6C63D0876A9A35)


class Readers(NamedTuple):
    """The settings and scratch memory of players that read and look ahead."""

    models: Models
    reader: Reader
    sight: RoundArrays
    notes: Any  # (seats, models) of `note_round` in this match
    hands: Hands
    outlook: Outlook


@njit(inline="always")
def play_round(
    g: RuleArrays,
    w: Work,
    players: Any,
    nets: Floats,
    readers: Any,
    t: RoundArrays,
    middle: Any,
    rng: Masks,
    stats: Any,
) -> Any:
    """Bid until a seat challenges; return the challenger, and whether the standing bid was true.

    `middle` is the hand that no seat holds; `readers` is None if no player is a reader. Adds each
    seat's counts to its row of `stats`.
    """
    pool = middle
    for seat in range(t.cards.size):
        pool |= t.hands[seat]
        if t.live[seat]:
            stats[seat, ROUNDS] += 1
    turn = t.state[0]
    while True:
        bid_count = t.state[1]
        if readers is None:
            action = decide(g, w, players[turn], nets[turn], t, turn, rng)
        else:
            action = _read_or_decide(g, w, players[turn], nets[turn], readers, t, turn, rng)
        stats[turn, DECISIONS] += 1
        challenger = turn if action == CHALLENGE else -1
        if g.anyone and bid_count and challenger < 0:
            challenger = doubter(g, t)
        if challenger >= 0:
            held = holds(g, t.bids[bid_count - 1], pool)
            stats[challenger, CHALLENGES] += 1
            stats[challenger, RIGHT] += not held
            stats[loser_of(t, challenger, held), LOST] += 1
            return challenger, held
        stats[turn, BIDS] += 1
        stats[turn, BLUFFS] += chance_of(g, action, t.hands[turn], t.state[2]) < BLUFF
        stats[turn, FALSE] += not holds(g, action, pool)
        t.bids[bid_count], t.by[bid_count] = action, turn
        t.state[1] = bid_count + 1
        turn = next_live(t.live, turn)


@njit(cache=True, nogil=True)
def _read_or_decide(
    g: RuleArrays,
    w: Work,
    player: Any,
    p: Floats,
    r: Readers,
    t: RoundArrays,
    seat: int,
    rng: Masks,
) -> Any:
    """Return the action of `seat`: by `look_ahead` for a `READER`, otherwise by `decide`."""
    if player[0] != READER:
        return decide(g, w, player, p, t, seat, rng)
    see(t, seat, r.sight)
    return look_ahead(g, w, r.models, r.reader, r.sight, seat, r.notes, r.hands, rng, r.outlook)


@njit(inline="always")
def play_match(
    g: RuleArrays,
    w: Work,
    players: Any,
    nets: Floats,
    readers: Any,
    t: RoundArrays,
    deck: Ints,
    deals: Masks,
    choices: Masks,
    stats: Any,
) -> Any:
    """Play a match and return the winning seat.

    `deals` gives the first opener and the deals, `choices` the players' random numbers.
    """
    n = t.cards.size
    t.cards[:] = g.starting[n]
    t.live[:] = True
    t.state[0] = np.int64(uniform(deals) * n)
    t.state[PLAYING_OFF] = 0
    if readers is not None:
        readers.notes[:] = 0
    round_rng = np.empty(1, np.uint64)
    while live_seats(t) > 1:
        round_rng[0] = random_bits(deals)
        for i in range(deck.size):
            deck[i] = g.deck[i]
        middle = deal(g, t, deck, round_rng, g.middle)
        challenger, held = play_round(g, w, players, nets, readers, t, middle, choices, stats)
        if readers is not None:
            note_round(g, w, readers.models, t, challenger, -1, readers.notes)
        end_round(g, t, challenger, held)
    return t.state[0]


@njit(cache=True, nogil=True)
def play_field(
    g: RuleArrays,
    w: Work,
    players: Any,
    nets: Floats,
    readers: Any,
    t: RoundArrays,
    seatings: Ints,
    seed: Any,
    first: int,
    wins: Any,
    stats: Any,
) -> None:
    """Play a deal for each row of `wins`, with the players in every one of the `seatings`.

    The deals are numbered `first`, `first` + 1, ...; `seatings[k, seat]` is the player in that
    seat. Adds wins to `wins[deal, player]` and counts to `stats[player]`. A deal is the same in
    each seating: the first opener and each round's shuffle.
    """
    n = seatings.shape[1]
    seated, seated_nets = np.empty((n, players.shape[1])), np.empty((n, nets.shape[1]), np.float32)
    seat_stats = np.empty((n, stats.shape[1]))
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
            seat_stats[:] = 0
            seat = play_match(
                g, w, seated, seated_nets, readers, t, deck, deals, choices, seat_stats
            )
            wins[number, seatings[k, seat]] += 1
            for seat in range(n):
                stats[seatings[k, seat]] += seat_stats[seat]
