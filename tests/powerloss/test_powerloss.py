"""Power is lost while people play, and while a database is made, migrated and copied."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from bot.storage.migrate import known_revisions
from bot.storage.store import SqlStore
from tests.bot.processes import command
from tests.fixtures.house import FOLDER
from tests.powerloss.ledger import put, read
from tests.powerloss.model import Disk, read_journal
from tests.powerloss.run import Cut, run
from tests.powerloss.shim import Shim, needs_compiler

pytestmark = [pytest.mark.process, pytest.mark.long, needs_compiler]
Files = dict[str, bytes | None]
OLD = "schema_0002"
STEPS = 25  # steps of a command at which the power is lost


CUTS = (
    Cut(syncs=4, early=True),  # while the database is made
    Cut(syncs=30),
    Cut(moves=6),
    Cut(syncs=12, after=True),
)


async def test_nothing_that_was_answered_is_lost_with_the_power(tmp_path: Path) -> None:
    verdict = await run(tmp_path, [*CUTS], Random(11), tables=3, explored=25)
    assert verdict.ledger.violations == []
    assert verdict.unwatched == 0  # the journal has every write
    assert (
        len(verdict.ledger.acknowledged) >= 6
    )  # the third life's; the number in the others is random
    assert verdict.ledger.examined > 2 * 25


async def test_a_database_that_does_not_sync_is_found_to_lose_what_was_answered(
    tmp_path: Path,
) -> None:
    careless = ("tests.powerloss.careless", "run")
    for seed in range(5):  # what a disk keeps is random; usually the first seed is enough
        chance, folder = Random(seed), tmp_path / str(seed)
        folder.mkdir()
        verdict = await run(folder, [Cut(moves=6)], chance, explored=20, module=careless)
        if any("lost: an answered" in violation for violation in verdict.ledger.violations):
            return
    pytest.fail("no answered move was lost")


class DiskFolder:
    """A folder on the disk that loses power, for commands that run to their end."""

    def __init__(self, folder: Path) -> None:
        self.shim = Shim(folder / "disk", folder / "aside")
        self.database = self.shim.folder / "data" / "house.db"
        self.folder = folder

    def run(self, *arguments: str) -> Iterator[tuple[str, Files]]:
        """Run a command; yield steps, each as (its name, the files after a power loss there).

        The steps are random. Then yield ten losses after the last step. Fails if the command fails.
        """
        self.shim.journal.unlink(missing_ok=True)
        disk, chance = Disk(self.shim.folder), Random(3)
        path = {"BLUFFHOUSE_DATABASE__PATH": str(self.database)}
        shim = self.shim.environment(records=True)
        process = command(self.folder, *arguments, **path, **shim)
        assert process.returncode == 0, process.stderr
        journal = read_journal(self.shim.journal)
        assert len(journal) > 20
        steps = {chance.randint(1, len(journal)) for _ in range(STEPS)}
        for number, record in enumerate(journal, 1):
            disk.play(record)
            if number in steps:
                yield f"step {number} of {len(journal)}", disk.after(chance)
        for _ in range(10):
            yield "the end", disk.after(chance)

    def keep_old(self) -> None:
        """Put a database of an earlier schema, in the middle of a match, into the folder."""
        self.database.parent.mkdir(parents=True)
        with closing(sqlite3.connect(self.database)) as file:
            file.executescript((FOLDER / OLD / "house.sql").read_text())
            file.execute("pragma journal_mode=wal")


def query_rows(files: Files, name: str, query: str) -> list[tuple]:
    """Return the rows of a query on the database `name` as a power loss left it."""
    with tempfile.TemporaryDirectory() as temporary:
        put(files, Path(temporary) / "disk")
        with closing(sqlite3.connect(Path(temporary) / "disk" / name)) as connection:
            return connection.execute(query).fetchall()


REVISION = "select version_num from alembic_version"


def test_a_database_that_is_being_made_is_made_anew_or_whole(tmp_path: Path) -> None:
    folder, name, kinds = DiskFolder(tmp_path), "data/house.db", set()
    for when, files in folder.run("store", "migrate"):
        assert read(files, name).damage is None, when
        tables = query_rows(files, name, "select name from sqlite_master") if name in files else []
        if tables:
            assert query_rows(files, name, REVISION) == [(known_revisions()[-1],)], when
        assert tables or when != "the end", "it was said to be made"
        kind = (name in files, bool(tables))
        if kind not in kinds:  # the bot must start on whatever is left
            kinds.add(kind)
            start_on(files, tmp_path / "again")
    assert len(kinds) > 1


def test_a_migration_that_is_cut_is_done_or_not_and_its_copy_is_whole(tmp_path: Path) -> None:
    folder, name = DiskFolder(tmp_path), "data/house.db"
    folder.keep_old()
    newest = known_revisions()[-1]
    copy = f"{name}.before-{newest}"
    before = read({name: folder.database.read_bytes()}, name)
    assert before.rows
    kinds = set()
    for when, files in folder.run("store", "migrate"):
        contents = read(files, name)
        assert contents.damage is None, (when, contents.damage)
        assert contents.rows == before.rows, when
        ((revision,),) = query_rows(files, name, REVISION)
        assert revision in (OLD.removeprefix("schema_"), newest), when
        if copy in files:
            copied_contents = read({copy: files[copy]}, copy)
            assert (copied_contents.damage, copied_contents.rows) == (None, before.rows), when
        else:
            assert revision != newest, f"{when}: migrated, and no copy of how it was"
        if (revision, copy in files) not in kinds:
            kinds.add((revision, copy in files))
            start_on(files, tmp_path / "again")
    assert len(kinds) > 1


def test_a_copy_is_whole_or_not_there_and_once_told_of_it_is_there(tmp_path: Path) -> None:
    folder, name = DiskFolder(tmp_path), "data/house.db"
    folder.keep_old()
    list(folder.run("store", "migrate"))
    before = read({name: folder.database.read_bytes()}, name)
    copied = set()
    copies = folder.shim.folder / "copies"
    for when, files in folder.run("store", "backup", str(copies / "copy.db")):
        contents = read(files, name)
        assert (contents.damage, contents.rows) == (None, before.rows), when
        copy = files.get("copies/copy.db")
        copied.add(copy is not None)
        if copy is not None:
            copied_contents = read({"copy": copy}, "copy")
            assert (copied_contents.damage, copied_contents.rows) == (None, before.rows), when
        assert copy is not None or when != "the end", "it was said to be there"
    assert copied == {False, True}


def start_on(files: Files, folder: Path) -> None:
    """Write `files` to `folder`; check that today's code opens and migrates the database there."""
    shutil.rmtree(folder, ignore_errors=True)
    put(files, folder)
    file = folder / "data" / "house.db"

    async def open_it() -> str:
        store = await SqlStore.open(f"sqlite:///{file}")
        await store.close()
        return store.migrated.after

    assert asyncio.run(open_it()) == known_revisions()[-1]
