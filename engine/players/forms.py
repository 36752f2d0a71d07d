"""Players by name, in the form that compiled loops play, and back.

What *sharp* is made of has names of its own: `network` decides alone, `reader` looks ahead on top
of it. `sharp` is who sits at a table (`engine.players.sharp`): the reader, if nothing is solved.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from engine.errors import RulesetError
from engine.players import learned, reader
from engine.players.arrays import arrays_of
from engine.players.blueprint.shipped import has_blueprints
from engine.players.characters import CHARACTERS, Player
from engine.players.kernels.cards import CHALLENGE
from engine.players.kernels.deciding import decide
from engine.players.kernels.features import workspace
from engine.players.kernels.match import READER
from engine.players.matches import BASELINES, Entry, entry_of, rows
from engine.players.networks import network_of
from engine.players.position import LETS_IT_STAND, Choice, Position
from engine.ruleset import Ruleset

NETWORK: Final = "network"
SHARP: Final = "sharp"
READING: Final = "reader"


def known_players() -> tuple[str, ...]:
    """The names that can be measured: the characters, what sharp is made of, then the baselines."""
    return tuple(dict.fromkeys((*CHARACTERS, NETWORK, READING, *BASELINES)))


def compiled_form(name: str, rules: Ruleset) -> Entry | None:
    """How compiled loops play `name`; None for a character that decides from positions only.

    Raises RulesetError for a name that is not known.
    """
    if name in learned.TEMPERS:
        return entry_of(network_of(rules.key).shifted(*learned.TEMPERS[name]))
    if name == READING or (name == SHARP and not has_blueprints(rules)):
        return reader_entry(rules)
    if name in BASELINES:
        return BASELINES[name]
    if name in CHARACTERS:
        return None
    known = ", ".join(known_players())
    raise RulesetError(f"there is no computer player {name}; there are {known}")


def reader_entry(rules: Ruleset) -> Entry:
    """The reader: the game's network, look-ahead on top of it."""
    return replace(entry_of(network_of(rules.key)), kind=READER)


def player_of(name: str, entry: Entry | None) -> Player:
    """A player as one that decides from positions, for a field with others of that sort."""
    if entry is None:
        return CHARACTERS[name].load()
    if entry.kind == READER:
        return reader.choose
    players, nets = rows([entry])

    def play(position: Position, rules: Ruleset) -> Choice:
        if not position.may_bid:
            return LETS_IT_STAND
        g = arrays_of(rules)
        work, chance = workspace(g.rung.size), np.array([position.chance], np.uint64)
        with np.errstate(over="ignore"):  # wrapping is meant; only seen with the JIT off
            action = decide(
                *(g, work, players[0], nets[0], learned.table_from(position)),
                *(position.seat, chance),
            )
        if action != CHALLENGE:
            return Choice.bid(position, rules.ladder.at(int(action)))
        if position.may_challenge:
            return Choice.challenge(position)
        # what stands is certain, and nothing above it can hold: one lie is as good as another
        return Choice.bid(position, rules.ladder.at(rules.ladder.first_above(position.standing)))

    return play
