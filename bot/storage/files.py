"""Files of the database: for their owner only, as live decks and seeds are inside; and the lock.

The lock beside an SQLite file refuses a second writing process at its start. The operating system
lets go of it when the process ends, however it ends; the file itself stays, as removing it would
let two processes hold two locks of one name.
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
from bot.storage.addresses import database_url, file_of, has_no_room, reason

OWN_FILE: Final = 0o600
OWN_FOLDER: Final = 0o700
HEADER: Final = b"SQLite format 3\0"
_BESIDE: Final = ("", "-wal", "-shm", "-journal", ".lock", ".partial")


def make_folder(folder: Path) -> None:
    """Make a folder, and those above it that are missing, for us alone; existing ones stay."""
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(missing):
        with contextlib.suppress(FileExistsError):
            one.mkdir(mode=OWN_FOLDER)
            sync_folder(one.parent)


def sync_folder(folder: Path) -> None:
    """Have the names in a folder on disk: a power loss takes a file whose name is not.

    Windows and some file systems cannot; they see to it themselves, or nobody can.
    """
    with contextlib.suppress(OSError):
        opened = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def refuse_other_file(file: Path) -> None:
    """Raise a `StorageError` if something else than an SQLite database is in the place of `file`.

    Nothing may be changed there: not its rights, and no lock be left beside it. A missing file
    passes, and so does an empty one, as SQLite writes its header in the first transaction. So does
    one whose journal or log is there: a power loss may have torn it, and SQLite mends it from them.
    """
    try:
        kind = file.stat().st_mode
    except (OSError, ValueError):  # whoever opens it says what is wrong with its name
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
        with file.open("rb") as opened:
            begins = opened.read(len(HEADER))
    except OSError:
        return
    if begins not in (b"", HEADER) and not _can_be_mended(file):
        raise DatabaseDamaged(
            f"{file} is no SQLite database, or is damaged: nothing was changed; name another file,"
            " or restore a backup"
        )


def _can_be_mended(file: Path) -> bool:
    beside = (file.with_name(file.name + end) for end in ("-journal", "-wal"))
    return any(one.is_file() and one.stat().st_size for one in beside)


def make_own(file: Path) -> None:
    """Make an SQLite file if it is missing; nobody else may read it or what lies beside it.

    SQLite gives its log and its index the rights of the file, so these come first. Raises OSError.
    """
    missing = not file.exists()
    os.close(os.open(file, os.O_RDWR | os.O_CREAT, OWN_FILE))
    if missing:
        sync_folder(file.parent)
    keep_to_owner(file)


def write_own(file: Path, content: bytes) -> None:
    """Write what people are named in: nobody else may read it, not even a file that was there.

    Raises OSError.
    """
    with open(file, "wb", opener=_own_opener) as written:
        written.write(content)


def _own_opener(path: str, flags: int) -> int:
    opened = os.open(path, flags, OWN_FILE)
    if stat.S_ISREG(os.fstat(opened).st_mode) and sys.platform != "win32":
        with contextlib.suppress(PermissionError):  # somebody else's, who let us write it
            os.fchmod(opened, OWN_FILE)
    return opened


def keep_to_owner(file: Path) -> None:
    """Take others' rights to a file and what SQLite and we keep beside it, where it is ours."""
    for beside in _BESIDE:
        one = file.with_name(file.name + beside)
        with contextlib.suppress(FileNotFoundError, PermissionError):
            mode = one.stat().st_mode
            if stat.S_ISREG(mode) and mode & 0o077:
                one.chmod(OWN_FILE)


def open_to_others(path: Path) -> bool:
    """Whether other users of the machine may read a file, or look into a folder."""
    return sys.platform != "win32" and bool(stat.S_IMODE(path.stat().st_mode) & 0o077)


def identity(file: Path) -> tuple[int, int] | None:
    """What tells a file from another of its name; None if there is none."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


_FAR: Final = 1 << 30  # Windows locks bytes: one behind the text, so that others can read it
_HOLDER: Final = re.compile(rb"(\d{1,20}\r?\n)?")  # what a lock file holds: a process's number


class LockFile:
    """`<database>.lock`, held from `take` to `release`."""

    def __init__(self, database: Path) -> None:
        # of the file itself: another name for it, a symlink, is the same database
        self._database = database.resolve()
        self._path = self._database.with_name(self._database.name + ".lock")
        self._file: FileIO | None = None

    def take(self) -> None:
        """Hold the lock. Raises `DatabaseInUse` if another does, `NotReached` if nobody can.

        Raises a `StorageError` too if something else is in the place of the database or the lock.
        """
        refuse_other_file(self._database)
        self._refuse_other_lock()
        try:
            make_folder(self._path.parent)
            file = FileIO(os.open(self._path, os.O_RDWR | os.O_CREAT, OWN_FILE), "r+")
        except OSError as error:
            if has_no_room(error):
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
        self._file = file
        try:
            file.truncate(0)
            file.write(f"{os.getpid()}\n".encode())
        except OSError as error:
            self.release()
            raise reason(self._database, error, server=False) from error

    def _refuse_other_lock(self) -> None:
        try:
            kind = self._path.stat().st_mode
            ours = stat.S_ISREG(kind) and _HOLDER.fullmatch(self._path.read_bytes()[:32])
        except (OSError, ValueError):  # it is missing, or whoever opens it says why not
            return
        if not ours:
            raise NotReached(
                f"{self._path} is where this database's lock belongs, and holds something else: it"
                " was left as it is; move it away, or name another file for the database"
            )

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
