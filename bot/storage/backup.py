"""A copy of a running SQLite database, checked before it takes its name."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from bot.storage import DatabaseDamaged, NoRoom, NoSuchCopy, NotReached, StorageError
from bot.storage.errors import FULL
from bot.storage.files import make_folder, make_own, sync_folder

HEADER: Final = b"SQLite format 3\0"


def copy_database(source: Path, target: Path) -> None:
    """Copy by SQLite's online backup, check the copy whole, then rename it to `target`.

    The bot may go on writing: the copy is of one moment. `target` is replaced at once or not at
    all, and only if it is a database itself. Raises `StorageError`.
    """
    if not source.is_file():
        raise NotReached(f"there is no database {source}")
    _refuse_to_replace(source, target)
    partial = target.with_name(target.name + ".partial")
    try:
        make_folder(target.parent)
        partial.unlink(missing_ok=True)
        make_own(partial)
        with (
            closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as live,
            closing(sqlite3.connect(partial)) as copy,
        ):
            live.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, nothing beside it
            # no trace of what was deleted, whatever the original's pages hold
            copy.execute("VACUUM")
            found = copy.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if found != "ok":
            raise DatabaseDamaged(
                f"the copy of {source} is damaged ({found}); {target} was not made"
            )
        flush(partial)
        partial.replace(target)
        sync_folder(target.parent)
    except (sqlite3.Error, OSError) as error:
        raise not_copied(f"{source} could not be copied to {target}", error) from error
    finally:
        partial.unlink(missing_ok=True)


def not_copied(sentence: str, error: Exception) -> StorageError:
    """Why a copy was not made; a full disk may have room again."""
    said = (error.strerror if isinstance(error, OSError) else None) or str(error)
    if "is full" in said or getattr(error, "errno", None) in FULL:
        return NoRoom(f"{sentence}: {said}; free some room there")
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
