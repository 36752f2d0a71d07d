"""Every kind of damage that a column can have, on each database engine."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Boolean, Column, Double, Integer, LargeBinary, Table, Text, select, text
from sqlalchemy.exc import IntegrityError

from bot.storage import schema
from bot.storage.database import Database
from bot.tables.errors import StoreUnavailable
from tests.bot.storage.asking import transaction
from tests.bot.storage.homes import Home


@dataclass(frozen=True, slots=True)
class Way:
    """A damaged value for a column. `is_noticed`: whether a check must report the value."""

    name: str
    value: Any
    is_noticed: bool = True
    as_text: bool = False  # bytes that are to be text


def ways(column: Column[Any], *, sqlite: bool) -> Iterator[Way]:
    """Yield the damages to try on a column, such as garbage, null, or a later version's value."""
    where = f"{column.table.name}.{column.name}"
    if isinstance(column.type, schema.Json):
        yield Way("garbage", '[1, {"')
        yield Way("a JSON null", "null")
        yield Way("a number", "7")
        yield Way("another shape", '["x", {"y": [null]}]')
        yield Way("a number that no column takes", f"[{10**20}]")
        if where == "tables.cuts":
            yield Way("by nobody", '[{"player":null,"text":"x","counts_from":1}]')
            yield Way("no words", '[{"player":1,"text":null,"counts_from":1}]')
        if where == "actions.body":
            yield Way("a schema to come", json.dumps({"v": 99, "kind": "fold", "who": 1}), False)
            yield Way("an empty object", "{}", False)
        else:
            yield Way("an object of another kind", '{"x": {"y": []}}', False)
    if column.name in ("status", "state"):
        yield Way("a status to come", "sleeping")
    elif isinstance(column.type, Text):
        yield Way("another text", "garbage", False)
    if column.name in ("variant_version", "schema", "version"):
        yield Way("a version to come", 99, False)
    if not sqlite:
        if column.nullable:
            yield Way("null", None, False)
        return
    # SQLite keeps whatever it is given
    if isinstance(column.type, Text | schema.Json):
        yield Way("bytes", b"\xff\x00[")
        yield Way("no UTF-8", b"\xff\xfe{", isinstance(column.type, schema.Json), as_text=True)
    elif isinstance(column.type, Boolean):
        yield Way("text", "garbage", False)  # read as true
    elif isinstance(column.type, Integer | Double | LargeBinary):
        yield Way("text", "garbage")
        if isinstance(column.type, Integer | Double):
            yield Way("an infinite number", float("inf"))
        if isinstance(column.type, Integer):
            yield Way("a fraction", 2.5)
    if column.nullable:
        yield Way("null", None, False)


async def victims(database: Database, table: Table, home: Home) -> list[dict[str, Any]]:
    """Return the primary key of each of a server's rows in a table, as values by column name.

    If no column says to which server a row belongs, return the keys of all rows.
    """
    matches, tables = home.matches, [table.id for table in home.tables]
    belongs = {
        "guild_id": (home.guild, home.gone),
        "match_id": matches,
        "night_id": home.nights,
        "table_id": tables,
        "player_id": home.people,
        "application_id": (home.application,),
        "player": home.people,
    }
    ids_by_table = {"tables": tables, "matches": matches, "players": home.people}.get(table.name)
    if ids_by_table is not None:
        where = [table.c.id.in_(ids_by_table)]
    else:
        where = [table.c[name].in_(those) for name, those in belongs.items() if name in table.c][:1]
        if table.name == "interactions":
            where = [table.c.table_id.in_(tables)]
    async with transaction(database) as connection:
        keys = await connection.execute(select(*table.primary_key).where(*where))
        return [dict(row) for row in keys.mappings()]


async def damage_column(database: Database, column: Column[Any], way: Way, home: Home) -> int:
    """Damage `column` in every row about the server `home`; return how many rows were changed."""
    keys = await victims(database, column.table, home)
    which = " AND ".join(
        f"{key_column.name} = :of_{key_column.name}" for key_column in column.table.primary_key
    )
    value = "CAST(:value AS TEXT)" if way.as_text else ":value"
    sql = f"UPDATE {column.table.name} SET {column.name} = {value} WHERE {which}"
    count = 0
    for key in keys:
        parameters = {"value": way.value} | {f"of_{name}": value for name, value in key.items()}
        # a refusal is that of a second row of the same key, or of a rowid that is no number
        if database.file is not None:
            with (
                suppress(sqlite3.IntegrityError),
                closing(sqlite3.connect(database.file)) as raw,
                raw,
            ):
                count += raw.execute(sql, parameters).rowcount
        else:
            with suppress(StoreUnavailable, IntegrityError):
                async with transaction(database) as connection:
                    count += (await connection.execute(text(sql), parameters)).rowcount
    return count


@contextmanager
def damaged_meanwhile(
    file: Path,
    table: Table,
    keys: list[dict[str, Any]],
    only: tuple[Column[Any], Way] | None = None,
) -> Iterator[list[str]]:
    """Damage rows of an SQLite file, and restore them when the block ends.

    Yield the names of the damaged columns: all except the key and `status`, each damaged in the
    first of its `ways`. `only`: a column to damage instead, and the way to do it.
    """
    columns = [column for column in table.c if not column.primary_key and column.name != "status"]
    if only is not None:
        columns = [only[0]]
    which = " AND ".join(f"{column.name} = :of_{column.name}" for column in table.primary_key)
    names = ", ".join(column.name for column in columns)
    with closing(sqlite3.connect(file)) as raw:
        before = []
        for key in keys:
            parameters = {f"of_{name}": value for name, value in key.items()}
            if columns:
                row = raw.execute(f"SELECT {names} FROM {table.name} WHERE {which}", parameters)
                before.append((parameters, row.fetchone()))
        damaged_columns = set()
        for parameters, _ in before:
            for column in columns:
                way = next(ways(column, sqlite=True)) if only is None else only[1]
                value = "CAST(:value AS TEXT)" if way.as_text else ":value"
                sql = f"UPDATE {table.name} SET {column.name} = {value} WHERE {which}"
                with suppress(sqlite3.IntegrityError), raw:
                    raw.execute(sql, {"value": way.value, **parameters})
                    damaged_columns.add(column.name)
        yield sorted(damaged_columns)
        for parameters, row in before:
            for column, value in zip(columns, row, strict=True):
                sql = f"UPDATE {table.name} SET {column.name} = :value WHERE {which}"
                with suppress(sqlite3.IntegrityError), raw:  # a command may have made it anew
                    raw.execute(sql, {"value": value, **parameters})
