"""The database's engines and transactions: one engine that writes, one that only reads.

SQLite: exactly one connection writes and checkpoints (before 3.51.3 two checkpointers can corrupt
the file), readers open the file read-only beside it. Every writing transaction is BEGIN IMMEDIATE:
one that reads first and writes later fails at once if another came between, busy timeout or not.
PostgreSQL: one pool; a read is a REPEATABLE READ transaction, so a snapshot is of one moment.

Every connection made is closed: one whose maker was cancelled is closed all the same, and `close`
waits for the transactions under way. No exception shows a statement's parameters: seeds and cards
are among them.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager, suppress
from typing import Any, Final, cast

from sqlalchemy import Executable
from sqlalchemy.engine import URL
from sqlalchemy.exc import (
    DataError,
    DBAPIError,
    IntegrityError,
    NotSupportedError,
    ProgrammingError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.addresses import file_of
from bot.storage.engines import BUSY_MS, READERS, postgres, sqlite_reader, sqlite_writer
from bot.storage.files import identity, make_own
from bot.storage.group_commit import GroupCommit, Row, Writes, nothing_else
from bot.storage.outage import Outage, quieten
from bot.storage.reasons import reason
from bot.storage.sqlite import Connection as Driver
from bot.storage.turns import Turns, closed_after
from bot.tables.ports import (
    AlreadyDone,
    ChannelTaken,
    MaybeStored,
    Stale,
    StoreError,
    StoreUnavailable,
)

POOL_SIZE: Final = 8
CLOSE_SECONDS: Final = 15.0  # longer than any statement may take


# entered as a writing transaction is asked for; what it gives is called when that has begun
Timer = Callable[[], AbstractContextManager[Callable[[], None]]]


@contextmanager
def _untimed() -> Iterator[Callable[[], None]]:
    yield lambda: None


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


@contextmanager
def _answered() -> Iterator[Callable[[], None]]:
    """Raises `MaybeStored` where the connection is lost after what is given was called."""
    told: list[bool] = []
    try:
        yield lambda: told.append(True)
    except IntegrityError:
        raise
    except (DBAPIError, OSError) as error:
        if told:
            raise MaybeStored(f"no answer to a commit: {type(error).__name__}") from error
        raise


class Database:
    """Engines on one database. Nothing is opened before the first transaction.

    `busy_ms`: how long to wait for a connection, and for SQLite's locks. `pool_size`: how many
    connections to PostgreSQL at most. `direct`: another way to the same PostgreSQL, for what needs
    a session of its own; then `url` may lead to a pooler that gives each transaction another one.
    `serves`: whether somebody plays here, and the log is to say when the database does not work.
    """

    def __init__(
        self,
        url: URL,
        *,
        busy_ms: int = BUSY_MS,
        pool_size: int = POOL_SIZE,
        direct: URL | None = None,
        serves: bool = True,
    ) -> None:
        self._closed = False
        self._driver: Driver | None = None  # of the one connection that writes to SQLite
        self._serves = serves
        self._outages = Outage("reading"), Outage("writing")
        self.timed: Timer = _untimed
        self._identity: tuple[int, int] | None = None
        self._under_way = 0
        self._idle = asyncio.Event()
        self._idle.set()
        self._group = GroupCommit(self._units, lambda: not self._writers.wanted)
        self.url = url
        self.direct = direct or url
        self.file = file_of(url)
        patience = max(busy_ms / 1000, 1)  # seconds
        if self.file is None:
            self._readers = self._writers = Turns(pool_size, patience)  # of one pool
            quieten()
            self.writer = postgres(url, busy_ms, pool_size, pooled=direct is not None)
            self.reader = self.writer.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            )
        else:
            self._readers, self._writers = Turns(READERS, patience), Turns(1, patience)
            self.writer = sqlite_writer(self.file, busy_ms=busy_ms)
            self.reader = sqlite_reader(self.file, busy_ms)

    @property
    def where(self) -> str:
        """The file, or the address without its password: for people."""
        return str(self.file or self.url.render_as_string(hide_password=True))

    def remember_file(self) -> None:
        """Know the SQLite file from now on, to notice when another or none is in its place."""
        self._identity = identity(self.file) if self.file is not None else None

    @property
    def lost(self) -> bool:
        """Whether the SQLite file that was opened is not where it was: deleted, or replaced."""
        if self.file is None or self._identity is None:
            return False
        return identity(self.file) != self._identity

    @asynccontextmanager
    async def writing(self, *, gathers: bool = False) -> AsyncIterator[AsyncConnection]:
        """One writing transaction: stored whole when the block ends, or not at all.

        `gathers`: it is short, and nobody asks what its writes leave behind (how many rows, which
        key), so SQLite may get them together with the commit; what one of them breaks is raised at
        the end then.
        """
        with self.timed() as begun:
            async with self._writing(gathers=gathers) as connection:
                begun()
                yield connection

    @asynccontextmanager
    async def _writing(self, *, gathers: bool = False) -> AsyncIterator[AsyncConnection]:
        """The same, and nobody is told how long it takes."""
        with self._may_write(), _answered() as done:
            async with self._begins() as connection:
                if gathers and self.file is not None:
                    (await _driver(connection)).gathers = True
                yield connection
                if self.file is None:
                    done()

    @asynccontextmanager
    async def _units(self) -> AsyncIterator[Driver]:
        """The connection that writes to the SQLite file, for transactions of its own.

        It stays in its pool once it is known: whose turn it is has it, and nobody else.
        """
        with self._may_write():
            async with self._writers.turn():
                if self._driver is not None and self._driver.is_open:
                    try:
                        yield self._driver
                    except BaseException:
                        self._driver = None
                        await asyncio.shield(asyncio.create_task(self._put_right()))
                        raise
                    return
                connection = await self.writer.connect()
                async with closed_after(connection, at_once=True):
                    driver = await _driver(connection)
                    yield driver
                self._driver = driver

    async def _put_right(self) -> None:
        """Have the pool end what is open on its connection, or make another one."""
        await (await self.writer.connect()).close()

    @contextmanager
    def _may_write(self) -> Iterator[None]:
        with self._told(self._outages[1]), stored_or_not(), self._counted():
            if self.lost:  # it would be written to a file that has no name any more
                raise StoreUnavailable(f"{self.file} was deleted or replaced")
            yield

    @asynccontextmanager
    async def _begins(self) -> AsyncIterator[AsyncConnection]:
        """SQLAlchemy's `begin`, in turn."""
        async with self._writers.turn():
            connection = await self.writer.connect()
            closed = closed_after(connection, at_once=self.file is not None)
            async with closed, connection.begin():
                yield connection

    async def write_if(
        self, guard: Executable, asked: Mapping[str, Any], writes: Writes = nothing_else
    ) -> Row | None:
        """Store what `guard` does, and `writes` if that gives a row; else nothing.

        The row by name. None also if a constraint was broken on SQLite, where several are stored
        together: so `writes` may not ask anything.
        """
        if self.file is not None:
            with self._counted(), self.timed() as begun:
                return await self._group.store(guard, asked, writes, begun)
        async with self.writing() as connection:
            row = (await connection.execute(guard, asked)).mappings().one_or_none()
            if row is None:
                return None
            await writes(connection)
            return dict(row)

    @asynccontextmanager
    async def reading(self, *, brief: bool = False) -> AsyncIterator[AsyncConnection]:
        """One reading transaction, in which everything is of one moment.

        `brief`: its statements find their few rows by an index, so SQLite may be asked on the loop.
        """
        with self._told(self._outages[0]), stored_or_not(), self._counted():
            async with self._readers.turn():
                connection = await self.reader.connect()
                here = brief and self.file is not None
                async with closed_after(connection, at_once=here):
                    if here:
                        (await _driver(connection)).brief = True
                    yield connection

    async def alone(self, *statements: str) -> list[list[Any]]:
        """Execute statements outside any transaction, SQLite only; the rows of each."""
        with stored_or_not(), self._counted():
            async with self._writers.turn(), self.writer.connect() as connection:
                sqlite = await _driver(connection)
                try:
                    return [await sqlite.alone(statement) for statement in statements]
                except sqlite3.Error as error:  # SQLAlchemy is not asked, so it does not say
                    raise StoreUnavailable(f"{type(error).__name__}: {error}") from error

    @contextmanager
    def _told(self, outage: Outage) -> Iterator[None]:
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
            # an engine would make a new connection, and others may hold the lock by now
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
        """Open the SQLite file once, making it if asked. Raises `NotReached`.

        aiosqlite does not wait for the thread of a connection that could not be opened: at the end
        of a command it would add a traceback to our sentence. So the file is tried without it.
        """
        if self.file is None:
            return
        mode = "rw" if make else "ro"
        try:
            if make:
                make_own(self.file)
            sqlite3.connect(f"{self.file.absolute().as_uri()}?mode={mode}", uri=True).close()
        except (sqlite3.Error, OSError) as error:
            raise reason(self.file, error, server=False) from error

    async def close(self) -> None:
        """Finish what is under way, take nothing more, and close every connection.

        The writing one is the last: it folds SQLite's log into the file.
        """
        self._closed = True
        with suppress(TimeoutError):
            await asyncio.wait_for(self._idle.wait(), CLOSE_SECONDS)
        await self.reader.dispose()
        await self.writer.dispose()


async def _driver(connection: AsyncConnection) -> Driver:
    """The connection to SQLite under one of SQLAlchemy's."""
    driver: Any = (await connection.get_raw_connection()).driver_connection
    return cast(Driver, driver)
