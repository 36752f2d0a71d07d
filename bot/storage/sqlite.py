"""SQLite: each connection has a thread, in which whole transactions are done one after another.

A transaction is one function and one way to the thread, so the event loop never waits for the disk.
Exactly one connection writes and checkpoints (before 3.51.3 two checkpointers can corrupt the
file); readers open the file read-only beside it. A writing transaction is BEGIN IMMEDIATE: one that
reads first and writes later fails at once if another came between, busy timeout or not.

The disk is asked to sync at the end of each writing transaction, and moves at many tables would
wait for one another. So what is asked for while one is under way shares the next: all of it is
stored when that is, and each in it is stored whole or not at all, whatever becomes of the others.
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
from threading import Lock
from time import monotonic
from typing import Any, Final, TypeVar

import aiosqlite
from sqlalchemy import create_engine
from sqlalchemy.engine import Connection
from sqlalchemy.pool import StaticPool

from bot.storage.turns import Turns

READERS: Final = 4
TOGETHER: Final = 0.05  # seconds in which what waits joins a transaction that is under way
SYNC: Final = "PRAGMA synchronous=FULL"
Value = TypeVar("Value")
Opened = TypeVar("Opened", bound="SqliteConnection")
Work = Callable[[Connection], Value]  # a transaction: what is done in it

# One damaged text must not keep the rows beside it from being read: what is no UTF-8 is replaced.
_text: Final = partial(str, encoding="utf-8", errors="replace")


class SqliteConnection(aiosqlite.Connection):
    """A connection with the thread that has it: aiosqlite's, which does functions of ours.

    Only here is aiosqlite reached into (its `_execute` and its thread); a test holds that.
    """

    core: Connection  # SQLAlchemy's, over the same file; for the thread only

    def __init__(self, database: str, busy_ms: int, *pragmas: str, uri: bool = False) -> None:
        super().__init__(partial(self._open, database, busy_ms, pragmas, uri), iter_chunk_size=64)
        self._thread.daemon = True  # it does not keep the process alive

    def _open(
        self, database: str, busy_ms: int, pragmas: tuple[str, ...], uri: bool
    ) -> sqlite3.Connection:
        made = sqlite3.connect(
            database,
            uri=uri,
            timeout=busy_ms / 1000,
            isolation_level=None,  # transactions are begun by ourselves
            check_same_thread=False,
        )
        try:
            made.text_factory = _text
            for pragma in pragmas:
                made.execute(pragma)
            engine = create_engine(
                "sqlite://",
                creator=lambda: made,
                poolclass=StaticPool,
                pool_reset_on_return=None,  # nothing is open when it is thrown away
                hide_parameters=True,
            )
            self.core = engine.connect()
        except BaseException:
            made.close()
            raise
        return made

    async def call(self, work: Callable[[], Value]) -> Value:
        """Have the thread do something, after what it was asked before."""
        done: Value = await self._execute(copy_context().run, work)  # type: ignore[no-untyped-call]
        return done

    def ask(self, work: Work[Value]) -> Value:
        """Do a reading transaction, in the thread."""
        self.begin("BEGIN")
        try:
            return work(self.core)
        finally:
            self.undo()

    def alone(self, statement: str) -> list[Any]:
        """Execute a statement outside any transaction, in the thread; its rows."""
        return self._conn.execute(statement).fetchall()

    def begin(self, how: str = "BEGIN IMMEDIATE") -> None:
        """Begin a transaction, in the thread. Raises sqlite3.OperationalError if it is locked."""
        self._conn.execute(how)

    def commit_now(self) -> None:
        """Store what the transaction has done, in the thread."""
        self._conn.commit()

    def undo(self) -> None:
        """End the transaction and store nothing, in the thread."""
        self._conn.rollback()


@dataclass(eq=False, slots=True)
class _Job:
    """A function that waits for its transaction, and then what became of it."""

    work: Work[Any]
    begun: Callable[[], None]  # called when the transaction has begun
    context: Context = field(default_factory=copy_context)
    value: Any = None
    error: BaseException | None = None


class SqliteWriter(SqliteConnection):
    """The one connection that writes."""

    def __init__(self, database: str, busy_ms: int, *pragmas: str) -> None:
        super().__init__(database, busy_ms, *pragmas)
        # seconds; whom another program keeps waiting is told so first, by BEGIN
        self._patience = max(busy_ms / 1000, 1) + 0.5
        self._waiting: list[_Job] = []
        self._lock = Lock()  # over what waits

    async def write(self, work: Work[Value], begun: Callable[[], None] = lambda: None) -> Value:
        """Do `work` in a transaction, with whatever else waits; its value once that is stored.

        Whoever is cancelled, or has waited too long (TimeoutError), before the transaction has
        begun has nothing stored; later, they wait for its end: what is read from then on is of
        after it.
        """
        job = _Job(work, begun)
        with self._lock:
            self._waiting.append(job)
        try:
            async with asyncio.timeout(self._patience):
                await self.call(partial(self._store, job))
        except BaseException as error:
            if self._withdrawn(job):
                raise
            await self.call(lambda: None)  # the thread comes to this after the transaction
            if not isinstance(error, TimeoutError):
                raise
        if job.error is not None:
            raise job.error
        value: Value = job.value
        return value

    def _withdrawn(self, job: _Job) -> bool:
        """Have a job wait no longer. False if it is not waiting: then it is under way, or done."""
        with self._lock:
            waits = job in self._waiting
            if waits:
                self._waiting.remove(job)
        return waits

    def _store(self, wanted: _Job) -> None:
        """Store what waits, in the thread, unless the one that is wanted was stored with others.

        What waits longer has a call of its own.
        """
        with self._lock:
            if wanted not in self._waiting:
                return
        jobs: list[_Job] = []
        try:
            self._store_together(jobs)
        except BaseException as error:
            jobs += self._taken()  # who came meanwhile would only wait as long, for the same
            for job in jobs:  # what any of them has seen was undone, a refusal too
                job.error = error

    def _taken(self) -> list[_Job]:
        """Those that wait; they wait no longer."""
        with self._lock:
            taken, self._waiting = self._waiting, []
        return taken

    def _next(self) -> tuple[_Job, bool] | None:
        """One that waits no longer, and whether others do; None where none waits."""
        with self._lock:
            return (self._waiting.pop(0), bool(self._waiting)) if self._waiting else None

    def _store_together(self, jobs: list[_Job]) -> None:
        """Store some that wait, each whole or not at all. What this raises befalls all `jobs`.

        They are taken when the transaction has begun, until then whoever is cancelled has nothing
        stored, and only for a moment: who comes while much is done waits for the next.
        """
        self.begin()
        try:
            until, undone = monotonic() + TOGETHER, False
            while not jobs or monotonic() < until:
                found = self._next()
                if found is None:
                    break
                job, others = found
                jobs.append(job)
                job.begun()
                alone = len(jobs) == 1 and not others
                self._do(job, alone=alone)
                if alone:
                    undone = job.error is not None
                    break
            if not self._conn.in_transaction and not undone:  # an error of the disk has ended it
                raise sqlite3.OperationalError("the transaction was undone")
            self.commit_now()
        except BaseException:
            self.undo()
            raise

    def _do(self, job: _Job, *, alone: bool) -> None:
        """Do one of them, in a savepoint unless it is alone."""
        if not alone:
            self._conn.execute("SAVEPOINT job")
        try:
            job.value = job.context.run(job.work, self.core)
        except Exception as error:
            job.error = error
            if alone:
                self.undo()
            elif not self._conn.in_transaction:  # as on a full disk: the others fail for it too
                raise
            else:
                self._conn.execute("ROLLBACK TO job")
        if not alone:
            self._conn.execute("RELEASE job")


async def connect(connection: Opened) -> Opened:
    """Open a connection, by a task that nobody cancels.

    If who waits for it is cancelled, its thread opens the file all the same, and aiosqlite alone
    would forget what it opened.
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
    """A connection that writes. `keys`: OFF for a migration, which copies tables, and checks."""
    writer = SqliteWriter(
        str(file),
        busy_ms,
        "PRAGMA journal_mode=WAL",
        SYNC,
        "PRAGMA secure_delete=ON",  # what is deleted is overwritten, in free pages too
        f"PRAGMA foreign_keys={keys}",
    )
    return await connect(writer)


class Sqlite:
    """A file: one connection that writes, a few that read, each opened when it is first needed."""

    def __init__(self, file: Path, busy_ms: int) -> None:
        self._file = file
        self._busy_ms = busy_ms
        self._writer: SqliteWriter | None = None
        self._opening = asyncio.Lock()
        self._turns = Turns(READERS, busy_ms)
        self._readers: list[SqliteConnection] = []  # nobody asks them anything just now

    async def writer(self) -> SqliteWriter:
        """The connection that writes."""
        async with self._opening:
            if self._writer is None:
                self._writer = await connect_writer(self._file, self._busy_ms)
            return self._writer

    async def write(
        self, work: Work[Value], begun: Callable[[], None], *, one: bool = False
    ) -> Value:
        """Do `work` in a writing transaction. `begun` is called in the thread when that begins.

        `one`: it executes exactly one statement, which makes no difference here.
        """
        return await (await self.writer()).write(work, begun)

    async def read(self, work: Work[Value], *, one: bool = False) -> Value:
        """Do `work` in a reading transaction, in which everything is of one moment.

        `one`: as for `write`.
        """
        async with self._turns.turn():
            reader = self._readers.pop() if self._readers else await self._connect_reader()
            try:
                told = await reader.call(partial(reader.ask, work))
            except BaseException:
                self._readers.insert(0, reader)  # of who is cancelled it may be busy still
                raise
            self._readers.append(reader)
            return told

    async def _connect_reader(self) -> SqliteConnection:
        where = f"{self._file.absolute().as_uri()}?mode=ro"
        reader = SqliteConnection(where, self._busy_ms, "PRAGMA query_only=ON", uri=True)
        return await connect(reader)

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Callable[[Work[Any]], Any]]:
        """A writing transaction of several functions, while nobody else writes."""
        writer = await self.writer()
        try:
            await writer.call(writer.begin)
            yield lambda work: writer.call(partial(work, writer.core))
            await writer.call(writer.commit_now)
        except BaseException:
            await writer.call(writer.undo)
            raise

    async def close(self) -> None:
        """Close every connection. The writing one is the last: it folds the log into the file."""
        for connection in (*self._readers, self._writer):
            if connection is not None:
                await connection.close()
        self._readers, self._writer = [], None
