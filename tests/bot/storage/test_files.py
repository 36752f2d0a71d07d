"""The database's files: only their owner can read them, and a file that vanishes is noticed."""

from __future__ import annotations

import os
import sqlite3
import stat
import sys
from contextlib import closing
from pathlib import Path

import pytest

from bot.settings.config import Settings
from bot.storage import DatabaseInUse, DatabaseLost, StorageError
from bot.storage.backup import copy_database
from bot.storage.doctor import examine
from bot.storage.files import HEADER, LockFile
from bot.storage.store import SqlStore
from bot.tables.errors import StoreUnavailable
from tests.bot.storage.moves import CHANNEL, lobby, move, playing

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="other rights, other links")


@pytest.fixture(autouse=True)
def anybody_reads() -> object:
    """Create files with the usual permissions, readable by everybody."""
    before = os.umask(0o022)
    yield
    os.umask(before)


def rights(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


async def test_created_files_are_readable_by_their_owner_only(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "data" / "house.db"
    store = await SqlStore.open(f"sqlite:///{file}")
    await playing(store)
    copy = tmp_path / "copies" / "today.db"
    copy_database(file, copy)
    modes = {path.name: rights(path) for path in [*file.parent.iterdir(), copy]}
    await store.close()
    assert {"house.db", "house.db-wal", "house.db-shm", "house.db.lock", "today.db"} == set(modes)
    assert set(modes.values()) == {0o600}
    assert [rights(path) for path in (file.parent, file.parent.parent, copy.parent)] == [0o700] * 3


async def test_files_readable_by_others_are_closed_and_a_folder_is_only_reported(
    tmp_path: Path,
) -> None:
    file = tmp_path / "house.db"
    tmp_path.chmod(0o755)
    await (await SqlStore.open(f"sqlite:///{file}")).close()
    for path in tmp_path.iterdir():
        path.chmod(0o644)
    settings = Settings.model_validate({"database": {"path": file}})
    finding = (await examine(settings, None))[-1]
    assert not finding.well
    assert f"chmod 600 {file}" in finding.text
    store = await SqlStore.open(f"sqlite:///{file}")
    assert {rights(path) for path in tmp_path.iterdir()} == {0o600}
    assert rights(tmp_path) == 0o755
    finding = (await examine(settings, None))[-1]
    assert finding.well
    assert f"chmod 700 {tmp_path}" in finding.text
    await store.close()


async def test_another_name_of_the_file_is_the_same_database(tmp_path: Path) -> None:
    file, link = tmp_path / "house.db", tmp_path / "elsewhere" / "link.db"
    store = await SqlStore.open(f"sqlite:///{file}")
    link.parent.mkdir()
    link.symlink_to(file)
    with pytest.raises(DatabaseInUse):
        await SqlStore.open(f"sqlite:///{link}")
    await store.close()


@pytest.mark.parametrize("fate", ["deleted", "replaced"])
async def test_a_file_that_is_deleted_or_replaced_takes_no_move_and_is_noticed(
    tmp_path: Path, fate: str
) -> None:
    file = tmp_path / "house.db"
    store = await SqlStore.open(f"sqlite:///{file}")
    table = await playing(store)
    copy_database(file, tmp_path / "copy.db")
    if fate == "deleted":
        file.unlink()
    else:
        (tmp_path / "copy.db").rename(file)
    with pytest.raises(StoreUnavailable, match="deleted or replaced"):
        await store.tables.commit(move(table, 2))
    with pytest.raises(StoreUnavailable, match="deleted or replaced"):
        await store.tables.open(lobby(channel_id=CHANNEL + 1), None)
    with pytest.raises(DatabaseLost, match=r"house\.db was deleted or replaced"):
        await store.watch(every=0.001)
    await store.close()


@pytest.mark.parametrize("kind", ["folder", "pipe", "link to a pipe", "letter", "lock"])
async def test_permissions_change_only_for_databases_and_our_own_files(
    kind: str, tmp_path: Path
) -> None:
    file = tmp_path / "house.db"
    pipe = tmp_path / "other"
    if kind == "folder":
        file.mkdir(mode=0o755)
    elif kind == "pipe":
        os.mkfifo(file, 0o644)
    elif kind == "link to a pipe":
        os.mkfifo(pipe, 0o644)
        file.symlink_to(pipe)
    elif kind == "letter":
        file.write_text("Dear Bob")
    else:
        (tmp_path / "house.db.lock").write_text("of another program")

    def contents() -> list[tuple[str, int, bytes]]:
        return [
            (path.name, rights(path), path.read_bytes() if path.is_file() else b"")
            for path in sorted(tmp_path.iterdir())
        ]

    before = contents()
    with pytest.raises(StorageError, match=r"expected a file|nothing was changed|left as it is"):
        await SqlStore.open(f"sqlite:///{file}")
    with pytest.raises(StorageError):
        LockFile(file).take()
    if kind != "lock":
        with pytest.raises(StorageError):
            copy_database(file, tmp_path / "copy.db")
        findings = await examine(Settings.model_validate({"database": {"path": file}}), None)
        (bad,) = [finding for finding in findings if not finding.well]
        assert bad.subject == "database"
        assert "chmod" not in bad.text
    assert contents() == before


async def test_an_empty_file_that_was_put_there_becomes_the_database(tmp_path: Path) -> None:
    file = tmp_path / "house.db"
    file.touch()
    store = await SqlStore.open(f"sqlite:///{file}")
    await playing(store)
    await store.close()
    assert rights(file) == 0o600


async def test_a_file_that_a_power_loss_has_torn_is_mended_from_its_journal(tmp_path: Path) -> None:
    file, journal = tmp_path / "house.db", tmp_path / "house.db-journal"
    with closing(sqlite3.connect(file, isolation_level=None)) as writer:
        writer.execute("PRAGMA synchronous=OFF")
        writer.execute("PRAGMA cache_size=1")
        writer.execute("BEGIN")
        writer.execute("CREATE TABLE songs (text)")
        writer.executemany("INSERT INTO songs VALUES (?)", [("la" * 4000,)] * 20)
        journal_bytes = journal.read_bytes()
        writer.execute("ROLLBACK")
    file.write_bytes(bytes(8192))
    journal.write_bytes(journal_bytes)
    await (await SqlStore.open(f"sqlite:///{file}")).close()
    assert file.read_bytes().startswith(HEADER)


async def test_another_programs_database_stays_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "house.db"
    with closing(sqlite3.connect(file)) as program, program:
        program.execute("CREATE TABLE songs (id INTEGER)")
    with pytest.raises(StorageError, match=r"holds other tables .*songs"):
        await SqlStore.open(f"sqlite:///{file}")
    findings = await examine(Settings.model_validate({"database": {"path": file}}), None)
    assert "holds other tables" in next(finding for finding in findings if not finding.well).text
    with closing(sqlite3.connect(file)) as program:
        assert program.execute("SELECT name FROM sqlite_master").fetchall() == [("songs",)]
