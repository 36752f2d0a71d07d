"""What a disk holds after a power loss: everything synced, and any part of the rest.

Any sector that was not synced may have been written or not, as with real disks and their caches.
File systems keep the order of changes to names (files made, renamed, removed). So of the changes
not yet synced with their folder, the first few are kept and the rest are lost. Nothing here knows
SQLite.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

_HEAD: Final = struct.Struct("<IIQQQ")
_MAGIC: Final = 0x6B736964
SECTORS: Final = (512, 4096)
KEPT: Final = (0.0, 0.1, 0.5, 0.9, 1.0)  # chances that an unsynced change is kept: one for each cut


class Kind(IntEnum):
    """The kinds of steps in the journal, with the numbers of `disk.c`."""

    MADE = 1
    WRITTEN = 2
    CUT_TO = 3
    SYNCED = 4
    FOLDER_SYNCED = 5
    REMOVED = 6
    RENAMED = 7
    FOLDER_MADE = 8


class Record(NamedTuple):
    """One step of the journal; `end` is the journal's length after it, in bytes.

    `file` is an inode, `at` an offset in the file, both 0 if the step has none.
    """

    kind: Kind
    file: int
    at: int
    payload: bytes
    end: int

    @property
    def name(self) -> str:
        """The path below the folder, if the step has one; a renaming has two, on two lines."""
        return self.payload.decode()


def read_journal(journal: Path) -> list[Record]:
    """Return every whole record; the last one may be torn by the end of the process.

    Raises AssertionError if a record doesn't begin as it should.
    """
    content, at, records = journal.read_bytes() if journal.exists() else b"", 0, []
    while at + _HEAD.size <= len(content):
        magic, kind, file, where, length = _HEAD.unpack_from(content, at)
        assert magic == _MAGIC, f"the journal is not understood at byte {at}"
        at += _HEAD.size
        if at + length > len(content):
            break
        payload = content[at : at + length]
        at += length
        records.append(Record(Kind(kind), file, where, payload, at))
    return records


@dataclass
class _File:
    """The bytes of a file that were synced, and the changes since."""

    content: bytearray
    changes: list[tuple[int, bytes | None]] = field(default_factory=list)  # None: truncated

    def now(self) -> bytes:
        """Return the file's bytes as the process reads them."""
        content = bytearray(self.content)
        for at, written in self.changes:
            _change(content, at, written)
        return bytes(content)

    def sync(self) -> None:
        self.content, self.changes = bytearray(self.now()), []

    def after(self, chance: Random, sector: int, share_kept: float) -> bytes:
        """Return bytes that a power loss may leave of the file.

        Each change since the last sync remains with the chance `share_kept`, sector by sector.
        """
        content = bytearray(self.content)
        for at, written in self.changes:
            if written is None:
                if chance.random() < share_kept:
                    _change(content, at, None)
                continue
            for begin, part in _sectors(at, written, sector):
                if chance.random() < share_kept:
                    _change(content, begin, part)
        return bytes(content)


def _change(content: bytearray, at: int, written: bytes | None) -> None:
    end = at if written is None else at + len(written)
    if len(content) < end:
        content.extend(bytes(end - len(content)))
    if written is None:
        del content[at:]
    else:
        content[at:end] = written


def _sectors(at: int, written: bytes, sector: int) -> Iterator[tuple[int, bytes]]:
    begin = at
    while begin < at + len(written):
        end = min((begin // sector + 1) * sector, at + len(written))
        yield begin, written[begin - at : end - at]
        begin = end


_Names = dict[str, _File | None]  # None: a folder


class Disk:
    """The files below a folder, as the journal's steps change them."""

    def __init__(self, folder: Path) -> None:
        """Treat everything in the folder now as synced."""
        self._durable: _Names = {}
        self._files: dict[int, _File] = {}  # by inode
        self._pending: list[Record] = []  # changes of names not yet synced with their folder
        self._made: dict[int, _File] = {}  # by the journal's length when it was made
        for path in sorted(folder.rglob("*")):
            name = str(path.relative_to(folder))
            if path.is_dir():
                self._durable[name] = None
            else:
                file = _File(bytearray(path.read_bytes()))
                self._durable[name] = self._files[path.stat().st_ino] = file

    def play(self, record: Record) -> None:
        """Apply the journal's next step."""
        match record.kind:
            case Kind.WRITTEN:
                self._files[record.file].changes.append((record.at, record.payload))
            case Kind.CUT_TO:
                self._files[record.file].changes.append((record.at, None))
            case Kind.SYNCED:
                self._files[record.file].sync()
            case Kind.FOLDER_SYNCED:
                synced = [each for each in self._pending if _folder(each) == record.name]
                self._pending = [each for each in self._pending if each not in synced]
                for each in synced:
                    self._name(self._durable, each)
            case Kind.MADE:
                self._made[record.end] = self._files[record.file] = _File(bytearray())
                self._pending.append(record)
            case _:
                self._pending.append(record)

    def _name(self, names: _Names, record: Record) -> None:
        match record.kind:
            case Kind.MADE:
                names[record.name] = self._made[record.end]
            case Kind.FOLDER_MADE:
                names[record.name] = None
            case Kind.REMOVED:
                names.pop(record.name, None)
            case Kind.RENAMED:
                before, after = record.name.split("\n")
                if before in names:
                    names[after] = names.pop(before)

    def now(self) -> dict[str, bytes | None]:
        """Return every file as the process sees it, by relative path."""
        names = dict(self._durable)
        for record in self._pending:
            self._name(names, record)
        return {name: file.now() for name, file in names.items() if file is not None}

    def after(self, chance: Random) -> dict[str, bytes | None]:
        """Return the files that a power loss now may leave, by relative path; None is a folder."""
        names = dict(self._durable)
        for record in self._pending[: chance.randint(0, len(self._pending))]:
            self._name(names, record)
        sector, share_kept = chance.choice(SECTORS), chance.choice(KEPT)
        reachable = {name for name in names if all(str(up) in names for up in _above(name))}
        return {
            name: None if file is None else file.after(chance, sector, share_kept)
            for name, file in sorted(names.items())
            if name in reachable
        }


def _folder(record: Record) -> str:
    """Return the folder that must be synced to keep a name ("" for the top folder).

    A file is only renamed within its folder.
    """
    parent = str(Path(record.name.split("\n")[0]).parent)
    return "" if parent == "." else parent


def _above(name: str) -> list[Path]:
    return [up for up in Path(name).parents if str(up) != "."]
