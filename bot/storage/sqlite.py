"""A connection to an SQLite file in a thread of its own, one way to the thread a statement.

aiosqlite goes to its thread and back for each of making a cursor, executing, fetching and closing.
A way costs more than what most statements do there, so here they are one, and what begins a
transaction goes with its first statement.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, NamedTuple, Self

import aiosqlite


class _Done(NamedTuple):
    """What a statement left behind."""

    rows: list[Any]
    description: Any
    rowcount: int
    lastrowid: int | None


class _Cursor:
    """The part of aiosqlite's cursor that SQLAlchemy uses; it costs nothing to make or close."""

    arraysize = 1

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._done = _Done([], None, -1, None)

    async def __aenter__(self) -> Self:
        return self

    @property
    def description(self) -> Any:
        """The columns of the rows; None if the statement gives none."""
        return self._done.description

    @property
    def rowcount(self) -> int:
        """How many rows were changed."""
        return self._done.rowcount

    @property
    def lastrowid(self) -> int | None:
        """The key of the row inserted last."""
        return self._done.lastrowid

    async def execute(self, sql: str, parameters: Iterable[Any] = ()) -> Self:
        """Execute a statement and fetch all its rows."""
        self._done = await self._connection.one_way("execute", sql, parameters)
        return self

    async def executemany(self, sql: str, parameters: Iterable[Iterable[Any]]) -> Self:
        """Execute a statement once for each of `parameters`."""
        self._done = await self._connection.one_way("executemany", sql, parameters)
        return self

    async def fetchall(self) -> Sequence[Any]:
        """The rows, which are here already."""
        return self._done.rows

    async def close(self) -> None:
        """Nothing is open."""


class Connection(aiosqlite.Connection):
    """aiosqlite's, but for the cursors it makes."""

    def __init__(self, connector: Callable[[], sqlite3.Connection]) -> None:
        super().__init__(connector, iter_chunk_size=64)
        self._thread.daemon = True  # as SQLAlchemy has it: no thread keeps the process alive
        self._begin: str | None = None  # what begins a transaction, not yet executed
        self._begun = False  # a transaction is open, or is being opened

    def cursor(self) -> Any:
        """A cursor for SQLAlchemy."""
        return _Cursor(self)

    async def one_way(self, how: str, sql: str, parameters: Any) -> _Done:
        """Execute a statement in the thread; `how` is sqlite3's method for it."""
        if sql.startswith("BEGIN"):
            self._begin = sql
            return _Done([], None, -1, None)
        begin, self._begin = self._begin, None
        self._begun |= begin is not None
        work = partial(self._at_once, begin, how, sql, parameters)
        done: _Done = await self._execute(work)  # type: ignore[no-untyped-call]
        return done

    def _at_once(self, begin: str | None, how: str, sql: str, parameters: Any) -> _Done:
        if begin is not None:
            self._conn.execute(begin)
        cursor = getattr(self._conn, how)(sql, parameters)
        rows = cursor.fetchall() if cursor.description else []
        done = _Done(rows, cursor.description, cursor.rowcount, cursor.lastrowid)
        cursor.close()
        return done

    async def commit(self) -> None:
        """End the transaction; one in which nothing was executed has not begun."""
        self._begin = None
        if self._begun:
            await super().commit()
            self._begun = False

    async def rollback(self) -> None:
        """The same, and nothing is stored. The pool asks for it after every use."""
        self._begin = None
        if self._begun:
            await super().rollback()
            self._begun = False


async def connect(database: str, busy_ms: int, *, uri: bool = False) -> aiosqlite.Connection:
    """A connection in autocommit: we begin transactions ourselves.

    It is made by a task that nobody cancels. If who waits for it is cancelled, its thread opens
    the file all the same, and aiosqlite alone would forget what it opened.
    """
    connection = Connection(
        partial(
            sqlite3.connect,
            database,
            uri=uri,
            timeout=busy_ms / 1000,
            isolation_level=None,
            check_same_thread=False,
        )
    )
    opening = asyncio.ensure_future(connection)
    try:
        return await asyncio.shield(opening)
    except asyncio.CancelledError:
        await asyncio.wait({opening})
        if opening.exception() is None:
            await connection.close()
        raise
