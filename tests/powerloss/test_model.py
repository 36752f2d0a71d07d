"""The model of the disk loses what was not synced, keeps what was synced, and sees every change."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from tests.powerloss.model import Disk, Kind, Record, read_journal
from tests.powerloss.run import read_files
from tests.powerloss.shim import Shim, needs_compiler

SEEDS = 300


def disk(folder: Path, *records: tuple[Kind, int, int, bytes]) -> Disk:
    drive = Disk(folder)
    for number, record in enumerate(records, 1):
        drive.play(Record(*record, number))
    return drive


def losses(drive: Disk) -> list[dict[str, bytes | None]]:
    """Return the files that each of `SEEDS` random power losses leaves."""
    return [drive.after(Random(seed)) for seed in range(SEEDS)]


def test_what_was_synced_with_its_name_is_always_there(tmp_path: Path) -> None:
    drive = disk(
        tmp_path,
        (Kind.MADE, 1, 0, b"file"),
        (Kind.WRITTEN, 1, 0, b"kept"),
        (Kind.SYNCED, 1, 0, b""),
        (Kind.FOLDER_SYNCED, 9, 0, b""),
    )
    assert all(files == {"file": b"kept"} for files in losses(drive))


def test_a_name_that_was_not_synced_may_be_missing(tmp_path: Path) -> None:
    drive = disk(
        tmp_path,
        (Kind.MADE, 1, 0, b"file"),
        (Kind.WRITTEN, 1, 0, b"kept"),
        (Kind.SYNCED, 1, 0, b""),
    )
    assert {files.get("file") for files in losses(drive)} == {None, b"kept"}
    assert drive.now() == {"file": b"kept"}


def test_a_write_may_be_there_not_be_there_or_be_torn(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"-" * 8192)
    number = (tmp_path / "file").stat().st_ino
    drive = disk(tmp_path, (Kind.WRITTEN, number, 0, b"+" * 8192))
    contents = [files["file"] or b"" for files in losses(drive)]
    assert b"-" * 8192 in contents
    assert b"+" * 8192 in contents
    torn = [content for content in contents if len(set(content)) == 2]
    assert torn
    sectors = [content[begin : begin + 512] for content in torn for begin in range(0, 8192, 512)]
    assert all(len(set(sector)) == 1 for sector in sectors)


def test_files_are_renamed_whole_and_in_order(tmp_path: Path) -> None:
    (tmp_path / "old").write_bytes(b"old")
    drive = disk(
        tmp_path,
        (Kind.MADE, 77, 0, b"new"),
        (Kind.WRITTEN, 77, 0, b"new"),
        (Kind.SYNCED, 77, 0, b""),
        (Kind.RENAMED, 0, 0, b"new\nold"),
    )
    kinds = {tuple(sorted(files.items())) for files in losses(drive)}
    assert kinds == {
        (("old", b"old"),),
        (("new", b"new"), ("old", b"old")),
        (("old", b"new"),),
    }


def test_what_lies_in_a_folder_whose_name_is_lost_is_lost(tmp_path: Path) -> None:
    drive = disk(
        tmp_path,
        (Kind.FOLDER_MADE, 0, 0, b"data"),
        (Kind.MADE, 1, 0, b"data/file"),
        (Kind.FOLDER_SYNCED, 9, 0, b"data"),
    )
    assert {tuple(files) for files in losses(drive)} == {(), ("data", "data/file")}
    drive.play(Record(Kind.FOLDER_SYNCED, 8, 0, b"", 4))
    assert {tuple(files) for files in losses(drive)} == {("data", "data/file")}


def test_a_torn_end_of_the_journal_is_left_out(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    head = (0x6B736964).to_bytes(4, "little") + (2).to_bytes(4, "little")
    head += b"".join(number.to_bytes(8, "little") for number in (5, 0, 4))
    journal.write_bytes(head + b"four" + head + b"thr")
    assert read_journal(journal) == [Record(Kind.WRITTEN, 5, 0, b"four", len(head) + 4)]


PROGRAM = """
import os, sqlite3
os.mkdir("data")
with open("data/text", "w") as file:
    file.write("whole"); file.flush(); file.seek(0); file.write("W"); file.truncate(3)
with open("data/text", "a") as file:
    file.write("+")
file = os.open("data/parts", os.O_RDWR | os.O_CREAT)
os.writev(file, [b"one ", b"two"]); os.pwrite(file, b"O", 0); os.ftruncate(file, 6); os.fsync(file)
os.close(file)
os.replace("data/parts", "data/renamed")
open("data/gone", "w").close(); os.unlink("data/gone")
base = sqlite3.connect("data/base")
base.executescript("pragma journal_mode=wal; create table t (x)")
for number in range(300):
    base.execute("insert into t values (zeroblob(?))", (number * 20,)); base.commit()
base.execute("pragma wal_checkpoint(truncate)")
base.execute("delete from t"); base.commit()
print("here", flush=True)
import signal; os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.thorough
@needs_compiler
def test_the_journal_tells_of_every_change_that_a_process_and_its_sqlite_make(
    tmp_path: Path,
) -> None:
    shim = Shim(tmp_path / "disk", tmp_path / "aside")
    empty = Disk(shim.folder)
    process = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=shim.folder,
        env={**os.environ, **shim.environment(records=True)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.stdout == "here\n", process.stderr
    for record in read_journal(shim.journal):
        empty.play(record)
    played, stored = empty.now(), read_files(shim.folder)
    played.pop("data/base-shm")
    stored.pop("data/base-shm")
    assert played == stored
    assert played["data/text"] == b"Who+"
    assert played["data/renamed"] == b"One tw"
    assert len(played["data/base-wal"] or b"") > 10_000


@needs_compiler
@pytest.mark.parametrize(("cut", "durable"), [("2 before", False), ("2 after", True)])
def test_a_cut_comes_at_its_sync(tmp_path: Path, cut: str, durable: bool) -> None:
    shim = Shim(tmp_path / "disk", tmp_path / "aside")
    (shim.folder / "file").write_bytes(b"")
    drive = Disk(shim.folder)
    program = (
        "import os; f = os.open('file', os.O_RDWR)\n"
        "for n in range(9): os.write(f, b'%d' % n); os.fsync(f)"
    )
    process = subprocess.run(
        [sys.executable, "-c", program],
        cwd=shim.folder,
        env={**os.environ, **shim.environment(records=True, cut=cut)},
        check=False,
    )
    assert process.returncode == -9
    for record in read_journal(shim.journal):
        drive.play(record)
    assert drive.now() == {"file": b"01"}
    contents = {files["file"] for files in losses(drive)}
    assert contents == ({b"01"} if durable else {b"0", b"01"})


@needs_compiler
@pytest.mark.parametrize(
    ("order", "error"),
    [
        ("full", "No space left"),
        ("broken", "Input/output error"),
        ("unsynced", "Input/output error"),
        ("readonly", "Read-only file system"),
    ],
)
def test_an_order_is_obeyed_while_it_stands(tmp_path: Path, order: str, error: str) -> None:
    shim = Shim(tmp_path / "disk", tmp_path / "aside")
    program = (
        "import os, pathlib\n"
        "def grow():\n"
        "    f = os.open('file', os.O_RDWR | os.O_CREAT)\n"
        "    os.lseek(f, 0, os.SEEK_END); os.write(f, b'more'); os.fsync(f); os.close(f)\n"
        "grow()\n"
        f"pathlib.Path({str(shim.orders)!r}).write_text({order!r})\n"
        "try: grow()\n"
        "except OSError as error: print(error.strerror)\n"
        f"pathlib.Path({str(shim.orders)!r}).write_text('')\n"
        "grow(); print('well')"
    )
    process = subprocess.run(
        [sys.executable, "-c", program],
        cwd=shim.folder,
        env={**os.environ, **shim.environment(records=False)},
        capture_output=True,
        text=True,
        check=False,
    )
    first, last = process.stdout.splitlines()
    assert error in first
    assert last == "well"
