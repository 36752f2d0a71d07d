"""Who has no Discord id: the computer players of the house, and players who are nameless now.

A computer player has an id, a name and a character.

They are seated by id like anybody, so whatever is stored of a match holds for them too. Theirs are
negative, which no Discord id is. An id stands in stored matches for ever: numbers and places here
never change, and names are added at the end.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

_APART: Final = 100  # ids of one character
# Players whose identity was deleted: as small as no Discord id is, which begin with the time in
# milliseconds above 22 bits. Numbers from 1 on are told apart from them in tests and by eye.
_NAMELESS: Final = range((1 << 21) + 1, 1 << 22)
NAMELESS_IDS: Final = (_NAMELESS[0], _NAMELESS[-1])  # the first and the last
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
    """One of them. `character` is a key of `engine.players.CHARACTERS`."""

    id: int
    name: str
    character: str


_KNOWN: Final = {
    -(number * _APART + place): ComputerPlayer(-(number * _APART + place), name, character)
    for character, (number, names) in _ROSTER.items()
    for place, name in enumerate(names.split(), start=1)
}


def is_computer(player: int) -> bool:
    """Whether a player is one of the house's."""
    return player < 0


def nameless(number: int) -> int:
    """The id of the nameless player with this number, from 1. Raises ValueError beyond the last."""
    if not 1 <= number <= len(_NAMELESS):
        raise ValueError(f"there are nameless players 1 to {len(_NAMELESS)}, no {number}")
    return _NAMELESS[number - 1]


def nameless_number(player: int) -> int | None:
    """The number of a nameless player: somebody who had their data deleted. None for others."""
    return _NAMELESS.index(player) + 1 if player in _NAMELESS else None


def computer(player: int) -> ComputerPlayer:
    """Who has this id; one that a newer version of the house has seated is careful."""
    return _KNOWN.get(player) or ComputerPlayer(player, "Computer", CHARACTERS[0])


def people(players: Iterable[int]) -> tuple[int, ...]:
    """Those of `players` who are people."""
    return tuple(player for player in players if not is_computer(player))


def computers(players: Iterable[int]) -> tuple[ComputerPlayer, ...]:
    """Those of `players` who are not."""
    return tuple(computer(player) for player in players if is_computer(player))


def next_of(character: str, seated: Iterable[int]) -> ComputerPlayer | None:
    """The first of a character that is not seated yet; None if all are."""
    taken = set(seated)
    return next(
        (one for one in _KNOWN.values() if one.character == character and one.id not in taken),
        None,
    )
