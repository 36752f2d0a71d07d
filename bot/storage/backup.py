"""Copies of the database while it is in use, each checked before it takes its name.

SQLite is copied by its online backup, PostgreSQL by its own `pg_dump`. Those that are made by
themselves are named by their time (UTC) and rotated: a bot that is started again makes none before
it is due.
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
from bot.storage.addresses import database_url, file_of, has_no_room, make_room
from bot.storage.files import HEADER, make_folder, make_own, refuse_other_file, sync_folder

_TABLES: Final = {"alembic_version", "actions"}  # every database of ours has them


def copy_database(source: Path, target: Path) -> None:
    """Copy by SQLite's online backup, check the copy whole, then rename it to `target`.

    The bot may go on writing: the copy is of one moment. `target` is replaced at once or not at
    all, and only if it is a database itself. Raises `StorageError`.
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
                copy.execute("PRAGMA journal_mode=DELETE")  # one file, nothing beside it
                # no trace of what was deleted, whatever the original's pages hold
                copy.execute("VACUUM")
                found = copy.execute("PRAGMA integrity_check(1)").fetchone()[0]
                named = copy.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
                tables = {name for (name,) in named}
            if not tables >= _TABLES:
                raise NotReached(
                    f"{source} holds no tables of Bluffhouse's, so there is nothing to copy;"
                    f" {target} was not made"
                )
            if found != "ok":
                raise DatabaseDamaged(
                    f"the copy of {source} is damaged ({found}); {target} was not made"
                )
    except (sqlite3.Error, OSError) as error:
        raise not_copied(f"{source} could not be copied to {target}", error) from error


@contextmanager
def _replacing(target: Path) -> Iterator[Path]:
    """A file of our own, which takes the name `target` if the block ends well."""
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


def not_copied(sentence: str, error: Exception) -> StorageError:
    """Why a copy was not made; a full disk may have room again."""
    said = (error.strerror if isinstance(error, OSError) else None) or str(error)
    if has_no_room(error):
        return NoRoom(f"{sentence}: {said}; {make_room(error)}")
    if isinstance(error, OSError):
        return StorageError(f"{sentence}: {said}; expected a folder that this user may write")
    return StorageError(f"{sentence}: {said}")


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
    """Have the bytes on disk before the name points to them."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


MAGIC: Final = b"PGDMP"  # how pg_dump's own format begins


def ending(address: str) -> str:
    """How the name of a copy of this database ends: "db" for SQLite, "dump" for PostgreSQL."""
    return "dump" if file_of(database_url(address)) is None else "db"


def copy_of(address: str, target: Path) -> None:
    """Copy a database to `target` and check the copy, while it is in use. Raises `StorageError`."""
    url = database_url(address)
    file = file_of(url)
    if file is not None:
        copy_database(file, target)
    else:
        _dump(url, target)


def _dump(url: URL, target: Path) -> None:
    """PostgreSQL's own archive, which `pg_restore --clean --if-exists` reads back."""
    if target.is_dir():
        raise NoSuchCopy(f"{target} is a directory; expected a file, e.g. {target}/bluffhouse.dump")
    if target.exists() and target.read_bytes()[: len(MAGIC)] != MAGIC:
        raise NoSuchCopy(f"{target} exists and is no dump; it was left as it is")
    try:
        with _replacing(target) as partial:
            _run("pg_dump", url, "--format=custom", "--no-owner", f"--file={partial}")
            listed = _run("pg_restore", None, "--list", str(partial))
            if "TABLE DATA public actions" not in listed:
                raise DatabaseDamaged(
                    f"the copy of the database lacks its matches; {target} was not made"
                )
            _run("pg_restore", None, f"--file={os.devnull}", str(partial))  # every row is read
    except OSError as error:
        raise not_copied(f"the database could not be copied to {target}", error) from error


def _run(program: str, url: URL | None, *arguments: str) -> str:
    """What one of PostgreSQL's programs prints. The password is in no command line."""
    found = shutil.which(program)
    if found is None:
        raise StorageError(
            f"{program} is not installed here: install PostgreSQL's client programs, of the"
            " server's version or newer, or run it where they are"
        )
    given = dict(os.environ)
    asked = list(arguments)
    if url is not None:
        given_here = dict(url.query)
        if "ssl" in given_here:  # as libpq calls it
            given_here["sslmode"] = given_here.pop("ssl")
        plain = url.set(drivername="postgresql", password=None, query=given_here)
        asked += ["--no-password", f"--dbname={plain.render_as_string(hide_password=False)}"]
        if url.password is not None:
            given["PGPASSWORD"] = str(url.password)
    done = subprocess.run([found, *asked], env=given, capture_output=True, text=True, check=False)
    if done.returncode:
        said = " ".join(done.stderr.split()) or f"exit code {done.returncode}"
        raise StorageError(f"{program} could not do it: {said}")
    return done.stdout


log = structlog.get_logger(__name__)

LOOK_SECONDS: Final = 600.0  # the longest time between two looks whether a copy is due
_NAME: Final = re.compile(r"bluffhouse-(\d{8}T\d{6})\.(db|dump)(\.partial)?")
_TIME: Final = "%Y%m%dT%H%M%S"


@dataclass(frozen=True, slots=True)
class BackupSchedule:
    """Where copies go, how often one is made, and how many are kept."""

    folder: Path
    every: timedelta
    keep: int


def _now() -> datetime:
    return datetime.now(UTC)


class Backups:
    """Makes copies of the database at `address` until cancelled.

    `made` is told when the newest was made, `ended` "made" or "failed" of each that was begun.
    """

    def __init__(
        self,
        address: str,
        plan: BackupSchedule,
        made: Callable[[datetime], None] = lambda _: None,
        now: Callable[[], datetime] = _now,
        ended: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._address = address
        self._plan = plan
        self._made = made
        self._now = now
        self._ended = ended

    async def run(self) -> None:
        """Look again and again; what fails is said in the log, and tried again."""
        newest = self._newest()
        if newest is not None:
            self._made(newest)
        while True:
            wait = LOOK_SECONDS
            if self.due():
                try:
                    await asyncio.to_thread(self.make)
                    self._ended("made")
                except (StorageError, OSError) as error:
                    self._ended("failed")
                    log.error("backup: not made, trying again later", reason=str(error))
            else:
                wait = min(wait, self._plan.every.total_seconds())
            await asyncio.sleep(wait)

    def due(self) -> bool:
        """Whether it is time for one."""
        newest = self._newest()
        return newest is None or self._now() - newest >= self._plan.every

    def make(self) -> Path:
        """Make one, then delete what is more than is to be kept. Raises `StorageError`."""
        at = self._now()
        target = self._plan.folder / f"bluffhouse-{at.strftime(_TIME)}.{ending(self._address)}"
        for left in self._copies(partial=True):  # of a process that was killed
            left.unlink(missing_ok=True)
        copy_of(self._address, target)
        old = self._copies()[: -self._plan.keep]
        for one in old:
            one.unlink(missing_ok=True)
        log.info("backup: made", file=str(target), size=target.stat().st_size, deleted=len(old))
        self._made(at)
        return target

    def _copies(self, *, partial: bool = False) -> list[Path]:
        """Our copies, the oldest first; no other file of the folder is ever touched."""
        if not self._plan.folder.is_dir():
            return []
        named = ((one, _NAME.fullmatch(one.name)) for one in self._plan.folder.iterdir())
        return sorted(one for one, found in named if found and bool(found[3]) is partial)

    def _newest(self) -> datetime | None:
        for one in reversed(self._copies()):
            found = _NAME.fullmatch(one.name)
            assert found is not None
            try:
                return datetime.strptime(found[1], _TIME).replace(tzinfo=UTC)
            except ValueError:  # such as a thirteenth month: not ours
                continue
        return None
