"""Faults of an SQLite file: locks, full disks, damage, a killed process, copies."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Integer, literal_column, select
from sqlalchemy.dialects.sqlite.base import SQLiteCompiler

from bot.storage import DatabaseDamaged, DatabaseInUse, DatabaseLost, NotReached
from bot.storage import store as store_module
from bot.storage.sqlite import SqliteConnection
from bot.storage.store import SqlStore
from bot.tables.errors import StoreUnavailable
from bot.tables.model import Snapshot
from tests.bot.storage.asking import transaction
from tests.bot.storage.moves import CHANNEL, lobby, move, playing

OPEN_AND_WAIT = """
import asyncio, sys
from bot.storage.store import SqlStore

async def main():
    store = await SqlStore.open(sys.argv[1])
    print("open", flush=True)
    await asyncio.sleep(60)

asyncio.run(main())
"""
MOVE_UNTIL_KILLED = """
import asyncio, sys
from bot.storage.store import SqlStore
from tests.bot.storage.moves import move, playing

async def main():
    store = await SqlStore.open(sys.argv[1])
    table = await playing(store)
    while True:
        table = await store.tables.commit(move(table, table.version, 1000 + table.version))
        print(table.version, flush=True)

asyncio.run(main())
"""


def address(file: Path) -> str:
    return f"sqlite:///{file}"


async def pragma(store: SqlStore, name: str) -> object:
    ((setting,),) = await store.database.autocommit(f"PRAGMA {name}")
    return setting


async def test_the_writer_is_durable_and_checks_keys(file: Path) -> None:
    store = await SqlStore.open(address(file))
    settings = {
        name: await pragma(store, name)
        for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
    }
    await store.close()
    full = 2
    assert settings == {
        "journal_mode": "wal",
        "synchronous": full,
        "foreign_keys": 1,
        "busy_timeout": 5000,
    }


async def test_readers_cannot_write(store: SqlStore) -> None:
    with pytest.raises(StoreUnavailable, match="readonly"):
        await store.database.read(lambda c: c.exec_driver_sql("DELETE FROM tables"))


async def test_a_path_with_odd_characters_works_and_its_folder_is_made(tmp_path: Path) -> None:
    store = await SqlStore.open(address(tmp_path / "50% of # ö" / "er" / "a b.db"))
    table = await playing(store)
    assert await store.tables.in_channel(CHANNEL) == table
    await store.close()


@pytest.mark.process
def test_a_second_process_is_refused_with_the_first_ones_number(file: Path) -> None:
    first = subprocess.Popen(
        [sys.executable, "-c", OPEN_AND_WAIT, address(file)], stdout=subprocess.PIPE, text=True
    )
    with first:
        try:
            assert first.stdout is not None
            assert first.stdout.readline() == "open\n"
            with pytest.raises(DatabaseInUse, match=rf"in use .* \(process {first.pid}\)"):
                asyncio.run(SqlStore.open(address(file)))
        finally:
            first.kill()

    async def again() -> None:
        store = await SqlStore.open(address(file))
        await store.close()

    asyncio.run(again())  # the lock went with the process


@pytest.mark.process
def test_no_move_that_was_acknowledged_is_lost_when_the_process_is_killed(file: Path) -> None:
    for _ in range(2):
        file.unlink(missing_ok=True)
        with subprocess.Popen(
            [sys.executable, "-c", MOVE_UNTIL_KILLED, address(file)],
            stdout=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdout is not None
            acknowledged = int(process.stdout.readline())
            time.sleep(0.05)
            process.send_signal(signal.SIGKILL)
            for line in process.stdout:
                acknowledged = int(line) if line.endswith("\n") else acknowledged

        async def read() -> Snapshot | None:
            store = await SqlStore.open(address(file))
            snapshot = await store.tables.snapshot(1)
            await store.close()
            return snapshot

        snapshot = asyncio.run(read())
        assert snapshot is not None
        assert snapshot.match is not None
        # the last may have been stored and not yet said
        assert snapshot.table.version in (acknowledged, acknowledged + 1)
        assert len(snapshot.match.actions) == snapshot.table.version - 1


async def test_the_lock_is_let_go_when_opening_fails(file: Path) -> None:
    file.write_bytes(b"no database at all" * 100)
    for _ in range(2):
        with pytest.raises(DatabaseDamaged, match="nothing was changed"):
            await SqlStore.open(address(file))
    assert file.read_bytes() == b"no database at all" * 100


@pytest.mark.parametrize("large", [False, True])
async def test_a_damaged_page_is_found_at_the_start_or_while_people_play(
    file: Path, large: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await SqlStore.open(address(file))
    table = await playing(store)
    for seq in range(2, 60):
        table = await store.tables.commit(move(table, seq))
    await store.close()
    content = bytearray(file.read_bytes())
    with closing(sqlite3.connect(file)) as connection:
        root, size = connection.execute(
            "SELECT rootpage, (SELECT page_size FROM pragma_page_size) "
            "FROM sqlite_master WHERE name = 'actions'"
        ).fetchone()
    content[(root - 1) * size : root * size] = b"\xff" * size
    file.write_bytes(content)
    if not large:
        with pytest.raises(DatabaseDamaged, match="nothing was changed"):
            await SqlStore.open(address(file))
        return
    monkeypatch.setattr(store_module, "CHECKED_FIRST", 0)
    store = await SqlStore.open(address(file))
    with pytest.raises(DatabaseDamaged, match=r"damaged .*: restore a backup"):
        await store.watch()
    await store.close()


async def test_a_large_file_that_is_sound_is_watched_on(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "CHECKED_FIRST", 0)
    store = await SqlStore.open(address(file))
    watching = asyncio.create_task(store.watch(every=0.001))
    await playing(store)
    file.unlink()
    with pytest.raises(DatabaseLost):
        await watching
    await store.close()


async def test_a_directory_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(NotReached, match="must be writable"):
        await SqlStore.open(address(tmp_path / "taken" / "bluffhouse.db"))


async def test_a_move_on_a_full_disk_is_refused_and_not_stored(store: SqlStore) -> None:
    table = await playing(store)
    before = await store.tables.snapshot(table.id)
    pages = await pragma(store, "page_count")
    await store.database.autocommit(f"PRAGMA max_page_count={pages}")
    large = lobby(channel_id=7, options={"padding": "x" * 100_000})
    for _ in range(2):
        with pytest.raises(StoreUnavailable, match="full"):
            await store.tables.open(large, 5)
    assert await store.tables.snapshot(table.id) == before
    assert await store.tables.in_channel(7) is None
    await store.database.autocommit("PRAGMA max_page_count=100000")
    assert await store.tables.open(large, 5)  # there is room again, and nothing was used up


async def test_a_writing_transaction_holds_the_file_even_if_it_first_reads(
    store: SqlStore, file: Path
) -> None:
    with closing(sqlite3.connect(file, isolation_level=None, timeout=0)) as program:
        async with transaction(store.database) as connection:
            await connection.exec_driver_sql("SELECT count(*) FROM tables")
            with pytest.raises(sqlite3.OperationalError, match="locked"):
                program.execute("BEGIN IMMEDIATE")
        program.execute("BEGIN IMMEDIATE")


async def test_no_error_shows_the_values_to_be_stored(store: SqlStore) -> None:
    await pragma(store, f"max_page_count={await pragma(store, 'page_count')}")
    with pytest.raises(StoreUnavailable) as refused:
        await store.tables.open(lobby(options={"canary": "queen of hearts" * 9999}), 5)
    text = f"{refused.value!r} {refused.value.__cause__}"
    assert "INSERT INTO tables" in text
    assert "canary" not in text


async def test_closing_folds_the_log_into_one_file(file: Path) -> None:
    store = await SqlStore.open(address(file))
    await playing(store)
    await store.tables.in_channel(CHANNEL)
    await store.close()
    assert sorted(path.name for path in file.parent.iterdir()) == [file.name, f"{file.name}.lock"]


async def test_a_busy_database_is_waited_for_and_then_refused(file: Path) -> None:
    store = await SqlStore.open(address(file), busy_ms=100)
    table = await playing(store)
    with closing(sqlite3.connect(file, isolation_level=None)) as program:
        program.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreUnavailable, match="locked"):
            await store.tables.commit(move(table, 2))
        assert await store.tables.in_channel(CHANNEL) == table  # reading goes on
        program.execute("ROLLBACK")
    assert await store.tables.commit(move(table, 2))
    await store.close()


async def test_a_move_on_a_read_only_database_is_refused(file: Path) -> None:
    store = await SqlStore.open(address(file))
    table = await playing(store)
    await store.database.autocommit("PRAGMA query_only=ON")
    with pytest.raises(StoreUnavailable, match="readonly"):
        await store.tables.commit(move(table, 2))
    await store.database.autocommit("PRAGMA query_only=OFF")
    assert await store.tables.commit(move(table, 2))
    await store.close()


async def test_a_statement_is_compiled_once_for_all_connections(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled = []
    begin = SQLiteCompiler.__init__

    def count(self: SQLiteCompiler, *args: Any, **options: Any) -> None:
        compiled.append(self)
        begin(self, *args, **options)

    monkeypatch.setattr(SQLiteCompiler, "__init__", count)
    statement = select(literal_column("1", Integer).label("of_this_test"))
    for _ in range(2):
        opened = SqliteConnection(str(tmp_path / "house.db"), 100)
        async with opened:
            assert await opened.call(partial(opened.core.scalar, statement)) == 1
    assert len(compiled) == 1
