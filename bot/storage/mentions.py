"""Where people are named: every column that may hold somebody's id, and in what form.

One list, so that forgetting somebody and showing them what is stored go by the same. A test holds
that every column which could name a person is either here or known to name nobody.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Column, ColumnElement, or_

from bot.storage import schema


@dataclass(frozen=True, slots=True)
class Form:
    """How a column names people: whom a value names, and the value with one called another."""

    named: Callable[[Any], Iterator[int]]
    renamed: Callable[[Any, int, int], Any]


def _one(value: int) -> Iterator[int]:
    yield value


def _instead(value: int, who: int, by: int) -> int:
    return by if value == who else value


def _channel(value: int) -> Iterator[int]:
    """The channel of a practice is its person's id, negative."""
    if value < 0:
        yield -value


def _in_list(value: list[int], who: int, by: int) -> list[int]:
    return [_instead(one, who, by) for one in value]


def _in_votes(value: dict[str, list[int]]) -> Iterator[int]:
    for voted, voters in value.items():
        yield int(voted)
        yield from voters


def _votes_renamed(value: dict[str, list[int]], who: int, by: int) -> dict[str, list[int]]:
    return {_key(voted, who, by): _in_list(voters, who, by) for voted, voters in value.items()}


def _key(text: str, who: int, by: int) -> str:
    return str(_instead(int(text), who, by))


def _cut_by(value: list[dict[str, Any]]) -> Iterator[int]:
    for cut in value:
        yield cut["player"]


def _cuts_without(value: list[dict[str, Any]], who: int, by: int) -> list[dict[str, Any]]:
    """What somebody typed goes with them."""
    return [cut for cut in value if cut["player"] != who]


ID: Final = Form(_one, _instead)
PRACTICE: Final = Form(_channel, lambda value, who, by: -by if value == -who else value)
LIST: Final = Form(iter, _in_list)
KEYS: Final = Form(
    lambda value: map(int, value),
    lambda value, who, by: {_key(text, who, by): kept for text, kept in value.items()},
)
VOTES: Final = Form(_in_votes, _votes_renamed)
CUTS: Final = Form(_cut_by, _cuts_without)

# by table, then by column; what is not a single id is JSON
_NAMING: Final[dict[str, dict[str, Form]]] = {
    "tables": {
        "channel_id": PRACTICE,
        "host_id": ID,
        "players": LIST,
        "last_winner": ID,
        "absent": KEYS,
        "votes": VOTES,
        "invited": LIST,
        "waiting": LIST,
        "letter_to": ID,
        "cuts": CUTS,
    },
    "matches": {"players": LIST},
    "deliveries": {"player": ID},
    "results": {"player": ID},
    "players": {"id": ID},
    "listeners": {"player_id": ID},
    "person_records": {"player": ID},
    "pair_records": {"player": ID, "other": ID},
}
# those of the schema
NAMING: Final = {
    table: {name: form for name, form in columns.items() if name in schema.metadata.tables[table].c}
    for table, columns in _NAMING.items()
    if table in schema.metadata.tables
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
            asked.append(_as_text(where).contains(str(player)))
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


def _as_text(where: Column[Any]) -> ColumnElement[Any]:
    from sqlalchemy import Text, type_coerce

    return type_coerce(where, Text)
