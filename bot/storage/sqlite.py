"""SQLite: each connection has a thread, which runs whole transactions one after another.

A transaction is one function and one trip to the thread, so the event loop never waits for the
disk. Exactly one connection writes and checkpoints (before 3.51.3 two checkpointers can corrupt the
file); readers open the file read-only. A writing transaction is BEGIN IMMEDIATE: a transaction that
reads first and writes later fails at once if another one wrote in between, despite the busy
timeout.

The disk syncs at the end of each writing transaction, so moves at many tables would wait for one
another. Therefore all requests that arrive during one transaction share the next. They are stored
together, but each as a whole or not at all, whatever happens to the others.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from contextvars import Context, copy_context
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Lock, local
from time import monotonic
from typing import Any, Final, TypeVar

import aiosqlite
from sqlalchemy import create_engine
from sqlalchemy.engine import Connection
from sqlalchemy.pool import NullPool

from bot.storage.turns import Turns

READERS: Final = 4
TOGETHER: Final = 0.05  # seconds during which waiting jobs join the open transaction
SYNC: Final = "PRAGMA synchronous=FULL"
Value = TypeVar("Value")
Opened = TypeVar("Opened", bound="SqliteConnection")
Work = Callable[[Connection], Value]  # the function of a transaction

_opening = local()  # `connection`: the one that this thread is opening
# One engine for all connections, as each engine compiles the statements it runs for itself
_ENGINE: Final = create_engine(
    "sqlite://",
    creator=lambda: _opening.connection,
    poolclass=NullPool,
    pool_reset_on_return=None,  # no transaction is open when a connection is discarded
    hide_parameters=True,
)

# A damaged text must not keep other rows from being read: replace invalid UTF-8.
_text: Final = partial(str, encoding="utf-8", errors="replace")


class SqliteConnection(aiosqlite.Connection):
    """aiosqlite's connection with its thread, extended to run whole functions in the thread.

    Only this class uses aiosqlite's internals (`_execute` and its thread); a test checks that.
    """

    core: Connection  # SQLAlchemy's connection to the same file; used only in the thread

    def __init__(self, database: str, busy_ms: int, *pragmas: str, uri: bool = False) -> None:
        super().__init__(partial(self._open, database, busy_ms, pragmas, uri), iter_chunk_size=64)
        self._thread.daemon = True  # so that it doesn't keep the process alive

    def _open(
        self, database: str, busy_ms: int, pragmas: tuple[str, ...], uri: bool
    ) -> sqlite3.Connection:
        opened = sqlite3.connect(
            database,
            uri=uri,
            timeout=busy_ms / 1000,
            isolation_level=None,  # this module begins transactions itself
            check_same_thread=False,
        )
        try:
            opened.text_factory = _text
            for pragma in pragmas:
                opened.execute(pragma)
            _opening.connection = opened
            self.core = _ENGINE.connect()
        except BaseException:
            opened.close()
            raise
        return opened

    async def call(self, work: Callable[[], Value]) -> Value:
        """Run `work` in the thread, after earlier calls, and return its value."""
        value: Value = await self._execute(copy_context().run, work)  # type: ignore[no-untyped-call]
        return value

    def ask(self, work: Work[Value]) -> Value:
        """Run `work` in a reading transaction; call this in the thread."""
        self.begin("BEGIN")
        try:
            return work(self.core)
        finally:
            self.undo()

    def autocommit(self, statement: str) -> list[Any]:
        """Execute a statement outside any transaction; call it in the thread. Return its rows."""
        return self._conn.execute(statement).fetchall()

    def begin(self, how: str = "BEGIN IMMEDIATE") -> None:
        """Begin a transaction; call it in the thread. Raises sqlite3.OperationalError if locked."""
        self._conn.execute(how)

    def commit_now(self) -> None:
        """Commit the transaction; call it in the thread."""
        self._conn.commit()

    def undo(self) -> None:
        """Roll the transaction back; call it in the thread."""
        self._conn.rollback()


@dataclass(eq=False, slots=True)
class _Job:
    """A function to run in a transaction, and then its result or error."""

    work: Work[Any]
    begun: Callable[[], None]  # called once the transaction has begun
    context: Context = field(default_factory=copy_context)
    value: Any = None
    error: BaseException | None = None


class SqliteWriter(SqliteConnection):
    """The only connection that writes."""

    def __init__(self, database: str, busy_ms: int, *pragmas: str) -> None:
        super().__init__(database, busy_ms, *pragmas)
        # seconds; longer than BEGIN waits, so that its error can report a lock first
        self._patience = max(busy_ms / 1000, 1) + 0.5
        self._waiting: list[_Job] = []
        self._lock = Lock()  # protects the waiting jobs

    async def write(self, work: Work[Value], begun: Callable[[], None] = lambda: None) -> Value:
        """Run `work` in a transaction shared with other waiting jobs; return its value once stored.

        If the call is cancelled or times out (TimeoutError) before `work` has begun, nothing is
        stored. If the call is cancelled later, it first waits for the transaction's end, so that
        later reads see the result. A timeout that comes later is ignored.
        """
        job = _Job(work, begun)
        with self._lock:
            self._waiting.append(job)
        try:
            async with asyncio.timeout(self._patience):
                await self.call(partial(self._store, job))
        except BaseException as error:
            if self._withdraw(job):
                raise
            await self.call(lambda: None)  # a no-op in the thread: it runs after the transaction
            if not isinstance(error, TimeoutError):
                raise
        if job.error is not None:
            raise job.error
        value: Value = job.value
        return value

    def _withdraw(self, job: _Job) -> bool:
        """Remove a job from the queue. Return False if it is already running or done."""
        with self._lock:
            waits = job in self._waiting
            if waits:
                self._waiting.remove(job)
        return waits

    def _store(self, wanted: _Job) -> None:
        """Store `wanted` with the jobs waiting behind it, as far as `TOGETHER` allows.

        Jobs that arrive meanwhile may be stored too. Do nothing if an earlier call took `wanted`.
        Call this in the thread.
        """
        with self._lock:
            if wanted not in self._waiting:
                return
        jobs: list[_Job] = []
        try:
            self._store_together(jobs)
        except BaseException as error:
            jobs += (
                self._take_all()
            )  # jobs that arrived meanwhile would wait as long, and fail in the same way
            for job in jobs:  # refusals too: they were based on data that was rolled back
                job.error = error

    def _take_all(self) -> list[_Job]:
        with self._lock:
            taken, self._waiting = self._waiting, []
        return taken

    def _take_next(self) -> tuple[_Job, bool] | None:
        """Take the next job; return it and whether more are waiting. None if no job waits."""
        with self._lock:
            return (self._waiting.pop(0), bool(self._waiting)) if self._waiting else None

    def _store_together(self, jobs: list[_Job]) -> None:
        """Store some waiting jobs, each as a whole or not at all, and add them to `jobs`.

        If this raises an exception, no job is stored. The transaction begins before the first job
        is taken from the queue, so a job cancelled earlier stores nothing. After `TOGETHER` seconds
        no more jobs are taken: they wait for the next transaction.
        """
        self.begin()
        try:
            until, undone = monotonic() + TOGETHER, False
            while not jobs or monotonic() < until:
                next_job = self._take_next()
                if next_job is None:
                    break
                job, others = next_job
                jobs.append(job)
                job.begun()
                single = len(jobs) == 1 and not others
                self._do(job, single=single)
                if single:
                    undone = job.error is not None
                    break
            # otherwise a disk error has ended the transaction
            if not self._conn.in_transaction and not undone:
                raise sqlite3.OperationalError("the transaction was undone")
            self.commit_now()
        except BaseException:
            self.undo()
            raise

    def _do(self, job: _Job, *, single: bool) -> None:
        """Run one job, in a savepoint unless it is the only one (`single`).

        The job's exception is kept in `job.error`, and raised only if it has ended the transaction.
        """
        if not single:
            self._conn.execute("SAVEPOINT job")
        try:
            job.value = job.context.run(job.work, self.core)
        except Exception as error:
            job.error = error
            if single:
                self.undo()
            elif not self._conn.in_transaction:  # e.g. on a full disk: then all jobs fail
                raise
            else:
                self._conn.execute("ROLLBACK TO job")
        if not single:
            self._conn.execute("RELEASE job")


async def connect(connection: Opened) -> Opened:
    """Open a connection in a task that is never cancelled.

    If this call is cancelled, wait for that task and close the connection: its thread opens the
    file anyway, and aiosqlite would not close it.
    """
    opening = asyncio.ensure_future(connection)
    try:
        await asyncio.shield(opening)
    except asyncio.CancelledError:
        await asyncio.wait({opening})
        if opening.exception() is None:
            await connection.close()
        raise
    return connection


async def connect_writer(file: Path, busy_ms: int, *, keys: str = "ON") -> SqliteWriter:
    """Open a connection that writes.

    `keys`: "ON" to check foreign keys; "OFF" for a migration, which copies tables.
    """
    writer = SqliteWriter(
        str(file),
        busy_ms,
        "PRAGMA journal_mode=WAL",
        SYNC,
        "PRAGMA secure_delete=ON",  # overwrite deleted data, in free pages too
        f"PRAGMA foreign_keys={keys}",
    )
    return await connect(writer)


class Sqlite:
    """A file with one writing connection and a few reading ones, each opened on first use."""

    def __init__(self, file: Path, busy_ms: int) -> None:
        self._file = file
        self._busy_ms = busy_ms
        self._writer: SqliteWriter | None = None
        self._opening = asyncio.Lock()
        self._turns = Turns(READERS, busy_ms)
        self._readers: list[SqliteConnection] = []  # idle readers

    async def writer(self) -> SqliteWriter:
        """Return the connection that writes, opening it on first use."""
        async with self._opening:
            if self._writer is None:
                self._writer = await connect_writer(self._file, self._busy_ms)
            return self._writer

    async def write(
        self, work: Work[Value], begun: Callable[[], None], *, single: bool = False
    ) -> Value:
        """Run `work` in a writing transaction.

        `begun` is called in the thread once the transaction has begun. `single`: for PostgreSQL
        only, ignored here.
        """
        return await (await self.writer()).write(work, begun)

    async def read(self, work: Work[Value], *, single: bool = False) -> Value:
        """Run `work` in a reading transaction, which sees a single moment.

        `single`: for PostgreSQL only, ignored here.
        """
        async with self._turns.turn():
            reader = self._readers.pop() if self._readers else await self._connect_reader()
            try:
                value = await reader.call(partial(reader.ask, work))
            except BaseException:
                self._readers.insert(0, reader)  # it may still be busy after a cancellation
                raise
            self._readers.append(reader)
            return value

    async def _connect_reader(self) -> SqliteConnection:
        where = f"{self._file.absolute().as_uri()}?mode=ro"
        reader = SqliteConnection(where, self._busy_ms, "PRAGMA query_only=ON", uri=True)
        return await connect(reader)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Callable[[Work[Any]], Any]]:
        """Open a writing transaction, and yield a function that runs a given function in it.

        Other writers wait until it ends.
        """
        writer = await self.writer()
        try:
            await writer.call(writer.begin)
            yield lambda work: writer.call(partial(work, writer.core))
            await writer.call(writer.commit_now)
        except BaseException:
            await writer.call(writer.undo)
            raise

    async def close(self) -> None:
        """Close every connection. The writing one comes last, as closing it checkpoints the log."""
        for connection in (*self._readers, self._writer):
            if connection is not None:
                await connection.close()
        self._readers, self._writer = [], None
