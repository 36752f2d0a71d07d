"""Every opened SQLite connection is closed, however its work ends.

Python warns of an unclosed connection since 3.13; counting finds them in every version.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bot.settings.config import Settings
from bot.storage import DatabaseDamaged, SchemaTooNew
from bot.storage.backup import copy_database
from bot.storage.doctor import examine
from bot.storage.store import SqlStore
from bot.tables.errors import StoreUnavailable
from bot.tables.model import Player
from tests.bot.storage.asking import transaction
from tests.bot.storage.moves import ANN, CHANNEL, move, playing
from tests.bot.storage.persons import store_person

Count = Callable[[], int]


@pytest.fixture
def open_now(monkeypatch: pytest.MonkeyPatch) -> Count:
    """Return a function that counts this test's connections that nobody has closed."""
    forgotten: set[int] = set()
    opened = 0

    class Counted(sqlite3.Connection):
        number = 0

        def close(self) -> None:
            super().close()
            forgotten.discard(self.number)

    def connect(*args: Any, **options: Any) -> sqlite3.Connection:
        nonlocal opened
        connection = real(*args, factory=Counted, **options)
        opened += 1
        connection.number = opened
        forgotten.add(opened)
        return connection

    real = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", connect)

    def count() -> int:
        assert opened, "nothing was opened: there is nothing to count"
        return len(forgotten)

    return count


@pytest.fixture
def address(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'bluffhouse.db'}"


async def test_a_store_that_is_closed_leaves_nothing_open(address: str, open_now: Count) -> None:
    store = await SqlStore.open(address)
    await playing(store)
    await asyncio.gather(*(store.tables.in_channel(CHANNEL) for _ in range(20)))
    assert open_now() > 1
    await store.close()
    assert open_now() == 0


@pytest.mark.thorough
@pytest.mark.parametrize("steps", [0, 1, 3, 8, 21, 55])
async def test_a_start_that_is_cancelled_leaves_nothing_open(
    address: str, open_now: Count, steps: int
) -> None:
    await (await SqlStore.open(address)).close()
    opening = asyncio.create_task(SqlStore.open(address))
    for _ in range(steps):
        await asyncio.sleep(0)
    opening.cancel()
    with pytest.raises(asyncio.CancelledError):
        await opening
    assert open_now() == 0
    await (await SqlStore.open(address)).close()  # the lock was let go


async def test_a_start_that_fails_leaves_nothing_open(
    tmp_path: Path, address: str, open_now: Count
) -> None:
    store = await SqlStore.open(address)
    async with transaction(store.database) as connection:
        await connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    await store.close()
    with pytest.raises(SchemaTooNew):
        await SqlStore.open(address)
    assert open_now() == 0
    (tmp_path / "bluffhouse.db").write_bytes(b"no database at all" * 100)
    with pytest.raises(DatabaseDamaged):
        await SqlStore.open(address)
    assert open_now() == 0


async def test_moves_that_are_cancelled_leave_nothing_open(address: str, open_now: Count) -> None:
    store = await SqlStore.open(address)
    table = await playing(store)
    for steps in range(40):  # ever further into the transaction, or into making its connection
        task = asyncio.create_task(store.tables.commit(move(table, 2, 100 + steps)))
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    await store.close()
    assert open_now() == 0


@pytest.mark.parametrize("steps", [1, 3, 8, 21])
async def test_closing_waits_for_running_reads_and_writes(
    address: str, open_now: Count, steps: int
) -> None:
    store = await SqlStore.open(address)
    table = await playing(store)
    work = [store.tables.in_channel(CHANNEL), store_person(store, Player(ANN, "Ann"))]
    under_way = [asyncio.create_task(coroutine) for coroutine in work]
    for _ in range(steps):
        await asyncio.sleep(0)
    await store.close()
    assert open_now() == 0
    assert await asyncio.gather(*under_way) == [table, None]


async def test_a_late_request_does_not_reopen_a_closed_store(address: str, open_now: Count) -> None:
    store = await SqlStore.open(address)
    await store.close()
    for late in (store.tables.in_channel(CHANNEL), store_person(store, Player(ANN))):
        with pytest.raises(StoreUnavailable, match="closed"):
            await late
    assert open_now() == 0


async def test_the_doctor_and_a_backup_leave_nothing_open(
    tmp_path: Path, address: str, open_now: Count
) -> None:
    await (await SqlStore.open(address)).close()
    settings = Settings.model_validate({"database": {"url": address}})
    assert (await examine(settings, None))[-1].well
    copy_database(tmp_path / "bluffhouse.db", tmp_path / "copy.db")
    assert open_now() == 0
