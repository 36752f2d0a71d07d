"""Engines on SQLite and PostgreSQL: how connections are made, and transactions begun."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any, Final
from uuid import uuid4

from sqlalchemy import event
from sqlalchemy.engine import URL, Connection
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import AsyncAdaptedQueuePool, NullPool

from bot.storage.sqlite import BEGIN, connect

BUSY_MS: Final = 5000
READERS: Final = 4


def sqlite_writer(file: Path, *, busy_ms: int, migrating: bool = False) -> AsyncEngine:
    """The one connection that writes. A migration copies tables: keys are checked at its end."""
    keys = "OFF" if migrating else "ON"
    engine = create_async_engine(
        URL.create("sqlite+aiosqlite", database=str(file)),
        async_creator=partial(connect, str(file), busy_ms),
        hide_parameters=True,
        **(
            {"poolclass": NullPool}
            if migrating
            else {
                "poolclass": AsyncAdaptedQueuePool,
                "pool_size": 1,
                "max_overflow": 0,
                "pool_timeout": max(busy_ms / 1000, 1),
            }
        ),
    )
    _at_connect(
        engine,
        f"PRAGMA busy_timeout={busy_ms}",
        "PRAGMA journal_mode=WAL",
        "PRAGMA synchronous=FULL",
        "PRAGMA secure_delete=ON",  # what is deleted is overwritten, in free pages too
        f"PRAGMA foreign_keys={keys}",
    )
    _at_begin(engine, BEGIN)
    return engine


def sqlite_reader(file: Path, busy_ms: int) -> AsyncEngine:
    """Connections that only read, beside the one that writes."""
    engine = create_async_engine(
        URL.create("sqlite+aiosqlite", database=str(file)),
        async_creator=partial(connect, f"{file.absolute().as_uri()}?mode=ro", busy_ms, uri=True),
        hide_parameters=True,
        poolclass=AsyncAdaptedQueuePool,
        pool_size=READERS,
        max_overflow=0,
        pool_timeout=max(busy_ms / 1000, 1),
    )
    _at_connect(engine, f"PRAGMA busy_timeout={busy_ms}", "PRAGMA query_only=ON")
    _at_begin(engine, "BEGIN")
    return engine


def postgres(url: URL, busy_ms: int, pool_size: int, *, pooled: bool) -> AsyncEngine:
    """Connections to PostgreSQL.

    `pooled`: behind a pooler, where the next transaction may have another session.
    """
    patience = busy_ms / 1000
    given: dict[str, Any] = {"timeout": patience, "command_timeout": 2 * patience}
    if pooled:  # a statement that one session has prepared is unknown to the next, or another's
        given |= {
            "statement_cache_size": 0,
            "prepared_statement_cache_size": 0,
            "prepared_statement_name_func": lambda: f"bluffhouse_{uuid4().hex}",
        }
    return create_async_engine(
        url,
        hide_parameters=True,
        pool_size=pool_size,
        max_overflow=0,
        pool_timeout=patience,
        pool_pre_ping=True,  # the server may have been restarted since
        connect_args=given,
    )


def postgres_session(url: URL) -> AsyncEngine:
    """Connections straight to PostgreSQL, each made when it is asked for and closed after."""
    patience = BUSY_MS / 1000
    return create_async_engine(
        url, hide_parameters=True, poolclass=NullPool, connect_args={"timeout": patience}
    )


def _at_connect(engine: AsyncEngine, *statements: str) -> None:
    @event.listens_for(engine.sync_engine, "connect")
    def prepare(dbapi_connection: Any, _: Any) -> None:
        try:
            cursor = dbapi_connection.cursor()
            for statement in statements:
                cursor.execute(statement)
            cursor.close()
        except BaseException:
            dbapi_connection.close()  # the pool does not know of it yet; its thread would stay
            raise


def _at_begin(engine: AsyncEngine, statement: str) -> None:
    """Begin by a statement of our own, as the driver's autocommit is off (`isolation_level`)."""

    @event.listens_for(engine.sync_engine, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql(statement)
