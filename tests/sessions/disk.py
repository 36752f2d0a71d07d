"""SQLite without its thread: a transaction runs in the loop after a random delay, or fails.

`Disk` also knows what a loss of power leaves in the files: commits that were not synced are lost,
unless a later commit was synced.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

from bot.storage.sqlite import Opened, SqliteConnection, SqliteWriter, Value
from tests.sessions.loop import LIFE, Life

FULL: Final = 2  # SQLite's `synchronous`: in its write-ahead log each commit is synced
_BESIDE: Final = ("", "-wal")  # the files of a database that outlive a process


class Disk:
    """A disk with delays and errors. `wrote` is called after each commit."""

    def __init__(self, chance: Random, file: Path, wrote: Callable[[], None]) -> None:
        self.chance = chance
        self.on_commit = wrote
        self.locked_until = 0.0  # on the loop's time: another program holds the file till then
        self.fails = 0.0  # the chance that a commit fails
        self._file = file
        # what a loss of power would leave; None: everything
        self._synced: dict[str, bytes] | None = None

    @property
    def was_locked(self) -> bool:
        """Whether another program held the file's lock at some time in the last second."""
        return asyncio.get_running_loop().time() < self.locked_until + 1.0

    async def connect(self, connection: Opened) -> Opened:
        """Replace `bot.storage.sqlite.connect`: open the file without a thread."""
        life = LIFE.get() or Life()
        life.check()
        connection._connection = connection._connector()
        replaceable: Any = connection
        replaceable.call = partial(self._call, connection, life)
        replaceable.commit_now = partial(self._commit, connection)
        replaceable.close = partial(_close, connection)
        life.ends.append(partial(_close_now, connection))
        return connection

    async def _call(
        self, connection: SqliteConnection, life: Life, work: Callable[[], Value]
    ) -> Value:
        """Do `work` in the loop after a random delay, in place of `SqliteConnection.call`.

        A writing connection first waits for another program's lock, as `_wait_for_lock` does.
        """
        life.check()
        await asyncio.sleep(self.chance.expovariate(1000))
        life.check()
        if isinstance(connection, SqliteWriter):
            await self._wait_for_lock(connection._patience)
            life.check()
        result = work()
        await asyncio.sleep(self.chance.expovariate(2000))
        life.check()
        return result

    async def _wait_for_lock(self, patience: float) -> None:
        """Wait up to `patience` seconds for another program's lock, as SQLite would.

        Raises sqlite3.OperationalError if it is held for longer.
        """
        waits = self.locked_until - asyncio.get_running_loop().time()
        if waits > 0:
            await asyncio.sleep(min(waits, patience))
        if waits > patience:
            raise sqlite3.OperationalError("database is locked")

    def _commit(self, connection: SqliteConnection) -> None:
        """Commit, or fail at random, in place of `SqliteConnection.commit_now`.

        Raises sqlite3.OperationalError if the disk fails.
        """
        if self.chance.random() < self.fails:
            raise sqlite3.OperationalError("disk I/O error")
        self.note_commit(connection._conn)
        connection._conn.commit()
        self.on_commit()

    def note_commit(self, connection: sqlite3.Connection) -> None:
        """Keep what a loss of power would leave; call this before each commit.

        If the commit isn't synced, copy the files unless there is a copy; if it is synced, drop the
        copy.
        """
        if connection.execute("PRAGMA synchronous").fetchone()[0] >= FULL:
            self._synced = None  # a sync covers everything written before
        elif self._synced is None:
            files = {suffix: self._file.with_name(self._file.name + suffix) for suffix in _BESIDE}
            self._synced = {suffix: at.read_bytes() for suffix, at in files.items() if at.exists()}

    def lose_power(self) -> None:
        """Undo in the files every commit that was not synced. No connection may be open."""
        if self._synced is None:
            return
        for suffix in (*_BESIDE, "-shm"):
            self._file.with_name(self._file.name + suffix).unlink(missing_ok=True)
        for suffix, content in self._synced.items():
            self._file.with_name(self._file.name + suffix).write_bytes(content)
        self._synced = None


async def _close(connection: SqliteConnection) -> None:
    """Close a connection at once, in place of `SqliteConnection.close`."""
    _close_now(connection)


def _close_now(connection: SqliteConnection) -> None:
    connection._running = False
    if connection._connection is not None:
        connection._connection.close()
        connection._connection = None
