"""What waits for SQLite's writer is stored together, each whole or not at all."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.storage.prepared import Writer
from bot.storage.sqlite import Connection
from bot.storage.store import SqlStore
from bot.tables.ports import AlreadyDone, Stale, StoreUnavailable
from bot.tables.records import Player, Table
from tests.bot.storage.moves import ANN, CHANNEL, move, playing
from tests.bot.storage.persons import noted


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "bluffhouse.db"


async def test_what_a_guard_lets_through_is_stored_whole_and_else_nothing(file: Path) -> None:
    store = await SqlStore.open(f"sqlite:///{file}")
    table = await playing(store)

    async def written(before: int, *statements: str) -> bool:
        async def write(writer: Writer) -> None:
            for statement in statements:
                await writer.execute(text(statement))

        guard = text("UPDATE tables SET version = version + 1 WHERE version = :it RETURNING id")
        return await store._database.write_if(guard, {"it": before}, write) is not None

    more = "UPDATE tables SET version = version + 10"
    assert not await written(table.version + 1, more)
    with pytest.raises(StoreUnavailable, match="no such table"):
        await written(table.version, more, "DELETE FROM nowhere")
    assert not await written(table.version, more, "UPDATE actions SET match_id = 999")  # no match
    assert await store.table_in(CHANNEL) == table
    assert await written(table.version, more, more)
    later = await store.table_in(CHANNEL)
    assert later is not None
    assert later.version == table.version + 21
    await noted(store, Player(ANN, "Ann"))  # the next transaction has no guard
    assert (await store.player(ANN)).name == "Ann"
    await store.close()


async def test_moves_that_wait_for_the_writer_are_stored_together_each_whole_or_not(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await SqlStore.open(f"sqlite:///{file}")
    tables = [await playing(store, channel_id=CHANNEL + number) for number in range(6)]
    commits = []
    end = Connection.commit_now

    def counted(self: Connection) -> None:
        commits.append(1)
        end(self)

    monkeypatch.setattr(Connection, "commit_now", counted)
    first, second, third, *others = tables
    changes = [
        move(first, 2, 501),
        move(second, 2, 502),
        move(second, 2, 503),  # of two that follow the same, the later is stale
        move(third, 2, 501),  # the interaction has moved the first table
        *(move(table, 2) for table in others),
    ]
    async with store._database.writing():
        moves = [asyncio.create_task(store.commit(change)) for change in changes]
        mistaken = asyncio.create_task(store.commit(move(third, 9)))
        given_up = asyncio.create_task(store.commit(move(third, 2)))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        given_up.cancel()
        await asyncio.gather(given_up, return_exceptions=True)
    found = await asyncio.gather(*moves, mistaken, return_exceptions=True)
    assert [type(one) for one in found] == [
        Table, Table, Stale, AlreadyDone, Table, Table, Table, ValueError,
    ]  # fmt: skip
    assert len(commits) == 1
    for table, wins in zip(tables, (1, 1, 0, 1, 1, 1), strict=True):
        snapshot = await store.snapshot(table.id)
        assert snapshot is not None
        assert snapshot.match is not None
        assert snapshot.table.version == table.version + wins
        assert len(snapshot.match.actions) == 1 + wins
    await store.close()


async def test_who_asks_while_somebody_is_stored_alone_shares_the_next_one(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await SqlStore.open(f"sqlite:///{file}")
    tables = [await playing(store, channel_id=CHANNEL + number) for number in range(6)]
    commits, end = [], Connection.commit_now

    def counted(self: Connection) -> None:
        commits.append(1)
        end(self)

    monkeypatch.setattr(Connection, "commit_now", counted)
    monkeypatch.setattr(Connection, "is_quick", lambda *_: False)  # the first is waited for
    moved = await asyncio.gather(*(store.commit(move(table, 2)) for table in tables))
    assert [one.version for one in moved] == [table.version + 1 for table in tables]
    assert len(commits) == 2
    monkeypatch.setattr(Connection, "is_quick", lambda *_: True)  # nobody is waited for
    commits.clear()
    await asyncio.gather(*(store.commit(move(table, 3)) for table in moved))
    assert len(commits) == 6
    await store.close()


async def test_who_is_cancelled_while_stored_alone_holds_up_nobody(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await SqlStore.open(f"sqlite:///{file}")
    first, second = [await playing(store, channel_id=CHANNEL + number) for number in range(2)]
    monkeypatch.setattr(Connection, "is_quick", lambda *_: False)
    given_up = asyncio.create_task(store.commit(move(first, 2)))
    other = asyncio.create_task(store.commit(move(second, 2)))
    await asyncio.sleep(0)
    given_up.cancel()
    assert (await other).version == second.version + 1
    with pytest.raises(asyncio.CancelledError):
        await given_up
    snapshot = await store.snapshot(first.id)  # stored whole, or not at all
    assert snapshot is not None
    assert snapshot.match is not None
    assert len(snapshot.match.actions) - 1 == snapshot.table.version - first.version
    await store.close()


async def test_a_unit_that_fails_leaves_nothing_open_for_who_writes_next(file: Path) -> None:
    store = await SqlStore.open(f"sqlite:///{file}")
    table = await playing(store)
    await store.note_message(table.id, 5, 1)  # the connection is known by now

    async def write(writer: Writer) -> None:
        await writer.execute(text("DELETE FROM nowhere"))

    guard = text("UPDATE tables SET message_id = 6 RETURNING id")
    with pytest.raises(StoreUnavailable, match="no such table"):
        await store._database.write_if(guard, {}, write)
    async with store._database.writing() as connection:
        assert (await connection.execute(text("SELECT message_id FROM tables"))).all() == [(5,)]
    with pytest.raises(StoreUnavailable, match="no such table"):
        await store._database.write_if(guard, {}, write)
    assert (await store.commit(move(table, 2))).message_id == 5
    await store.close()


async def test_a_connection_that_was_closed_under_us_is_not_written_to(file: Path) -> None:
    store = await SqlStore.open(f"sqlite:///{file}")
    table = await playing(store)
    await store.note_message(table.id, 5, 1)
    driver = store._database._driver
    assert driver is not None
    assert driver.is_open
    async with store._database.writer.connect() as connection:
        await connection.invalidate()
    await store.note_message(table.id, 6, 1)
    assert store._database._driver is not driver
    found = await store.table_in(CHANNEL)
    assert found is not None
    assert found.message_id == 6
    await store.close()


async def test_a_commit_waits_for_a_reader_where_there_is_no_write_ahead_log(file: Path) -> None:
    store = await SqlStore.open(f"sqlite:///{file}")
    table = await playing(store)
    await store.note_message(table.id, 4, 1)
    await store._database.reader.dispose()
    assert await store._database.alone("PRAGMA journal_mode=DELETE") == [[("delete",)]]
    reader = sqlite3.connect(file, isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM tables").fetchall()
    storing = asyncio.create_task(store.note_message(table.id, 5, 1))
    driver = store._database._driver
    assert driver is not None
    while driver._asked == driver._ended and not storing.done():  # noqa: ASYNC110 - no other sign
        await asyncio.sleep(0)
    assert not storing.done()
    reader.execute("COMMIT")
    await storing
    assert reader.execute("SELECT message_id FROM tables").fetchall() == [(5,)]
    reader.close()
    await store.close()
