"""The players that learned: the network of a game, as it is or with another temper.

A position is put on a compiled table with only the seat's own cards on it; the network weighs every
sensible bid and the challenge, and the position's own chance draws among them.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from engine.players.arrays import arrays_of
from engine.players.kernels.cards import CHALLENGE, Table, table_of
from engine.players.kernels.deciding import decide
from engine.players.kernels.features import workspace
from engine.players.networks import Entry, network_of, rows
from engine.players.position import LETS_IT_STAND, Choice, Position
from engine.ruleset import Ruleset

# added to the weights of: a bid's chance by one's own cards, one's own cards in it, the challenge
TEMPERS: Final = {"network": (0.0, 0.0, 0.0), "sly": (0.0, -10.0, 0.0), "wild": (-16.0, -6.0, 0.0)}


def sly(position: Position, rules: Ruleset) -> Choice:
    """The network, loth to bid what it holds."""
    return played_by(network_of(rules.key).shifted(*TEMPERS["sly"]), position, rules)


def wild(position: Position, rules: Ruleset) -> Choice:
    """The network, fond of what is not there."""
    return played_by(network_of(rules.key).shifted(*TEMPERS["wild"]), position, rules)


def played_by(entry: Entry, position: Position, rules: Ruleset) -> Choice:
    """What a compiled player does. Out of turn it lets every bid stand that may hold."""
    if not position.may_bid:
        return LETS_IT_STAND
    g = arrays_of(rules)
    players, nets = rows([entry])
    chance = np.array([position.chance], np.uint64)
    with np.errstate(over="ignore"):  # wrapping is meant; only seen with the JIT off
        action = decide(
            *(g, workspace(g.rung.size), players[0], nets[0], table_from(position)),
            *(position.seat, chance),
        )
    if action != CHALLENGE:
        return Choice.bid(position, rules.ladder.at(int(action)))
    if position.may_challenge:
        return Choice.challenge(position)
    # what stands is certain, and nothing above it can hold: one lie is as good as another
    return Choice.bid(position, rules.ladder.at(rules.ladder.first_above(position.standing)))


def table_from(position: Position) -> Table:
    """A compiled table as the position's seat sees it: nobody else's cards are on it."""
    table = table_of(len(position.dealt), len(position.bids))
    table.cards[:] = position.dealt
    table.live[:] = [seat in position.live for seat in range(len(position.dealt))]
    table.hands[position.seat] = np.uint64(position.hole)
    for made, (seat, place) in enumerate(position.bids):
        table.by[made], table.bids[made] = seat, place
    table.state[:] = (
        *(position.opener, len(position.bids)),
        *(position.in_play, position.playing_off),
    )
    return table
