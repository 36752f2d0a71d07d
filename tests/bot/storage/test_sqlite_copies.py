"""Copies of an SQLite file that is in use, and files that cannot be opened."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.storage import NotReached, StorageError
from bot.storage.addresses import database_url
from bot.storage.backup import copy_database
from bot.storage.database import Database
from bot.storage.store import SqlStore
from tests.bot.storage.moves import move, playing


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "bluffhouse.db"


def address(file: Path) -> str:
    return f"sqlite:///{file}"


async def test_a_copy_made_while_the_bot_writes_opens_as_a_database(
    file: Path, tmp_path: Path
) -> None:
    store = await SqlStore.open(address(file))
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
    restored = await SqlStore.open(address(copy))
    found = await restored.tables.snapshot(table.id)
    await restored.close()
    assert found is not None
    assert found.match is not None
    assert final is not None
    assert final.match is not None
    length = len(found.match.actions)
    assert found.match.actions == final.match.actions[:length]
    assert found.table.version == length + 1


async def test_a_copy_replaces_an_older_copy_but_nothing_else(file: Path, tmp_path: Path) -> None:
    await (await SqlStore.open(address(file))).close()
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
    with pytest.raises(StorageError, match="could not be copied"):
        copy_database(broken, tmp_path / "copy.db")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["broken.db"]


async def test_a_file_that_cannot_be_opened_is_one_sentence(file: Path) -> None:
    file.mkdir()
    with pytest.raises(NotReached, match=r"bluffhouse\.db cannot be used: Is a directory"):
        await SqlStore.open(address(file))


async def test_looking_does_not_make_a_file(file: Path) -> None:
    with pytest.raises(NotReached, match="unable to open"):
        Database(database_url(address(file))).try_file(make=False)
    assert not file.exists()
