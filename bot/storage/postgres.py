"""PostgreSQL: a few connections, which run the same transaction functions as SQLite.

SQLAlchemy runs each function in a greenlet. A read is a REPEATABLE READ transaction, so a snapshot
shows one moment.

The cost of a transaction is its round trips: a move in two statements takes four, with BEGIN and
COMMIT. So there is a second way to write, for a function of exactly one statement: PostgreSQL
commits it by itself, and answers only after the commit. SQLAlchemy compiles the text and asyncpg
executes it directly, as SQLAlchemy's cursor, transaction and result cost several times the
processor time of the statement itself.

The connections are kept by this module, not by a pool of SQLAlchemy's: taking one from that pool,
setting it up and returning it costs more processor time than a statement.
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

STATEMENTS: Final = 100  # compiled statements to cache
IDLE_SECONDS: Final = 5.0  # seconds after which to check that an idle connection still works


class Postgres:
    """At most `pool_size` connections, each opened when all others are in use.

    `busy_ms`: how long to wait for a connection. `pooled`: whether a pooler is in between, so that
    each transaction may get another session.
    """

    def __init__(self, url: URL, busy_ms: int, pool_size: int, *, pooled: bool) -> None:
        patience = busy_ms / 1000
        options: dict[str, Any] = {"timeout": patience, "command_timeout": 2 * patience}
        # the next session may lack a prepared statement, or have another one of that name
        if pooled:
            options |= {
                "statement_cache_size": 0,
                "prepared_statement_cache_size": 0,
                "prepared_statement_name_func": lambda: f"bluffhouse_{uuid4().hex}",
            }
        else:  # by default, asyncpg would prepare all statements again every five minutes
            options["max_cached_statement_lifetime"] = 0
        self._pooled = pooled
        self._turns = Turns(pool_size, busy_ms)
        self._engine = create_async_engine(
            url, hide_parameters=True, poolclass=NullPool, connect_args=options
        )
        # idle connections and since when (`monotonic`); the last one was used most recently
        self._free: list[tuple[AsyncConnection, float]] = []
        self._closed = False

    async def write(
        self, work: Work[Value], begun: Callable[[], None], *, single: bool = False
    ) -> Value:
        """Run `work` in a writing transaction. `begun` is called once the transaction has begun.

        `single`: `work` executes exactly one statement. Raises `MaybeStored` if the connection is
        lost during the commit.
        """
        if single and not self._pooled:
            return await self._write_one(work, begun)
        is_done = False
        try:
            async with self._connection("READ COMMITTED") as connection, connection.begin():
                begun()
                value = await connection.run_sync(work)
                is_done = True
        except IntegrityError:
            raise
        except (DBAPIError, OSError) as error:
            if not is_done:
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

    async def read(self, work: Work[Value], *, single: bool = False) -> Value:
        """Run `work` in a reading transaction, which sees a single moment.

        `single`: `work` executes exactly one statement, which needs no transaction.
        """
        if single and not self._pooled:
            async with self._connection() as connection:
                return await connection.run_sync(_alone, work)
        async with self._connection("REPEATABLE READ", readonly=True) as connection:
            return await connection.run_sync(_whole, work)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Callable[[Work[Any]], Any]]:
        """Open a writing transaction, and yield a function that runs a given function in it."""
        async with self._connection("READ COMMITTED") as connection, connection.begin():
            yield connection.run_sync

    @asynccontextmanager
    async def _connection(
        self, level: IsolationLevel | None = None, *, readonly: bool = False
    ) -> AsyncIterator[AsyncConnection]:
        """Wait for a free connection, and yield it.

        If `level` is given, the next transaction has this isolation level; it is read-only if
        `readonly` is true. Without `level`, `readonly` has no effect.
        """
        async with self._turns.turn():
            connection = await self._free_connection()
            try:
                if level is not None:
                    inner = _dialect_connection(connection)
                    connection.dialect.set_isolation_level(inner, level)
                    inner.readonly = readonly
                yield connection
            finally:
                if not self._closed and _is_idle(connection):
                    self._free.append((connection, monotonic()))
                else:  # in a separate task, which is never cancelled
                    await asyncio.shield(asyncio.create_task(connection.close()))

    async def _free_connection(self) -> AsyncConnection:
        """Return the most recently used idle connection, or open one if there is none.

        If that connection no longer works, discard all idle connections and open a new one.
        """
        if self._free:
            connection, since = self._free.pop()
            if await _answers(connection, since):
                return connection
            free, self._free = self._free, []
            await asyncio.gather(*(idle.invalidate() for idle, _ in free))
        return await self._engine.connect()

    async def close(self) -> None:
        """Close every idle connection. Connections in use are closed when they are returned."""
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
    """A connection for a function with exactly one statement; asyncpg executes it directly."""

    def __init__(self, c: Connection) -> None:
        self._c, self._dialect = c, c.dialect
        self._dialect_connection: Any = c.connection.dbapi_connection

    def execute(self, statement: Any, parameters: dict[str, Any] | None = None) -> Result[Any]:
        """Execute a statement. Raises what SQLAlchemy would raise."""
        text = _text_of(statement, self._dialect)
        values = text.values(parameters or {})
        driver = self._dialect_connection.driver_connection
        try:
            rows = await_only(driver.fetch(text.sql, *values))
        except BaseException as error:
            if getattr(error, "severity_en", None) != "ERROR":
                self._c.invalidate(error)  # makes the server cancel the statement
            if isinstance(error, Exception):
                self._raise(error)
            raise
        return text.result(rows)

    def _raise(self, error: Exception) -> None:
        dbapi = self._dialect.loaded_dbapi
        try:
            self._dialect_connection._handle_exception(error)
        except dbapi.Error as meant:
            raise DBAPIError.instance(
                None, None, meant, dbapi.Error, hide_parameters=True
            ) from meant


class _Text:
    """A compiled statement for asyncpg, with converters for its values and rows."""

    def __init__(self, statement: Any, dialect: Dialect) -> None:
        compiled = statement.compile(dialect=dialect)
        self.sql = str(compiled)
        binds = [(name, compiled.binds[name]) for name in compiled.positiontup or ()]
        self._usual = {name: bind.value for name, bind in binds if not bind.required}
        self._converters = [
            (name, bind.type.dialect_impl(dialect).bind_processor(dialect)) for name, bind in binds
        ]
        columns = getattr(statement, "exported_columns", ())
        self._read = [
            column.type.dialect_impl(dialect).result_processor(dialect, None) for column in columns
        ]
        self._names = [column.name for column in columns]

    def values(self, parameters: dict[str, Any]) -> list[Any]:
        """Return the values of `parameters` in the order of the statement's placeholders."""
        known = self._usual | parameters
        return [known[name] if to is None else to(known[name]) for name, to in self._converters]

    def result(self, rows: Sequence[Any]) -> Result[Any]:
        """Convert asyncpg's rows to an SQLAlchemy result."""
        names = self._names or (list(rows[0].keys()) if rows else [])
        if any(self._read):
            rows = [
                [
                    value if read is None else read(value)
                    for value, read in zip(row, self._read, strict=True)
                ]
                for row in rows
            ]
        return IteratorResult(SimpleResultMetaData(names), iter([tuple(row) for row in rows]))


@lru_cache(maxsize=STATEMENTS)
def _text_of(statement: Any, dialect: Dialect) -> _Text:
    """Compile a statement for asyncpg. The latest `STATEMENTS` are cached."""
    return _Text(statement, dialect)


def _is_undone(error: Exception) -> bool:
    """Return whether PostgreSQL's error proves that the statement stored nothing.

    Only severity ERROR does: FATAL or PANIC may come after the commit.
    """
    cause = error.orig.__cause__ if isinstance(error, DBAPIError) and error.orig else None
    return getattr(cause, "severity_en", None) == "ERROR"


def _dialect_connection(connection: AsyncConnection) -> Any:
    """Return the SQLAlchemy dialect's connection, which wraps asyncpg's."""
    assert connection.sync_connection is not None
    return connection.sync_connection.connection.dbapi_connection


def _is_idle(connection: AsyncConnection) -> bool:
    """Return whether a connection works and is in no transaction, so that it can be used again."""
    if connection.invalidated:  # by a connection error, time-out or cancellation
        return False
    driver = _dialect_connection(connection).driver_connection
    return not (driver.is_closed() or driver.is_in_transaction())


async def _answers(connection: AsyncConnection, since: float) -> bool:
    """Return whether an idle connection still works; if not, discard it.

    `since`: when it became idle, by `monotonic`. Asks the server, which takes three round trips,
    only after `IDLE_SECONDS`.
    """
    inner = _dialect_connection(connection)
    try:
        if inner.driver_connection.is_closed():
            raise ConnectionError("the server has ended it")
        if monotonic() - since > IDLE_SECONDS:
            await connection.run_sync(lambda _: inner.ping())
    except BaseException as error:
        await connection.invalidate()
        if isinstance(error, Exception):
            return False
        raise
    return True


def postgres_session(url: URL, busy_ms: int) -> AsyncEngine:
    """Return an engine that opens direct connections on demand and closes them after use."""
    return create_async_engine(
        url, hide_parameters=True, poolclass=NullPool, connect_args={"timeout": busy_ms / 1000}
    )
