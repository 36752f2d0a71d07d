"""PostgreSQL: connections from one pool, on which the same functions run by SQLAlchemy's greenlets.

A read is a REPEATABLE READ transaction, so a snapshot is of one moment.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from bot.storage.sqlite import Value, Work
from bot.storage.turns import Turns
from bot.tables.errors import MaybeStored


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
        self._turns = Turns(pool_size, busy_ms)
        self._writer = create_async_engine(
            url,
            hide_parameters=True,
            pool_size=pool_size,
            max_overflow=0,
            pool_timeout=patience,
            pool_pre_ping=True,  # the server may have been restarted since
            connect_args=given,
        )
        self._reader = self._writer.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )

    async def write(self, work: Work[Value], begun: Callable[[], None]) -> Value:
        """Do `work` in a writing transaction. `begun` is called when that begins.

        Raises `MaybeStored` where the connection is lost while it is committed.
        """
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

    async def read(self, work: Work[Value]) -> Value:
        """Do `work` in a reading transaction, in which everything is of one moment."""
        async with self._connection(self._reader) as connection:
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


def postgres_session(url: URL, busy_ms: int) -> AsyncEngine:
    """Connections straight to PostgreSQL, each made when it is asked for and closed after."""
    return create_async_engine(
        url, hide_parameters=True, poolclass=NullPool, connect_args={"timeout": busy_ms / 1000}
    )
