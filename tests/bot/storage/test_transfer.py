"""Moving a database from SQLite to PostgreSQL and back: nothing is lost, and ids continue."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.settings.shards import Shards
from bot.storage import DatabaseInUse, NotReached, StorageError
from bot.storage.files import LockFile
from bot.storage.store import SqlStore
from bot.storage.transfer import move
from tests.bot.stats.seasons import keep, simulate_matches
from tests.bot.storage.asking import transaction
from tests.bot.storage.conftest import wipe
from tests.bot.storage.moves import playing
from tests.fixtures.house import kept_folders

pytestmark = pytest.mark.postgres
KEPT = kept_folders()[-1]


def file_of(folder: Path, name: str = "old.db") -> Path:
    """Make a database file from the stored SQL of the newest schema; return its path."""
    file = folder / name
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript((KEPT / "house.sql").read_text())
    return file


def dump(file: Path) -> list[str]:
    """Return every row of a database file as an INSERT statement, sorted."""
    with closing(sqlite3.connect(file)) as connection:
        return sorted(line for line in connection.iterdump() if line.startswith("INSERT"))


@pytest.mark.thorough
async def test_there_and_back_again_is_the_same_file(tmp_path: Path, postgres: str) -> None:
    await wipe(postgres)
    old = f"sqlite:///{file_of(tmp_path)}"
    store = await SqlStore.open(old)
    for match in simulate_matches("to be moved", 5):
        await keep(store, match)
    await store.close()
    with closing(sqlite3.connect(tmp_path / "old.db")) as file, file:
        file.execute("UPDATE sqlite_sequence SET seq = 1000 WHERE name = 'matches'")
        file.execute("UPDATE tables SET options = ' {\"odd\":  1} ' WHERE id = 2")
    before = dump(tmp_path / "old.db")
    moved = await move(old, postgres)
    assert (moved.matches, moved.unreadable) == (6, ())
    assert moved.actions > 100
    assert dump(tmp_path / "old.db") == before
    back = await move(postgres, f"sqlite:///{tmp_path / 'new.db'}")
    assert back == moved
    assert dump(tmp_path / "new.db") == before
    store = await SqlStore.open(postgres)
    try:
        assert (await playing(store, channel_id=99)).match_id == 1001  # never given out twice
    finally:
        await store.close()


@pytest.mark.thorough
async def test_an_unreadable_log_is_named_and_moved_all_the_same(
    tmp_path: Path, postgres: str
) -> None:
    await wipe(postgres)
    file = file_of(tmp_path)
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE actions SET body = 'none' WHERE match_id = 1 AND seq = 2")
    assert (await move(f"sqlite:///{file}", postgres)).unreadable == (1,)
    await move(postgres, f"sqlite:///{tmp_path / 'new.db'}")
    assert dump(tmp_path / "new.db") == dump(file)


async def test_a_database_that_cannot_be_moved_is_left_alone_with_a_sentence(
    tmp_path: Path, postgres: str
) -> None:
    await wipe(postgres)
    old = f"sqlite:///{file_of(tmp_path)}"
    with pytest.raises(StorageError, match="the same database"):
        await move(old, old)
    with pytest.raises(NotReached, match="there is no database"):
        await move(f"sqlite:///{tmp_path / 'none.db'}", postgres)
    held = LockFile(tmp_path / "old.db")
    held.take()
    with pytest.raises(DatabaseInUse):
        await move(old, postgres)
    held.release()
    store = await SqlStore.open(postgres)
    await store.processes.take(Shards(2, (1,)))
    with pytest.raises(StorageError, match=r"bluffhouse .* serves on the PostgreSQL database"):
        await move(old, postgres)
    await store.close()
    await _until_session_ends(postgres)
    await move(old, postgres)
    with pytest.raises(StorageError, match="isn't empty"):
        await move(old, postgres)


async def _until_session_ends(address: str) -> None:
    """Wait until the server holds no advisory lock: then the closed store's session is over."""
    store = await SqlStore.open(address)
    locks = text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'")
    while True:
        async with transaction(store.database) as connection:
            if not (await connection.execute(locks)).scalar_one():
                break
        await asyncio.sleep(0.01)
    await store.close()
