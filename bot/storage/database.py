"""The database: each transaction is one function, `def work(c: Connection, ...)`.

The same function runs in the thread of an SQLite connection (`bot.storage.sqlite`) or on a
PostgreSQL connection (`bot.storage.postgres`). It runs once, and what it writes is stored as a
whole or not at all. As it may run in parallel with the event loop, it touches none of the loop's
objects.

Every opened connection is closed, even if the task that opened it was cancelled, and `close` waits
for the transactions under way. No exception shows a statement's parameters, as these include seeds
and cards.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import (
    AbstractContextManager,
    asynccontextmanager,
    closing,
    contextmanager,
    suppress,
)
from typing import TYPE_CHECKING, Any, Concatenate, Final, ParamSpec, Protocol

import structlog
from sqlalchemy.engine import URL, Connection
from sqlalchemy.exc import (
    DataError,
    DBAPIError,
    IntegrityError,
    NotSupportedError,
    ProgrammingError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeout

from bot.storage.addresses import file_of, storage_error
from bot.storage.files import identity, make_own, refuse_other_file
from bot.storage.sqlite import Sqlite, Value, Work
from bot.tables.errors import ChannelHasTable, RefusedError, Repeated, Stale, StoreUnavailable

if TYPE_CHECKING:
    from bot.storage.postgres import Postgres

log = structlog.get_logger(__name__)

AGAIN_SECONDS: Final = 60.0  # seconds between two log lines about a lasting outage
# from a log record of asyncpg's connect_utils
_LEFT_BEHIND: Final = "unexpected connection_lost() call"


class Outage:
    """Logs when the database stops working and when it works again, for one kind of transaction.

    `kind`: "reading" or "writing", as a database on a full disk can still be read.
    """

    def __init__(self, kind: str, now: Callable[[], float] = time.monotonic) -> None:
        self._kind = kind
        self._now = now
        self._since: float | None = None
        self._logged_at = 0.0
        self._failed = 0

    def note_failure(self, error: Exception) -> None:
        """Count a failed transaction. Log the first of an outage, then at most one a minute."""
        now = self._now()
        self._failed += 1
        if self._since is None:
            self._since = now
        elif now < self._logged_at + AGAIN_SECONDS:
            return
        self._logged_at = now
        log.error(
            "database: does not do its work, moves are refused meanwhile",
            what=self._kind,
            error=str(error),
            failed=self._failed,
        )

    def note_success(self) -> None:
        """End the outage, if there is one, and log that the database works again."""
        if self._since is None:
            return
        log.info(
            "database: works again",
            what=self._kind,
            seconds=round(self._now() - self._since, 1),
            failed=self._failed,
        )
        self._since, self._failed = None, 0


def _without_left_behind(record: logging.LogRecord) -> bool:
    """Return False only for asyncio's harmless log record about a cancelled connection."""
    error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
    return not (isinstance(error, ConnectionError) and str(error) == _LEFT_BEHIND)


def quieten() -> None:
    """Suppress asyncio's log records about cancelled connections. May be called repeatedly."""
    logging.getLogger("asyncio").addFilter(_without_left_behind)


BUSY_MS: Final = 5000
POOL_SIZE: Final = 8
CLOSE_SECONDS: Final = 15.0  # longer than any statement may take

Given = ParamSpec("Given")
# entered when a writing transaction is requested; yields a function to call once it has begun
Timer = Callable[[], AbstractContextManager[Callable[[], None]]]


@contextmanager
def _no_timing() -> Iterator[Callable[[], None]]:
    yield lambda: None


def constraint_error(error: IntegrityError) -> RefusedError | None:
    """Return the error that a violated constraint means; None if the violation shows a bug."""
    text = str(error.orig)  # SQLite names the columns, PostgreSQL the constraint
    if "foreign key" in text.lower():  # first, as PostgreSQL also names the table
        return Stale("what it belongs to is not there any more")
    if "one_live_table_per_channel" in text or "tables.channel_id" in text:
        return ChannelHasTable("the channel has a live table")
    if "interaction" in text:
        return Repeated("the interaction was stored by another")
    if "pk_actions" in text or "actions.match_id, actions.seq" in text:
        return Stale("the match's log has grown")
    return None


@contextmanager
def translate_errors() -> Iterator[None]:
    """Turn database errors inside the block into errors of `bot.tables.errors`; let bugs pass."""
    try:
        yield
    except IntegrityError as error:
        meaning = constraint_error(error)
        if meaning is None:
            raise
        raise meaning from error
    except (ProgrammingError, DataError, NotSupportedError):
        raise  # this shows a bug, not the database's state
    except DBAPIError as error:
        raise StoreUnavailable(f"{type(error.orig).__name__}: {error.orig}") from error
    except (sqlite3.ProgrammingError, sqlite3.NotSupportedError):
        raise
    except sqlite3.Error as error:  # transactions begin and end without SQLAlchemy
        raise StoreUnavailable(f"{type(error).__name__}: {error}") from error
    except (PoolTimeout, OSError) as error:  # no free connection, or none could be opened
        raise StoreUnavailable(f"{type(error).__name__}: {error}") from error


class Database:
    """A database. Nothing is opened before the first transaction.

    `busy_ms`: how long to wait for a connection, and for SQLite's locks. `pool_size`: the most
    connections to PostgreSQL. `direct`: the server's own address, if `url` is a pooler's. A
    pooler may run each transaction in another session.
    """

    def __init__(
        self,
        url: URL,
        *,
        busy_ms: int = BUSY_MS,
        pool_size: int = POOL_SIZE,
        direct: URL | None = None,
    ) -> None:
        self._closed = self._serves = False
        self._outages = Outage("reading"), Outage("writing")
        self.timed: Timer = _no_timing
        self._identity: tuple[int, int] | None = None
        self._under_way = 0
        self._idle = asyncio.Event()
        self._idle.set()
        self.url = url
        self.direct = direct or url
        self.file = file_of(url)
        self._engine: Sqlite | Postgres
        if self.file is None:
            # imports SQLAlchemy's ORM, which SQLite doesn't need: a tenth of a second of each start
            from bot.storage.postgres import Postgres

            quieten()
            self._engine = Postgres(url, busy_ms, pool_size, pooled=direct is not None)
        else:
            self._engine = Sqlite(self.file, busy_ms)

    @property
    def where(self) -> str:
        """The file, or the address without its password, to show to people."""
        return str(self.file or self.url.render_as_string(hide_password=True))

    def serve(self) -> None:
        """Start to log outages, and to refuse writes if the SQLite file is deleted or replaced."""
        self._serves = True
        self._identity = identity(self.file) if self.file is not None else None

    @property
    def lost(self) -> bool:
        """Whether the opened SQLite file was deleted or replaced."""
        if self.file is None or self._identity is None:
            return False
        return identity(self.file) != self._identity

    async def write(
        self,
        work: Callable[Concatenate[Connection, Given], Value],
        /,
        *args: Given.args,
        **kwargs: Given.kwargs,
    ) -> Value:
        """Run `work(c, ...)` in one writing transaction, and return its value once it is stored.

        If `work` raises an exception, nothing is stored, and the exception is raised; an error of
        the database is translated (`translate_errors`). Raises `MaybeStored` if the connection to
        PostgreSQL breaks during the commit.
        """
        with self._may_write() as begun:
            return await self._engine.write(lambda c: work(c, *args, **kwargs), begun)

    async def write_one(self, work: Work[Value]) -> Value:
        """Run `work(c)`, which executes exactly one statement; return its value once stored."""
        with self._may_write() as begun:
            return await self._engine.write(work, begun, single=True)

    async def read(
        self,
        work: Callable[Concatenate[Connection, Given], Value],
        /,
        *args: Given.args,
        **kwargs: Given.kwargs,
    ) -> Value:
        """Run `work(c, ...)` in one transaction that reads the database as of one moment."""
        with self._log_outages(self._outages[0]), translate_errors(), self._count_under_way():
            return await self._engine.read(lambda c: work(c, *args, **kwargs))

    async def read_one(self, work: Work[Value]) -> Value:
        """Run `work(c)`, which executes exactly one reading statement, and return its value."""
        with self._log_outages(self._outages[0]), translate_errors(), self._count_under_way():
            return await self._engine.read(work, single=True)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transactor]:
        """Open a writing transaction, and yield a `Transactor` that runs functions in it.

        Until the block ends, nothing else can write to an SQLite file.
        """
        with self._may_write() as begun:
            async with self._engine.transaction() as run:
                begun()
                yield lambda work, *args: run(lambda c: work(c, *args))

    @contextmanager
    def _may_write(self) -> Iterator[Callable[[], None]]:
        outage = self._log_outages(self._outages[1])
        with self.timed() as begun, outage, translate_errors(), self._count_under_way():
            if self.lost:  # the write would go to a deleted file
                raise StoreUnavailable(f"{self.file} was deleted or replaced")
            yield begun

    async def autocommit(self, statement: str) -> list[Any]:
        """Execute a statement outside any transaction and return its rows; SQLite only."""
        assert isinstance(self._engine, Sqlite)
        with translate_errors(), self._count_under_way():
            writer = await self._engine.writer()
            return await writer.call(lambda: writer.autocommit(statement))

    @contextmanager
    def _log_outages(self, outage: Outage) -> Iterator[None]:
        """Log when the database stops working, and when it works again."""
        try:
            yield
        except StoreUnavailable as error:
            if self._serves and not self._closed:
                outage.note_failure(error)
            raise
        outage.note_success()

    @contextmanager
    def _count_under_way(self) -> Iterator[None]:
        """Make `close` wait for the block. Raises `StoreUnavailable` if the database is closed."""
        if self._closed:
            # a transaction would open a new connection, while another process may hold the lock
            raise StoreUnavailable("the database is closed")
        self._under_way += 1
        self._idle.clear()
        try:
            yield
        finally:
            self._under_way -= 1
            if not self._under_way:
                self._idle.set()

    def try_file(self, *, make: bool) -> None:
        """Check that the SQLite file can be opened; create it if `make`. Do nothing for PostgreSQL.

        Raises a `StorageError` if it can't. This doesn't use aiosqlite, which would print a
        traceback when a command ends after a failure.
        """
        if self.file is None:
            return
        refuse_other_file(self.file)
        mode = "rw" if make else "ro"
        try:
            if make:
                make_own(self.file)
            where = f"{self.file.absolute().as_uri()}?mode={mode}"
            with closing(sqlite3.connect(where, uri=True)) as opened:
                if make:  # only a writer can recover the journal after a power loss
                    opened.execute("PRAGMA schema_version")
        except (sqlite3.Error, OSError) as error:
            raise storage_error(self.file, error, server=False) from error

    @contextmanager
    def as_storage_errors(self) -> Iterator[None]:
        """Turn drivers' errors inside the block into a `StorageError`."""
        try:
            yield
        except StoreUnavailable as error:
            if error.__cause__ is None:
                raise
            raise storage_error(self.where, error.__cause__, server=self.file is None) from error
        except (DBAPIError, PoolTimeout, OSError, sqlite3.Error) as error:
            raise storage_error(self.where, error, server=self.file is None) from error

    async def close(self) -> None:
        """Refuse new transactions, wait for the running ones, and close every connection.

        Waits at most `CLOSE_SECONDS`.
        """
        self._closed = True
        with suppress(TimeoutError):
            await asyncio.wait_for(self._idle.wait(), CLOSE_SECONDS)
        await self._engine.close()


class Transactor(Protocol):
    """A function that runs `work` in a transaction, such as `Database.read`."""

    async def __call__(self, work: Callable[..., Value], /, *args: Any) -> Value:
        """Return the value of `work(c, *args)`."""
