"""PostgreSQL: connections from one pool, on which the same functions run by SQLAlchemy's greenlets.

A read is a REPEATABLE READ transaction, so a snapshot is of one moment.

What a transaction costs here is its round trips: a move as a function of two statements takes four
of them, BEGIN and COMMIT included. So there is a second way to write, for a function of exactly one
statement: PostgreSQL commits that by itself, and has answered only when it is committed.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from time import monotonic
from typing import Any, Final
from uuid import uuid4

from sqlalchemy import event
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, IntegrityError, InvalidatePoolError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from bot.storage.sqlite import Value, Work
from bot.storage.turns import Turns
from bot.tables.errors import MaybeStored

IDLE_SECONDS: Final = 5.0  # after which a connection is asked whether its server is still there


class Postgres:
    """A pool of at most `pool_size` connections.

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
        self._pooled = pooled
        self._turns = Turns(pool_size, busy_ms)
        self._writer = create_async_engine(
            url,
            hide_parameters=True,
            pool_size=pool_size,
            max_overflow=0,
            pool_timeout=patience,
            connect_args=given,
        )
        event.listen(self._writer.sync_engine, "checkout", _check_connection)
        event.listen(self._writer.sync_engine, "checkin", _note_used)
        self._autocommit = self._writer.execution_options(isolation_level="AUTOCOMMIT")
        self._reader = self._writer.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )

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
            async with self._connection(self._writer) as connection, connection.begin():
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
        async with self._connection(self._autocommit) as connection:
            begun()
            try:
                return await connection.run_sync(work)
            except (DBAPIError, OSError) as error:
                if _is_undone(error):
                    raise
                raise MaybeStored(f"no answer to a statement: {type(error).__name__}") from error

    async def read(self, work: Work[Value], *, one: bool = False) -> Value:
        """Do `work` in a reading transaction, in which everything is of one moment.

        `one`: it executes exactly one statement, which is that by itself.
        """
        alone = one and not self._pooled
        async with self._connection(self._autocommit if alone else self._reader) as connection:
            return await connection.run_sync(work)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Callable[[Work[Any]], Any]]:
        """A writing transaction of several functions."""
        async with self._connection(self._writer) as connection, connection.begin():
            yield connection.run_sync

    @asynccontextmanager
    async def _connection(self, engine: AsyncEngine) -> AsyncIterator[AsyncConnection]:
        """A connection in turn, given back by a task of its own, which nobody cancels."""
        async with self._turns.turn():
            connection = await engine.connect()
            try:
                yield connection
            finally:
                await asyncio.shield(asyncio.create_task(connection.close()))

    async def close(self) -> None:
        """Close every connection."""
        await self._writer.dispose()


def _is_undone(error: Exception) -> bool:
    """Whether PostgreSQL has said that a statement was not stored.

    FATAL and PANIC may come after it was committed.
    """
    said = error.orig.__cause__ if isinstance(error, DBAPIError) and error.orig else None
    return getattr(said, "severity_en", None) == "ERROR"


def _check_connection(connection: Any, record: Any, _: object) -> None:
    """Have a connection made anew whose server has ended since, before it is used.

    The server is asked only where nothing was heard of it for a while: that is three round trips.
    """
    if connection.driver_connection.is_closed():
        raise InvalidatePoolError
    if monotonic() - record.info.get("used", monotonic()) > IDLE_SECONDS:
        try:
            connection.ping()
        except Exception as error:
            raise InvalidatePoolError from error


def _note_used(_: object, record: Any) -> None:
    record.info["used"] = monotonic()


def postgres_session(url: URL, busy_ms: int) -> AsyncEngine:
    """Connections straight to PostgreSQL, each made when it is asked for and closed after."""
    return create_async_engine(
        url, hide_parameters=True, poolclass=NullPool, connect_args={"timeout": busy_ms / 1000}
    )
