"""Files of the database: for their owner only, as live decks and seeds are inside."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from pathlib import Path
from typing import Final

OWN_FILE: Final = 0o600
OWN_FOLDER: Final = 0o700
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
            if one.stat().st_mode & 0o077:
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
