"""The trained players: a game's network, unchanged or with a temper (three weights changed).

A position becomes arrays with only the seat's own cards. The network gives every sensible bid and
the challenge a chance, and the position's random number draws one of them.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from engine.players.arrays import arrays_of
from engine.players.kernels.cards import CHALLENGE, RoundArrays, round_arrays
from engine.players.kernels.deciding import decide
from engine.players.kernels.features import workspace
from engine.players.networks import Entry, network_of, rows
from engine.players.position import LETS_IT_STAND, Choice, Position
from engine.ruleset import Ruleset

# numbers added to three weights: a bid's chance by own cards, own cards in the bid, the challenge
TEMPERS: Final = {"network": (0.0, 0.0, 0.0), "sly": (0.0, -10.0, 0.0), "wild": (-16.0, -6.0, 0.0)}


def sly(position: Position, rules: Ruleset) -> Choice:
    """Choose like the network, but less often name the seat's own cards in a bid."""
    return play_entry(network_of(rules.key).with_temper(*TEMPERS["sly"]), position, rules)


def wild(position: Position, rules: Ruleset) -> Choice:
    """Choose like the network, but more often make bids that are unlikely to hold."""
    return play_entry(network_of(rules.key).with_temper(*TEMPERS["wild"]), position, rules)


def play_entry(entry: Entry, position: Position, rules: Ruleset) -> Choice:
    """Return the choice of the compiled player `entry`; out of turn, it lets every bid stand."""
    if not position.may_bid:
        return LETS_IT_STAND
    g = arrays_of(rules)
    players, nets = rows([entry])
    chance = np.array([position.chance], np.uint64)
    # integer overflow is intended; numpy warns about it only with the JIT off
    with np.errstate(over="ignore"):
        action = decide(
            *(g, workspace(g.rung.size), players[0], nets[0], table_from(position)),
            *(position.seat, chance),
        )
    if action != CHALLENGE:
        return Choice.bid(position, rules.ladder.at(int(action)))
    if position.may_challenge:
        return Choice.challenge(position)
    # the standing bid is certain, and no higher bid can hold: any bluff is as good as another
    return Choice.bid(position, rules.ladder.at(rules.ladder.first_above(position.standing)))


def table_from(position: Position) -> RoundArrays:
    """Return the position as arrays for kernels, with only the seat's own cards."""
    table = round_arrays(len(position.dealt), len(position.bids))
    table.cards[:] = position.dealt
    table.live[:] = [seat in position.live for seat in range(len(position.dealt))]
    table.hands[position.seat] = np.uint64(position.hole)
    for number, (seat, place) in enumerate(position.bids):
        table.by[number], table.bids[number] = seat, place
    table.state[:] = (
        *(position.opener, len(position.bids)),
        *(position.in_play, position.playing_off),
    )
    return table
