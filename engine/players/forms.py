"""Players by name, in the form that compiled loops play, and back.

What *sharp* is made of has names of its own: `network` decides alone, `reader` looks ahead on top
of it. `sharp` is who sits at a table (`engine.players.sharp`): the reader, if nothing is solved.
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
    """The names that can be measured: the characters, what sharp is made of, then the baselines."""
    return tuple(dict.fromkeys((*CHARACTERS, NETWORK, READING, *BASELINES)))


def compiled_form(name: str, rules: Ruleset) -> Entry | None:
    """How compiled loops play `name`; None for a character that decides from positions only.

    Raises RulesetError for a name that is not known.
    """
    if name in learned.TEMPERS:
        return network_of(rules.key).shifted(*learned.TEMPERS[name])
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
    return replace(network_of(rules.key), kind=READER)


def player_of(name: str, entry: Entry | None) -> Player:
    """A player as one that decides from positions, for a field with others of that sort."""
    if entry is None:
        return CHARACTERS[name].load()
    if entry.kind == READER:
        return reader.choose
    return partial(learned.played_by, entry)
