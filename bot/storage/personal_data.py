"""The columns that may hold a person's id, and how they hold it.

Showing a person's data and forgetting the person use this same list. A test checks that it is
complete. Damaged values are searched too, since the person they name may want to be forgotten.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Column, ColumnElement, Text, or_, type_coerce

from bot.storage import schema
from bot.storage.schema import Unreadable, fits

_NUMBERS: Final = re.compile(r"(?<![0-9])[0-9]{1,20}(?![0-9])")


@dataclass(frozen=True, slots=True)
class Naming:
    """Functions for a column with people's ids: one yields the ids, the other replaces an id."""

    named: Callable[[Any], Iterator[int]]
    rename: Callable[[Any, int, int], Any]


def _single_id(value: Any) -> Iterator[int]:
    if type(value) is int and fits(value):
        yield value


def _replace_single(value: Any, player: int, by: int) -> Any:
    return by if value == player else value


def _practice_owner(value: Any) -> Iterator[int]:
    """Yield a practice's player from its channel id, which is the player's id negated."""
    if type(value) is int and value < 0:
        yield -value


def ids_in(value: Any) -> Iterator[int]:
    """Yield every number in a JSON value, at any depth and in keys, that may be a person's id.

    In invalid JSON, yield every integer of at most 64 bits.
    """
    match value:
        case Unreadable(text=bytes() as found):
            yield from ids_in(Unreadable(found.decode(errors="replace")))
        case Unreadable(text=str() as found):
            yield from filter(fits, map(int, _NUMBERS.findall(found)))
        case bool():
            return
        case int():
            yield from _single_id(value)
        case str() if _NUMBERS.fullmatch(value):
            yield from _single_id(int(value))
        case list():
            for item in value:
                yield from ids_in(item)
        case dict():
            for key, item in value.items():
                yield from ids_in(key)
                yield from ids_in(item)


def _replace_ids(value: Any, player: int, by: int) -> Any:
    """Return the value with the id `player` replaced by `by`, at any depth and in keys too."""
    match value:
        case Unreadable(text=bytes() as found):
            return _replace_ids(Unreadable(found.decode(errors="replace")), player, by)
        case Unreadable(text=str() as found):
            return Unreadable(re.sub(rf"(?<![0-9]){player}(?![0-9])", str(by), found))
        case str():
            return str(by) if value == str(player) else value
        case list():
            return [_replace_ids(item, player, by) for item in value]
        case dict():
            return {
                _replace_ids(key, player, by): _replace_ids(item, player, by)
                for key, item in value.items()
            }
    return by if type(value) is int and value == player else value


def _ids_of_cuts(value: Any) -> Iterator[int]:
    match value:
        case Unreadable():
            yield from ids_in(value)
        case list():
            for item in value:
                yield from _ids_of_cuts(item)
        case dict():
            yield from _single_id(value.get("player"))


def _cuts_without(value: Any, player: int, by: int) -> Any:
    """Return the cuts without those of `player`. In invalid JSON, only replace the id by `by`."""
    match value:
        case Unreadable():
            return _replace_ids(value, player, by)
        case list():
            return [
                _cuts_without(item, player, by)
                for item in value
                if player not in _ids_of_cuts(item)
            ]
        case dict() if value.get("player") == player:
            return {}
    return value


ID: Final = Naming(_single_id, _replace_single)
PRACTICE: Final = Naming(
    _practice_owner, lambda value, player, by: -by if value == -player else value
)
IDS: Final = Naming(ids_in, _replace_ids)  # JSON with ids as values or keys
CUTS: Final = Naming(_ids_of_cuts, _cuts_without)

# by table and column; all columns but those of single ids are JSON
NAMING: Final[dict[str, dict[str, Naming]]] = {
    "tables": {
        "channel_id": PRACTICE,
        "host_id": ID,
        "players": IDS,
        "last_winner": ID,
        "absent": IDS,
        "votes": IDS,
        "invited": IDS,
        "waiting": IDS,
        "letter_to": ID,
        "cuts": CUTS,
    },
    "matches": {"players": IDS},
    "deliveries": {"player": ID},
    "results": {"player": ID},
    "daily_results": {"player": ID},
    "mistakes": {"player": ID},
    "players": {"id": ID},
    "listeners": {"player_id": ID},
    "digests": {"player": ID},
    "nights": {"host_id": ID},
    "night_comers": {"player": ID},
    "reminder_letters": {"player": ID},
    "named_ranges": {"player": ID},
    "person_records": {"player": ID},
    "pair_records": {"player": ID, "other": ID},
}


def column(table: str, name: str) -> Column[Any]:
    """Return a column by table and name."""
    return schema.metadata.tables[table].c[name]


def may_name(table: str, player: int) -> ColumnElement[bool]:
    """Return an SQL condition that is true for all rows naming `player`, and maybe for others."""
    conditions: list[ColumnElement[bool]] = []
    for name, form in NAMING[table].items():
        where = column(table, name)
        if form is PRACTICE:
            conditions.append(where == -player)
        elif form is ID:
            conditions.append(where == player)
        else:  # JSON text; the digits may be part of a longer id
            conditions.append(type_coerce(where, Text).contains(str(player)))
    return or_(*conditions)


def names(table: str, row: Any, player: int) -> bool:
    """Return whether a row (values by column name) has the id `player` in a column of `NAMING`."""
    return any(
        player in form.named(row[name])
        for name, form in NAMING[table].items()
        if row[name] is not None
    )


def rename_columns(table: str, row: Any, player: int, by: int) -> dict[str, Any]:
    """Return the columns of a row that contain the id `player`, with `by` in its place."""
    changed = {}
    for name, form in NAMING[table].items():
        if row[name] is not None and player in form.named(row[name]):
            changed[name] = form.rename(row[name], player, by)
    return changed
