"""What `bluffhouse doctor` finds: settings, libraries and the database, opened to read only.

It runs beside a working bot and changes nothing. No finding holds a secret.
"""

from __future__ import annotations

import getpass
import os
import platform
import sqlite3
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from sqlalchemy import text

from bot.config import CONFIG, PREFIX, ConfigError, Settings, settings_file, variables
from bot.shards import written_ids
from bot.storage import StorageError
from bot.storage.database import Database, database_url, file_of
from bot.storage.files import open_to_others
from bot.storage.migrate import check_file, known_revisions, refuse_newer, stored_revision
from bot.storage.repair import find_damaged
from bot.tables.ports import StoreError
from bot.words import count


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at; `well` is False where something has to be done."""

    subject: str
    text: str
    well: bool = True


async def examine(settings: Settings, config: Path | None) -> list[Finding]:
    """Look at everything. `config` is the settings file that was asked for, if any."""
    return [
        Finding("bluffhouse", f"{version('bluffhouse')} on Python {platform.python_version()}"),
        Finding("settings", _settings_found(config)),
        _token(settings),
        _shards(settings),
        await _database(settings.database.address),
        *_rights(settings.database.address),
    ]


def _rights(address: str) -> list[Finding]:
    """Whether others on the machine may read the database's file, or look into its folder."""
    try:
        file = file_of(database_url(address))
    except StorageError:
        return []
    if file is None:
        return []
    file = file.resolve()
    closed = _unwritable(file)
    if closed is not None:
        said = f"{closed} cannot be written by this user ({_user()}): no bot can run on it"
        return [Finding("rights", said, well=False)]
    if not file.exists():
        return []
    if open_to_others(file):
        said = f"{file} may be read by other users of this machine: chmod 600 {file}"
        return [Finding("rights", f"{said}; `run` does that too", well=False)]
    if open_to_others(file.parent):
        said = f"{file.parent} is open to other users of this machine; its files here are not"
        return [Finding("rights", f"{said}. chmod 700 {file.parent} closes it")]
    return [Finding("rights", f"{file} and its folder are for you alone")]


def _unwritable(file: Path) -> Path | None:
    """What the bot must write and may not: the file, what SQLite keeps beside it, their folder."""
    beside = [file.with_name(file.name + end) for end in ("", "-wal", "-shm", ".lock")]
    folder = file.parent
    while not folder.exists():  # `run` makes it, in the next above that is there
        folder = folder.parent
    wanted = [(path, os.W_OK) for path in beside if path.exists()]
    for path, right in [(folder, os.W_OK | os.X_OK), *wanted]:
        if not os.access(path, right, effective_ids=os.access in os.supports_effective_ids):
            return path
    return None


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container's user needs no name
        return "without a name"


def _settings_found(config: Path | None) -> str:
    file = settings_file(config)
    known = {*variables(), CONFIG}
    sections = tuple(f"{PREFIX}{section}".upper() for section in Settings.model_fields)
    read = sorted(name for name in os.environ if name.upper() in {*known, *sections})
    said = f"from {file}" if file else "no settings file: the defaults"
    return f"{said}; from the environment: {', '.join(read) or 'none'}"


def _token(settings: Settings) -> Finding:
    if settings.discord.token is None:
        return Finding("token", "none: needed for `run`, not for `sandbox`")
    return Finding("token", "found (not shown)")


def _shards(settings: Settings) -> Finding:
    try:
        served = settings.served()
    except ConfigError as error:
        return Finding("shards", str(error), well=False)
    if not served.count:
        return Finding("shards", "as many as Discord advises, all in this process")
    named = written_ids(served.ids)
    here = "all in this process" if served.whole else f"in this process {named}"
    return Finding("shards", f"{count(served.count, 'shard')}, {here}")


async def _database(address: str) -> Finding:
    try:
        database = Database(database_url(address))
    except StorageError as error:
        return Finding("database", str(error), well=False)
    where = database.file or database.url.render_as_string(hide_password=True)
    if database.file is not None and not database.file.exists():
        return Finding("database", f"{where} is not there yet: `run` makes it")
    try:
        opened, current = await _opened(database)
        if not current:  # its tables are read once they have this version's columns
            return Finding("database", f"{where}: {opened}")
        looked = await find_damaged(database)
        damaged = "; ".join(str(found) for found in looked.damaged)
        if damaged:
            said = f"{where}: {opened}. Damaged: {damaged}. Stop the bot, then `bluffhouse repair`"
            return Finding("database", said, well=False)
        return Finding("database", f"{where}: {opened}; {_tables(looked.tables)}")
    except (StorageError, StoreError) as error:
        return Finding("database", f"{where}: {error}", well=False)
    finally:
        await database.close()


def _tables(number: int) -> str:
    many = count(number, "open table")
    return f"{many}, read and replayed" if number else "no open table"


async def _opened(database: Database) -> tuple[str, bool]:
    """What is found of the engine and the schema, and whether that is the newest."""
    database.try_file(make=False)
    async with database.reading() as connection:
        if database.file is not None:
            await check_file(connection, database.file)
            engine = f"SQLite {sqlite3.sqlite_version}, quick check passed"
        else:
            found = await connection.execute(text("SHOW server_version"))
            engine = f"PostgreSQL {found.scalar_one()}"
        stored, known = await stored_revision(connection), known_revisions()
    refuse_newer(stored, known)
    current = stored == known[-1]
    newest = "the newest" if current else f"`run` or `migrate` brings it to {known[-1]}"
    return f"{engine}, schema {stored or 'none'} ({newest})", current
