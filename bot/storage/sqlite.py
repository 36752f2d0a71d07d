"""A connection to an SQLite file in a thread of its own, one way to the thread a statement.

aiosqlite goes to its thread and back for each of making a cursor, executing, fetching and closing.
A way costs more than what most statements do there, so here they are one. What begins a transaction
goes with its first statement; where nobody asks what its writes left behind, they go with what ends
it. A transaction that only asks whether it may write is one way as a whole.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, Self

import aiosqlite

_WRITES: Final = ("INSERT", "UPDATE", "DELETE")


class _Statement(NamedTuple):
    """What is to be executed; `how` is sqlite3's method for it."""

    how: str
    sql: str
    parameters: Any


class _Done(NamedTuple):
    """What a statement left behind."""

    rows: list[Any]
    description: Any
    rowcount: int
    lastrowid: int | None


_NOTHING: Final = _Done([], None, -1, None)


class _Cursor:
    """The part of aiosqlite's cursor that SQLAlchemy uses; it costs nothing to make or close."""

    arraysize = 1

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._done = _NOTHING

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
        self._done = await self._connection.one_way(_Statement("execute", sql, parameters))
        return self

    async def executemany(self, sql: str, parameters: Iterable[Iterable[Any]]) -> Self:
        """Execute a statement once for each of `parameters`."""
        self._done = await self._connection.one_way(_Statement("executemany", sql, parameters))
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
        self._waiting: list[_Statement] = []  # go with the next statement, or with the commit
        self._begun = False  # a transaction is open, or is being opened
        self.gathers = False  # until the transaction ends, writes wait: nobody asks what they left
        # the next statement is executed before what waits, and ends the transaction: all is stored
        # if it gives a row, nothing if it gives none
        self.guarded = False

    def cursor(self) -> Any:
        """A cursor for SQLAlchemy."""
        return _Cursor(self)

    async def one_way(self, statement: _Statement) -> _Done:
        """Execute a statement in the thread, after those that wait; or have it wait with them."""
        begins = statement.sql.startswith("BEGIN")
        writes = statement.sql.startswith(_WRITES) and "RETURNING" not in statement.sql
        if begins or (writes and self.gathers):
            self._waiting.append(statement)
            return _NOTHING
        if self.guarded:
            return await self._guarded(statement)
        return await self._there([*self._taken(), statement])

    async def _guarded(self, guard: _Statement) -> _Done:
        """Execute the guard and, if it gives a row, what waits; the transaction is over then."""
        waiting = self._taken()
        begins = [one for one in waiting if one.sql.startswith("BEGIN")]
        others = [one for one in waiting if one not in begins]
        work = partial(self._if_guard_gives, [*begins, guard], others, commits=True)
        done: _Done = await self._execute(work)  # type: ignore[no-untyped-call]
        self._begun = self.gathers = self.guarded = False
        return done

    def _if_guard_gives(
        self, first: list[_Statement], others: list[_Statement], *, commits: bool
    ) -> _Done:
        done = self._at_once(first, commits=False)
        if done.rows:
            self._at_once(others, commits=commits)
        else:
            self._conn.rollback()
        return done

    def _taken(self) -> list[_Statement]:
        """What waits; it waits no longer."""
        taken, self._waiting = self._waiting, []
        self._begun |= bool(taken)
        return taken

    async def _there(self, statements: list[_Statement], *, commits: bool = False) -> _Done:
        work = partial(self._at_once, statements, commits=commits)
        done: _Done = await self._execute(work)  # type: ignore[no-untyped-call]
        return done

    def _at_once(self, statements: list[_Statement], *, commits: bool) -> _Done:
        done = _NOTHING
        for how, sql, parameters in statements:
            cursor = getattr(self._conn, how)(sql, parameters)
            rows = cursor.fetchall() if cursor.description else []
            done = _Done(rows, cursor.description, cursor.rowcount, cursor.lastrowid)
            cursor.close()
        if commits:
            self._conn.commit()
        return done

    async def alone(self, sql: str) -> list[Any]:
        """Execute a statement that must not be in a transaction; its rows."""
        return (await self._there([_Statement("execute", sql, ())])).rows

    async def commit(self) -> None:
        """End the transaction; one in which nothing was executed has not begun."""
        waiting = self._taken() if self.gathers or self._begun else []
        self._waiting = []
        if self._begun:
            await self._there(waiting, commits=True)
        self._begun = self.gathers = self.guarded = False

    async def rollback(self) -> None:
        """The same, and nothing is stored. The pool asks for it after every use."""
        self._waiting = []
        if self._begun:
            await super().rollback()
        self._begun = self.gathers = self.guarded = False


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
