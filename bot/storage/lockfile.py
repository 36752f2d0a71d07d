"""A lock beside an SQLite file, so that a second writing process is refused at its start.

The operating system lets go of it when the process ends, however it ends; the file itself stays, as
removing it would let two processes hold two locks of one name.
"""

from __future__ import annotations

import os
import sys
from io import FileIO
from pathlib import Path
from typing import Final

from bot.storage import DatabaseInUse, NotReached
from bot.storage.addresses import database_url, file_of
from bot.storage.errors import FULL, reason
from bot.storage.files import OWN_FILE, make_folder

_FAR: Final = 1 << 30  # Windows locks bytes: one behind the text, so that others can read it


class LockFile:
    """`<database>.lock`, held from `take` to `release`."""

    def __init__(self, database: Path) -> None:
        # of the file itself: another name for it, a symlink, is the same database
        self._database = database.resolve()
        self._path = self._database.with_name(self._database.name + ".lock")
        self._file: FileIO | None = None

    def take(self) -> None:
        """Hold the lock. Raises `DatabaseInUse` if another does, `NotReached` if nobody can."""
        try:
            make_folder(self._path.parent)
            file = FileIO(os.open(self._path, os.O_RDWR | os.O_CREAT, OWN_FILE), "r+")
        except OSError as error:
            if error.errno in FULL:
                raise reason(self._database, error, server=False) from error
            raise NotReached(
                f"the lock file {self._path} cannot be written ({error.strerror}); "
                "the database's directory must be writable"
            ) from error
        try:
            _lock(file)
        except OSError as error:
            holder = file.read(32).decode(errors="replace").strip()
            file.close()
            by = f" (process {holder})" if holder.isdigit() else ""
            raise DatabaseInUse(
                f"{self._database} is in use by another Bluffhouse{by}: "
                "stop that one first, or give this one a database of its own"
            ) from error
        file.truncate(0)
        file.write(f"{os.getpid()}\n".encode())
        self._file = file

    def release(self) -> None:
        """Let go; nothing happens if the lock is not held."""
        if self._file is not None:
            self._file.close()
            self._file = None


def look_unused(address: str) -> None:
    """Raises `DatabaseInUse` if the address is that of an SQLite file which another process has."""
    file = file_of(database_url(address))
    if file is not None and file.exists():
        lock = LockFile(file)
        lock.take()
        lock.release()


if sys.platform == "win32":
    import msvcrt

    def _lock(file: FileIO) -> None:
        file.seek(_FAR)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        finally:
            file.seek(0)

else:
    import fcntl

    def _lock(file: FileIO) -> None:
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
