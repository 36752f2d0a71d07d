"""What `bluffhouse store doctor` finds: settings, libraries and the database, opened to read only.

It runs beside a working bot and changes nothing. No finding holds a secret.
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
from bot.settings.config import (
    CONFIG,
    PREFIX,
    ConfigError,
    Settings,
    may_be_token,
    settings_file,
    variables,
)
from bot.settings.proxies import NoSuchProxy, proxy_for, without_password
from bot.settings.shards import written_ids
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
from bot.storage.session import Session, meet
from bot.tables.errors import RefusedError

NAMED = 10  # rows that cannot be read, one by one
API, GATEWAY = "https://discord.com/api/v10", "wss://gateway.discord.gg"


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """One thing looked at; `well` is False where something has to be done."""

    subject: str
    text: str
    well: bool = True


async def examine(settings: Settings, config: Path | None) -> list[Diagnosis]:
    """Look at everything. `config` is the settings file that was asked for, if any."""
    return [
        Diagnosis("bluffhouse", f"{version('bluffhouse')} on Python {platform.python_version()}"),
        Diagnosis("settings", _settings_found(config)),
        _token(settings),
        *_proxies(settings),
        _shards(settings),
        *await _databases(settings),
        *_rights(settings.database.address),
        *_backups(settings),
    ]


def _rights(address: str) -> list[Diagnosis]:
    """Whether others on the machine may read the database's file, or look into its folder."""
    try:
        file = file_of(database_url(address))
        if file is None:
            return []
        file = file.resolve()
        refuse_other_file(file)
    except StorageError:  # the database's own line says so, and its rights are none of ours
        return []
    closed = _unwritable(file)
    if closed is not None:
        said = f"{closed} cannot be written by this user ({_user()}): no bot can run on it"
        return [Diagnosis("rights", said, well=False)]
    if not file.exists():
        return []
    if open_to_others(file):
        said = f"{file} may be read by other users of this machine: chmod 600 {file}"
        return [Diagnosis("rights", f"{said}; `run` does that too", well=False)]
    if open_to_others(file.parent):
        said = f"{file.parent} is open to other users of this machine; its files here are not"
        return [Diagnosis("rights", f"{said}. chmod 700 {file.parent} closes it")]
    return [Diagnosis("rights", f"{file} and its folder are for you alone")]


def _unwritable(file: Path) -> Path | None:
    """What the bot must write and may not: the file, what SQLite keeps beside it, their folder."""
    beside = [file.with_name(file.name + end) for end in ("", "-wal", "-shm", ".lock")]
    folder = file.parent
    while not folder.exists():  # `run` makes it, in the next above that is there
        folder = folder.parent
    if not folder.is_dir():
        return folder
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
    said = f"from {file}" if file else "no settings file, using the defaults"
    return f"{said}; from the environment: {', '.join(read) or 'none'}"


def _token(settings: Settings) -> Diagnosis:
    if settings.discord.token is None:
        return Diagnosis("token", "none: `run` needs one, `sandbox` doesn't")
    if not may_be_token(settings.discord.token.get_secret_value()):
        said = "found, but a token has no spaces, line ends or such letters: copy it again"
        return Diagnosis("token", said, well=False)
    return Diagnosis("token", "found (not shown)")


def _proxies(settings: Settings) -> list[Diagnosis]:
    """Return which proxy leads to Discord, or why the one that is named doesn't; often nothing."""
    chosen = settings.discord
    try:
        found = [proxy_for(chosen.api_url or API), proxy_for(chosen.gateway_url or GATEWAY)]
    except NoSuchProxy as error:
        return [Diagnosis("proxy", str(error), well=False)]
    shown = list(dict.fromkeys(without_password(proxy) for proxy in found if proxy is not None))
    return [Diagnosis("proxy", f"Discord is asked by {' and '.join(shown)}")] if shown else []


def _shards(settings: Settings) -> Diagnosis:
    try:
        served = settings.served()
    except ConfigError as error:
        return Diagnosis("shards", str(error), well=False)
    if not served.count:
        return Diagnosis("shards", "as many as Discord advises, all in this process")
    named = written_ids(served.ids)
    here = "all in this process" if served.whole else f"in this process {named}"
    return Diagnosis("shards", f"{count(served.count, 'shard')}, {here}")


async def _databases(settings: Settings) -> list[Diagnosis]:
    """The database, past any pooler; and the pooler, or that there is one which nobody named."""
    chosen = settings.database
    found = [await _database(chosen.straight)]
    if chosen.url is not None and found[0].well:
        both = await _both_ways(chosen.address, chosen.straight)
        if chosen.direct_url is not None or not both.well:
            found.append(both)
    return found


async def _both_ways(address: str, straight: str) -> Diagnosis:
    try:
        database = Database(database_url(address), direct=database_url(straight))
    except StorageError as error:
        return Diagnosis("pooler", str(error), well=False)
    if database.file is not None:
        return Diagnosis("pooler", f"{database.where} is a file, and has none")
    session = Session(database.direct)
    try:
        with database.explained():
            await meet(database, session)
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
        with database.explained():
            said, well = await _looked_at(database)
        return Diagnosis("database", f"{database.where}: {said}", well=well)
    except (StorageError, RefusedError) as error:
        return Diagnosis("database", str(error), well=False)
    finally:
        await database.close()


async def _looked_at(database: Database) -> tuple[str, bool]:
    """What is found of a database that can be read, and whether it is well."""
    opened, current = await _opened(database)
    if database.file is None:
        closed = await _closed(database, new=not current)
        if closed is not None:
            return f"{opened}; {closed}: no bot can run on it", False
    if not current:  # its tables are read once they have this version's columns
        return opened, True
    looked = await find_damaged(database)
    wrong = []
    if looked.damaged:
        damaged = "; ".join(str(found) for _, found in looked.damaged)
        wrong.append(f"Damaged: {damaged}. Stop the bot, then `bluffhouse store repair`")
    named = {("tables", (number,)) for number, _ in looked.damaged}
    rows = await unsound_rows(database)
    rows = [row for row in rows if (row.table, row.key) not in named]
    if rows:
        wrong.append(_set_aside(rows))
    if wrong:
        return ". ".join((opened, *wrong)), False
    return f"{opened}; {_tables(looked.tables)}", True


async def _closed(database: Database, *, new: bool) -> str | None:
    """What PostgreSQL keeps its user from that a bot does."""
    right = (
        "has_schema_privilege(current_schema(), 'CREATE')"
        if new
        else "has_table_privilege('actions', 'INSERT')"
    )
    asked = text(f"SELECT pg_is_in_recovery(), coalesce({right}, false)")
    standby, may = await database.read(lambda c: c.execute(asked).one())
    if standby:
        return "it's a read-only standby: name the server that takes writes"
    what = "make tables in it" if new else "write its tables"
    return None if may else f"its user may not {what}: make them the owner of the database"


def _backups(settings: Settings) -> list[Diagnosis]:
    """Whether copies can be made, where they are to be."""
    chosen = settings.backups
    if not chosen.every_hours:
        return []
    folder = chosen.folder
    missing = []
    if settings.database.url is not None:
        missing = [name for name in ("pg_dump", "pg_restore") if shutil.which(name) is None]
    if missing:
        said = f"{missing[0]} isn't installed here, so PostgreSQL can't be backed up"
        return [Diagnosis("backups", said, well=False)]
    closed = _unwritable(folder / "copy.db")
    if closed is not None:
        said = (
            f"{closed} cannot be written by this user ({_user()}): so no backups can be made there"
        )
        return [Diagnosis("backups", said, well=False)]
    return [Diagnosis("backups", f"every {chosen.every_hours:g} hours, in {folder}")]


def _set_aside(rows: list[UnsoundRow]) -> str:
    """Rows that cannot be read, and that nobody but the host can mend."""
    named = "; ".join(str(row) for row in rows[:NAMED])
    more = f"; and {len(rows) - NAMED} more" if len(rows) > NAMED else ""
    return (
        f"Cannot be read: {named}{more}. They're set aside, and everything else works. A backup"
        " may have them whole; `bluffhouse store rebuild` makes the records again"
    )


def _tables(number: int) -> str:
    many = count(number, "open table")
    return f"{many}, read and replayed" if number else "no open table"


async def _opened(database: Database) -> tuple[str, bool]:
    """What is found of the engine and the schema, and whether that is the newest."""
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
    """What it is, after a look whether it is whole. Raises `DatabaseDamaged`."""
    if file is not None:
        check_file(c, file)
        return f"SQLite {sqlite3.sqlite_version}, quick check passed"
    return f"PostgreSQL {c.execute(text('SHOW server_version')).scalar_one()}"
