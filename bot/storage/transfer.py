"""Move a bot's data between databases: from SQLite to PostgreSQL when it grows, or back.

Every row is copied as stored, ids included, in one transaction of the new database. Then both sides
are compared row by row, and every match is replayed from the copied log. The old database stays
unchanged.
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
from bot.storage.store import SqlStore, open_current
from bot.tables.errors import StoreUnavailable
from bot.tables.live import first_state
from engine.actions import from_json
from engine.play import apply

# tables that never reuse an id, even that of a deleted newest row
NUMBERED: Final = (schema.tables, schema.matches, schema.nameless_players)


@dataclass(frozen=True, slots=True)
class Transferred:
    """Counts of what was moved. `unreadable`: ids of matches that neither database can replay."""

    rows: int
    matches: int
    actions: int
    unreadable: tuple[int, ...] = ()


async def move(
    source: str, target: str, report: Callable[[str], None] = lambda _: None
) -> Transferred:
    """Copy everything from the database at `source` to the empty or new one at `target`.

    Neither may be in use meanwhile. `report` is called with the name of each step. Raises
    `StorageError`.
    """
    if database_url(source) == database_url(target):
        raise StorageError("both addresses are the same database: name another one to move to")
    async with _open_source(source) as old:
        store = await SqlStore.open(target)
        try:
            await _refuse_if_served(store.database)
            report("copying")
            rows = await _copy(old, store.database)
            report("replaying")
            matches, actions, unreadable = await _replay_all(store.database)
        finally:
            await store.close()
    return Transferred(rows, matches, actions, unreadable)


@asynccontextmanager
async def _open_source(address: str) -> AsyncIterator[Database]:
    """Yield the old database, locked against other writers.

    Raises `StorageError` if it is in use or its schema isn't current.
    """
    async with open_current(address) as database:
        lock = LockFile(database.file) if database.file is not None else None
        if lock is not None:
            lock.take()
        try:
            await _refuse_if_served(database)
            yield database
        finally:
            if lock is not None:
                lock.release()


async def _refuse_if_served(database: Database) -> None:
    """Raise `StorageError` if a bot is running on this PostgreSQL. Do nothing for a file."""
    if database.file is not None:
        return
    row = await database.read(lambda c: c.execute(text(SHARD_LOCKS)).first())
    if row is not None:
        raise StorageError(f"{row.name} serves on the PostgreSQL database: stop it first")


async def _copy(old: Database, new: Database) -> int:
    """Copy every table of the schema, compare the copies, and return the number of rows.

    All of this is one transaction of `new`. Raises `StorageError` if a copy differs, a row can't be
    inserted, or `new` isn't empty.
    """
    moved = 0
    async with new.transaction() as run:
        await run(_make_room)
        for table in schema.metadata.sorted_tables:
            async for rows in pages(old.read, table):
                await run(_put, table, rows)
                moved += len(rows)
        for table in schema.metadata.sorted_tables:
            arrived = pages(run, table)
            async for rows in pages(old.read, table):
                # compare by repr: NaN doesn't equal itself
                if repr(await anext(arrived, None)) != repr(rows):
                    raise StorageError(f"{table.name} did not arrive as it was: nothing was moved")
        for table in NUMBERED:
            await run(_set_last_number, table, await old.read(_last_number, table))
    return moved


def _make_room(c: Connection) -> None:
    """Delete the new database's `chores`. Raises `StorageError` if another table has rows."""
    c.execute(delete(schema.chores))
    for table in schema.metadata.sorted_tables:
        if c.execute(select(table).limit(1)).first() is not None:
            raise StorageError(
                f"the database to move to isn't empty (it has {table.name}): name a new one"
            )


def _put(c: Connection, table: SqlTable, rows: list[dict[str, Any]]) -> None:
    """Insert rows. Raises `StorageError` if the new database refuses a damaged row."""
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
    """Return the highest id ever used in a table."""
    (key,) = table.primary_key
    highest = c.execute(select(func.max(key))).scalar_one() or 0
    if is_postgres(c):
        query = text("SELECT last_value, is_called FROM " + f"{table.name}_{key.name}_seq")
        last, called = c.execute(query).one()
        last_used = last if called else 0
    else:
        query = text("SELECT seq FROM sqlite_sequence WHERE name = :name")
        last_used = c.execute(query, {"name": table.name}).scalar() or 0
    return max(int(highest), int(last_used))


def _set_last_number(c: Connection, table: SqlTable, last: int) -> None:
    """Make `last + 1` the next id of a table. Do nothing if `last` is 0."""
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


async def _replay_all(database: Database) -> tuple[int, int, tuple[int, ...]]:
    """Replay every match. Return the numbers of matches and actions, and the unreadable ids.

    Unreadable ids are of matches whose log is damaged or incomplete.
    """
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
            for place, action in enumerate(stored.actions, 1):
                if action.seq != place:
                    raise ValueError(f"the log has no action {place}")
                state = apply(state, from_json(action.body))
                actions += 1
        except StoreUnavailable:
            raise
        except Exception:  # a damaged log may raise anything
            unreadable.append(number)
    return matches, actions, tuple(unreadable)
