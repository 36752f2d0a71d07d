"""Compiled tables in the middle of a round, for tests."""

from __future__ import annotations

import numpy as np

from engine.players.kernels.cards import CHALLENGE, deal, next_live, round_arrays, uniform
from engine.players.kernels.deciding import decide
from engine.players.kernels.features import workspace
from engine.players.networks import network_of
from engine.players.position import observe
from engine.players.reader import make_reading
from engine.variants import ruleset
from engine.view import view_of


def bid(rules, key):
    """Return the bid with this key; assert that the game has it."""
    known = rules.ladder.get(key)
    assert known is not None
    return known


def observe_seat(match, seat, memory):
    """Return the position of a seat; assert that the seat has something to decide."""
    position = observe(view_of(match, seat), memory)
    assert position is not None
    return position


def reading(key="thai_poker", options=None, started=2, **bounds):
    """Make a reading; `bounds` are options of `make_reading`, such as a small `budget`."""
    rules = ruleset(key, options)
    return make_reading(rules, started, network_of(key), **bounds)


def deal_round(setup, seats=3, seed=1, bids=None, cards=None):
    """Deal a round and make up to `bids` bids (None: 3), each by a random model.

    Return (table, work, random number stream, seat in turn). `cards` are the numbers of cards by
    seat; None: random ones.
    """
    g, r = setup.arrays, setup.models
    rng = np.array([seed], np.uint64)
    t, w = round_arrays(seats, g.rung.size), workspace(g.rung.size)
    limit = int(g.limits[seats])
    t.cards[:] = cards or [1 + int(uniform(rng) * limit) for _ in range(seats)]
    t.state[0] = int(uniform(rng) * seats)
    deal(g, t, g.deck.copy(), rng, g.middle)
    turn = t.state[0]
    for _ in range(3 if bids is None else bids):
        kind = int(uniform(rng) * len(r.prior))
        action = decide(g, w, r.players[kind], r.nets[kind], t, turn, rng)
        if action == CHALLENGE:
            break
        t.bids[t.state[1]], t.by[t.state[1]] = action, turn
        t.state[1] += 1
        turn = next_live(t.live, turn)
    return t, w, rng, turn
