"""The store: its parts in one object, opened safely and closed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, Self

import structlog
from sqlalchemy import text
from sqlalchemy.engine import Connection

from bot.retry import RetryPolicy
from bot.settings.shards import ONE, Processes, Shards
from bot.storage import DatabaseLost, NotAnswering, NotReached, StorageError
from bot.storage.addresses import database_url, file_of
from bot.storage.daily import SqlDailies
from bot.storage.database import BUSY_MS, POOL_SIZE, Database
from bot.storage.digests import SqlDirectMessages
from bot.storage.files import LockFile
from bot.storage.matches import SqlMatches
from bot.storage.migrate import (
    Migrated,
    check_file,
    check_in_thread,
    known_revisions,
    migrate,
    refuse_newer,
    stored_revision,
)
from bot.storage.mistakes import SqlMistakes
from bot.storage.named_ranges import SqlNamedRanges
from bot.storage.nights import SqlNights
from bot.storage.people import SqlPeople, SqlServers
from bot.storage.privacy import SqlPrivacy
from bot.storage.rebuild_stats import SqlRebuilding
from bot.storage.retention import SqlRetention
from bot.storage.session import Session, check_same_database
from bot.storage.stats import SqlStats
from bot.storage.tables import SqlTables
from bot.tables.errors import Damaged, RefusedError, StoreUnavailable
from bot.tables.model import KeptMatch, Player
from bot.tables.quarantine import Quarantine

WATCH_SECONDS: Final = 2.0
WITHIN: Final = 120.0  # seconds to wait for a server that has not started yet
RETRY: Final = RetryPolicy(first=0.5, longest=8.0)
CHECKED_FIRST: Final = 64 << 20  # bytes; a larger file is checked while in use
_SAME_AGAIN: Final = text("UPDATE alembic_version SET version_num = version_num")

log = structlog.get_logger(__name__)


class SqlStore:
    """The store with all its parts, on SQLite or PostgreSQL. Create one with `open`."""

    def __init__(
        self,
        database: Database,
        lock: LockFile | None,
        migrated: Migrated,
        shards: Shards = ONE,
        session: Session | None = None,
    ) -> None:
        self.database = database
        self._lock = lock
        self.migrated = migrated
        self.processes: Processes = session or Processes()
        common = database, Quarantine(), shards, "" if session is None else session.me
        self.tables = SqlTables(*common)
        self.matches = SqlMatches(*common)
        self.people = SqlPeople(*common)
        self.servers = SqlServers(*common)
        self.direct_messages = SqlDirectMessages(*common)
        self.named_ranges = SqlNamedRanges(*common)
        self.nights = SqlNights(*common)
        self.stats = SqlStats(*common)
        self.daily = SqlDailies(*common)
        self.mistakes = SqlMistakes(*common)
        self.rebuilding = SqlRebuilding(*common)
        self.privacy = SqlPrivacy(*common)
        self.retention = SqlRetention(*common)

    @classmethod
    async def open(
        cls,
        url: str,
        *,
        busy_ms: int = BUSY_MS,
        direct_url: str | None = None,
        pool_size: int = POOL_SIZE,
        shards: Shards = ONE,
    ) -> Self:
        """Lock, check and migrate the database, and return its store.

        `url`: `sqlite:///file` (created if missing, with its directory) or `postgresql://...`.
        `busy_ms`: how long to wait for a connection, and for SQLite's locks. `direct_url`,
        `pool_size`: for PostgreSQL, see `Database`. `shards`: the shards whose tables this process
        serves. Raises `StorageError`.
        """
        direct = database_url(direct_url) if direct_url else None
        if direct is not None and file_of(direct) is not None:
            raise NotReached("database.direct_url is an SQLite file; expected PostgreSQL")
        database = Database(database_url(url), busy_ms=busy_ms, pool_size=pool_size, direct=direct)
        lock = None
        if database.file is not None:
            lock = LockFile(database.file)
            lock.take()
        session = Session(database.direct) if database.file is None else None
        try:
            with database.as_storage_errors():
                if session is not None:
                    await check_same_database(database, session)
                store = cls(database, lock, await _prepare(database), shards, session)
                await _rewrite_if_due(store)
        except BaseException:
            if session is not None:
                await session.close()
            await database.close()
            if lock is not None:
                lock.release()
            raise
        database.serve()
        return store

    @property
    def is_shared(self) -> bool:
        """Whether other processes may write to the database: True only for PostgreSQL."""
        return self.database.file is None

    async def why_not_writing(self) -> str | None:
        """Return why the database refuses to write, or None if it writes.

        To find out, write a stored value again.
        """
        try:
            await self.database.write(_write_the_same)
        except StoreUnavailable as error:
            return str(error)
        return None

    async def watch(self, every: float = WATCH_SECONDS) -> None:
        """Wait for ever; raise `DatabaseLost` once the SQLite file is deleted or replaced.

        Also check a large file once, at the start. Raises `DatabaseDamaged` if it is not sound.
        """
        if self.database.file is not None and _is_large(self.database.file):
            await check_in_thread(self.database.file)
        while not self.database.lost:  # noqa: ASYNC110 - files send no events
            await asyncio.sleep(every)
        raise DatabaseLost(
            f"{self.database.file} was deleted or replaced while it was in use: no move is taken"
            " any more; put the file back, or restore a backup, then start again"
        )

    async def close(self) -> None:
        """Close every connection and release every lock."""
        await self.processes.close()
        await self.database.close()
        if self._lock is not None:
            self._lock.release()


async def _prepare(database: Database) -> Migrated:
    database.try_file(make=True)
    file = database.file
    # a start must not wait for a large file to be read: `watch` checks it while people play
    later = file is not None and _is_large(file)
    if file is not None and not later:
        await database.read(check_file, file)
    stored, newest = await database.read(stored_revision), known_revisions()[-1]
    if stored == newest:
        await database.write(_write_the_same)
        return Migrated(stored, newest)
    if file is not None and later:
        await database.read(check_file, file)
    return await migrate(database)


def _is_large(file: Path) -> bool:
    try:
        return file.stat().st_size > CHECKED_FIRST
    except OSError:  # the file was deleted
        return False


def _write_the_same(c: Connection) -> None:
    """Rewrite a stored value, so that a read-only database is noticed before the first move."""
    c.execute(_SAME_AGAIN)


async def _rewrite_if_due(store: SqlStore) -> None:
    """Rewrite the file if it is due. Only log a failure: a full disk must not prevent a start."""
    try:
        await store.retention.rewrite_if_due()
    except StoreUnavailable as error:
        log.warning("storage: could not be rewritten, trying again later", error=str(error))


async def open_with_retry(address: str, within: float = WITHIN, **options: Any) -> SqlStore:
    """Open a store; retry for `within` seconds while PostgreSQL isn't up, as after a reboot.

    `options`: passed to `SqlStore.open`. If the first try takes longer than `within` seconds, there
    is a second one. Raises `StorageError`.
    """
    loop = asyncio.get_running_loop()
    last = loop.time() + within
    failures = 0
    while True:
        try:
            return await SqlStore.open(address, **options)
        except NotAnswering as error:
            failures += 1
            if failures > 1 and loop.time() >= last:
                raise
            pause = RETRY.pause(failures)
            log.warning("database: not there, trying again", error=str(error), seconds=pause)
        await asyncio.sleep(pause)


class ReadingStore:
    """The parts of the store that commands need to show stored data and matches."""

    def __init__(self, database: Database) -> None:
        set_aside = Quarantine(quiet=True)  # the caller reports what is damaged
        self.matches = SqlMatches(database, set_aside)
        self.people = SqlPeople(database, set_aside)
        self.privacy = SqlPrivacy(database, set_aside)


@asynccontextmanager
async def open_current(url: str) -> AsyncIterator[Database]:
    """Open the database at `url` without migrating it.

    Raises `StorageError`, also if the schema isn't the newest.
    """
    database = Database(database_url(url))
    if database.file is not None and not database.file.exists():
        raise NotReached(f"there is no database {database.file}")
    try:
        database.try_file(make=False)
        with database.as_storage_errors():
            stored, known = await database.read(stored_revision), known_revisions()
        refuse_newer(stored, known)
        if stored != known[-1]:
            raise StorageError(
                f"the database {database.where} has schema {stored or 'none'}, and {known[-1]} is"
                " needed: name it in the settings and run `bluffhouse store migrate`"
            )
        yield database
    finally:
        await database.close()


@asynccontextmanager
async def open_to_read(url: str) -> AsyncIterator[ReadingStore]:
    """Open the database at `url` to show stored data. Raises `StorageError`, `Damaged`."""
    try:
        async with open_current(url) as database:
            yield ReadingStore(database)
    except Damaged:
        raise
    except RefusedError as error:
        raise NotReached(f"the database cannot be read: {error}") from error


async def load_match(address: str, number: int) -> tuple[KeptMatch, dict[int, Player]] | None:
    """Return a match by number, live or over, and its players by id; None if there is no match.

    Raises `StorageError`, and `Damaged` if the match cannot be read.
    """
    async with open_to_read(address) as store:
        load = await store.matches.load(number)
        return None if load is None else (load, await store.people.players(load.match.players))
