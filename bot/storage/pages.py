"""Every row of a table, some at a time, with JSON as the text it is."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Final

from sqlalchemy import Column, MetaData, Text, select, tuple_
from sqlalchemy import Table as SqlTable
from sqlalchemy.engine import Connection
from sqlalchemy.engine.default import DefaultDialect

from bot.storage import schema
from bot.storage.database import Ask

AT_ONCE: Final = 500  # rows read, and written, in one statement
_JSON: Final = schema.Json()
_ANY: Final = DefaultDialect()


def plain(table: SqlTable) -> SqlTable:
    """The table with JSON as the text it is: nothing is read and written anew."""
    found = _PLAIN.get(table.name)
    if found is None:
        columns = [
            Column(one.name, Text() if isinstance(one.type, schema.Json) else one.type)
            for one in table.c
        ]
        found = _PLAIN[table.name] = SqlTable(table.name, MetaData(), *columns)
    return found


_PLAIN: Final[dict[str, SqlTable]] = {}


async def pages(ask: Ask, table: SqlTable) -> AsyncIterator[list[dict[str, Any]]]:
    """The rows of a table by its primary key, some at a time; texts in the order of their bytes."""
    last: list[Any] | None = None
    behind = 0  # rows read after `last`
    while rows := await ask(_page, table, last, behind):
        yield rows
        for row in rows:
            key = [row[one.name] for one in table.primary_key]
            # a text that is no UTF-8 is not read as it is stored: the rows behind it are counted
            if any(isinstance(part, str) and "\ufffd" in part for part in key):
                behind += 1
            else:
                last, behind = key, 0


def _page(
    c: Connection, table: SqlTable, last: list[Any] | None, behind: int
) -> list[dict[str, Any]]:
    """The rows after those `behind` the one with the key `last`."""
    as_text = plain(table)
    keys = [
        as_text.c[one.name].collate("C" if is_postgres(c) else "BINARY")
        if isinstance(one.type, Text)
        else as_text.c[one.name]
        for one in table.primary_key
    ]
    asked = select(as_text).order_by(*keys).limit(AT_ONCE).offset(behind)
    if last is not None:
        asked = asked.where(tuple_(*keys) > tuple_(*last))
    return [dict(row) for row in c.execute(asked).mappings()]


def is_postgres(c: Connection) -> bool:
    """Whether a connection is to PostgreSQL."""
    return c.dialect.name == "postgresql"


def as_stored(table: SqlTable, row: dict[str, Any]) -> dict[str, Any]:
    """A row of `pages` with its JSON read."""
    return {
        name: _JSON.process_result_value(value, _ANY)
        if isinstance(table.c[name].type, schema.Json)
        else value
        for name, value in row.items()
    }
