"""SQLite's writer thread runs every transaction; waiting jobs share the next transaction."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from contextvars import ContextVar
from functools import partial
from pathlib import Path

import aiosqlite
import pytest
from sqlalchemy import event, text
from sqlalchemy.engine import Connection, Engine

from bot.storage.sqlite import Sqlite, SqliteConnection, connect
from bot.storage.store import SqlStore
from bot.tables import plans
from bot.tables.errors import Repeated, Stale, StoreUnavailable
from bot.tables.model import Player, Table
from tests.bot.storage.moves import ANN, BOB, CHANNEL, move, playing
from tests.bot.storage.persons import store_person
from tests.bot.tables.room import FakeClock, Room, Shown, ask, tables_over


def address(file: Path) -> str:
    return f"sqlite:///{file}"


class Held:
    """A transaction that lasts until `let_go`; it then raises `fails`, if an error is given."""

    def __init__(self, store: SqlStore, fails: type[Exception] | None = None) -> None:
        self._fails = fails
        self._loop, self._begun = asyncio.get_running_loop(), asyncio.Event()
        self._free = threading.Event()
        self.task = asyncio.create_task(store.database.write(self._hold))

    def _hold(self, _: Connection) -> None:
        self._loop.call_soon_threadsafe(self._begun.set)
        self._free.wait()
        if self._fails is not None:
            raise self._fails

    async def begun(self) -> None:
        await self._begun.wait()

    async def let_go(self) -> None:
        self._free.set()
        await self.task


@pytest.fixture
def commits(monkeypatch: pytest.MonkeyPatch) -> list[threading.Thread]:
    """Return a list to which each commit from now on adds its thread."""
    threads, end = list[threading.Thread](), SqliteConnection.commit_now

    def note_thread(self: SqliteConnection) -> None:
        threads.append(threading.current_thread())
        end(self)

    monkeypatch.setattr(SqliteConnection, "commit_now", note_thread)
    return threads


async def version(store: SqlStore, table: Table) -> int:
    """Return a table's version; assert that it is the number of its match's actions plus one."""
    snapshot = await store.tables.snapshot(table.id)
    assert snapshot is not None
    assert snapshot.match is not None
    assert len(snapshot.match.actions) == snapshot.table.version - 1
    return snapshot.table.version


async def test_aiosqlite_still_has_the_private_names_that_are_used(file: Path) -> None:
    connection = await connect(SqliteConnection(str(file), 1000))
    assert isinstance(connection, aiosqlite.Connection)
    assert await connection.call(threading.current_thread) is connection._thread
    committed = list[int]()
    await asyncio.gather(*(connection.call(partial(committed.append, n)) for n in range(5)))
    assert committed == [0, 1, 2, 3, 4]
    assert connection._thread.daemon
    await connection.close()
    connection._thread.join(10)
    assert not connection._thread.is_alive()


async def test_no_statement_is_executed_on_the_event_loop(
    file: Path, tmp_path: Path, commits: list[threading.Thread]
) -> None:
    threads = set[threading.Thread]()

    def note(*_: object) -> None:
        threads.add(threading.current_thread())

    event.listen(Engine, "before_cursor_execute", note)
    try:
        store = await SqlStore.open(address(file))  # a new one: with its migrations
        clock, screens = FakeClock(), Shown()
        room = Room(store, clock, screens, tables_over(store, clock, screens), tmp_path)
        table_id = await room.match(ANN, BOB)
        await room.tables.change(table_id, ask(await room.turn(table_id)), plans.bid, "pair:9")
        await room.tables.change(table_id, ask(await room.turn(table_id)), plans.challenge)
        await room.tables.change(table_id, ask(BOB), plans.forfeit)
        await store.rebuilding.rebuild(await store.rebuilding.servers_with_matches())
        await store.privacy.forget(ANN)
        assert await store.retention.rewrite_if_due()
        await store.close()
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    assert len(threads) > 2
    assert threading.main_thread() not in {*threads, *commits}


async def test_waiting_jobs_share_a_transaction_each_stored_whole_or_not(
    store: SqlStore, commits: list[threading.Thread]
) -> None:
    tables = [await playing(store, channel_id=CHANNEL + number) for number in range(6)]
    first, second, third, *others = tables
    changes = [
        move(first, 2, 501),
        move(second, 2, 502),
        move(second, 2, 503),  # of two that follow the same, the later is stale
        move(third, 2, 501),  # the interaction has moved the first table
        *(move(table, 2) for table in others),
    ]
    held = Held(store)
    await held.begun()
    commits.clear()
    moves = [asyncio.create_task(store.tables.commit(change)) for change in changes]
    mistaken = asyncio.create_task(store.tables.commit(move(third, 9)))
    given_up = asyncio.create_task(store.tables.commit(move(third, 2)))
    await asyncio.sleep(0)
    given_up.cancel()
    await asyncio.wait({given_up})
    await held.let_go()
    results = await asyncio.gather(*moves, mistaken, return_exceptions=True)
    assert [type(result) for result in results] == [
        Table, Table, Stale, Repeated, Table, Table, Table, ValueError,
    ]  # fmt: skip
    assert len(commits) == 2  # of who held it, and of all others
    for table, wins in zip(tables, (1, 1, 0, 1, 1, 1), strict=True):
        assert await version(store, table) == table.version + wins


async def test_a_cancelled_job_that_has_begun_waits_for_its_end(store: SqlStore) -> None:
    table = await playing(store)
    held = Held(store)
    await held.begun()
    held.task.cancel()
    for _ in range(5):
        await asyncio.sleep(0)
    assert not held.task.done()
    with pytest.raises(asyncio.CancelledError):
        await held.let_go()
    assert (await store.tables.commit(move(table, 2))).version == table.version + 1


async def test_a_job_that_waits_too_long_is_refused_and_not_stored(file: Path) -> None:
    store = await SqlStore.open(address(file))
    table = await playing(store)
    assert isinstance(store.database._engine, Sqlite)
    (await store.database._engine.writer())._patience = 0.05
    held = Held(store)
    await held.begun()
    with pytest.raises(StoreUnavailable, match="Timeout"):
        await store.tables.commit(move(table, 2))
    assert not held.task.done()  # it takes long, and is stored
    await held.let_go()
    assert await version(store, table) == table.version
    await store.close()


async def test_a_transaction_that_fails_leaves_nothing_open_and_nothing_behind(
    store: SqlStore,
) -> None:
    table = await playing(store)

    def half(c: Connection) -> None:
        c.execute(text("UPDATE tables SET version = 99"))
        c.execute(text("DELETE FROM nowhere"))

    with pytest.raises(StoreUnavailable, match="no such table"):
        await store.database.write(half)
    held = Held(store)
    await held.begun()
    both = [asyncio.create_task(work) for work in (
        store.database.write(half), store_person(store, Player(ANN, "Ann"))
    )]  # fmt: skip
    await asyncio.sleep(0)
    await held.let_go()
    results = await asyncio.gather(*both, return_exceptions=True)
    assert [type(result) for result in results] == [StoreUnavailable, type(None)]
    assert await store.tables.in_channel(CHANNEL) == table
    assert (await store.people.player(ANN)).name == "Ann"


async def test_a_failed_job_does_not_affect_jobs_that_arrive_meanwhile(store: SqlStore) -> None:
    table = await playing(store)
    held = Held(store, ZeroDivisionError)
    await held.begun()
    moving = asyncio.create_task(store.tables.commit(move(table, 2)))
    await asyncio.sleep(0)
    with pytest.raises(ZeroDivisionError):
        await held.let_go()
    assert (await moving).version == table.version + 1


async def test_if_a_shared_commit_fails_every_job_fails(
    store: SqlStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [await playing(store, channel_id=CHANNEL + number) for number in range(3)]
    held = Held(store)
    await held.begun()
    # the second is refused, as its interaction has moved the first: which is undone with it
    changes = [move(table, 2, by) for table, by in zip(tables, (501, 501, 502), strict=True)]
    moves = [asyncio.create_task(store.tables.commit(change)) for change in changes]
    await asyncio.sleep(0)

    def fails(_: SqliteConnection) -> None:
        raise sqlite3.OperationalError("disk I/O error")

    end: Callable[[SqliteConnection], None] = SqliteConnection.commit_now
    monkeypatch.setattr(SqliteConnection, "commit_now", fails)
    with pytest.raises(StoreUnavailable, match="disk I/O"):
        await held.let_go()
    results = await asyncio.gather(*moves, return_exceptions=True)
    assert {type(result) for result in results} == {StoreUnavailable}
    monkeypatch.setattr(SqliteConnection, "commit_now", end)
    for table in tables:
        assert await version(store, table) == table.version
        assert (await store.tables.commit(move(table, 2))).version == table.version + 1


async def test_while_another_program_has_the_lock_nobody_else_waits(
    store: SqlStore, file: Path
) -> None:
    table = await playing(store)
    with closing(sqlite3.connect(file, isolation_level=None)) as program:
        program.execute("BEGIN IMMEDIATE")
        moving = asyncio.create_task(store.tables.commit(move(table, 2)))
        naming = asyncio.create_task(store_person(store, Player(ANN, "Ann")))
        for _ in range(20):
            await asyncio.sleep(0)
            assert await store.tables.in_channel(CHANNEL) == table  # who only reads is answered
        assert not moving.done()
        assert not naming.done()
        program.execute("COMMIT")
    assert (await moving).version == table.version + 1
    await naming
    assert (await store.people.player(ANN)).name == "Ann"


async def test_a_job_runs_in_the_context_of_its_caller(store: SqlStore) -> None:
    whose, names_seen = ContextVar("whose", default=""), list[str]()

    async def ask(name: str) -> None:
        whose.set(name)
        await store.database.write(lambda _: names_seen.append(whose.get()))
        await store.database.read(lambda _: names_seen.append(whose.get()))

    await asyncio.create_task(ask("Ann"))
    await asyncio.gather(*(asyncio.create_task(ask(name)) for name in ("Bob", "Cleo")))
    assert sorted(names_seen) == ["Ann", "Ann", "Bob", "Bob", "Cleo", "Cleo"]
