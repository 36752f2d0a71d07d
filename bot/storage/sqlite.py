"""A connection to an SQLite file in a thread of its own, one way to the thread a statement.

aiosqlite goes to its thread and back for each of making a cursor, executing, fetching and closing.
A way costs more than what most statements do there, so here they are one. What begins a transaction
goes with its first statement; where nobody asks what its writes left behind, they go with what ends
it. Units of a group commit are one way together, and with them what begins and ends their
transaction.

A short transaction is executed on the loop, one that reads a few rows too: in the thread, each of
its statements would have to get the interpreter back from a loop that is busy, which takes up to
`sys.getswitchinterval`, and then wait for the loop's next turn; all who want the connection wait
for it. The commit waits for the disk: it is done on the loop while the disk is quick enough that to
hand it over would take longer, else in the thread. Where the file is locked by another program, all
of it is done in the thread, as ever.
"""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, Self

import aiosqlite

from bot.storage.prepared import Statement

BEGIN: Final = "BEGIN IMMEDIATE"  # a transaction that will write
_WRITES: Final = ("INSERT", "UPDATE", "DELETE")
_PRIMARY: Final = 0xFF  # of SQLite's codes of errors, the part that says which
# A commit that is handed over takes more of the processor, and longer while the loop is busy.
QUICK: Final = 0.002  # seconds that a commit may take on the loop, by and large
SHARE: Final = 1 / 16  # of the latest commit in what is taken for usual
REST: Final = 200  # times as long as a slow one took, commits are done in the thread
# what only the disk takes in the thread: to wait for the interpreter is shorter
SURELY: Final = 0.05  # seconds


class Pace:
    """Whether the disk is quick of late, as told by commits.

    A slow one sends those after it to the thread for so long that the loop would lose 0.5 % of its
    time to a disk that is slow for ever. If the thread finds it very slow too, which it does at a
    start, the loop does not even try.
    """

    def __init__(self) -> None:
        self._usual = 0.0  # seconds
        self._slow_until = 0.0  # on the monotonic clock

    def is_quick(self, now: float) -> bool:
        """Whether the next commit is to be done on the loop. `now`: on the monotonic clock."""
        return now >= self._slow_until

    def took(self, seconds: float, now: float) -> None:
        """A commit on the loop has taken so long, and is done `now`."""
        self._usual += SHARE * (seconds - self._usual)
        if self._usual > QUICK:
            self._rest(seconds, now)
            self._usual = 0.0

    def took_there(self, seconds: float, now: float) -> None:
        """One in the thread has taken so long."""
        if seconds > SURELY:
            self._rest(seconds, now)

    def _rest(self, seconds: float, now: float) -> None:
        self._slow_until = max(self._slow_until, now + REST * max(seconds, QUICK))


class _Done(NamedTuple):
    """What a statement left behind."""

    rows: list[Any]
    description: Any
    rowcount: int
    lastrowid: int | None


_NOTHING: Final = _Done([], None, -1, None)
_BEGIN: Final = Statement("execute", BEGIN)


class _Cursor:
    """The part of aiosqlite's cursor that SQLAlchemy uses; it costs nothing to make or close."""

    arraysize = 1

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._done = _NOTHING

    async def __aenter__(self) -> Self:
        return self

    @property
    def description(self) -> Any:
        """The columns of the rows; None if the statement gives none."""
        return self._done.description

    @property
    def rowcount(self) -> int:
        """How many rows were changed."""
        return self._done.rowcount

    @property
    def lastrowid(self) -> int | None:
        """The key of the row inserted last."""
        return self._done.lastrowid

    async def execute(self, sql: str, parameters: Iterable[Any] = ()) -> Self:
        """Execute a statement and fetch all its rows."""
        self._done = await self._connection.one_way(Statement("execute", sql, parameters))
        return self

    async def executemany(self, sql: str, parameters: Iterable[Iterable[Any]]) -> Self:
        """Execute a statement once for each of `parameters`."""
        self._done = await self._connection.one_way(Statement("executemany", sql, parameters))
        return self

    async def fetchall(self) -> Sequence[Any]:
        """The rows, which are here already."""
        return self._done.rows

    async def close(self) -> None:
        """Nothing is open."""


class Connection(aiosqlite.Connection):
    """aiosqlite's, but for the cursors it makes."""

    def __init__(self, connector: Callable[[], sqlite3.Connection]) -> None:
        super().__init__(connector, iter_chunk_size=64)
        self._thread.daemon = True  # as SQLAlchemy has it: no thread keeps the process alive
        self._waiting: list[Statement] = []  # go with the next statement, or with the commit
        self._begun = False  # a transaction is open, or is being opened
        # until the transaction ends, which is short, writes wait: nobody asks what they left
        self.gathers = False
        # until the transaction ends, which only reads a few rows, it is executed on the loop
        self.brief = False
        self._asked = self._ended = 0  # what the thread was to do, and has done
        self._pace = Pace()
        # whether SQLite waits for locks, and for how long where it does, once that was asked
        self._waits = True
        self._busy_ms: int | None = None

    @property
    def is_open(self) -> bool:
        """Whether anything can be asked of it still."""
        return self._running and self._connection is not None

    def cursor(self) -> Any:
        """A cursor for SQLAlchemy."""
        return _Cursor(self)

    async def one_way(self, statement: Statement) -> _Done:
        """Execute a statement in the thread, after those that wait; or have it wait with them."""
        begins = statement.sql.startswith("BEGIN")
        writes = statement.sql.startswith(_WRITES) and "RETURNING" not in statement.sql
        if begins or (writes and self.gathers):
            self._waiting.append(statement)
            return _NOTHING
        if self.brief:
            return await self._read([*self._taken(), statement])
        return await self._somewhere([*self._taken(), statement])

    async def _read(self, statements: list[Statement]) -> _Done:
        """Read on the loop; in the thread where the disk was slow of late, or the file is locked.

        That is seen by the first statement: what follows reads what that has locked.
        """
        began = time.monotonic()
        if self._asked != self._ended or not self.is_quick(began):
            return await self._there(statements)
        first = statements[0].sql.startswith("BEGIN")
        try:
            self._wait_for_locks(False)
            return self._at_once(statements)
        except sqlite3.OperationalError as error:
            if not first or not _is_busy(error):
                raise
            self._conn.rollback()
        finally:
            ended = time.monotonic()
            self._pace.took(ended - began, ended)
        return await self._there(statements)

    def _wait_for_locks(self, waits: bool) -> None:
        """Have SQLite wait for a lock that another program has, or fail at once."""
        if waits == self._waits:
            return
        if not waits and self._busy_ms is None:
            (self._busy_ms,) = self._conn.execute("PRAGMA busy_timeout").fetchone()
        self._conn.execute(f"PRAGMA busy_timeout={self._busy_ms if waits else 0}")
        self._waits = waits

    async def store_units(self, units: list[list[Statement]]) -> list[dict[str, Any] | None]:
        """Execute units in a transaction of their own, one way; the row of each guard by name.

        A unit is a guard and what that lets through. None: the guard gave no row, or the unit
        broke a constraint. Then nothing of it is stored.
        """
        self._begun = True
        if self._begins_here(_BEGIN):
            rows = self._units_at_once(units)
            await self._end()
        else:
            rows = await self._execute(partial(self._units_there, [_BEGIN], units))
        self._begun = False
        return rows

    def _begins_here(self, begin: Statement) -> bool:
        """Begin the transaction without waiting for its lock. False if another has that."""
        if self._asked != self._ended:  # somebody was cancelled, and the thread does not know it
            return False
        try:
            self._wait_for_locks(False)
            self._conn.execute(begin.sql)
        except sqlite3.OperationalError as error:
            if not _is_busy(error):
                raise
            return False
        return True

    async def _execute(self, fn: Any, *args: Any, **kwargs: Any) -> Any:
        """Have the thread do something, after what it was asked before."""

        def work() -> Any:
            try:
                self._wait_for_locks(True)
                return fn(*args, **kwargs)
            finally:
                self._ended += 1

        self._asked += 1
        return await super()._execute(work)  # type: ignore[no-untyped-call]

    def _units_there(
        self, first: list[Statement], units: list[list[Statement]]
    ) -> list[dict[str, Any] | None]:
        self._at_once(first)
        rows = self._units_at_once(units)
        self._commit_there()
        return rows

    def _units_at_once(self, units: list[list[Statement]]) -> list[dict[str, Any] | None]:
        # one alone needs no savepoint
        one = self._unit_at_once if len(units) == 1 else self._unit_among_others
        return [one(unit) for unit in units]

    def _unit_among_others(self, unit: list[Statement]) -> dict[str, Any] | None:
        self._conn.execute("SAVEPOINT unit")
        row = self._unit_at_once(unit, "ROLLBACK TO unit")
        self._conn.execute("RELEASE unit")
        return row

    def _unit_at_once(self, unit: list[Statement], undo: str = "ROLLBACK") -> dict[str, Any] | None:
        """Execute a unit in the transaction. Another error than of a constraint ends that."""
        try:
            done = self._at_once(unit[:1])
            if not done.rows:
                return None
            self._at_once(unit[1:])
        except sqlite3.IntegrityError:
            self._conn.execute(undo)
            return None
        return dict(zip((name for name, *_ in done.description), done.rows[0], strict=True))

    async def _end(self) -> None:
        """Commit, where the loop has executed what is committed."""
        began = time.monotonic()
        if not self.is_quick(began):
            await self._there([], commits=True)
            return
        try:
            self.commit_now()
        except sqlite3.OperationalError as error:
            # only where there is no write-ahead log: a reader keeps the file; the thread waits
            if not _is_busy(error):
                raise
        else:
            return
        finally:
            ended = time.monotonic()
            self._pace.took(ended - began, ended)
        await self._there([], commits=True)

    def _commit_there(self) -> None:
        """Commit; called in the thread."""
        began = time.monotonic()
        try:
            self.commit_now()
        finally:
            ended = time.monotonic()
            self._pace.took_there(ended - began, ended)

    def is_quick(self, now: float) -> bool:
        """Whether the loop waits for the next commit by itself."""
        return self._pace.is_quick(now)

    def commit_now(self) -> None:
        """End the transaction, wherever this is called."""
        self._conn.commit()

    def _taken(self) -> list[Statement]:
        """What waits; it waits no longer."""
        taken, self._waiting = self._waiting, []
        self._begun |= bool(taken)
        return taken

    async def _there(self, statements: list[Statement], *, commits: bool = False) -> _Done:
        work = partial(self._at_once, statements, commits=commits)
        done: _Done = await self._execute(work)
        return done

    async def _somewhere(self, statements: list[Statement], *, commits: bool = False) -> _Done:
        """The same, but on the loop if the transaction is short and has its lock."""
        if not self.gathers or not statements:
            return await self._there(statements, commits=commits)
        if statements[0].sql.startswith("BEGIN"):
            if not self._begins_here(statements[0]):
                return await self._there(statements, commits=commits)
            statements = statements[1:]
        done = self._at_once(statements)
        if commits:
            await self._end()
        return done

    def _at_once(self, statements: list[Statement], *, commits: bool = False) -> _Done:
        done = _NOTHING
        for how, sql, parameters in statements:
            cursor = getattr(self._conn, how)(sql, parameters)
            rows = cursor.fetchall() if cursor.description else []
            done = _Done(rows, cursor.description, cursor.rowcount, cursor.lastrowid)
            cursor.close()
        if commits:
            self._commit_there()
        return done

    async def alone(self, sql: str) -> list[Any]:
        """Execute a statement that must not be in a transaction; its rows."""
        return (await self._there([Statement("execute", sql, ())])).rows

    async def commit(self) -> None:
        """End the transaction; one in which nothing was executed has not begun."""
        waiting = self._taken() if self.gathers or self._begun else []
        self._waiting = []
        if self._begun:
            await self._somewhere(waiting, commits=True)
        self._begun = self.gathers = False

    async def rollback(self) -> None:
        """The same, and nothing is stored. The pool asks for it after every use."""
        self._waiting = []
        if self._begun and self.brief and self._asked == self._ended:
            self._conn.rollback()
        elif self._begun:
            await super().rollback()
        self._begun = self.gathers = self.brief = False


def _is_busy(error: sqlite3.OperationalError) -> bool:
    """Whether another program, or another connection, has a lock."""
    return getattr(error, "sqlite_errorcode", 0) & _PRIMARY == sqlite3.SQLITE_BUSY


# One damaged text must not keep the rows beside it from being read: what is no UTF-8 is replaced.
_text: Final = partial(str, encoding="utf-8", errors="replace")


async def connect(database: str, busy_ms: int, *, uri: bool = False) -> aiosqlite.Connection:
    """A connection in autocommit: we begin transactions ourselves.

    It is made by a task that nobody cancels. If who waits for it is cancelled, its thread opens
    the file all the same, and aiosqlite alone would forget what it opened.
    """

    def opened() -> sqlite3.Connection:
        made = sqlite3.connect(
            database,
            uri=uri,
            timeout=busy_ms / 1000,
            isolation_level=None,
            check_same_thread=False,
        )
        made.text_factory = _text
        return made

    connection = Connection(opened)
    opening = asyncio.ensure_future(connection)
    try:
        return await asyncio.shield(opening)
    except asyncio.CancelledError:
        await asyncio.wait({opening})
        if opening.exception() is None:
            await connection.close()
        raise
