"""Group commit: what is asked to be stored while the writer is busy is stored together.

SQLite has one writer, and the disk is asked to sync at the end of each transaction; moves at many
tables would wait for one another. Each of them is a unit here: a guard, and what it lets through.
Units share a transaction, so they are stored when it is, and each is stored whole or not at all,
whatever becomes of the others.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Executable
from structlog.contextvars import clear_contextvars

from bot.storage.prepared import Writer, Written
from bot.storage.sqlite import Connection
from bot.tables.ports import StoreUnavailable

# units in one transaction: to write one down is about a millisecond of the loop, which does
# nothing else meanwhile
MOST: Final = 8

Writes = Callable[[Writer], Awaitable[None]]
Row = dict[str, Any]


async def nothing_else(_: Writer) -> None:
    """For a guard that does itself what is to be done."""


@dataclass(slots=True, eq=False)
class _Unit:
    guard: Executable
    asked: Mapping[str, Any]
    writes: Writes
    begun: Callable[[], None]  # called when the transaction has begun
    stored: asyncio.Future[Row | None]

    def fail(self, error: BaseException) -> None:
        """Tell whoever asked; if they were cancelled, nobody."""
        if not self.stored.done():
            self.stored.set_exception(error)
            self.stored.exception()  # it counts as retrieved


class GroupCommit:
    """Units for the one connection that writes to an SQLite file.

    `writing` gives it, to one at a time; `is_free` tells whether nobody has it.
    """

    def __init__(
        self,
        writing: Callable[[], AbstractAsyncContextManager[Connection]],
        is_free: Callable[[], bool],
    ) -> None:
        self._writing = writing
        self._is_free = is_free
        self._waiting: list[_Unit] = []
        self._alone = False  # somebody is storing a unit by themselves
        self._worker: asyncio.Task[None] | None = None

    async def store(
        self,
        guard: Executable,
        asked: Mapping[str, Any],
        writes: Writes,
        begun: Callable[[], None],
    ) -> Row | None:
        """Store a unit; what its guard gave, None if it gave no row or a constraint was broken.

        `writes` may not ask anything: nothing is executed before every unit is known.
        """
        unit = _Unit(guard, asked, writes, begun, asyncio.get_running_loop().create_future())
        if self._worker is None and not self._alone and self._is_free():
            return await self._store_alone(unit)
        self._waiting.append(unit)
        if self._worker is None and not self._alone:
            self._begin_work()
        try:
            return await asyncio.shield(unit.stored)
        except asyncio.CancelledError:
            if unit in self._waiting:
                self._waiting.remove(unit)
            elif not unit.stored.done():  # what is read from now on is of after it
                await asyncio.wait({unit.stored})
            raise

    async def _store_alone(self, unit: _Unit) -> Row | None:
        """Store a unit in the task of who asks: nobody else waits, so no worker need be waited for.

        Where the disk is quick nothing is awaited at all. Who asks meanwhile shares the next one.
        """
        self._alone, had = True, False
        try:
            async with self._writing() as connection:
                had = True
                rows = await _stored(connection, [unit])
        except Exception as error:
            if not had:  # the writer could not be had: it is no better for whoever waits
                waiting, self._waiting = self._waiting, []
                for other in waiting:
                    other.fail(error)
            raise
        finally:
            self._alone = False
            if self._waiting:
                self._begin_work()
        return rows[0][1] if rows else unit.stored.result()

    def _begin_work(self) -> None:
        self._worker = asyncio.create_task(self._work(), name="group-commit")

    async def _work(self) -> None:
        clear_contextvars()  # what is logged here is of no one match
        try:
            while self._waiting:
                await self._store_together()
        finally:
            # no await between the last look at who waits and this: nobody can be missed
            self._worker = None

    async def _store_together(self) -> None:
        """Store all who wait when the writer is free, and tell them."""
        taken: list[_Unit] = []
        try:
            async with self._writing() as connection:
                taken, self._waiting = self._waiting[:MOST], self._waiting[MOST:]
                rows = await _stored(connection, taken)
        except BaseException as error:
            if not taken:  # the writer could not be had: it is no better for whoever waits
                taken, self._waiting = self._waiting, []
            for unit in taken:
                unit.fail(error)
            if not isinstance(error, Exception):
                raise
            return
        for unit, row in rows:
            unit.stored.set_result(row)


async def _stored(connection: Connection, units: list[_Unit]) -> list[tuple[_Unit, Row | None]]:
    """Store those of the units that can be written down, each with what its guard gave."""
    written = list[tuple[_Unit, Written]]()
    for unit in units:
        unit.begun()
        writer = Written()
        try:
            await writer.execute(unit.guard, unit.asked)
            await unit.writes(writer)
        except Exception as error:
            unit.fail(error)
        else:
            written.append((unit, writer))
    if not written:
        return []
    try:
        rows = await connection.store_units([writer.statements for _, writer in written])
    except (sqlite3.OperationalError, sqlite3.DatabaseError) as error:
        if isinstance(error, (sqlite3.ProgrammingError, sqlite3.NotSupportedError)):
            raise  # a mistake in the code, not the database's state
        raise StoreUnavailable(f"{type(error).__name__}: {error}") from error
    return [(unit, row) for (unit, _), row in zip(written, rows, strict=True)]
