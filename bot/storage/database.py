"""The database's engines and transactions: one engine that writes, one that only reads.

SQLite: exactly one connection writes and checkpoints (before 3.51.3 two checkpointers can corrupt
the file), readers open the file read-only beside it. Every writing transaction is BEGIN IMMEDIATE:
one that reads first and writes later fails at once if another came between, busy timeout or not.
PostgreSQL: one pool; a read is a REPEATABLE READ transaction, so a snapshot is of one moment.

No exception shows a statement's parameters: seeds and cards are among them.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Final

from sqlalchemy import event
from sqlalchemy.engine import URL, Connection, make_url
from sqlalchemy.exc import (
    DataError,
    DBAPIError,
    IntegrityError,
    NotSupportedError,
    ProgrammingError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import AsyncAdaptedQueuePool, NullPool

from bot.storage import NotReached
from bot.tables.ports import AlreadyDone, ChannelTaken, Stale, StoreError, StoreUnavailable

BUSY_MS: Final = 5000
READERS: Final = 4
POSTGRES_CONNECTIONS: Final = 8


def database_url(text: str) -> URL:
    """The URL with the driver that is used here: aiosqlite or asyncpg. Raises `NotReached`."""
    try:
        url = make_url(text)
    except Exception:
        url = None
    drivers = {"sqlite": "aiosqlite", "postgresql": "asyncpg", "postgres": "asyncpg"}
    kind = url.drivername.split("+")[0] if url else ""
    if url is None or kind not in drivers:
        raise NotReached(
            "this is no address of a database that is understood here; "
            "expected e.g. sqlite:///data/bluffhouse.db or postgresql://user@localhost/bluffhouse"
        )
    driver = drivers[kind]
    kind = "postgresql" if driver == "asyncpg" else "sqlite"
    if kind == "sqlite" and url.database in (None, "", ":memory:"):
        raise NotReached("the database must be a file, e.g. sqlite:///data/bluffhouse.db")
    return url.set(drivername=f"{kind}+{driver}")


def file_of(url: URL) -> Path | None:
    """The file of an SQLite database; None for PostgreSQL."""
    return Path(url.database or "") if url.get_backend_name() == "sqlite" else None


def violated(error: IntegrityError) -> StoreError | None:
    """What a broken constraint means to tables; None where it can only be a mistake in the code."""
    text = str(error.orig)  # SQLite names the columns, PostgreSQL the constraint
    if "one_live_table_per_channel" in text or "tables.channel_id" in text:
        return ChannelTaken("the channel has a live table")
    if "interaction" in text:
        return AlreadyDone("the interaction was stored by another")
    if "pk_actions" in text or "actions.match_id, actions.seq" in text:
        return Stale("the match's log has grown")
    return None


@contextmanager
def stored_or_not() -> Iterator[None]:
    """Say in the words of `bot.tables.ports` why the transaction inside was not stored."""
    try:
        yield
    except IntegrityError as error:
        meaning = violated(error)
        if meaning is None:
            raise
        raise meaning from error
    except (ProgrammingError, DataError, NotSupportedError):
        raise  # a mistake in the code, not the database's state
    except DBAPIError as error:
        raise StoreUnavailable(f"{type(error.orig).__name__}: {error.orig}") from error
    except (PoolTimeout, OSError) as error:  # no free connection; none could be made
        raise StoreUnavailable(f"{type(error).__name__}: {error}") from error


class Database:
    """Engines on one database. Nothing is opened before the first transaction."""

    def __init__(self, url: URL, *, busy_ms: int = BUSY_MS) -> None:
        self.url = url
        self.file = file_of(url)
        if self.file is None:
            self.writer = _postgres(url)
            self.reader = self.writer.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            )
        else:
            self.writer = sqlite_writer(self.file, busy_ms=busy_ms)
            self.reader = _sqlite_reader(self.file, busy_ms)

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """One writing transaction: stored whole when the block ends, or not at all."""
        with stored_or_not():
            async with self.writer.begin() as connection:
                yield connection

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """One reading transaction, in which everything is of one moment."""
        with stored_or_not():
            async with self.reader.connect() as connection:
                yield connection

    async def close(self) -> None:
        """Close every connection, the writing one last: it folds SQLite's log into the file."""
        await self.reader.dispose()
        await self.writer.dispose()


def sqlite_writer(file: Path, *, busy_ms: int, migrating: bool = False) -> AsyncEngine:
    """The one connection that writes. A migration copies tables: keys are checked at its end."""
    keys = "OFF" if migrating else "ON"
    engine = create_async_engine(
        URL.create("sqlite+aiosqlite", database=str(file)),
        connect_args={"isolation_level": None, "timeout": busy_ms / 1000},
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
        f"PRAGMA foreign_keys={keys}",
    )
    _at_begin(engine, "BEGIN IMMEDIATE")
    return engine


def _sqlite_reader(file: Path, busy_ms: int) -> AsyncEngine:
    engine = create_async_engine(
        URL.create(
            "sqlite+aiosqlite",
            database=file.absolute().as_uri(),
            query={"mode": "ro", "uri": "true"},
        ),
        connect_args={"isolation_level": None, "timeout": busy_ms / 1000},
        hide_parameters=True,
        poolclass=AsyncAdaptedQueuePool,
        pool_size=READERS,
        max_overflow=0,
        pool_timeout=max(busy_ms / 1000, 1),
    )
    _at_connect(engine, f"PRAGMA busy_timeout={busy_ms}", "PRAGMA query_only=ON")
    _at_begin(engine, "BEGIN")
    return engine


def _postgres(url: URL) -> AsyncEngine:
    return create_async_engine(
        url,
        hide_parameters=True,
        pool_size=POSTGRES_CONNECTIONS,
        max_overflow=0,
        pool_timeout=5,
        pool_pre_ping=True,  # the server may have been restarted since
        connect_args={"timeout": 5, "command_timeout": 10},
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
