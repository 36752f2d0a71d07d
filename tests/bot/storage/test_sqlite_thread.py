"""What SQLite is asked on the loop, and what in the thread: nobody waits for another's lock."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import make_url

from bot.storage.database import Database
from bot.storage.sqlite import Connection
from bot.storage.store import SqlStore
from bot.tables.records import Player
from tests.bot.storage.moves import ANN, CHANNEL, move, playing
from tests.bot.storage.persons import noted


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "bluffhouse.db"


def address(file: Path) -> str:
    return f"sqlite:///{file}"


@pytest.mark.parametrize("quick", [True, False])
async def test_a_move_or_a_look_is_no_way_to_the_thread_where_the_disk_is_quick(
    file: Path, monkeypatch: pytest.MonkeyPatch, quick: bool
) -> None:
    store = await SqlStore.open(address(file))
    table = await playing(store)
    assert await store.table_in(CHANNEL) == table  # both connections are made
    ways: list[str] = []
    there = Connection._execute

    async def counted(self: Connection, work: Any, *given: Any) -> Any:
        ways.append("rollback" if "rollback" in repr(work) else "statements")
        return await there(self, work, *given)

    monkeypatch.setattr(Connection, "_execute", counted)
    monkeypatch.setattr(Connection, "is_quick", lambda *_: quick)
    a_write = [] if quick else ["statements"]
    table = await store.commit(move(table, 2))
    assert ways == a_write  # it ends with the commit
    ways.clear()
    await store.note_message(table.id, 77, 2)
    assert ways == a_write
    ways.clear()
    await store.table_in(CHANNEL)
    assert ways == ([] if quick else ["statements"])  # to end a look takes nothing
    ways.clear()
    await store.live_tables()  # which reads however many there are
    assert ways[0] == "statements"
    assert ways[-1] == "rollback"
    await store.close()


async def test_while_another_program_has_the_lock_nobody_else_waits(file: Path) -> None:
    store = await SqlStore.open(address(file))
    table = await playing(store)
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        moving = asyncio.create_task(store.commit(move(table, 2)))
        naming = asyncio.create_task(noted(store, Player(ANN, "Ann")))
        for _ in range(20):
            await asyncio.sleep(0)
            assert await store.table_in(CHANNEL) == table  # who only reads is answered
        assert not moving.done()
        assert not naming.done()
        other.execute("COMMIT")
    assert (await moving).version == table.version + 1
    await naming
    assert (await store.player(ANN)).name == "Ann"
    await store.close()


async def test_who_looks_at_a_file_that_is_locked_waits_in_the_thread(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await SqlStore.open(address(file))
    await playing(store)
    await store.close()
    database = Database(make_url(f"sqlite+aiosqlite:///{file}"), busy_ms=15_000)
    asked, there = asyncio.Event(), Connection._execute

    async def told(self: Connection, work: Any, *given: Any) -> Any:
        asked.set()
        return await there(self, work, *given)

    async def look() -> object:
        async with database.reading(brief=True) as connection:
            return (await connection.exec_driver_sql("SELECT count(*) FROM tables")).scalar_one()

    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("PRAGMA journal_mode=DELETE")  # or nobody could keep others from reading
        assert await look() == 1
        monkeypatch.setattr(Connection, "_execute", told)
        other.execute("BEGIN EXCLUSIVE")
        began, looking = time.monotonic(), asyncio.create_task(look())
        await asyncio.wait(
            {asyncio.create_task(asked.wait()), looking}, return_when="FIRST_COMPLETED"
        )
        assert not looking.done()
        assert time.monotonic() - began < 15  # the loop has not waited for the lock
        other.execute("COMMIT")
    assert await looking == 1
    await database.close()
