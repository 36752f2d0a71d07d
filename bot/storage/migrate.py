"""Migrate a database to this code's schema, under a lock, at every start.

Alembic is slow to import, so it is imported only if the stored revision is not the newest. On
SQLite, all migrations are one BEGIN IMMEDIATE transaction, and a backup is made inside it first. On
PostgreSQL, several processes may start at once, so they take a session advisory lock, and read the
revision again once they hold it.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final

import structlog
from sqlalchemy import inspect, text
from sqlalchemy.engine import Connection

import migrations
from bot.storage import DatabaseDamaged, SchemaTooNew, StorageError
from bot.storage.addresses import foreign_tables_error
from bot.storage.backup import copy_database
from bot.storage.database import BUSY_MS, Database
from bot.storage.sqlite import connect_writer

if TYPE_CHECKING:
    from sqlalchemy.ext.asyncio import AsyncConnection

SCRIPTS: Final = Path(migrations.__file__).parent
ADVISORY_KEY: Final = 0x626C756666  # "bluff"
LOCK_WAIT_S: Final = 60
log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Migrated:
    """The schema's revisions before (None: a new database) and after, and any backup made."""

    before: str | None
    after: str
    backup: Path | None = None


def known_revisions(scripts: Path = SCRIPTS) -> list[str]:
    """Return the revisions of the shipped migrations, oldest first, from their file names."""
    return sorted(path.name.split("_")[0] for path in (scripts / "versions").glob("[0-9]*_*.py"))


def stored_revision(c: Connection) -> str | None:
    """Return the revision of the stored schema; None for a new database."""
    if not inspect(c).has_table("alembic_version"):
        return None
    revision = c.execute(text("SELECT version_num FROM alembic_version")).scalar_one_or_none()
    return None if revision is None else str(revision)


def refuse_other_tables(c: Connection, file: Path) -> None:
    """Raise `NotReached` if an SQLite file has tables, but not the bot's."""
    names = inspect(c).get_table_names()
    if names and stored_revision(c) is None:
        raise foreign_tables_error(file, f"table {names[0]} already exists")


def refuse_newer(stored: str | None, known: Sequence[str]) -> None:
    """Raise `SchemaTooNew` if this code doesn't know the stored revision."""
    if stored is not None and stored not in known:
        raise SchemaTooNew(
            f"the database has schema {stored}, but this Bluffhouse only knows them up to "
            f"{known[-1]}: install the newer Bluffhouse again, or restore a backup made before it"
        )


def check_file(c: Connection, file: Path) -> None:
    """Run SQLite's quick check of the whole file. Raises `DatabaseDamaged`."""
    verdict = c.execute(text("PRAGMA quick_check(1)")).scalar_one()
    if verdict != "ok":
        raise DatabaseDamaged(
            f"{file} is damaged ({verdict.splitlines()[-1]}): nothing was changed; restore a backup"
        )


async def check_in_thread(file: Path) -> None:
    """Run SQLite's quick check in a thread, on a separate connection, while the file is in use.

    Reads the whole file. Raises `DatabaseDamaged`. If the disk doesn't respond, only log that.
    """
    uri = f"{file.absolute().as_uri()}?mode=ro"
    reader = sqlite3.connect(uri, uri=True, check_same_thread=False)

    def check() -> str:
        with closing(reader):
            return str(reader.execute("PRAGMA quick_check(1)").fetchone()[0])

    began = monotonic()
    try:
        verdict = await asyncio.to_thread(check)
    except sqlite3.OperationalError as error:  # a disk that doesn't respond doesn't mean damage
        log.warning("storage: the file could not be checked", error=str(error))
        return
    except sqlite3.DatabaseError as error:
        verdict = str(error)
    finally:
        with suppress(sqlite3.ProgrammingError):  # the connection is closed already
            reader.interrupt()  # after a cancellation; a stop must not wait
    if verdict != "ok":
        raise DatabaseDamaged(f"{file} is damaged ({verdict.splitlines()[-1]}): restore a backup")
    seconds, megabytes = round(monotonic() - began, 1), file.stat().st_size >> 20
    log.info("storage: the file is sound", seconds=seconds, megabytes=megabytes)


async def migrate(database: Database, scripts: Path = SCRIPTS) -> Migrated:
    """Run the missing migrations, all or none. Raises `SchemaTooNew`, `StorageError`."""
    if database.file is not None:
        return await _migrate_sqlite(database.file, scripts)
    return await _migrate_postgres(database, scripts)


async def _migrate_sqlite(file: Path, scripts: Path) -> Migrated:
    writer = await connect_writer(file, BUSY_MS, keys="OFF")
    try:
        return await writer.write(partial(_migrate_file, file=file, scripts=scripts))
    finally:
        await writer.close()


def _migrate_file(c: Connection, file: Path, scripts: Path) -> Migrated:
    known, before = known_revisions(scripts), stored_revision(c)
    refuse_newer(before, known)
    if before == known[-1]:
        return Migrated(before, before)
    refuse_other_tables(c, file)
    backup = None
    if before is not None:  # our BEGIN IMMEDIATE locks out other writers
        backup = file.with_name(f"{file.name}.before-{known[-1]}")
        copy_database(file, backup)
    _run_migrations(c, scripts)
    if c.execute(text("PRAGMA foreign_key_check")).first() is not None:
        raise StorageError("the migration would leave rows without their table or match")
    return Migrated(before, known[-1], backup)


async def _migrate_postgres(database: Database, scripts: Path) -> Migrated:
    from bot.storage.postgres import postgres_session  # as in `bot.storage.database`

    known = known_revisions(scripts)
    engine = postgres_session(database.direct, BUSY_MS)
    try:
        # closing it releases the lock, if nothing else has
        async with engine.connect() as connection:
            await _advisory_lock(connection)
            async with connection.begin():
                before = await connection.run_sync(stored_revision)
                refuse_newer(before, known)
                if before != known[-1]:
                    await connection.run_sync(_run_migrations, scripts)
                return Migrated(before, known[-1])
    finally:
        await engine.dispose()


async def _advisory_lock(connection: AsyncConnection) -> None:
    """Take the lock for migrations for this session.

    Ask for it again and again, since a waiting statement could hang. Raises `StorageError` if
    another process still has the lock after `LOCK_WAIT_S` seconds.
    """
    loop = asyncio.get_running_loop()
    deadline = loop.time() + LOCK_WAIT_S
    asking = text("SELECT pg_try_advisory_lock(:key)")
    while True:
        held = (await connection.execute(asking, {"key": ADVISORY_KEY})).scalar_one()
        await connection.commit()  # the lock belongs to the session, not the transaction
        if held:
            return
        if loop.time() >= deadline:
            raise StorageError(
                f"another process has been migrating the database for {LOCK_WAIT_S} s: "
                "wait for it, or end its session"
            )
        await asyncio.sleep(0.1)


def _run_migrations(connection: Connection, scripts: Path) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(scripts).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
