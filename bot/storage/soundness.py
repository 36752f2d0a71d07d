"""Whether a row of `tables` can be read at all: it may have been damaged, or edited by hand.

SQLite keeps what it is given, also text in a column of integers. A row that cannot be read must
not keep the others from being read, so it is found here, before anything is made of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, Final

from bot.storage.schema import UNREADABLE
from bot.tables.ports import Damaged
from bot.tables.records import PlayerCut, Status


def _whole(value: Any) -> bool:
    return type(value) is int


def _whole_or_none(value: Any) -> bool:
    return value is None or type(value) is int


def _text_or_none(value: Any) -> bool:
    return value is None or type(value) is str


def _people(value: Any) -> bool:
    return type(value) is list and all(map(_whole, value)) and len(set(value)) == len(value)


def _cuts(value: Any) -> bool:
    names = {one.name for one in fields(PlayerCut)}
    return type(value) is list and all(type(one) is dict and set(one) == names for one in value)


def _by_person(value: Any, sound: Callable[[Any], bool]) -> bool:
    return type(value) is dict and all(
        key.lstrip("-").isdecimal() and key.isascii() and sound(one) for key, one in value.items()
    )


_SOUND: Final[Mapping[str, Callable[[Any], bool]]] = {
    "status": lambda value: value in tuple(Status),
    "variant": lambda value: type(value) is str,
    "options": lambda value: type(value) is dict,
    "players": _people,
    "invited": _people,
    "waiting": _people,
    "cuts": _cuts,
    "absent": lambda value: _by_person(value, _whole),
    "votes": lambda value: _by_person(value, _people),
    "deadline_kind": _text_or_none,
    "nudged": _text_or_none,
    **dict.fromkeys(
        ("guild_id", "channel_id", "host_id", "version", "created_at", "updated_at"), _whole
    ),
    **dict.fromkeys(("announced_seq", "nudges"), _whole),
    **dict.fromkeys(("match_id", "message_id", "deadline", "last_winner"), _whole_or_none),
    **dict.fromkeys(("turn_since", "turn_ends"), _whole_or_none),
    **dict.fromkeys(("nudge_id", "letter_id", "letter_to"), _whole_or_none),
}


def unsound(row: Mapping[str, Any]) -> tuple[str, ...]:
    """The columns of a row of `tables` that cannot be read; of columns not known here, none."""
    return tuple(
        name
        for name, value in row.items()
        if value is UNREADABLE or not _SOUND.get(name, lambda _: True)(value)
    )


def check_row(row: Mapping[str, Any]) -> None:
    """Raises `Damaged` for a row of `tables` that cannot be read, naming its columns."""
    found = unsound(row)
    if found:
        raise Damaged(int(row["id"]), f"cannot be read in its row: {', '.join(found)}")
