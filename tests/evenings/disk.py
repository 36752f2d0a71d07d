"""SQLite without its thread: a statement is executed in the loop, after a moment, or it fails."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

from bot.storage.sqlite import _NOTHING, Connection
from tests.evenings.loop import LIFE, Life


class Disk:
    """How long the disk takes, and what it refuses. `wrote` is called after each commit."""

    def __init__(self, chance: Random, wrote: Callable[[], None]) -> None:
        self.chance = chance
        self.wrote = wrote
        self.locked_until = 0.0  # on the loop's time: another program holds the file till then
        self.fails = 0.0  # how likely a commit fails, for whatever reason a disk has

    async def connect(self, database: str, busy_ms: int, *, uri: bool = False) -> _InlineConnection:
        """In the place of `bot.storage.sqlite.connect`."""
        opened = partial(
            sqlite3.connect, database, uri=uri, timeout=0, isolation_level=None,
            check_same_thread=False,
        )  # fmt: skip
        connection = _InlineConnection(self, opened, busy_ms / 1000)
        await connection.open()
        return connection


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
        if any("synchronous" in one.sql for one in statements):
            return _NOTHING  # a process dies here, never the machine
        if any(one.sql.startswith("BEGIN IMMEDIATE") for one in statements):
            await self._unlocked()
        commits = bool(isinstance(fn, partial) and fn.keywords.get("commits"))
        if commits and disk.chance.random() < disk.fails:
            raise sqlite3.OperationalError("disk I/O error")
        done = fn(*args, **kwargs)
        if commits:
            disk.wrote()
        await asyncio.sleep(disk.chance.expovariate(2000))
        self._life.check()
        return done

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
