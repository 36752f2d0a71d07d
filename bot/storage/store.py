"""The store: every part joined, opened safely and closed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, Self

import structlog
from sqlalchemy import text
from sqlalchemy.engine import Connection

from bot.settings.shards import ONE, Processes, Shards
from bot.stats.ports import RecordStore
from bot.storage import DatabaseLost, NotAnswering, NotReached, StorageError
from bot.storage.addresses import database_url, file_of
from bot.storage.daily import SqlDailies
from bot.storage.database import BUSY_MS, POOL_SIZE, Database
from bot.storage.digests import SqlLetters
from bot.storage.files import LockFile
from bot.storage.matches import SqlMatches
from bot.storage.migrate import (
    Migrated,
    check_beside,
    check_file,
    known_revisions,
    migrate,
    refuse_newer,
    stored_revision,
)
from bot.storage.mistakes import SqlMistakes
from bot.storage.nights import SqlNights
from bot.storage.people import SqlPeople, SqlServers
from bot.storage.privacy import SqlPrivacy
from bot.storage.rebuild_stats import SqlRebuilding
from bot.storage.retention import SqlRetention
from bot.storage.session import Session, meet
from bot.storage.stats import SqlStats
from bot.storage.tables import SqlTables
from bot.tables import ports
from bot.tables.errors import Damaged, RefusedError, StoreUnavailable
from bot.tables.model import KeptMatch, Player
from bot.tables.quarantine import Quarantine

WATCH_SECONDS: Final = 2.0
WITHIN: Final = 120.0  # seconds for which a server that is not there is waited for
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 8.0  # between two tries
CHECKED_FIRST: Final = 64 << 20  # bytes; a larger file is checked while it is in use
_SAME_AGAIN: Final = text("UPDATE alembic_version SET version_num = version_num")

log = structlog.get_logger(__name__)


class SqlStore:
    """`bot.tables.ports.Store` over SQLite or PostgreSQL, part by part. Make one with `open`."""

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
        self.tables: ports.TableStore = SqlTables(*common)
        self.matches: ports.MatchStore = SqlMatches(*common)
        self.people: ports.PersonStore = SqlPeople(*common)
        self.servers: ports.ServerStore = SqlServers(*common)
        self.letters: ports.LetterStore = SqlLetters(*common)
        self.nights: ports.NightStore = SqlNights(*common)
        self.stats: RecordStore = SqlStats(*common)
        self.daily: ports.DailyStore = SqlDailies(*common)
        self.mistakes: ports.MistakeStore = SqlMistakes(*common)
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

        `url`: `sqlite:///file` (made if missing, with its directory) or `postgresql://...`.
        `busy_ms`: how long to wait for a connection, and for SQLite's locks. `direct_url`,
        `pool_size`: of PostgreSQL (`Database`). `shards`: whose tables are this process's. Raises
        `StorageError`.
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
            with database.explained():
                if session is not None:
                    await meet(database, session)
                store = cls(database, lock, await _prepare(database), shards, session)
                await _rewritten(store)
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
    def shared(self) -> bool:
        """Whether other processes may write: on PostgreSQL. An SQLite file is locked for one."""
        return self.database.file is None

    async def why_not_writing(self) -> str | None:
        """None if something can be written (what is there already is), else the reason."""
        try:
            await self.database.write(_write_the_same)
        except StoreUnavailable as error:
            return str(error)
        return None

    async def watch(self, every: float = WATCH_SECONDS) -> None:
        """Look whether the SQLite file is still there, until it is not, and once whether a large
        one is sound. Raises `DatabaseLost`, `DatabaseDamaged`.
        """
        if self.database.file is not None and _is_large(self.database.file):
            await check_beside(self.database.file)
        while not self.database.lost:  # noqa: ASYNC110 - files tell nobody
            await asyncio.sleep(every)
        raise DatabaseLost(
            f"{self.database.file} was deleted or replaced while it was in use: no move is taken"
            " any more; put the file back, or restore a backup, then start again"
        )

    async def close(self) -> None:
        """Close every connection and let go of every lock."""
        await self.processes.close()
        await self.database.close()
        if self._lock is not None:
            self._lock.release()


async def _prepare(database: Database) -> Migrated:
    database.try_file(make=True)
    file = database.file
    # nobody waits for a large one to be read: `watch` does, while people play
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
    except OSError:  # it was deleted
        return False


def _write_the_same(c: Connection) -> None:
    """Write what is there already: that nothing can be written is found out before any move."""
    c.execute(_SAME_AGAIN)


async def _rewritten(store: SqlStore) -> None:
    """Rewrite the file if it is to be; a full disk must not keep the house closed."""
    try:
        await store.retention.rewrite_if_due()
    except StoreUnavailable as error:
        log.warning("storage: could not be rewritten, trying again later", error=str(error))


async def open_when_there(address: str, within: float = WITHIN, **how: Any) -> SqlStore:
    """`SqlStore.open`, tried again while PostgreSQL is not there yet. Raises `StorageError`.

    After a machine's start PostgreSQL may come later.

    `how`: what else `SqlStore.open` is given. A machine on which the first try takes longer than
    `within` gets a second one.
    """
    loop = asyncio.get_running_loop()
    last = loop.time() + within
    pause, tries = FIRST_PAUSE, 0
    while True:
        try:
            return await SqlStore.open(address, **how)
        except NotAnswering as error:
            tries += 1
            if tries > 1 and loop.time() >= last:
                raise
            log.warning("database: not there, trying again", error=str(error), seconds=pause)
        await asyncio.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)


class ReadingStore:
    """The parts of the store that show people what is stored, and look back on matches."""

    def __init__(self, database: Database) -> None:
        set_aside = Quarantine(quiet=True)  # what is asked for says so itself
        self.matches = SqlMatches(database, set_aside)
        self.people = SqlPeople(database, set_aside)
        self.privacy = SqlPrivacy(database, set_aside)


@asynccontextmanager
async def opened_as_it_is(url: str) -> AsyncIterator[Database]:
    """The database at `url`, which must have the newest schema. Raises `StorageError`."""
    database = Database(database_url(url))
    if database.file is not None and not database.file.exists():
        raise NotReached(f"there is no database {database.file}")
    try:
        database.try_file(make=False)
        with database.explained():
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
async def opened_to_read(url: str) -> AsyncIterator[ReadingStore]:
    """What people are shown of the database at `url`. Raises `StorageError`, `Damaged`."""
    try:
        async with opened_as_it_is(url) as database:
            yield ReadingStore(database)
    except Damaged:
        raise
    except RefusedError as error:
        raise NotReached(f"the database cannot be read: {error}") from error


async def kept_match(address: str, number: int) -> tuple[KeptMatch, dict[int, Player]] | None:
    """A match by its number, whether it is over or not, with who played; None if there is none.

    Raises `StorageError`, and `Damaged` for one that cannot be read.
    """
    async with opened_to_read(address) as store:
        kept = await store.matches.kept(number)
        return None if kept is None else (kept, await store.people.players(kept.match.players))
