"""Copy the database while it is in use, and check each copy before it gets its final name.

SQLite is copied by its online backup, PostgreSQL by `pg_dump`. The names of automatic copies
contain the time (UTC), and the oldest copies are deleted. A restarted bot makes no copy before one
is due.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import structlog
from sqlalchemy.engine import URL

from bot.storage import DatabaseDamaged, NoRoom, NoSuchCopy, NotReached, StorageError
from bot.storage.addresses import advise_room, database_url, file_of, has_no_room
from bot.storage.files import HEADER, make_folder, make_own, refuse_other_file, sync_folder

_TABLES: Final = {"alembic_version", "actions"}  # every database of the bot has these tables


def copy_database(source: Path, target: Path) -> None:
    """Copy `source` by SQLite's online backup, check the copy, then rename the copy to `target`.

    The bot may keep writing: the copy shows a single moment. An existing `target` must be a
    database, and is replaced atomically. Raises `StorageError`.
    """
    if not source.exists():
        raise NotReached(f"there is no database {source}")
    refuse_other_file(source)
    _refuse_to_replace(source, target)
    try:
        with _replacing(target) as partial:
            with (
                closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as live,
                closing(sqlite3.connect(partial)) as copy,
            ):
                live.backup(copy)
                copy.execute("PRAGMA journal_mode=DELETE")  # one file, without side files
                # removes traces of deleted rows that the original's pages may hold
                copy.execute("VACUUM")
                verdict = copy.execute("PRAGMA integrity_check(1)").fetchone()[0]
                named = copy.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
                tables = {name for (name,) in named}
            if not tables >= _TABLES:
                raise NotReached(
                    f"{source} holds no tables of Bluffhouse's, so there is nothing to copy;"
                    f" {target} was not made"
                )
            if verdict != "ok":
                raise DatabaseDamaged(
                    f"the copy of {source} is damaged ({verdict}); {target} was not made"
                )
    except (sqlite3.Error, OSError) as error:
        raise copy_error(f"{source} could not be copied to {target}", error) from error


@contextmanager
def _replacing(target: Path) -> Iterator[Path]:
    """Yield a temporary file. Rename it to `target` if the block succeeds, else delete it."""
    partial = target.with_name(target.name + ".partial")
    try:
        make_folder(target.parent)
        partial.unlink(missing_ok=True)
        make_own(partial)
        yield partial
        flush(partial)
        partial.replace(target)
        sync_folder(target.parent)
    finally:
        partial.unlink(missing_ok=True)


def copy_error(sentence: str, error: Exception) -> StorageError:
    """Return the error for a failed copy: `NoRoom` if the disk is full, else a `StorageError`."""
    detail = (error.strerror if isinstance(error, OSError) else None) or str(error)
    if has_no_room(error):
        return NoRoom(f"{sentence}: {detail}; {advise_room(error)}")
    if isinstance(error, OSError):
        return StorageError(f"{sentence}: {detail}; expected a folder that this user may write")
    return StorageError(f"{sentence}: {detail}")


def _refuse_to_replace(source: Path, target: Path) -> None:
    if target.is_dir():
        raise NoSuchCopy(f"{target} is a directory; expected a file, e.g. {target}/bluffhouse.db")
    if not target.exists():
        return
    if target.samefile(source):
        raise NoSuchCopy(f"{target} is the database itself; name another file for the copy")
    with target.open("rb") as file:
        if file.read(len(HEADER)) != HEADER:
            raise NoSuchCopy(f"{target} exists and is no database; it was left as it is")


def flush(path: Path) -> None:
    """Sync a file to disk. Do this before renaming it, or a power loss may leave it empty."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


MAGIC: Final = b"PGDMP"  # first bytes of pg_dump's own format


def ending(address: str) -> str:
    """Return the suffix of a copy's file name: "db" for SQLite, "dump" for PostgreSQL."""
    return "dump" if file_of(database_url(address)) is None else "db"


def copy_any_database(address: str, target: Path) -> None:
    """Copy a database, even one in use, to `target` and check the copy. Raises `StorageError`."""
    url = database_url(address)
    file = file_of(url)
    if file is not None:
        copy_database(file, target)
    else:
        _dump(url, target)


def _dump(url: URL, target: Path) -> None:
    """Write an archive of PostgreSQL's `pg_dump` to `target`, and check it. Raises `StorageError`.

    `pg_restore --clean --if-exists` restores the archive.
    """
    if target.is_dir():
        raise NoSuchCopy(f"{target} is a directory; expected a file, e.g. {target}/bluffhouse.dump")
    if target.exists() and target.read_bytes()[: len(MAGIC)] != MAGIC:
        raise NoSuchCopy(f"{target} exists and is no dump; it was left as it is")
    try:
        with _replacing(target) as partial:
            _run("pg_dump", url, "--format=custom", "--no-owner", f"--file={partial}")
            contents = _run("pg_restore", None, "--list", str(partial))
            if "TABLE DATA public actions" not in contents:
                raise DatabaseDamaged(
                    f"the copy of the database lacks its matches; {target} was not made"
                )
            _run("pg_restore", None, f"--file={os.devnull}", str(partial))  # reads every row
    except OSError as error:
        raise copy_error(f"the database could not be copied to {target}", error) from error


def _run(program: str, url: URL | None, *arguments: str) -> str:
    """Run a PostgreSQL program and return its output. Raises `StorageError`.

    `url`: the database, if the program connects to one. The password is passed in the environment,
    since other users can see a program's command line.
    """
    path = shutil.which(program)
    if path is None:
        raise StorageError(
            f"{program} is not installed here: install PostgreSQL's client programs, of the"
            " server's version or newer, or run it where they are"
        )
    environment = dict(os.environ)
    options = list(arguments)
    if url is not None:
        query = dict(url.query)
        if "ssl" in query:  # libpq's name for this option is sslmode
            query["sslmode"] = query.pop("ssl")
        plain = url.set(drivername="postgresql", password=None, query=query)
        options += ["--no-password", f"--dbname={plain.render_as_string(hide_password=False)}"]
        if url.password is not None:
            environment["PGPASSWORD"] = str(url.password)
    ended = subprocess.run(
        [path, *options], env=environment, capture_output=True, text=True, check=False
    )
    if ended.returncode:
        detail = " ".join(ended.stderr.split()) or f"exit code {ended.returncode}"
        raise StorageError(f"{program} could not do it: {detail}")
    return ended.stdout


log = structlog.get_logger(__name__)

LOOK_SECONDS: Final = 600.0  # the longest time between two checks whether a copy is due
_NAME: Final = re.compile(r"bluffhouse-(\d{8}T\d{6})\.(db|dump)(\.partial)?")
_TIME: Final = "%Y%m%dT%H%M%S"


@dataclass(frozen=True, slots=True)
class BackupSchedule:
    """The folder for copies, the time between them, and how many to keep."""

    folder: Path
    every: timedelta
    keep: int


def _now() -> datetime:
    return datetime.now(UTC)


class Backups:
    """Makes copies of the database at `address` when they are due.

    `on_made` gets the newest copy's time, at the start and after each copy. `on_ended` gets "made"
    or "failed" after each try.
    """

    def __init__(
        self,
        address: str,
        plan: BackupSchedule,
        on_made: Callable[[datetime], None] = lambda _: None,
        now: Callable[[], datetime] = _now,
        on_ended: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._address = address
        self._plan = plan
        self._on_made = on_made
        self._now = now
        self._on_ended = on_ended

    async def run(self) -> None:
        """Make copies when due, until cancelled. Log each failure and try again later."""
        newest = self._newest()
        if newest is not None:
            self._on_made(newest)
        while True:
            wait = LOOK_SECONDS
            if self.due():
                try:
                    await asyncio.to_thread(self.make)
                    self._on_ended("made")
                except (StorageError, OSError) as error:
                    self._on_ended("failed")
                    log.error("backup: not made, trying again later", reason=str(error))
            else:
                wait = min(wait, self._plan.every.total_seconds())
            await asyncio.sleep(wait)

    def due(self) -> bool:
        """Return whether a copy is due."""
        newest = self._newest()
        return newest is None or self._now() - newest >= self._plan.every

    def make(self) -> Path:
        """Make a copy and return its path; delete the oldest copies beyond the number to keep.

        Unfinished copies are deleted too. Raises `StorageError`, or OSError if a file cannot be
        deleted.
        """
        at = self._now()
        target = self._plan.folder / f"bluffhouse-{at.strftime(_TIME)}.{ending(self._address)}"
        for stale in self._copies(partial=True):  # left by a killed process
            stale.unlink(missing_ok=True)
        copy_any_database(self._address, target)
        old = self._copies()[: -self._plan.keep]
        for copy in old:
            copy.unlink(missing_ok=True)
        log.info("backup: made", file=str(target), size=target.stat().st_size, deleted=len(old))
        self._on_made(at)
        return target

    def _copies(self, *, partial: bool = False) -> list[Path]:
        """Return the automatic copies, oldest first; if `partial`, the unfinished ones instead."""
        if not self._plan.folder.is_dir():
            return []
        named = ((file, _NAME.fullmatch(file.name)) for file in self._plan.folder.iterdir())
        return sorted(file for file, match in named if match and bool(match[3]) is partial)

    def _newest(self) -> datetime | None:
        for copy in reversed(self._copies()):
            match = _NAME.fullmatch(copy.name)
            assert match is not None
            try:
                return datetime.strptime(match[1], _TIME).replace(tzinfo=UTC)
            except ValueError:  # for example a thirteenth month: not one of the copies
                continue
        return None
