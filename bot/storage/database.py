"""The database: where each transaction is one function, `def work(c: Connection, ...)`.

The same function is done in the thread of a connection to SQLite (`bot.storage.sqlite`) or on one
to PostgreSQL (`bot.storage.postgres`). It is done once, and stored whole or not at all. Since it
may run beside the event loop, it touches nothing of the loop's.

Every connection made is closed: one whose maker was cancelled is closed all the same, and `close`
waits for the transactions under way. No exception shows a statement's parameters: seeds and cards
are among them.
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
from typing import Any, Concatenate, Final, ParamSpec, Protocol

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

from bot.storage.addresses import file_of, reason
from bot.storage.files import identity, make_own, refuse_other_file
from bot.storage.postgres import Postgres
from bot.storage.sqlite import Sqlite, Value, Work
from bot.tables.errors import ChannelHasTable, RefusedError, Repeated, Stale, StoreUnavailable

log = structlog.get_logger(__name__)

AGAIN_SECONDS: Final = 60.0  # an outage that lasts is said again so often
_LEFT_BEHIND: Final = "unexpected connection_lost() call"  # in asyncpg's connect_utils


class Outage:
    """Told how each transaction of a kind ended; says in the log what a host wants to know of it.

    `what`: "reading" or "writing". A full disk is read from all the while.
    """

    def __init__(self, what: str, now: Callable[[], float] = time.monotonic) -> None:
        self._what = what
        self._now = now
        self._since: float | None = None
        self._said = 0.0
        self._failed = 0

    def failed(self, error: Exception) -> None:
        """A transaction was not stored because of the database."""
        now = self._now()
        self._failed += 1
        if self._since is None:
            self._since = now
        elif now < self._said + AGAIN_SECONDS:
            return
        self._said = now
        log.error(
            "database: does not do its work, moves are refused meanwhile",
            what=self._what,
            error=str(error),
            failed=self._failed,
        )

    def well(self) -> None:
        """A transaction ended as it should."""
        if self._since is None:
            return
        log.info(
            "database: works again",
            what=self._what,
            seconds=round(self._now() - self._since, 1),
            failed=self._failed,
        )
        self._since, self._failed = None, 0


def _without_left_behind(record: logging.LogRecord) -> bool:
    """A filter: asyncio says nothing of a connection that nobody waited for any more."""
    error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
    return not (isinstance(error, ConnectionError) and str(error) == _LEFT_BEHIND)


def quieten() -> None:
    """Hold it back from now on; may be called again."""
    logging.getLogger("asyncio").addFilter(_without_left_behind)


BUSY_MS: Final = 5000
POOL_SIZE: Final = 8
CLOSE_SECONDS: Final = 15.0  # longer than any statement may take

Given = ParamSpec("Given")
# entered as a writing transaction is asked for; what it gives is called when that has begun
Timer = Callable[[], AbstractContextManager[Callable[[], None]]]


@contextmanager
def _untimed() -> Iterator[Callable[[], None]]:
    yield lambda: None


def violated(error: IntegrityError) -> RefusedError | None:
    """What a broken constraint means to tables; None where it can only be a mistake in the code."""
    text = str(error.orig)  # SQLite names the columns, PostgreSQL the constraint
    if "foreign key" in text.lower():  # first, as PostgreSQL names the table that it is of
        return Stale("what it belongs to is not there any more")
    if "one_live_table_per_channel" in text or "tables.channel_id" in text:
        return ChannelHasTable("the channel has a live table")
    if "interaction" in text:
        return Repeated("the interaction was stored by another")
    if "pk_actions" in text or "actions.match_id, actions.seq" in text:
        return Stale("the match's log has grown")
    return None


@contextmanager
def stored_or_not() -> Iterator[None]:
    """Say in the words of `bot.tables.errors` why the transaction inside was not stored."""
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
    except (sqlite3.ProgrammingError, sqlite3.NotSupportedError):
        raise
    except sqlite3.Error as error:  # where a transaction begins or ends, SQLAlchemy is not asked
        raise StoreUnavailable(f"{type(error).__name__}: {error}") from error
    except (PoolTimeout, OSError) as error:  # no free connection; none could be made
        raise StoreUnavailable(f"{type(error).__name__}: {error}") from error


class Database:
    """A database. Nothing is opened before the first transaction.

    `busy_ms`: how long to wait for a connection, and for SQLite's locks. `pool_size`: how many
    connections to PostgreSQL at most. `direct`: another way to the same PostgreSQL, for what needs
    a session of its own; then `url` may lead to a pooler that gives each transaction another one.
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
        self.timed: Timer = _untimed
        self._identity: tuple[int, int] | None = None
        self._under_way = 0
        self._idle = asyncio.Event()
        self._idle.set()
        self.url = url
        self.direct = direct or url
        self.file = file_of(url)
        self._engine: Sqlite | Postgres
        if self.file is None:
            quieten()
            self._engine = Postgres(url, busy_ms, pool_size, pooled=direct is not None)
        else:
            self._engine = Sqlite(self.file, busy_ms)

    @property
    def where(self) -> str:
        """The file, or the address without its password: for people."""
        return str(self.file or self.url.render_as_string(hide_password=True))

    def serve(self) -> None:
        """Somebody plays here from now on: the log is to say when the database does not work, and
        nothing is written if another SQLite file, or none, is in the place of the one opened.
        """
        self._serves = True
        self._identity = identity(self.file) if self.file is not None else None

    @property
    def lost(self) -> bool:
        """Whether the SQLite file that was opened is not where it was: deleted, or replaced."""
        if self.file is None or self._identity is None:
            return False
        return identity(self.file) != self._identity

    async def write(
        self,
        work: Callable[Concatenate[Connection, Given], Value],
        /,
        *args: Given.args,
        **more: Given.kwargs,
    ) -> Value:
        """Do `work(c, ...)` in one writing transaction; its value, once all of it is stored.

        Nothing of it is stored if it raises. Raises `StoreUnavailable`, and `MaybeStored` if
        PostgreSQL was cut off while it committed.
        """
        with self._may_write() as begun:
            return await self._engine.write(lambda c: work(c, *args, **more), begun)

    async def write_one(self, work: Work[Value]) -> Value:
        """`write` of a function that executes exactly one statement."""
        with self._may_write() as begun:
            return await self._engine.write(work, begun, one=True)

    async def read(
        self,
        work: Callable[Concatenate[Connection, Given], Value],
        /,
        *args: Given.args,
        **more: Given.kwargs,
    ) -> Value:
        """Do `work(c, ...)` in one reading transaction, in which everything is of one moment."""
        with self._log_outages(self._outages[0]), stored_or_not(), self._counted():
            return await self._engine.read(lambda c: work(c, *args, **more))

    async def read_one(self, work: Work[Value]) -> Value:
        """`read` of a function that executes exactly one statement."""
        with self._log_outages(self._outages[0]), stored_or_not(), self._counted():
            return await self._engine.read(work, one=True)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Transactor]:
        """One writing transaction of several functions, which takes its time: nobody else may
        write to a file meanwhile.
        """
        with self._may_write() as begun:
            async with self._engine.transaction() as run:
                begun()
                yield lambda work, *args: run(lambda c: work(c, *args))

    @contextmanager
    def _may_write(self) -> Iterator[Callable[[], None]]:
        outage = self._log_outages(self._outages[1])
        with self.timed() as begun, outage, stored_or_not(), self._counted():
            if self.lost:  # it would be written to a file that has no name any more
                raise StoreUnavailable(f"{self.file} was deleted or replaced")
            yield begun

    async def alone(self, statement: str) -> list[Any]:
        """Execute a statement outside any transaction, SQLite only; its rows."""
        assert isinstance(self._engine, Sqlite)
        with stored_or_not(), self._counted():
            writer = await self._engine.writer()
            return await writer.call(lambda: writer.alone(statement))

    @contextmanager
    def _log_outages(self, outage: Outage) -> Iterator[None]:
        """Have the log say when the database stops working, and when it works again."""
        try:
            yield
        except StoreUnavailable as error:
            if self._serves and not self._closed:
                outage.failed(error)
            raise
        outage.well()

    @contextmanager
    def _counted(self) -> Iterator[None]:
        """Have `close` wait for the block. Raises `StoreUnavailable` once it has been called."""
        if self._closed:
            # it would make a new connection, and others may hold the lock by now
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
        """Open the SQLite file once, making it if asked. Raises a `StorageError`.

        aiosqlite does not wait for the thread of a connection that could not be opened: at the end
        of a command it would add a traceback to our sentence. So the file is tried without it.
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
                if make:  # what a power loss has left in its journal can only be mended by a writer
                    opened.execute("PRAGMA schema_version")
        except (sqlite3.Error, OSError) as error:
            raise reason(self.file, error, server=False) from error

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Have what the drivers raise inside end as a `StorageError`."""
        try:
            yield
        except StoreUnavailable as error:
            if error.__cause__ is None:
                raise
            raise reason(self.where, error.__cause__, server=self.file is None) from error
        except (DBAPIError, PoolTimeout, OSError, sqlite3.Error) as error:
            raise reason(self.where, error, server=self.file is None) from error

    async def close(self) -> None:
        """Finish what is under way, take nothing more, and close every connection."""
        self._closed = True
        with suppress(TimeoutError):
            await asyncio.wait_for(self._idle.wait(), CLOSE_SECONDS)
        await self._engine.close()


class Transactor(Protocol):
    """Who has functions done in one transaction or another."""

    async def __call__(self, work: Callable[..., Value], /, *args: Any) -> Value:
        """What `work(c, *args)` gives."""
