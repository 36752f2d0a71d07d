"""SQLite without its thread: a statement is executed in the loop, after a moment, or it fails.

Also what a loss of power leaves: a commit by a connection that does not have the disk sync is gone
again, with all that came after it, unless a later one was synced.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

from bot.storage.sqlite import Connection
from tests.evenings.loop import LIFE, Life

FULL: Final = 2  # SQLite's `synchronous`: in its write-ahead log each commit is synced
QUICK: Final = 0.5  # how often the loop waits for a commit by itself
_BESIDE: Final = ("", "-wal")  # the files of a database that outlive a process


class Disk:
    """How long the disk takes, and what it refuses. `wrote` is called after each commit."""

    def __init__(self, chance: Random, file: Path, wrote: Callable[[], None]) -> None:
        self.chance = chance
        self.wrote = wrote
        self.locked_until = 0.0  # on the loop's time: another program holds the file till then
        self.fails = 0.0  # how likely a commit fails, for whatever reason a disk has
        self._file = file
        self._synced: dict[str, bytes] | None = None  # what power would leave; None: all there is

    @property
    def was_locked(self) -> bool:
        """Whether what is committed now may have waited for another program's lock."""
        return asyncio.get_running_loop().time() < self.locked_until + 1.0

    async def connect(self, database: str, busy_ms: int, *, uri: bool = False) -> _InlineConnection:
        """In the place of `bot.storage.sqlite.connect`."""
        opened = partial(
            sqlite3.connect, database, uri=uri, timeout=0, isolation_level=None,
            check_same_thread=False,
        )  # fmt: skip
        connection = _InlineConnection(self, opened, busy_ms / 1000)
        await connection.open()
        return connection

    def committing(self, connection: sqlite3.Connection) -> None:
        """Know what is left of the files if the commit that comes now is not synced."""
        if connection.execute("PRAGMA synchronous").fetchone()[0] >= FULL:
            self._synced = None  # a sync is of all that was written before
        elif self._synced is None:
            files = {one: self._file.with_name(self._file.name + one) for one in _BESIDE}
            self._synced = {one: at.read_bytes() for one, at in files.items() if at.exists()}

    def lose_power(self) -> None:
        """Have the files be what was synced of them. Nobody has them open."""
        if self._synced is None:
            return
        for one in (*_BESIDE, "-shm"):
            self._file.with_name(self._file.name + one).unlink(missing_ok=True)
        for one, content in self._synced.items():
            self._file.with_name(self._file.name + one).write_bytes(content)
        self._synced = None


class _InlineConnection(Connection):
    """The bot's own connection, but for the way to its thread."""

    def __init__(
        self, disk: Disk, opened: Callable[[], sqlite3.Connection], patience: float
    ) -> None:
        super().__init__(opened)
        self._disk = disk
        self._patience = patience
        self._life = LIFE.get() or Life()

    async def open(self) -> None:
        """Open the file; it is closed with the life of whoever opened it."""
        self._life.check()
        self._connection = self._connector()
        self._life.ends.append(self._shut)

    async def _execute(self, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        disk = self._disk
        self._life.check()
        await asyncio.sleep(disk.chance.expovariate(1000))
        self._life.check()
        statements = fn.args[0] if isinstance(fn, partial) else ()
        if any(one.sql.startswith("BEGIN IMMEDIATE") for one in statements):
            await self._unlocked()
        done = fn(*args, **kwargs)
        await asyncio.sleep(disk.chance.expovariate(2000))
        self._life.check()
        return done

    def _begins_here(self, begin: Any) -> bool:
        self._life.check()
        locked = asyncio.get_running_loop().time() < self._disk.locked_until
        return not locked and super()._begins_here(begin)

    def is_quick(self, _: float) -> bool:
        return self._disk.chance.random() < QUICK  # not by the clock: a seed replays alike

    def commit_now(self) -> None:
        disk = self._disk
        if disk.chance.random() < disk.fails:
            raise sqlite3.OperationalError("disk I/O error")
        disk.committing(self._conn)
        super().commit_now()
        disk.wrote()

    async def _unlocked(self) -> None:
        """Wait for another program's lock as long as SQLite would."""
        loop = asyncio.get_running_loop()
        waits = self._disk.locked_until - loop.time()
        if waits > 0:
            await asyncio.sleep(min(waits, self._patience))
        self._life.check()
        if waits > self._patience:
            raise sqlite3.OperationalError("database is locked")

    async def rollback(self) -> None:
        self._waiting = []
        if self._begun and self._connection is not None:
            self._connection.rollback()
        self._begun = self.gathers = False

    async def close(self) -> None:
        self._shut()

    def stop(self) -> asyncio.Future[Any] | None:
        self._shut()
        return None

    def _shut(self) -> None:
        self._running = False
        if self._connection is not None:
            self._connection.close()
            self._connection = None
