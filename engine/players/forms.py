"""Convert players by name to the form that compiled loops use, and back.

The parts of *sharp* have their own names: "network" decides alone, "reader" looks ahead as well.
"sharp" is the player at tables (`engine.players.sharp`); in a game without solved rounds, it is the
reader.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

from engine.errors import RulesetError
from engine.players import learned, reader
from engine.players.blueprint.shipped import has_blueprints
from engine.players.characters import CHARACTERS, Player
from engine.players.kernels.match import READER
from engine.players.networks import BASELINES, Entry, network_of
from engine.ruleset import Ruleset

NETWORK: Final = "network"
SHARP: Final = "sharp"
READING: Final = "reader"


def known_players() -> tuple[str, ...]:
    """Return the names of players that can be measured: characters, network, reader, baselines."""
    return tuple(dict.fromkeys((*CHARACTERS, NETWORK, READING, *BASELINES)))


def compiled_form(name: str, rules: Ruleset) -> Entry | None:
    """Return the form of the player `name` for compiled loops; None if it has none.

    Raises RulesetError for an unknown name.
    """
    if name in learned.TEMPERS:
        return network_of(rules.key).with_temper(*learned.TEMPERS[name])
    if name == READING or (name == SHARP and not has_blueprints(rules)):
        return reader_entry(rules)
    if name in BASELINES:
        return BASELINES[name]
    if name in CHARACTERS:
        return None
    known = ", ".join(known_players())
    raise RulesetError(f"there is no computer player {name}; there are {known}")


def reader_entry(rules: Ruleset) -> Entry:
    """Return the reader: the game's network, with look-ahead on top of it."""
    return replace(network_of(rules.key), kind=READER)


def player_of(name: str, entry: Entry | None) -> Player:
    """Return the player `name` as a function of positions; `entry` is its compiled form, if any."""
    if entry is None:
        return CHARACTERS[name].load()
    if entry.kind == READER:
        return reader.choose
    return partial(learned.play_entry, entry)
