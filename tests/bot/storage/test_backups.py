"""Automatic backups: made when due, checked, rotated and restored, on PostgreSQL too."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import subprocess
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot.storage import NotReached, StorageError
from bot.storage.addresses import database_url
from bot.storage.backup import Backups, BackupSchedule, copy_any_database, copy_database
from bot.storage.database import Database
from bot.storage.store import SqlStore
from tests.bot.storage.conftest import SETUP, wipe
from tests.bot.storage.moves import move, playing
from tests.people import until

START = datetime(2026, 11, 22, 4, 5, 6, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture
def programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the programs of the newest PostgreSQL first on the path; without one, empty the path."""
    dump_programs = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_dump"))
    monkeypatch.setenv(
        "PATH", f"{dump_programs[-1].parent}:{os.environ['PATH']}" if dump_programs else ""
    )


async def listening(store: SqlStore) -> list[int]:
    return await store.servers.listeners(1)


async def test_copies_are_made_when_due_and_the_oldest_are_deleted(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'house.db'}"
    store = await SqlStore.open(address)
    folder = tmp_path / "copies"
    at = [START]
    copies: list[datetime] = []
    backups = Backups(address, BackupSchedule(folder, HOUR, 2), copies.append, lambda: at[0])
    try:
        for number in range(4):
            await store.servers.note_listener(1, number, listens=True)
            assert backups.due()
            await asyncio.to_thread(backups.make)
            assert not backups.due()
            at[0] += HOUR
        (folder / "mine.db").write_text("of somebody else")
        (folder / "bluffhouse-20261122T000000.db.partial").write_text("killed")
        newest = await asyncio.to_thread(backups.make)
    finally:
        await store.close()
    assert sorted(path.name for path in folder.iterdir()) == [
        "bluffhouse-20261122T070506.db",
        "bluffhouse-20261122T080506.db",
        "mine.db",
    ]
    assert copies == [START + number * HOUR for number in range(5)]
    with closing(sqlite3.connect(newest)) as copy:
        assert copy.execute("select count(*) from listeners").fetchone() == (4,)
    assert newest.stat().st_mode & 0o077 == 0


async def test_a_failed_backup_is_logged_and_retried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.storage.backup.LOOK_SECONDS", 0.01)
    address = f"sqlite:///{tmp_path / 'house.db'}"
    copies: list[datetime] = []
    ended: list[str] = []
    plan = BackupSchedule(tmp_path / "copies", HOUR, 2)
    backups = Backups(address, plan, copies.append, on_ended=ended.append)
    with capture_logs() as log:
        running = asyncio.create_task(backups.run())
        await until(lambda: any("not made" in line["event"] for line in log))
        await (await SqlStore.open(address)).close()
        await until(lambda: "made" in ended)
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running
    assert "there is no database" in log[0]["reason"]
    assert (ended[0], ended[-1], len(copies)) == ("failed", "made", 1)
    again: list[datetime] = []
    later = asyncio.create_task(
        Backups(address, BackupSchedule(tmp_path / "copies", HOUR, 2), again.append).run()
    )
    await until(lambda: again)
    later.cancel()
    assert again == [copies[0].replace(microsecond=0)]  # read off its name, not made anew


@pytest.mark.postgres
async def test_postgresql_is_copied_by_its_own_program_and_comes_back(
    postgres: str, tmp_path: Path, programs: None
) -> None:
    await wipe(postgres)
    store = await SqlStore.open(postgres)
    await store.servers.note_listener(1, 42, listens=True)
    target = tmp_path / "copies" / "house.dump"
    await asyncio.to_thread(copy_any_database, postgres, target)
    await asyncio.to_thread(copy_any_database, postgres, target)  # an older dump is replaced
    assert target.stat().st_mode & 0o077 == 0
    await store.servers.note_listener(1, 43, listens=True)
    await store.close()
    restore = shutil.which("pg_restore")
    assert restore is not None
    await asyncio.to_thread(
        subprocess.run,
        [restore, "--clean", "--if-exists", "--no-owner", f"--dbname={postgres}", str(target)],
        check=True,
        env=SETUP,
    )
    store = await SqlStore.open(postgres)
    try:
        assert await listening(store) == [42]
    finally:
        await store.close()
    (tmp_path / "letter").write_text("to a friend")
    for folder in (tmp_path / "letter", tmp_path):
        with pytest.raises(StorageError, match=r"no dump|is a directory"):
            copy_any_database(postgres, folder)
    assert list((tmp_path / "copies").iterdir()) == [target]


@pytest.mark.postgres
async def test_an_incomplete_copy_is_not_kept(
    postgres: str, tmp_path: Path, programs: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    await wipe(postgres)
    store = await SqlStore.open(postgres)
    await playing(store)
    await store.close()
    dump = shutil.which("pg_dump")
    (tmp_path / "bin").mkdir()
    cutting = tmp_path / "bin" / "pg_dump"  # its list of what is inside stands at the beginning
    cutting.write_text(
        f'#!/bin/sh\n{dump} "$@" || exit\n'
        'for one; do case $one in --file=*) truncate --size=-200 "${one#--file=}";; esac; done\n'
    )
    cutting.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    with pytest.raises(StorageError, match="pg_restore could not do it"):
        await asyncio.to_thread(copy_any_database, postgres, tmp_path / "copies" / "house.dump")
    assert list((tmp_path / "copies").iterdir()) == []


@pytest.mark.postgres
def test_pg_dumps_error_is_reported_without_the_password(tmp_path: Path, programs: None) -> None:
    nowhere = "postgresql://bluffhouse:sesame@127.0.0.1:9/bluffhouse"
    with pytest.raises(StorageError, match="pg_dump could not do it") as refused:
        copy_any_database(nowhere, tmp_path / "house.dump")
    assert "sesame" not in str(refused.value)
    assert list(tmp_path.iterdir()) == []


def test_without_the_program_the_host_is_told_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.storage.backup.shutil.which", lambda _: None)
    with pytest.raises(StorageError, match="pg_dump is not installed here"):
        copy_any_database("postgresql://bluffhouse@localhost/bluffhouse", tmp_path / "house.dump")


# -- of SQLite, and files that cannot be opened --------------------------------------------------


async def test_a_copy_made_while_the_bot_writes_opens_as_a_database(
    file: Path, tmp_path: Path
) -> None:
    store = await SqlStore.open(f"sqlite:///{file}")
    table = await playing(store)

    async def go_on() -> None:
        nonlocal table
        for seq in range(2, 80):
            table = await store.tables.commit(move(table, seq))

    copy = tmp_path / "copies" / "monday.db"
    await asyncio.gather(go_on(), asyncio.to_thread(copy_database, file, copy))
    final = await store.tables.snapshot(table.id)
    await store.close()
    assert [path.name for path in copy.parent.iterdir()] == ["monday.db"]
    restored = await SqlStore.open(f"sqlite:///{copy}")
    snapshot = await restored.tables.snapshot(table.id)
    await restored.close()
    assert snapshot is not None
    assert snapshot.match is not None
    assert final is not None
    assert final.match is not None
    length = len(snapshot.match.actions)
    assert snapshot.match.actions == final.match.actions[:length]
    assert snapshot.table.version == length + 1


async def test_a_copy_replaces_an_older_copy_but_nothing_else(file: Path, tmp_path: Path) -> None:
    await (await SqlStore.open(f"sqlite:///{file}")).close()
    copy = tmp_path / "copy.db"
    copy_database(file, copy)
    copy_database(file, copy)
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Bob")
    for target, reason in (
        (letter, "no database"),
        (file, "the database itself"),
        (tmp_path, "a directory"),
    ):
        with pytest.raises(StorageError, match=reason):
            copy_database(file, target)
    assert letter.read_text() == "Dear Bob"
    assert file.stat().st_size > 0


async def test_there_is_no_copy_of_nothing_or_of_a_broken_file(tmp_path: Path) -> None:
    with pytest.raises(NotReached, match="no database"):
        copy_database(tmp_path / "none.db", tmp_path / "copy.db")
    broken = tmp_path / "broken.db"
    broken.write_bytes(b"\x01" * 8192)
    with pytest.raises(StorageError, match="is no SQLite database, or is damaged"):
        copy_database(broken, tmp_path / "copy.db")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["broken.db"]


@pytest.mark.parametrize("content", ["nothing", "another program's"])
def test_a_database_without_our_tables_is_no_backup(content: str, tmp_path: Path) -> None:
    source = tmp_path / "source.db"
    with closing(sqlite3.connect(source)) as file, file:
        if content != "nothing":
            file.execute("CREATE TABLE songs (id INTEGER)")
    with pytest.raises(NotReached, match="holds no tables of Bluffhouse's"):
        copy_database(source, tmp_path / "copy.db")
    assert [path.name for path in tmp_path.iterdir()] == ["source.db"]


async def test_a_file_that_cannot_be_opened_is_one_sentence(file: Path) -> None:
    file.mkdir()
    with pytest.raises(NotReached, match=r"bluffhouse\.db is a folder; expected a file"):
        await SqlStore.open(f"sqlite:///{file}")


async def test_trying_a_missing_file_creates_none(file: Path) -> None:
    with pytest.raises(NotReached, match="unable to open"):
        Database(database_url(f"sqlite:///{file}")).try_file(make=False)
    assert not file.exists()
