"""A house moved from one database to another: from SQLite to PostgreSQL when it grows, or back.

Every row goes over as it is written, numbers and all, in one transaction of the new database; then
both sides are compared row by row, and every match is replayed from the log that arrived. The old
database stays as it was.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Table as SqlTable
from sqlalchemy import delete, func, insert, select, text
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, StatementError

from bot.storage import StorageError, schema
from bot.storage.addresses import database_url
from bot.storage.database import Database
from bot.storage.files import LockFile
from bot.storage.matches import match_of
from bot.storage.repair import is_postgres, pages, plain
from bot.storage.session import SHARD_LOCKS
from bot.storage.store import SqlStore, opened_as_it_is
from bot.tables.errors import StoreUnavailable
from bot.tables.live import first_state
from engine.actions import from_json
from engine.play import apply

# tables whose own numbers are never given out twice, even if the newest row is gone
NUMBERED: Final = (schema.tables, schema.matches, schema.nameless_players)


@dataclass(frozen=True, slots=True)
class Transferred:
    """What was moved. `unreadable`: matches that cannot be replayed, there as here."""

    rows: int
    matches: int
    actions: int
    unreadable: tuple[int, ...] = ()


async def move(
    source: str, target: str, tell: Callable[[str], None] = lambda _: None
) -> Transferred:
    """Copy everything at the address `source` to the empty or new database at `target`.

    Nobody may use either meanwhile. `tell` is told what is being done. Raises `StorageError`.
    """
    if database_url(source) == database_url(target):
        raise StorageError("both addresses are the same database: name another one to move to")
    async with _opened(source) as old:
        store = await SqlStore.open(target)
        try:
            await _nobody_there(store.database)
            tell("copying")
            rows = await _copy(old, store.database)
            tell("replaying")
            matches, actions, unreadable = await _replayed(store.database)
        finally:
            await store.close()
    return Transferred(rows, matches, actions, unreadable)


@asynccontextmanager
async def _opened(address: str) -> AsyncIterator[Database]:
    """The old database, which nobody else may write to, with the schema of this code."""
    async with opened_as_it_is(address) as database:
        lock = LockFile(database.file) if database.file is not None else None
        if lock is not None:
            lock.take()
        try:
            await _nobody_there(database)
            yield database
        finally:
            if lock is not None:
                lock.release()


async def _nobody_there(database: Database) -> None:
    """Raise `StorageError` while a bot serves on this PostgreSQL; a file is locked anyway."""
    if database.file is not None:
        return
    found = await database.read(lambda c: c.execute(text(SHARD_LOCKS)).first())
    if found is not None:
        raise StorageError(f"{found.name} serves on the PostgreSQL database: stop it first")


async def _copy(old: Database, new: Database) -> int:
    """Copy every table of the schema; how many rows. All of it is stored or nothing."""
    moved = 0
    async with new.transaction() as there:
        await there(_make_room)
        for table in schema.metadata.sorted_tables:
            async for rows in pages(old.read, table):
                await there(_put, table, rows)
                moved += len(rows)
        for table in schema.metadata.sorted_tables:
            arrived = pages(there, table)
            async for rows in pages(old.read, table):
                # by what is shown of them: a number that is no number equals nothing
                if repr(await anext(arrived, None)) != repr(rows):
                    raise StorageError(f"{table.name} did not arrive as it was: nothing was moved")
        for table in NUMBERED:
            await there(_count_on, table, await old.read(_last_number, table))
    return moved


def _make_room(c: Connection) -> None:
    """See that the new database is empty, and forget what it has to do."""
    c.execute(delete(schema.chores))
    for table in schema.metadata.sorted_tables:
        if c.execute(select(table).limit(1)).first() is not None:
            raise StorageError(
                f"the database to move to isn't empty (it has {table.name}): name a new one"
            )


def _put(c: Connection, table: SqlTable, rows: list[dict[str, Any]]) -> None:
    """Insert rows; what is damaged may be none that a column takes, or refer to nothing."""
    try:
        c.execute(insert(plain(table)), rows)
    except (StatementError, ValueError, TypeError) as error:
        if isinstance(error, DBAPIError) and not isinstance(error, IntegrityError | DataError):
            raise
        raise StorageError(
            f"{table.name} holds a damaged row that can't be moved, so nothing was moved;"
            " `bluffhouse store doctor` names such rows"
        ) from error


def _last_number(c: Connection, table: SqlTable) -> int:
    """The highest number that was ever given out."""
    (key,) = table.primary_key
    highest = c.execute(select(func.max(key))).scalar_one() or 0
    if is_postgres(c):
        asked = text("SELECT last_value, is_called FROM " + f"{table.name}_{key.name}_seq")
        last, called = c.execute(asked).one()
        given = last if called else 0
    else:
        asked = text("SELECT seq FROM sqlite_sequence WHERE name = :name")
        given = c.execute(asked, {"name": table.name}).scalar() or 0
    return max(int(highest), int(given))


def _count_on(c: Connection, table: SqlTable, last: int) -> None:
    """Have the next number be the one after `last`."""
    if not last:
        return
    (key,) = table.primary_key
    named = {"name": table.name, "last": last}
    if is_postgres(c):
        sequence = f"{table.name}_{key.name}_seq"
        c.execute(text(f"SELECT setval('{sequence}', :last)"), {"last": last})
        return
    c.execute(text("DELETE FROM sqlite_sequence WHERE name = :name"), named)
    c.execute(text("INSERT INTO sqlite_sequence (name, seq) VALUES (:name, :last)"), named)


async def _replayed(database: Database) -> tuple[int, int, tuple[int, ...]]:
    """Replay every match; how many, of how many actions, and which cannot be."""
    matches = actions = 0
    unreadable: list[int] = []
    numbers = await database.read(lambda c: list(c.execute(select(schema.matches.c.id)).scalars()))
    for number in sorted(numbers):
        matches += 1
        try:
            stored = await database.read(match_of, number)
            if stored is None:
                raise ValueError("it is gone")
            state = first_state(stored)
            for place, one in enumerate(stored.actions, 1):
                if one.seq != place:
                    raise ValueError(f"the log has no action {place}")
                state = apply(state, from_json(one.body))
                actions += 1
        except StoreUnavailable:
            raise
        except Exception:  # a log that is none may raise whatever it likes
            unreadable.append(number)
    return matches, actions, tuple(unreadable)
