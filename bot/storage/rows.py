"""Rows: whether one can be read at all, and those of `tables` as records and back.

A row may have been damaged, or edited by hand: SQLite keeps what it is given, also text in a column
of integers, and JSON is text everywhere. A row that cannot be read must not keep the others from
being read, so it is found here, before anything is made of it. Every column is checked by its type;
those of which more is known, by that too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import asdict, fields
from math import isfinite
from typing import Any, Final

from sqlalchemy import Boolean, Column, Double, Integer, LargeBinary
from sqlalchemy import Table as SqlTable

from bot.storage import schema
from bot.storage.schema import Unreadable, fits
from bot.tables.errors import Damaged
from bot.tables.model import DeadlineKind, Delivery, MatchStatus, PlayerCut, Status, Table
from bot.tables.nights import Stage
from bot.tables.quarantine import Quarantine
from bot.tables.table_options import TURN_CLOCK

Check = Callable[[Any], bool]
_OF_A_CUT: Final = {one.name for one in fields(PlayerCut)}
_NUMBER: Final = re.compile("-?[0-9]{1,19}")
_MOST_SECONDS: Final = 2**40  # of a turn; as milliseconds they must have room in a column


def _whole(value: Any) -> bool:
    return type(value) is int and fits(value)


def _object(value: Any) -> bool:
    return type(value) is dict


def _chosen(value: Any) -> bool:
    """Choices of a table: whatever else they hold, a clock that is no number would be no clock."""
    if type(value) is not dict:
        return False
    clock = value.get(TURN_CLOCK.key, TURN_CLOCK.default)
    return type(clock) is int and 0 <= clock < _MOST_SECONDS


def _people(value: Any) -> bool:
    return type(value) is list and all(map(_whole, value)) and len(set(value)) == len(value)


def _cuts(value: Any) -> bool:
    return type(value) is list and all(map(_cut, value))


def _cut(value: Any) -> bool:
    return (
        type(value) is dict
        and set(value) == _OF_A_CUT
        and _whole(value["player"])
        and type(value["text"]) is str
        and _whole(value["counts_from"])
    )


def _by_person(value: Any, sound: Check) -> bool:
    return type(value) is dict and all(
        _NUMBER.fullmatch(key) and fits(int(key)) and sound(one) for key, one in value.items()
    )


# what is known of a column beside its type
_KNOWN: Final[Mapping[Column[Any], Check]] = {
    schema.tables.c.status: lambda value: value in tuple(Status),
    schema.nights.c.stage: lambda value: value in tuple(Stage),
    schema.tables.c.options: _chosen,
    schema.tables.c.players: _people,
    schema.tables.c.invited: _people,
    schema.tables.c.waiting: _people,
    schema.tables.c.cuts: _cuts,
    schema.tables.c.absent: lambda value: _by_person(value, _whole),
    schema.tables.c.votes: lambda value: _by_person(value, _people),
    schema.matches.c.status: lambda value: value in tuple(MatchStatus),
    schema.matches.c.options: _object,
    schema.matches.c.players: _people,
    schema.actions.c.body: _object,
    schema.deliveries.c.state: lambda value: value in tuple(Delivery),
    schema.players.c.choices: _object,
    schema.guild_settings.c.options: _object,
}


def _typed(column: Column[Any]) -> Check:
    """Whether a value is of the column's type; a Boolean is made one by whoever reads it."""
    match column.type:
        case schema.Json():
            return lambda value: not isinstance(value, Unreadable)
        case Boolean():
            return lambda value: type(value) is bool
        case Integer():
            return _whole
        case Double():
            return lambda value: type(value) in (float, int) and isfinite(value)
        case LargeBinary():
            return lambda value: type(value) is bytes
        case _:
            return lambda value: type(value) is str


def _check_of(column: Column[Any]) -> Check:
    sound = _KNOWN.get(column) or _typed(column)
    if column.nullable:
        return lambda value: value is None or sound(value)
    return sound


_CHECKS: Final[dict[str, dict[str, Check]]] = {
    table.name: {column.name: _check_of(column) for column in table.c}
    for table in schema.metadata.sorted_tables
}
_OVER: Final = (MatchStatus.WON.value, MatchStatus.ABANDONED.value)
# columns that are all known or all unknown
_FEATS: Final = tuple(
    tuple(f"{feat}_{what}" for what in ("match", "round", "key", "chance"))
    for feat in ("boldest", "catch")
)
# how a log calls what a column numbers, and the words for a row that none of these numbers
_NUMBERED: Final[Mapping[tuple[str, str], str]] = {
    ("tables", "id"): "table",
    ("matches", "id"): "match",
}
_OF: Final = (("match_id", "match"), ("guild_id", "guild"))


def unsound(row: Mapping[Any, Any], table: SqlTable = schema.tables) -> tuple[str, ...]:
    """The columns of a row that cannot be read; of columns that are not the table's, none."""
    checks = _CHECKS[table.name]
    found = [name for name, value in row.items() if name in checks and not checks[name](value)]
    over = table is schema.matches and row.get("status") in _OVER
    if over and row.get("ended_at", 0) is None:
        found.append("ended_at")  # it does not say since when
    for feat in _FEATS if table is schema.person_records else ():
        known = {name: row[name] for name in feat if name in row}
        if None in known.values() and any(value is not None for value in known.values()):
            found += [name for name, value in known.items() if value is None]
    return tuple(found)


def damaged(row: Mapping[Any, Any], table: SqlTable, columns: Iterable[str]) -> Damaged:
    """What is wrong with a row, for a log: by the numbers of tables, matches and guilds alone."""
    where = {
        what: row[name]
        for (of, name), what in _NUMBERED.items()
        if of == table.name and _whole(row.get(name))
    }
    for name, what in _OF:
        if not where and _whole(row.get(name)):
            where[what] = row[name]
    said = ", ".join(columns)
    if table is schema.tables:
        return Damaged(f"cannot be read in its row: {said}", **where)
    return Damaged(f"cannot be read in a row of {table.name}: {said}", **where)


def sound(
    rows: Iterable[Any], aside: Quarantine, *tables: SqlTable, **labels: Column[Any]
) -> list[Any]:
    """The rows that can be read; those that cannot be are named.

    `tables`: whose columns they hold. `labels`: which column stands under another name.
    """
    return [row for row in rows if is_sound(row._mapping, aside, *tables, **labels)]


def is_sound(
    row: Mapping[Any, Any], aside: Quarantine, *tables: SqlTable, **labels: Column[Any]
) -> bool:
    """Whether one row can be read; if not, it is named."""
    for table in tables:
        own = {name: row[name] for name in row if name in table.c and name not in labels}
        own |= {
            column.name: row[label] for label, column in labels.items() if column.table is table
        }
        bad = unsound(own, table)
        if bad:
            key: Hashable = (table.name, *(own.get(one.name) for one in table.primary_key))
            try:
                hash(key)
            except TypeError:
                key = table.name
            aside.name(damaged(own, table, bad), key)
            return False
    return True


_KINDS: Final = frozenset(kind.value for kind in DeadlineKind)
COLUMNS: Final = tuple(one.name for one in fields(Table) if one.name != "id")


def table_from(row: Mapping[Any, Any]) -> Table:
    """The record of a table from its row by column. Raises `Damaged`, naming the columns."""
    bad = unsound(row)
    if bad:
        raise damaged(row, schema.tables, bad)
    values = dict(row)
    values["status"] = Status(values["status"])
    values["players"] = tuple(values["players"])
    kind = values["deadline_kind"]
    # a kind that this code does not know is none: the table's state says what is to come
    values["deadline_kind"] = DeadlineKind(kind) if kind in _KINDS else None
    # JSON's keys are text and its sequences lists
    values["absent"] = {int(player): misses for player, misses in values["absent"].items()}
    values["votes"] = {int(player): tuple(by) for player, by in values["votes"].items()}
    for people in ("invited", "waiting"):
        values[people] = tuple(values[people])
    values["cuts"] = tuple(PlayerCut(**one) for one in values["cuts"])
    return Table(id=values["id"], **{name: values[name] for name in COLUMNS})


def row_values(table: Table) -> dict[str, Any]:
    """A record as its row's values by column, without the id."""
    values = {name: getattr(table, name) for name in COLUMNS}
    values["status"] = table.status.value
    values["players"] = list(table.players)
    values["cuts"] = [asdict(one) for one in table.cuts]
    return values
