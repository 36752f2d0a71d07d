"""PostgreSQL: a few connections, on which the same functions run by SQLAlchemy's greenlets.

A read is a REPEATABLE READ transaction, so a snapshot is of one moment.

What a transaction costs here is its round trips: a move as a function of two statements takes four
of them, BEGIN and COMMIT included. So there is a second way to write, for a function of exactly one
statement: PostgreSQL commits that by itself, and has answered only when it is committed. SQLAlchemy
makes its text and asyncpg is given that: a cursor, a transaction and a result of SQLAlchemy's take
several times the processor time of the statement itself.

Connections are kept here, not in a pool of SQLAlchemy's: to take one from that, set it up and give
it back costs more processor time than a statement does.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from functools import lru_cache
from time import monotonic
from typing import Any, Final, cast
from uuid import uuid4

from sqlalchemy.engine import URL, Connection, Dialect, IteratorResult, Result
from sqlalchemy.engine.interfaces import IsolationLevel
from sqlalchemy.engine.result import SimpleResultMetaData
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool
from sqlalchemy.util import await_only

from bot.storage.sqlite import Value, Work
from bot.storage.turns import Turns
from bot.tables.errors import MaybeStored

STATEMENTS: Final = 100  # whose text is kept
IDLE_SECONDS: Final = 5.0  # after which a connection is asked whether its server is still there


class Postgres:
    """At most `pool_size` connections, each made when all others are in use.

    `pooled`: behind a pooler, where the next transaction may have another session.
    """

    def __init__(self, url: URL, busy_ms: int, pool_size: int, *, pooled: bool) -> None:
        patience = busy_ms / 1000
        given: dict[str, Any] = {"timeout": patience, "command_timeout": 2 * patience}
        if pooled:  # a statement that one session has prepared is unknown to the next, or another's
            given |= {
                "statement_cache_size": 0,
                "prepared_statement_cache_size": 0,
                "prepared_statement_name_func": lambda: f"bluffhouse_{uuid4().hex}",
            }
        else:  # or all are prepared anew every five minutes
            given["max_cached_statement_lifetime"] = 0
        self._pooled = pooled
        self._turns = Turns(pool_size, busy_ms)
        self._engine = create_async_engine(
            url, hide_parameters=True, poolclass=NullPool, connect_args=given
        )
        # connections that nobody uses, and since when by `monotonic`; the last was used last
        self._free: list[tuple[AsyncConnection, float]] = []
        self._closed = False

    async def write(
        self, work: Work[Value], begun: Callable[[], None], *, one: bool = False
    ) -> Value:
        """Do `work` in a writing transaction. `begun` is called when that begins.

        `one`: it executes exactly one statement. Raises `MaybeStored` where the connection is lost
        while it is committed.
        """
        if one and not self._pooled:
            return await self._write_one(work, begun)
        told = False
        try:
            async with self._connection("READ COMMITTED") as connection, connection.begin():
                begun()
                value = await connection.run_sync(work)
                told = True
        except IntegrityError:
            raise
        except (DBAPIError, OSError) as error:
            if not told:
                raise
            raise MaybeStored(f"no answer to a commit: {type(error).__name__}") from error
        return value

    async def _write_one(self, work: Work[Value], begun: Callable[[], None]) -> Value:
        async with self._connection() as connection:
            begun()
            try:
                return await connection.run_sync(_alone, work)
            except (DBAPIError, OSError) as error:
                if _is_undone(error):
                    raise
                raise MaybeStored(f"no answer to a statement: {type(error).__name__}") from error

    async def read(self, work: Work[Value], *, one: bool = False) -> Value:
        """Do `work` in a reading transaction, in which everything is of one moment.

        `one`: it executes exactly one statement, which is that by itself.
        """
        if one and not self._pooled:
            async with self._connection() as connection:
                return await connection.run_sync(_alone, work)
        async with self._connection("REPEATABLE READ", readonly=True) as connection:
            return await connection.run_sync(_whole, work)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Callable[[Work[Any]], Any]]:
        """A writing transaction of several functions."""
        async with self._connection("READ COMMITTED") as connection, connection.begin():
            yield connection.run_sync

    @asynccontextmanager
    async def _connection(
        self, level: IsolationLevel | None = None, *, readonly: bool = False
    ) -> AsyncIterator[AsyncConnection]:
        """A connection in turn, whose next transaction is of that kind."""
        async with self._turns.turn():
            connection = await self._free_connection()
            try:
                if level is not None:
                    made = _made(connection)
                    connection.dialect.set_isolation_level(made, level)
                    made.readonly = readonly
                yield connection
            finally:
                if not self._closed and _is_idle(connection):
                    self._free.append((connection, monotonic()))
                else:  # by a task of its own, which nobody cancels
                    await asyncio.shield(asyncio.create_task(connection.close()))

    async def _free_connection(self) -> AsyncConnection:
        """The free connection that was used last, or a new one if there is none.

        Where that one's server is not there any more, the others are not used either.
        """
        if self._free:
            connection, since = self._free.pop()
            if await _answers(connection, since):
                return connection
            free, self._free = self._free, []
            await asyncio.gather(*(one.invalidate() for one, _ in free))
        return await self._engine.connect()

    async def close(self) -> None:
        """Close every connection; those in use are closed by who gives them back."""
        self._closed = True
        free, self._free = self._free, []
        await asyncio.gather(*(connection.close() for connection, _ in free))
        await self._engine.dispose()


def _whole(c: Connection, work: Work[Value]) -> Value:
    with c.begin():
        return work(c)


def _alone(c: Connection, work: Work[Value]) -> Value:
    return work(cast(Connection, _Straight(c)))


class _Straight:
    """What a function of exactly one statement is given for a connection."""

    def __init__(self, c: Connection) -> None:
        self._c, self._dialect = c, c.dialect
        self._made: Any = c.connection.dbapi_connection

    def execute(self, statement: Any, given: dict[str, Any] | None = None) -> Result[Any]:
        """Execute a statement; what it raises is what SQLAlchemy would raise."""
        text = _text_of(statement, self._dialect)
        values = text.values(given or {})
        driver = self._made.driver_connection
        try:
            rows = await_only(driver.fetch(text.sql, *values))
        except BaseException as error:
            if getattr(error, "severity_en", None) != "ERROR":
                self._c.invalidate(error)  # the server is told to end what it is busy with
            if isinstance(error, Exception):
                self._raise(error)
            raise
        return text.result(rows)

    def _raise(self, error: Exception) -> None:
        dbapi = self._dialect.loaded_dbapi
        try:
            self._made._handle_exception(error)
        except dbapi.Error as meant:
            raise DBAPIError.instance(
                None, None, meant, dbapi.Error, hide_parameters=True
            ) from meant


class _Text:
    """A statement as asyncpg takes it, with what makes its values and reads its rows."""

    def __init__(self, statement: Any, dialect: Dialect) -> None:
        compiled = statement.compile(dialect=dialect)
        self.sql = str(compiled)
        binds = [(name, compiled.binds[name]) for name in compiled.positiontup or ()]
        self._usual = {name: bind.value for name, bind in binds if not bind.required}
        self._made = [
            (name, bind.type.dialect_impl(dialect).bind_processor(dialect)) for name, bind in binds
        ]
        columns = getattr(statement, "exported_columns", ())
        self._read = [
            column.type.dialect_impl(dialect).result_processor(dialect, None) for column in columns
        ]
        self._names = [column.name for column in columns]

    def values(self, given: dict[str, Any]) -> list[Any]:
        """The statement's values in their order."""
        known = self._usual | given
        return [known[name] if made is None else made(known[name]) for name, made in self._made]

    def result(self, rows: Sequence[Any]) -> Result[Any]:
        """Rows of asyncpg as SQLAlchemy's."""
        names = self._names or (list(rows[0].keys()) if rows else [])
        if any(self._read):
            rows = [
                [
                    one if read is None else read(one)
                    for one, read in zip(row, self._read, strict=True)
                ]
                for row in rows
            ]
        return IteratorResult(SimpleResultMetaData(names), iter([tuple(row) for row in rows]))


@lru_cache(maxsize=STATEMENTS)
def _text_of(statement: Any, dialect: Dialect) -> _Text:
    """By the statement itself: those that are executed often are made once."""
    return _Text(statement, dialect)


def _is_undone(error: Exception) -> bool:
    """Whether PostgreSQL has said that a statement was not stored.

    FATAL and PANIC may come after it was committed.
    """
    said = error.orig.__cause__ if isinstance(error, DBAPIError) and error.orig else None
    return getattr(said, "severity_en", None) == "ERROR"


def _made(connection: AsyncConnection) -> Any:
    """The dialect's connection, over asyncpg's."""
    assert connection.sync_connection is not None
    return connection.sync_connection.connection.dbapi_connection


def _is_idle(connection: AsyncConnection) -> bool:
    """Whether a connection is as it was before its transaction."""
    if connection.invalidated:  # by an error of the connection, a time-out, or a cancellation
        return False
    driver = _made(connection).driver_connection
    return not (driver.is_closed() or driver.is_in_transaction())


async def _answers(connection: AsyncConnection, since: float) -> bool:
    """Whether the server of a free connection is still there; it is ended if not.

    The server is asked only where nothing was heard of it for a while: that is three round trips.
    """
    made = _made(connection)
    try:
        if made.driver_connection.is_closed():
            raise ConnectionError("the server has ended it")
        if monotonic() - since > IDLE_SECONDS:
            await connection.run_sync(lambda _: made.ping())
    except BaseException as error:
        await connection.invalidate()
        if isinstance(error, Exception):
            return False
        raise
    return True


def postgres_session(url: URL, busy_ms: int) -> AsyncEngine:
    """Connections straight to PostgreSQL, each made when it is asked for and closed after."""
    return create_async_engine(
        url, hide_parameters=True, poolclass=NullPool, connect_args={"timeout": busy_ms / 1000}
    )
