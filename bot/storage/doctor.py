"""Checks of `bluffhouse store doctor`: settings, libraries and the database.

They change nothing, may run while a bot is working, and never print a secret.
"""

from __future__ import annotations

import getpass
import os
import platform
import shutil
import sqlite3
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from sqlalchemy import text
from sqlalchemy.engine import Connection

from bot.language.words import count
from bot.operations.updates import UnknownUpdate, find_update, update_feed
from bot.settings.config import (
    CONFIG,
    PREFIX,
    ConfigError,
    Settings,
    may_be_token,
    settings_file,
    variables,
)
from bot.settings.proxies import UnusableProxy, proxy_for, without_password
from bot.settings.shards import format_ids
from bot.storage import StorageError
from bot.storage.addresses import database_url, file_of
from bot.storage.database import Database
from bot.storage.files import open_to_others, refuse_other_file
from bot.storage.migrate import (
    check_file,
    known_revisions,
    refuse_newer,
    refuse_other_tables,
    stored_revision,
)
from bot.storage.repair import UnsoundRow, find_damaged, unsound_rows
from bot.storage.session import Session, check_same_database
from bot.tables.errors import RefusedError

NAMED = 10  # how many unreadable rows to list
API, GATEWAY = "https://discord.com/api/v10", "wss://gateway.discord.gg"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The result of one check. `well` is False if the host has to act."""

    subject: str
    text: str
    well: bool = True


async def examine(settings: Settings, config: Path | None) -> list[Diagnosis]:
    """Run every check and return the findings. `config` is the requested settings file, if any."""
    return [
        Diagnosis("bluffhouse", f"{version('bluffhouse')} on Python {platform.python_version()}"),
        *await _updates(settings),
        Diagnosis("settings", _settings_found(config)),
        _token(settings),
        *_proxies(settings),
        _shards(settings),
        *await _databases(settings),
        *_check_permissions(settings.database.address),
        *_backups(settings),
    ]


async def _updates(settings: Settings) -> list[Diagnosis]:
    """Check whether a newer version is out. Return an empty list if no update address is set."""
    if update_feed(settings) is None:
        return []
    try:
        newest = await find_update(settings)
    except UnknownUpdate as error:
        return [Diagnosis("updates", str(error))]
    finding = "this is the newest" if newest is None else f"{newest} is out: see docs/hosting.md"
    return [Diagnosis("updates", finding)]


def _check_permissions(address: str) -> list[Diagnosis]:
    """Check who may use the database's file and folder.

    This user must be able to write them; no other user of the machine should be able to read them.
    """
    try:
        file = file_of(database_url(address))
        if file is None:
            return []
        file = file.resolve()
        refuse_other_file(file)
    except StorageError:  # `_database` reports it; a foreign file's permissions don't matter
        return []
    closed = _unwritable(file)
    if closed is not None:
        finding = f"{closed} cannot be written by this user ({_user()}): no bot can run on it"
        return [Diagnosis("rights", finding, well=False)]
    if not file.exists():
        return []
    if open_to_others(file):
        finding = f"{file} may be read by other users of this machine: chmod 600 {file}"
        return [Diagnosis("rights", f"{finding}; `run` does that too", well=False)]
    if open_to_others(file.parent):
        finding = f"{file.parent} is open to other users of this machine; its files here are not"
        return [Diagnosis("rights", f"{finding}. chmod 700 {file.parent} closes it")]
    return [Diagnosis("rights", f"{file} and its folder are for you alone")]


def _unwritable(file: Path) -> Path | None:
    """Return the first path that the bot must be able to write but can't, or None.

    Checks the database's file, its side files and its folder.
    """
    side_files = [file.with_name(file.name + end) for end in ("", "-wal", "-shm", ".lock")]
    folder = file.parent
    while not folder.exists():  # `run` creates it in the nearest existing parent
        folder = folder.parent
    if not folder.is_dir():
        return folder
    required = [(path, os.W_OK) for path in side_files if path.exists()]
    for path, right in [(folder, os.W_OK | os.X_OK), *required]:
        if not os.access(path, right, effective_ids=os.access in os.supports_effective_ids):
            return path
    return None


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container's user may have no name
        return "without a name"


def _settings_found(config: Path | None) -> str:
    file = settings_file(config)
    known = {*variables(), CONFIG}
    sections = tuple(f"{PREFIX}{section}".upper() for section in Settings.model_fields)
    read = sorted(name for name in os.environ if name.upper() in {*known, *sections})
    source = f"from {file}" if file else "no settings file, using the defaults"
    return f"{source}; from the environment: {', '.join(read) or 'none'}"


def _token(settings: Settings) -> Diagnosis:
    if settings.discord.token is None:
        return Diagnosis("token", "none: `run` needs one, `sandbox` doesn't")
    if not may_be_token(settings.discord.token.get_secret_value()):
        finding = "found, but a token has no spaces, line ends or such letters: copy it again"
        return Diagnosis("token", finding, well=False)
    return Diagnosis("token", "found (not shown)")


def _proxies(settings: Settings) -> list[Diagnosis]:
    """Check the proxies for Discord. Return an empty list if none is configured."""
    chosen = settings.discord
    try:
        proxies = [proxy_for(chosen.api_url or API), proxy_for(chosen.gateway_url or GATEWAY)]
    except UnusableProxy as error:
        return [Diagnosis("proxy", str(error), well=False)]
    addresses = list(
        dict.fromkeys(without_password(proxy) for proxy in proxies if proxy is not None)
    )
    return (
        [Diagnosis("proxy", f"Discord is asked by {' and '.join(addresses)}")] if addresses else []
    )


def _shards(settings: Settings) -> Diagnosis:
    try:
        served = settings.own_shards()
    except ConfigError as error:
        return Diagnosis("shards", str(error), well=False)
    if not served.count:
        return Diagnosis("shards", "as many as Discord advises, all in this process")
    named = format_ids(served.ids)
    place = "all in this process" if served.whole else f"in this process {named}"
    return Diagnosis("shards", f"{count(served.count, 'shard')}, {place}")


async def _databases(settings: Settings) -> list[Diagnosis]:
    """Check the database directly and, if that succeeds, through `url` too.

    Without a `direct_url`, report the second check only if it fails: `url` may lead to no pooler.
    """
    chosen = settings.database
    diagnoses = [await _database(chosen.straight)]
    if chosen.url is not None and diagnoses[0].well:
        both = await _both_ways(chosen.address, chosen.straight)
        if chosen.direct_url is not None or not both.well:
            diagnoses.append(both)
    return diagnoses


async def _both_ways(address: str, straight: str) -> Diagnosis:
    try:
        database = Database(database_url(address), direct=database_url(straight))
    except StorageError as error:
        return Diagnosis("pooler", str(error), well=False)
    if database.file is not None:
        return Diagnosis("pooler", f"{database.where} is a file, and has none")
    session = Session(database.direct)
    try:
        with database.as_storage_errors():
            await check_same_database(database, session)
        return Diagnosis("pooler", f"{database.where} leads to the same database")
    except StorageError as error:
        return Diagnosis("pooler", str(error), well=False)
    finally:
        await session.close()
        await database.close()


async def _database(address: str) -> Diagnosis:
    try:
        database = Database(database_url(address))
    except StorageError as error:
        return Diagnosis("database", str(error), well=False)
    if database.file is not None and not database.file.exists():
        return Diagnosis("database", f"{database.where} is not there yet: `run` makes it")
    try:
        with database.as_storage_errors():
            finding, well = await _examine_open(database)
        return Diagnosis("database", f"{database.where}: {finding}", well=well)
    except (StorageError, RefusedError) as error:
        return Diagnosis("database", str(error), well=False)
    finally:
        await database.close()


async def _examine_open(database: Database) -> tuple[str, bool]:
    """Examine a readable database; return the finding and whether all is well."""
    opened, current = await _check_schema(database)
    if database.file is None:
        closed = await _missing_rights(database, new=not current)
        if closed is not None:
            return f"{opened}; {closed}: no bot can run on it", False
    if not current:  # its tables can be read only if they have this version's columns
        return opened, True
    looked = await find_damaged(database)
    wrong = []
    if looked.damaged:
        damaged = "; ".join(str(damage) for _, damage in looked.damaged)
        wrong.append(f"Damaged: {damaged}. Stop the bot, then `bluffhouse store repair`")
    named = {("tables", (number,)) for number, _ in looked.damaged}
    rows = await unsound_rows(database)
    rows = [row for row in rows if (row.table, row.key) not in named]
    if rows:
        wrong.append(_describe_unreadable(rows))
    if wrong:
        return ". ".join((opened, *wrong)), False
    return f"{opened}; {_tables(looked.tables)}", True


async def _missing_rights(database: Database, *, new: bool) -> str | None:
    """Return why a bot couldn't write to PostgreSQL (read-only, or missing rights), or None.

    `new`: whether the bot's tables must still be created or migrated.
    """
    right = (
        "has_schema_privilege(current_schema(), 'CREATE')"
        if new
        else "has_table_privilege('actions', 'INSERT')"
    )
    query = text(f"SELECT pg_is_in_recovery(), coalesce({right}, false)")
    standby, may = await database.read(lambda c: c.execute(query).one())
    if standby:
        return "it's a read-only standby: name the server that takes writes"
    action = "make tables in it" if new else "write its tables"
    return None if may else f"its user may not {action}: make them the owner of the database"


def _backups(settings: Settings) -> list[Diagnosis]:
    """Check that scheduled backups can be made. Return an empty list if none are scheduled."""
    chosen = settings.backups
    if not chosen.every_hours:
        return []
    folder = chosen.folder
    missing = []
    if settings.database.url is not None:
        missing = [name for name in ("pg_dump", "pg_restore") if shutil.which(name) is None]
    if missing:
        finding = f"{missing[0]} isn't installed here, so PostgreSQL can't be backed up"
        return [Diagnosis("backups", finding, well=False)]
    closed = _unwritable(folder / "copy.db")
    if closed is not None:
        finding = (
            f"{closed} cannot be written by this user ({_user()}), so no backups can be made there"
        )
        return [Diagnosis("backups", finding, well=False)]
    return [Diagnosis("backups", f"every {chosen.every_hours:g} hours, in {folder}")]


def _describe_unreadable(rows: list[UnsoundRow]) -> str:
    """Return text that lists up to `NAMED` unreadable rows and says what the host can do."""
    named = "; ".join(str(row) for row in rows[:NAMED])
    others = f"; and {len(rows) - NAMED} more" if len(rows) > NAMED else ""
    return (
        f"Cannot be read: {named}{others}. They're set aside, and everything else works. A backup"
        " may have them whole; `bluffhouse store rebuild` makes the records again"
    )


def _tables(number: int) -> str:
    many = count(number, "open table")
    return f"{many}, read and replayed" if number else "no open table"


async def _check_schema(database: Database) -> tuple[str, bool]:
    """Check engine and schema. Return the finding, and whether the schema is current.

    Raises a `StorageError` if the database can't be opened, is damaged, has a newer schema, or
    belongs to another program.
    """
    database.try_file(make=False)
    engine = await database.read(_engine, database.file)
    stored, known = await database.read(stored_revision), known_revisions()
    refuse_newer(stored, known)
    if database.file is not None:
        await database.read(refuse_other_tables, database.file)
    current = stored == known[-1]
    newest = "the newest" if current else f"`run` or `store migrate` updates it to {known[-1]}"
    return f"{engine}, schema {stored or 'none'} ({newest})", current


def _engine(c: Connection, file: Path | None) -> str:
    """Return the engine and its version, as text for the host.

    Raises `DatabaseDamaged` if an SQLite file isn't sound.
    """
    if file is not None:
        check_file(c, file)
        return f"SQLite {sqlite3.sqlite_version}, quick check passed"
    return f"PostgreSQL {c.execute(text('SHOW server_version')).scalar_one()}"
