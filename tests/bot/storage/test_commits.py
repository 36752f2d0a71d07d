"""PostgreSQL disconnects between a commit and its answer: a move still counts once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import closing, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from asyncpg.transaction import Transaction
from sqlalchemy import Connection, insert, text
from sqlalchemy.dialects.postgresql.asyncpg import AsyncAdapt_asyncpg_connection

from bot.retry import RetryPolicy
from bot.services import unanswered
from bot.storage import postgres as postgres_engine
from bot.storage import schema
from bot.storage.database import Database
from bot.storage.store import SqlStore
from bot.tables import errors, plans
from engine.errors import NotYourTurn
from tests.bot.storage.conftest import BUSY_MS, empty
from tests.bot.storage.moves import move, playing
from tests.bot.tables.room import ANN, BOB, FakeClock, Room, Shown, ask, tables_over
from tests.people import PATIENCE

pytestmark = pytest.mark.postgres
MOVE = b'"kind":'  # in an action's body


class Cutter:
    """A proxy to PostgreSQL that disconnects at the next `cuts` commits.

    A commit is a COMMIT, or the statement that stores a whole move. `passing`: whether the commit
    is still passed on.
    """

    def __init__(self, server: Path) -> None:
        self._server = server
        self._tasks: set[asyncio.Task[None]] = set()
        self.cuts = 0  # how many are to come
        self.passing = True
        self.port = 0
        self.requests = 0  # each is answered before the next

    async def start(self) -> None:
        """Listen on a free port."""
        self._listening = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self._listening.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Stop listening and end all connections."""
        self._listening.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        answers_in, back = await asyncio.open_unix_connection(self._server)
        task = asyncio.create_task(self._forward(reader, writer, back))
        answers = asyncio.create_task(self._forward_back(answers_in, writer))
        self._tasks |= {task, answers}

    async def _forward(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, back: asyncio.StreamWriter
    ) -> None:
        with suppress(OSError), closing(back):
            while data := await reader.read(1 << 16):
                self.requests += 1
                cut = self.cuts > 0 and (b"COMMIT;" in data or MOVE in data)
                if cut:
                    self.cuts -= 1
                    writer.transport.abort()
                if not cut or self.passing:
                    back.write(data)
                    await back.drain()
                if cut:
                    break

    async def _forward_back(
        self, server: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        with suppress(OSError), closing(writer):
            while data := await server.read(1 << 16):
                writer.write(data)
                await writer.drain()


@pytest.fixture
async def cutter(postgres: str) -> AsyncIterator[Cutter]:
    await empty(postgres)
    cutter_here = Cutter(Path(postgres.rpartition("host=")[2]) / ".s.PGSQL.5432")
    await cutter_here.start()
    yield cutter_here
    await cutter_here.stop()


@pytest.fixture
async def room(cutter: Cutter, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Room]:
    monkeypatch.setattr(unanswered, "RETRY", RetryPolicy(0.0, 0.0, retries=3))
    address = f"postgresql://bluffhouse@127.0.0.1:{cutter.port}/postgres"
    store = await SqlStore.open(address, busy_ms=BUSY_MS)
    clock, screens = FakeClock(), Shown()
    yield Room(store, clock, screens, tables_over(store, clock, screens), Path())
    await store.close()


async def test_moves_deals_and_looks_are_one_request_each(cutter: Cutter, room: Room) -> None:
    one_connection = await SqlStore.open(
        f"postgresql://bluffhouse@127.0.0.1:{cutter.port}/postgres", busy_ms=BUSY_MS, pool_size=1
    )
    try:
        table = await playing(one_connection)
        took = []
        for seq in range(2, 8):  # the first of a kind are prepared
            before = cutter.requests
            change = move(table, seq, 100 + seq)
            if seq % 2:
                change = replace(change, seeds=((seq, b"seed"),), deliveries=((seq, 0, ANN),))
            table = await one_connection.tables.commit(change)
            assert await one_connection.tables.version_of(table.id) == table.version
            took.append(cutter.requests - before)
        assert took[2:] == [2, 2, 2, 2]
    finally:
        await one_connection.close()


async def test_a_refused_statement_is_certainly_not_stored(room: Room) -> None:
    with pytest.raises(errors.StoreUnavailable) as refused:
        await room.store.database.write_one(lambda c: c.execute(text("SELECT 1/0")).all())
    assert not isinstance(refused.value, errors.MaybeStored)


async def test_a_broken_constraint_is_translated(room: Room) -> None:
    interaction = {"id": 100, "table_id": (await playing(room.store)).id, "at": 1}

    def note(c: Connection) -> None:
        c.execute(insert(schema.interactions), interaction)

    await room.store.database.write_one(note)
    with pytest.raises(errors.Repeated):
        await room.store.database.write_one(note)
    interaction |= {"id": 101, "table_id": 1_000_000}
    with pytest.raises(errors.Stale):
        await room.store.database.write_one(note)


async def test_cancelling_a_statement_ends_its_connection(room: Room) -> None:
    sleeping = "SELECT pg_sleep(3601)"
    active = text(
        "SELECT pid FROM pg_stat_activity"
        " WHERE query = :query AND state = 'active' AND wait_event = 'PgSleep'"
    )

    async def is_active() -> bool:
        looking = room.store.database.read
        return bool(await looking(lambda c: c.execute(active, {"query": sleeping}).all()))

    asking = asyncio.create_task(
        room.store.database.read_one(lambda c: c.execute(text(sleeping)).all())
    )
    while not await is_active():  # noqa: ASYNC110 - PostgreSQL tells nobody
        await asyncio.sleep(0.01)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    async with asyncio.timeout(PATIENCE):
        while await is_active():  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.01)


async def test_a_statement_whose_session_ended_may_be_stored(room: Room) -> None:
    sleeping = "SELECT pg_sleep(3600)"
    ending = text(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE query = :query AND state = 'active' AND wait_event = 'PgSleep'"
    )
    asleep = asyncio.create_task(
        room.store.database.write_one(lambda c: c.execute(text(sleeping)).all())
    )
    while not await room.store.database.read(  # noqa: ASYNC110 - PostgreSQL tells nobody
        lambda c: c.execute(ending, {"query": sleeping}).all()
    ):
        await asyncio.sleep(0.01)
    with pytest.raises(errors.MaybeStored):
        await asleep


async def test_an_idle_connection_is_tested_before_use_and_replaced_if_dead(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def server() -> int:
        return await room.store.database.read(
            lambda c: int(c.execute(text("SELECT pg_backend_pid()")).scalar_one())
        )

    tests = []

    def silent_once(_: object) -> None:
        tests.append(1)
        if len(tests) == 1:
            raise OSError("no answer")

    before = await server()
    monkeypatch.setattr(AsyncAdapt_asyncpg_connection, "ping", silent_once)
    monkeypatch.setattr(postgres_engine, "IDLE_SECONDS", PATIENCE)
    assert await server() == before
    assert not tests, "it has just answered"
    monkeypatch.setattr(postgres_engine, "IDLE_SECONDS", -1.0)
    assert await server() != before


async def test_an_ended_session_is_replaced(room: Room) -> None:
    store = room.store
    table = await playing(store)
    observer = Database(store.database.url)
    ending = text(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
        " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
    )
    assert isinstance(store.database._engine, postgres_engine.Postgres)
    ((connection, _),) = store.database._engine._free
    driver = (await connection.get_raw_connection()).driver_connection
    assert await observer.read(lambda c: c.execute(ending).scalar_one()) > 0
    await observer.close()
    assert driver is not None
    async with asyncio.timeout(PATIENCE):
        while not driver.is_closed():  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0.01)
    assert (await store.tables.commit(move(table, 2, 100))).version == table.version + 1


async def test_a_connection_on_which_a_transaction_was_left_is_not_used_again(room: Room) -> None:
    store = room.store
    table = await playing(store)
    await store.database.write_one(lambda c: c.execute(text("BEGIN")))
    after = await store.tables.commit(move(table, 2, 100))
    observer = Database(store.database.url)
    version = text("SELECT version FROM tables")
    assert await observer.read(lambda c: c.execute(version).scalar_one()) == after.version
    await observer.close()


async def test_a_connection_whose_begin_was_not_answered_in_time_is_not_used_again(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    # it may still be made: the next move would be part of a transaction that nobody commits
    await playing(room.store)
    engine = room.store.database._engine
    assert isinstance(engine, postgres_engine.Postgres)
    ((connection, _),) = engine._free
    driver: Any = (await connection.get_raw_connection()).driver_connection

    async def too_late(_: object) -> None:
        raise TimeoutError

    monkeypatch.setattr(Transaction, "start", too_late)
    with pytest.raises(errors.StoreUnavailable):
        await room.store.database.read(lambda c: c.execute(text("SELECT 1")).all())
    assert driver.is_closed()


async def test_a_connection_that_is_given_back_after_the_end_is_closed(room: Room) -> None:
    engine = Database(room.store.database.url)._engine
    assert isinstance(engine, postgres_engine.Postgres)
    async with engine._connection() as connection:
        driver: Any = (await connection.get_raw_connection()).driver_connection
        await engine.close()
    assert driver.is_closed()


async def test_a_cancellation_anywhere_leaves_no_connection_and_no_transaction(
    postgres: str,
) -> None:
    await empty(postgres)
    store = await SqlStore.open(postgres, busy_ms=BUSY_MS, pool_size=2)
    table = await playing(store)
    for steps in range(40):  # ever further into taking a connection, the statement, giving it back
        change = replace(move(table, 2, 100 + steps), interaction_id=None)
        tasks = [
            asyncio.create_task(store.tables.commit(change)),
            asyncio.create_task(store.tables.snapshot(table.id)),
        ]
        for _ in range(steps):
            await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    snapshot = await store.tables.snapshot(table.id)
    assert snapshot is not None
    assert snapshot.match is not None
    following = len(snapshot.match.actions) + 1
    await store.tables.commit(move(snapshot.table, following, 1_000))
    await store.close()
    left = text(
        "SELECT count(*) FROM pg_stat_activity"
        " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
    )
    observer = Database(store.database.url)
    async with asyncio.timeout(PATIENCE):
        while await observer.read(lambda c: c.execute(left).scalar_one()):  # noqa: ASYNC110 - as above
            await asyncio.sleep(0.01)
    await observer.close()


async def length(room: Room, table_id: int) -> int:
    snapshot = await room.store.tables.snapshot(table_id)
    assert snapshot is not None
    assert snapshot.match is not None
    return len(snapshot.match.actions)


@pytest.mark.parametrize("passing", [True, False], ids=["it had it", "it had it not"])
async def test_a_move_whose_commit_is_not_answered_counts_once(
    cutter: Cutter, room: Room, passing: bool
) -> None:
    table_id = await room.match(ANN, BOB)
    before = await length(room, table_id)
    shown_before = len(room.screens.changes)
    cutter.cuts, cutter.passing = 1, passing
    pressed = ask(await room.turn(table_id))
    live = await room.tables.change(table_id, pressed, plans.bid, "pair:9")
    assert cutter.cuts == 0
    assert live.match is not None
    assert live.match.round is not None
    assert live.match.round.standing is not None
    assert await length(room, table_id) == before + 1
    assert len(room.screens.changes) == shown_before + 1
    with pytest.raises(NotYourTurn):
        await room.tables.change(table_id, pressed, plans.bid, "pair:9")
    await room.tables.change(table_id, ask(await room.turn(table_id)), plans.challenge)
    assert await length(room, table_id) == before + 2


async def test_an_unanswered_commit_is_reported_as_unknown_and_read_again_later(
    cutter: Cutter, room: Room
) -> None:
    table_id = await room.match(ANN, BOB)
    before = await length(room, table_id)
    cutter.cuts, cutter.passing = 100, False
    with pytest.raises(errors.MaybeStored):
        await room.tables.change(table_id, ask(await room.turn(table_id)), plans.bid, "pair:9")
    cutter.cuts = 0
    assert await length(room, table_id) == before
    await room.tables.change(table_id, ask(await room.turn(table_id)), plans.bid, "pair:9")
    assert await length(room, table_id) == before + 1
