"""Where people are named: every column that may hold somebody's id, and in what form.

One list, so that forgetting somebody and showing them what is stored go by the same. A test holds
that every column which could name a person is either here or known to name nobody. A damaged value
is searched as it is, since its person may want to be forgotten all the same.
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
    """How a column names people: whom a value names, and the value with one called another."""

    named: Callable[[Any], Iterator[int]]
    renamed: Callable[[Any, int, int], Any]


def _one(value: Any) -> Iterator[int]:
    if type(value) is int and fits(value):
        yield value


def _instead(value: Any, who: int, by: int) -> Any:
    return by if value == who else value


def _channel(value: Any) -> Iterator[int]:
    """The channel of a practice is its person's id, negative."""
    if type(value) is int and value < 0:
        yield -value


def ids_in(value: Any) -> Iterator[int]:
    """Every number in a JSON value that may be somebody's id, whatever shape it has.

    What is damaged may have another than it should. Of what is no JSON, every whole number.
    """
    match value:
        case Unreadable(text=bytes() as found):
            yield from ids_in(Unreadable(found.decode(errors="replace")))
        case Unreadable(text=str() as found):
            yield from filter(fits, map(int, _NUMBERS.findall(found)))
        case bool():
            return
        case int():
            yield from _one(value)
        case str() if _NUMBERS.fullmatch(value):
            yield from _one(int(value))
        case list():
            for one in value:
                yield from ids_in(one)
        case dict():
            for key, one in value.items():
                yield from ids_in(key)
                yield from ids_in(one)


def _renamed(value: Any, who: int, by: int) -> Any:
    """The value with another id in place of one, wherever that is."""
    match value:
        case Unreadable(text=bytes() as found):
            return _renamed(Unreadable(found.decode(errors="replace")), who, by)
        case Unreadable(text=str() as found):
            return Unreadable(re.sub(rf"(?<![0-9]){who}(?![0-9])", str(by), found))
        case str():
            return str(by) if value == str(who) else value
        case list():
            return [_renamed(one, who, by) for one in value]
        case dict():
            return {_renamed(key, who, by): _renamed(one, who, by) for key, one in value.items()}
    return by if type(value) is int and value == who else value


def _cut_by(value: Any) -> Iterator[int]:
    match value:
        case Unreadable():
            yield from ids_in(value)
        case list():
            for one in value:
                yield from _cut_by(one)
        case dict():
            yield from _one(value.get("player"))


def _cuts_without(value: Any, who: int, by: int) -> Any:
    """What somebody typed goes with them; in what is no JSON it cannot be told from the rest."""
    match value:
        case Unreadable():
            return _renamed(value, who, by)
        case list():
            return [_cuts_without(one, who, by) for one in value if who not in _cut_by(one)]
        case dict() if value.get("player") == who:
            return {}
    return value


ID: Final = Naming(_one, _instead)
PRACTICE: Final = Naming(_channel, lambda value, who, by: -by if value == -who else value)
IDS: Final = Naming(ids_in, _renamed)  # JSON that holds ids, as values or keys
CUTS: Final = Naming(_cut_by, _cuts_without)

# by table, then by column; what is not a single id is JSON
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
    "person_records": {"player": ID},
    "pair_records": {"player": ID, "other": ID},
}


def column(table: str, name: str) -> Column[Any]:
    """A column by its names."""
    return schema.metadata.tables[table].c[name]


def may_name(table: str, player: int) -> ColumnElement[bool]:
    """A condition that every row of a table which names `player` meets; others may meet it too."""
    asked: list[ColumnElement[bool]] = []
    for name, form in NAMING[table].items():
        where = column(table, name)
        if form is PRACTICE:
            asked.append(where == -player)
        elif form is ID:
            asked.append(where == player)
        else:  # JSON is text, and an id in it may be part of a longer one
            asked.append(type_coerce(where, Text).contains(str(player)))
    return or_(*asked)


def names(table: str, row: Any, player: int) -> bool:
    """Whether a row (by column name) names `player`."""
    return any(
        player in form.named(row[name])
        for name, form in NAMING[table].items()
        if row[name] is not None
    )


def renamed(table: str, row: Any, player: int, by: int) -> dict[str, Any]:
    """The columns of a row that name `player`, with `by` in their place."""
    changed = {}
    for name, form in NAMING[table].items():
        if row[name] is not None and player in form.named(row[name]):
            changed[name] = form.renamed(row[name], player, by)
    return changed
