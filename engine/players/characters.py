"""The characters that can be seated, by name.

A new character needs a file of its own and a line here. A player is a function from a
position and its rules to a choice. It is listed by module and name, so that the list itself
loads no code of players.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import Final, cast

from engine.errors import RulesetError
from engine.players.position import Choice, Position
from engine.ruleset import Ruleset

Player = Callable[[Position, Ruleset], Choice]


@dataclass(frozen=True, slots=True)
class Character:
    """A computer player: `key` is used in stored matches, `about` describes it.

    `player` names a `Player` as "module:function". `load` imports it.
    """

    key: str
    about: str
    player: str

    def load(self) -> Player:
        """Import and return the function that chooses for this character."""
        module, _, name = self.player.partition(":")
        return cast(Player, getattr(import_module(module), name))


def _by_key(characters: Iterable[Character]) -> dict[str, Character]:
    return {character.key: character for character in characters}


CHARACTERS: Final[dict[str, Character]] = _by_key(
    (
        Character("careful", "plays it straight", "engine.players.careful:choose"),
        Character("sly", "gives nothing away", "engine.players.learned:sly"),
        Character("sharp", "as strong as we could make it", "engine.players.sharp:choose"),
        Character("wild", "loves to bluff", "engine.players.learned:wild"),
    )
)

STAND_IN: Final = Character(
    "stand-in", "plays for who is away, and tells little", "engine.players.careful:stand_in"
)
OPENER: Final = Character(
    "opener", "opens a round with any safe bid", "engine.players.careful:opener"
)
_UNSEATED: Final = _by_key((STAND_IN, OPENER))  # never seated as players: the bot uses them itself


def character(key: str) -> Character:
    """Return the character with this key; `STAND_IN` and `OPENER` have keys too.

    Raises RulesetError if there is none.
    """
    if key in _UNSEATED:
        return _UNSEATED[key]
    try:
        return CHARACTERS[key]
    except KeyError:
        known = ", ".join(CHARACTERS)
        raise RulesetError(f"there is no computer player {key}; there are {known}") from None
