"""Rows: check whether a row can be read, and convert rows of `tables` to records and back.

A row may have been damaged or edited by hand: SQLite stores any value, even text in an integer
column, and JSON is text everywhere. An unreadable row must not keep others from being read, so it
is detected here, before anything is built from it. The type of every column is checked, and for
some columns more than that.
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
_OF_A_CUT: Final = {field.name for field in fields(PlayerCut)}
_NUMBER: Final = re.compile("-?[0-9]{1,19}")
_MOST_SECONDS: Final = 2**40  # seconds of a turn; in milliseconds they must fit a column


def _is_integer(value: Any) -> bool:
    return type(value) is int and fits(value)


def _is_object(value: Any) -> bool:
    return type(value) is dict


def _is_options(value: Any) -> bool:
    """Return whether a value is a table's options with a usable turn clock."""
    if type(value) is not dict:
        return False
    clock = value.get(TURN_CLOCK.key, TURN_CLOCK.default)
    return type(clock) is int and 0 <= clock < _MOST_SECONDS


def _is_id_list(value: Any) -> bool:
    return type(value) is list and all(map(_is_integer, value)) and len(set(value)) == len(value)


def _is_cut_list(value: Any) -> bool:
    return type(value) is list and all(map(_is_cut, value))


def _is_cut(value: Any) -> bool:
    return (
        type(value) is dict
        and set(value) == _OF_A_CUT
        and _is_integer(value["player"])
        and type(value["text"]) is str
        and _is_integer(value["counts_from"])
    )


def _is_by_person(value: Any, sound: Check) -> bool:
    return type(value) is dict and all(
        _NUMBER.fullmatch(key) and fits(int(key)) and sound(item) for key, item in value.items()
    )


# checks beyond a column's type
_KNOWN: Final[Mapping[Column[Any], Check]] = {
    schema.tables.c.status: lambda value: value in tuple(Status),
    schema.nights.c.stage: lambda value: value in tuple(Stage),
    schema.tables.c.options: _is_options,
    schema.tables.c.players: _is_id_list,
    schema.tables.c.invited: _is_id_list,
    schema.tables.c.waiting: _is_id_list,
    schema.tables.c.cuts: _is_cut_list,
    schema.tables.c.absent: lambda value: _is_by_person(value, _is_integer),
    schema.tables.c.votes: lambda value: _is_by_person(value, _is_id_list),
    schema.matches.c.status: lambda value: value in tuple(MatchStatus),
    schema.matches.c.options: _is_object,
    schema.matches.c.players: _is_id_list,
    schema.actions.c.body: _is_object,
    schema.deliveries.c.state: lambda value: value in tuple(Delivery),
    schema.players.c.choices: _is_object,
    schema.guild_settings.c.options: _is_object,
}


def _type_check(column: Column[Any]) -> Check:
    """Return a function that checks whether a value has the column's type."""
    match column.type:
        case schema.Json():
            return lambda value: not isinstance(value, Unreadable)
        case Boolean():
            return lambda value: type(value) is bool
        case Integer():
            return _is_integer
        case Double():
            return lambda value: type(value) in (float, int) and isfinite(value)
        case LargeBinary():
            return lambda value: type(value) is bytes
        case _:
            return lambda value: type(value) is str


def _check_of(column: Column[Any]) -> Check:
    sound = _KNOWN.get(column) or _type_check(column)
    if column.nullable:
        return lambda value: value is None or sound(value)
    return sound


_CHECKS: Final[dict[str, dict[str, Check]]] = {
    table.name: {column.name: _check_of(column) for column in table.c}
    for table in schema.metadata.sorted_tables
}
_OVER: Final = (MatchStatus.WON.value, MatchStatus.ABANDONED.value)
# columns that are all null or all set
_FEATS: Final = tuple(
    tuple(f"{feat}_{part}" for part in ("match", "round", "key", "chance"))
    for feat in ("boldest", "catch")
)
# names, in the log, of an id column and of columns with other rows' ids
_NUMBERED: Final[Mapping[tuple[str, str], str]] = {
    ("tables", "id"): "table",
    ("matches", "id"): "match",
}
_OF: Final = (("match_id", "match"), ("guild_id", "guild"))


def unsound(row: Mapping[Any, Any], table: SqlTable = schema.tables) -> tuple[str, ...]:
    """Return the names of a row's unreadable columns, ignoring columns of other tables."""
    checks = _CHECKS[table.name]
    names = [name for name, value in row.items() if name in checks and not checks[name](value)]
    over = table is schema.matches and row.get("status") in _OVER
    if over and row.get("ended_at", 0) is None:
        names.append("ended_at")  # an ended match must have it
    for feat in _FEATS if table is schema.person_records else ():
        known = {name: row[name] for name in feat if name in row}
        if None in known.values() and any(value is not None for value in known.values()):
            names += [name for name, value in known.items() if value is None]
    return tuple(names)


def damage_error(row: Mapping[Any, Any], table: SqlTable, columns: Iterable[str]) -> Damaged:
    """Return the error for a damaged row. It reveals only ids of tables, matches and guilds."""
    where = {
        word: row[name]
        for (of, name), word in _NUMBERED.items()
        if of == table.name and _is_integer(row.get(name))
    }
    for name, word in _OF:
        if not where and _is_integer(row.get(name)):
            where[word] = row[name]
    listing = ", ".join(columns)
    if table is schema.tables:
        return Damaged(f"cannot be read in its row: {listing}", **where)
    return Damaged(f"cannot be read in a row of {table.name}: {listing}", **where)


def sound(
    rows: Iterable[Any], aside: Quarantine, *tables: SqlTable, **labels: Column[Any]
) -> list[Any]:
    """Return the readable rows, and report the others to the quarantine `aside`.

    `tables`: the tables whose columns the rows hold. `labels`: renamed columns, by their names in
    the rows.
    """
    return [row for row in rows if is_sound(row._mapping, aside, *tables, **labels)]


def is_sound(
    row: Mapping[Any, Any], aside: Quarantine, *tables: SqlTable, **labels: Column[Any]
) -> bool:
    """Return whether a row can be read, with arguments as in `sound`; report it if not."""
    for table in tables:
        values = {name: row[name] for name in row if name in table.c and name not in labels}
        values |= {
            column.name: row[label] for label, column in labels.items() if column.table is table
        }
        bad = unsound(values, table)
        if bad:
            key: Hashable = (table.name, *(values.get(column.name) for column in table.primary_key))
            try:
                hash(key)
            except TypeError:
                key = table.name
            aside.name(damage_error(values, table, bad), key)
            return False
    return True


_KINDS: Final = frozenset(kind.value for kind in DeadlineKind)
COLUMNS: Final = tuple(field.name for field in fields(Table) if field.name != "id")


def table_from(row: Mapping[Any, Any]) -> Table:
    """Return a table's record from its row. Raises `Damaged` with the names of bad columns."""
    bad = unsound(row)
    if bad:
        raise damage_error(row, schema.tables, bad)
    values = dict(row)
    values["status"] = Status(values["status"])
    values["players"] = tuple(values["players"])
    kind = values["deadline_kind"]
    # ignore a kind that this code doesn't know: the table's state says what comes next
    values["deadline_kind"] = DeadlineKind(kind) if kind in _KINDS else None
    # JSON's keys are text and its sequences lists
    values["absent"] = {int(player): misses for player, misses in values["absent"].items()}
    values["votes"] = {int(player): tuple(by) for player, by in values["votes"].items()}
    for people in ("invited", "waiting"):
        values[people] = tuple(values[people])
    values["cuts"] = tuple(PlayerCut(**cut) for cut in values["cuts"])
    return Table(id=values["id"], **{name: values[name] for name in COLUMNS})


def row_values(table: Table) -> dict[str, Any]:
    """Return a table's row from its record, without the id."""
    values = {name: getattr(table, name) for name in COLUMNS}
    values["status"] = table.status.value
    values["players"] = list(table.players)
    values["cuts"] = [asdict(cut) for cut in table.cuts]
    return values
