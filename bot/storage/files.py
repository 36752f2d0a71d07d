"""The database's files and lock. Only their owner can read them, as they contain decks and seeds.

The lock file next to an SQLite file keeps out a second writing process. The operating system
releases the lock when the process ends, however it ends. The lock file itself stays: if it were
removed, two processes could hold locks on two files with the same name.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
import sys
from io import FileIO
from pathlib import Path
from typing import Final

from bot.storage import DatabaseDamaged, DatabaseInUse, NotReached
from bot.storage.addresses import database_url, file_of, has_no_room, storage_error

OWN_FILE: Final = 0o600
OWN_FOLDER: Final = 0o700
HEADER: Final = b"SQLite format 3\0"
_SIDE_FILES: Final = ("", "-wal", "-shm", "-journal", ".lock", ".partial")


def make_folder(folder: Path) -> None:
    """Create a folder and its missing parents, for the owner only. Don't change existing ones."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    for path in reversed(missing):
        with contextlib.suppress(FileExistsError):
            path.mkdir(mode=OWN_FOLDER)
            sync_folder(path.parent)


def sync_folder(folder: Path) -> None:
    """Sync a folder, so that a power loss doesn't lose the names of new files.

    Do nothing where the system cannot do it: on Windows, and on some file systems.
    """
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def refuse_other_file(file: Path) -> None:
    """Raise a `StorageError` if `file` isn't an SQLite database.

    The caller must then leave the file and its permissions unchanged. A missing, unreadable or
    empty file passes: SQLite writes its header in the first transaction. A damaged header
    passes if there is a journal or log, from which SQLite can repair it.
    """
    try:
        kind = file.stat().st_mode
    except (OSError, ValueError):  # opening it will say what is wrong with its name
        return
    if stat.S_ISDIR(kind):
        raise NotReached(
            f"{file} is a folder; expected a file, e.g. {file}/bluffhouse.db. Docker makes a folder"
            " where a file to mount is missing: mount the folder that holds the file"
        )
    if not stat.S_ISREG(kind):
        raise NotReached(
            f"{file} is a device, pipe or socket; expected a file, e.g. data/bluffhouse.db"
        )
    try:
        with file.open("rb") as stream:
            begins = stream.read(len(HEADER))
    except OSError:
        return
    if begins not in (b"", HEADER) and not _can_be_repaired(file):
        raise DatabaseDamaged(
            f"{file} is no SQLite database, or is damaged: nothing was changed; name another file,"
            " or restore a backup"
        )


def _can_be_repaired(file: Path) -> bool:
    logs = (file.with_name(file.name + end) for end in ("-journal", "-wal"))
    return any(path.is_file() and path.stat().st_size for path in logs)


def make_own(file: Path) -> None:
    """Create an SQLite file if missing, and let only its owner read it and its side files.

    Call this before SQLite opens the file, as SQLite copies the file's permissions to its log and
    index. Raises OSError.
    """
    missing = not file.exists()
    os.close(os.open(file, os.O_RDWR | os.O_CREAT, OWN_FILE))
    if missing:
        sync_folder(file.parent)
    keep_to_owner(file)


def write_own(file: Path, content: bytes) -> None:
    """Write a file that only its owner can read, even if it existed. Raises OSError."""
    with open(file, "wb", opener=_own_opener) as written:
        written.write(content)


def _own_opener(path: str, flags: int) -> int:
    descriptor = os.open(path, flags, OWN_FILE)
    if stat.S_ISREG(os.fstat(descriptor).st_mode) and sys.platform != "win32":
        with contextlib.suppress(PermissionError):  # another user's file that this one may write
            os.fchmod(descriptor, OWN_FILE)
    return descriptor


def keep_to_owner(file: Path) -> None:
    """Remove other users' permissions on a file and its side files, if this user owns them."""
    for ending in _SIDE_FILES:
        path = file.with_name(file.name + ending)
        with contextlib.suppress(FileNotFoundError, PermissionError):
            mode = path.stat().st_mode
            if stat.S_ISREG(mode) and mode & 0o077:
                path.chmod(OWN_FILE)


def open_to_others(path: Path) -> bool:
    """Return whether other users have any permission on a file or folder; False on Windows."""
    return sys.platform != "win32" and bool(stat.S_IMODE(path.stat().st_mode) & 0o077)


def identity(file: Path) -> tuple[int, int] | None:
    """Return a file's device and inode numbers; None if it is missing."""
    try:
        status = file.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


_FAR: Final = 1 << 30  # Windows locks bytes: lock one after the text, so that others can read it
_HOLDER: Final = re.compile(rb"(\d{1,20}\r?\n)?")  # a lock file's content: a process id


class LockFile:
    """The lock file `<database>.lock`, held from `take` to `release`."""

    def __init__(self, database: Path) -> None:
        # resolved, since a symlink leads to the same database
        self._database = database.resolve()
        self._path = self._database.with_name(self._database.name + ".lock")
        self._file: FileIO | None = None

    def take(self) -> None:
        """Take the lock. Raises `DatabaseInUse` if another process has it.

        Raises another `StorageError` if the lock file can't be written, if the lock file holds
        something else, or if the database's file isn't an SQLite database.
        """
        refuse_other_file(self._database)
        self._refuse_other_lock()
        try:
            make_folder(self._path.parent)
            file = FileIO(os.open(self._path, os.O_RDWR | os.O_CREAT, OWN_FILE), "r+")
        except OSError as error:
            if has_no_room(error):
                raise storage_error(self._database, error, server=False) from error
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
        self._file = file
        try:
            file.truncate(0)
            file.write(f"{os.getpid()}\n".encode())
        except OSError as error:
            self.release()
            raise storage_error(self._database, error, server=False) from error

    def _refuse_other_lock(self) -> None:
        try:
            kind = self._path.stat().st_mode
            ours = stat.S_ISREG(kind) and _HOLDER.fullmatch(self._path.read_bytes()[:32])
        except (OSError, ValueError):  # missing, or opening it will say why not
            return
        if not ours:
            raise NotReached(
                f"{self._path} is where this database's lock belongs, and holds something else: it"
                " was left as it is; move it away, or name another file for the database"
            )

    def release(self) -> None:
        """Release the lock. Do nothing if it is not held."""
        if self._file is not None:
            self._file.close()
            self._file = None


def refuse_if_used(address: str) -> None:
    """Raise `DatabaseInUse` if another process has the SQLite file at `address`.

    Do nothing for PostgreSQL or a missing file. Raises other `StorageError`s if the address or the
    file can't be used.
    """
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
