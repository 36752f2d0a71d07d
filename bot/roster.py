"""Players without a Discord id: computer players, and nameless ones in place of forgotten people.

A computer player has an id, a name and a character. It has a seat and an id like a person, so
everything stored about a match works for it too. Computer players' ids are negative, unlike
Discord's. Ids stay in stored matches for ever: never change numbers or positions here, and add
names only at the end.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

_IDS_EACH: Final = 100  # ids per character
# Ids of players whose identity was deleted. No Discord id is below 1 << 22, as its bits from 22 on
# are a time in milliseconds. The small numbers from 1 on that tests use as ids are not among them.
NAMELESS: Final = range((1 << 21) + 1, 1 << 22)
NAMELESS_IDS: Final = (NAMELESS[0], NAMELESS[-1])  # the first and the last
# the number of each character, and the names of those who have it
_ROSTER: Final = {
    "careful": (1, "Agnes Otto Edith Walter Ingrid Harold Ruth Bertil Martha"),
    "sly": (2, "Mira Silas Odette Lorcan Sable Felix Vesper Corvin Renata"),
    "sharp": (3, "Blaise Emmy Pascal Sonya Kurt Hypatia Jakob Florence Ada"),
    "wild": (4, "Roxy Dash Zola Bruno Juno Fitz Pepper Ziggy Tilda"),
}
CHARACTERS: Final = tuple(_ROSTER)


@dataclass(frozen=True, slots=True)
class ComputerPlayer:
    """A computer player. `character` is a key of `engine.players.CHARACTERS`."""

    id: int
    name: str
    character: str


_KNOWN: Final = {
    -(number * _IDS_EACH + place): ComputerPlayer(-(number * _IDS_EACH + place), name, character)
    for character, (number, names) in _ROSTER.items()
    for place, name in enumerate(names.split(), start=1)
}


def is_computer(player: int) -> bool:
    """Return whether a player is a computer player."""
    return player < 0


def nameless(number: int) -> int:
    """Return the id of the nameless player `number`, from 1. Raises ValueError beyond the last."""
    if not 1 <= number <= len(NAMELESS):
        raise ValueError(f"there are nameless players 1 to {len(NAMELESS)}, no {number}")
    return NAMELESS[number - 1]


def nameless_number(player: int) -> int | None:
    """Return the number of a nameless player, who replaces a forgotten person; None for others."""
    return NAMELESS.index(player) + 1 if player in NAMELESS else None


def computer(player: int) -> ComputerPlayer:
    """Return the computer player with this id.

    If only a newer version of the bot knows the id, return a careful player.
    """
    return _KNOWN.get(player) or ComputerPlayer(player, "Computer", CHARACTERS[0])


def people(players: Iterable[int]) -> tuple[int, ...]:
    """Return those of `players` who are people."""
    return tuple(player for player in players if not is_computer(player))


def computers(players: Iterable[int]) -> tuple[ComputerPlayer, ...]:
    """Return those of `players` who are computer players."""
    return tuple(computer(player) for player in players if is_computer(player))


def next_of(character: str, seated: Iterable[int]) -> ComputerPlayer | None:
    """Return the first computer player of a character who is not seated yet; None if all are."""
    taken = set(seated)
    return next(
        (
            player
            for player in _KNOWN.values()
            if player.character == character and player.id not in taken
        ),
        None,
    )
