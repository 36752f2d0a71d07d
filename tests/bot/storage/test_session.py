"""Processes that share a PostgreSQL: which has a shard, which stands by, and notifications."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from typing import Any

import pytest
from sqlalchemy import text

from bot.settings.shards import PERSON, TABLE, Last, Shards
from bot.storage import ShardsTaken, session
from bot.storage.session import Session
from bot.storage.store import SqlStore
from bot.tables.model import Change, DeadlineKind, Player
from tests.bot.storage.asking import transaction
from tests.bot.storage.conftest import BUSY_MS, empty
from tests.bot.storage.moves import lobby, next_version
from tests.bot.storage.persons import store_person
from tests.people import PATIENCE, until

pytestmark = pytest.mark.postgres
Open = Callable[[Shards], Awaitable[SqlStore]]
# of two shards, servers of the first and of the second
FIRST, SECOND = 2 << 22, 1 << 22


@pytest.fixture
async def process(postgres: str) -> AsyncIterator[Open]:
    """Yield a function that opens a store with the given shards, as one more process would.

    All these stores share one database, which is empty at first. An example:
    `await process(Shards(2, (0,)))`.
    """
    await (await SqlStore.open(postgres)).close()
    await empty(postgres)
    async with AsyncExitStack() as stack:

        async def open_store(shards: Shards) -> SqlStore:
            store = await SqlStore.open(postgres, busy_ms=BUSY_MS, shards=shards)
            stack.push_async_callback(store.close)
            return store

        yield open_store


def impatient(store: SqlStore) -> Session:
    """Return the session of a store, changed so that it waits for no shard."""
    processes = store.processes
    assert isinstance(processes, Session)
    processes._within = 0.0
    return processes


async def test_a_shard_belongs_to_one_process_until_its_session_ends(
    process: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = Shards(2, (0,)), Shards(2, (1,))
    ours, beside = await process(first), await process(second)
    await impatient(ours).take(first)
    await impatient(beside).take(second)
    younger = await process(first)
    with pytest.raises(ShardsTaken, match=r"bluffhouse .* serves shard 0 of 2: stop"):
        await impatient(younger).take(first)
    both = await process(Shards(2, (0, 1)))
    with pytest.raises(ShardsTaken, match="serves shard"):
        await impatient(both).take(Shards(2, (0, 1)))
    waits = await process(first)
    tried, looks = Session._try_to_take, asyncio.Queue[str | None]()

    async def look_and_note(self: Session, shards: Shards) -> str | None:
        looks.put_nowait(shards_taken := await tried(self, shards))
        return shards_taken

    monkeypatch.setattr(Session, "_try_to_take", look_and_note)
    monkeypatch.setattr(session, "LOOK_SECONDS", 0.01)
    taking = asyncio.create_task(waits.processes.take(first))
    for _ in range(3):
        look = asyncio.create_task(looks.get())
        await asyncio.wait({look, taking}, return_when=asyncio.FIRST_COMPLETED)
        assert not taking.done()
        assert "serves shard 0 of 2" in str(await look)
    await ours.processes.close()
    async with asyncio.timeout(PATIENCE):
        await taking


def hears() -> bool:
    return True


async def until_succeeded(old: SqlStore, succeeding: asyncio.Task[Last], *, by: bool) -> None:
    """Wait until `old` knows that a process stands by for it or, unless `by`, that none does.

    Assert that `succeeding`, the start of the standby process, doesn't end meanwhile.
    """
    async with asyncio.timeout(PATIENCE):
        while await old.processes.has_successor() is not by:
            assert not succeeding.done()


async def test_one_process_stands_by_and_takes_over_when_the_one_before_lets_go(
    process: Open,
) -> None:
    shards = Shards(4, (0, 1))
    old, new, third = [await process(shards) for _ in range(3)]
    assert await old.processes.take_or_stand_by(shards)
    assert not await new.processes.take_or_stand_by(shards)
    assert not await old.processes.has_successor(), "nobody hears yet"
    assert not new.processes.stands_by
    with pytest.raises(ShardsTaken, match=r"serves shard [01] of 4"):
        await impatient(third).take_or_stand_by(shards)
    succeeding = asyncio.create_task(new.processes.take_over(hears))
    await until_succeeded(old, succeeding, by=True)
    await until(lambda: new.processes.stands_by)  # it notes that after the database
    await old.processes.release({0: 77, 1: 5})  # it may not have been told that somebody stands by
    async with asyncio.timeout(PATIENCE):
        assert await succeeding == {0: 77, 1: 5}
    assert not new.processes.stands_by
    assert not await new.processes.has_successor()
    assert not await third.processes.take_or_stand_by(shards)
    succeeding = asyncio.create_task(third.processes.take_over(hears))
    await new.processes.close()  # without a word
    async with asyncio.timeout(PATIENCE):
        assert await succeeding == {}


async def test_a_superseded_process_cannot_hand_over_the_shards(
    process: Open,
) -> None:
    shards = Shards(2, (0,))
    old, new, gone = [await process(shards) for _ in range(3)]
    await old.processes.take_or_stand_by(shards)
    assert not await new.processes.take_or_stand_by(shards)
    succeeding = asyncio.create_task(new.processes.take_over(hears))
    await until_succeeded(old, succeeding, by=True)
    superseded: Any = gone.processes
    superseded._shards = shards  # until it had no session for a while
    await superseded.leave({0: 77})
    heard: Any = new.processes
    await until(lambda: bool(heard._last))
    await old.processes.close()
    async with asyncio.timeout(PATIENCE):
        assert await succeeding == {}


async def test_the_owner_of_the_shards_is_in_doubt_until_a_session_is_back(
    process: Open,
) -> None:
    shards = Shards(2, (0,))
    old, new = await process(shards), await process(shards)
    assert await old.processes.take_or_stand_by(shards)
    theirs: Any = old.processes
    assert not theirs.in_doubt
    async with theirs._speaking:  # so that the session is not made anew before
        theirs._connection.terminate()
        await asyncio.wait_for(theirs._lost.wait(), PATIENCE)
        assert theirs.in_doubt
    watching = asyncio.create_task(theirs.watch())
    async with asyncio.timeout(PATIENCE):
        assert await theirs.out_of_doubt()
    assert not theirs.in_doubt
    watching.cancel()
    assert not await new.processes.take_or_stand_by(shards)
    theirs._connection.terminate()
    async with asyncio.timeout(PATIENCE):
        await new.processes.take_over(hears)
        waiting = asyncio.create_task(theirs.out_of_doubt())
        with pytest.raises(ShardsTaken):
            await theirs.watch()
        assert not await waiting
        assert theirs.in_doubt, "it never has them again"
        assert await theirs.has_successor(), "the other answers what is pressed"
        assert not await theirs.out_of_doubt()


async def test_a_session_renewed_by_another_task_takes_the_shards_again(
    process: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "BEAT_SECONDS", 0.01)
    shards = Shards(2, (0, 1))
    old, new = await process(shards), await process(shards)
    theirs: Any = old.processes
    assert await theirs.take_or_stand_by(shards)
    theirs._connection.terminate()
    await asyncio.wait_for(theirs._lost.wait(), PATIENCE)
    await theirs._fetch("SELECT 1")
    assert not theirs._lost.is_set()
    assert theirs.in_doubt
    watching = asyncio.create_task(theirs.watch())
    async with asyncio.timeout(PATIENCE):
        assert await theirs.out_of_doubt()
    watching.cancel()
    assert not await new.processes.take_or_stand_by(shards), "it stands by"


async def test_a_process_that_receives_no_presses_is_left_none(process: Open) -> None:
    shards, connected = Shards(2, (0,)), True
    old, new = await process(shards), await process(shards)
    await old.processes.take_or_stand_by(shards)
    assert not await new.processes.take_or_stand_by(shards)
    succeeding = asyncio.create_task(new.processes.take_over(lambda: connected))
    await until_succeeded(old, succeeding, by=True)
    connected = False
    await until_succeeded(old, succeeding, by=False)
    await until(lambda: not new.processes.stands_by)  # it notes that after the database
    connected = True
    await until_succeeded(old, succeeding, by=True)
    succeeding.cancel()


async def test_a_standby_process_goes_on_after_a_failed_check(
    process: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    shards, looks = Shards(2, (0,)), 0
    old, new = await process(shards), await process(shards)
    await old.processes.take_or_stand_by(shards)
    assert not await new.processes.take_or_stand_by(shards)
    tried = Session._try_to_take

    async def cancel_look(self: Session, shards: Shards) -> str | None:
        nonlocal looks
        looks += 1
        if looks == 1:
            await self._fetch("SELECT 1 / 0")
        return await tried(self, shards)

    monkeypatch.setattr(Session, "_try_to_take", cancel_look)
    succeeding = asyncio.create_task(new.processes.take_over(hears))
    await until_succeeded(old, succeeding, by=True)
    await old.processes.close()
    async with asyncio.timeout(PATIENCE):
        assert await succeeding == {}
    assert looks > 1


async def test_a_process_stands_by_only_for_its_own_shards(process: Open) -> None:
    both, first, wider = Shards(3, (0, 1)), Shards(3, (0,)), Shards(3, (0, 1, 2))
    await (await process(both)).processes.take_or_stand_by(both)
    for different in (first, wider, Shards(2, (0, 1))):
        with pytest.raises(ShardsTaken, match="serves shard"):
            await impatient(await process(different)).take_or_stand_by(different)


async def test_all_processes_must_name_the_same_number_of_shards(process: Open) -> None:
    two, three = Shards(2, (0,)), Shards(3, (1,))  # no shard in common, but servers
    await impatient(await process(two)).take(two)
    with pytest.raises(ShardsTaken, match="serves shard 0 of 2"):
        await impatient(await process(three)).take(three)


async def test_a_lost_session_is_replaced_and_its_shards_are_taken_again(
    process: Open,
) -> None:
    shards = Shards(2, (0,))
    ours, different = await process(shards), await process(Shards(2, (1,)))
    heard, missed = asyncio.Event(), asyncio.Event()

    async def hear(kind: str, number: int, guild: int) -> None:
        heard.set()

    async def miss() -> None:
        missed.set()

    await ours.processes.take(shards)
    await ours.processes.listen(hear, miss)
    watching = asyncio.create_task(ours.processes.watch())
    cut = text(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE application_name LIKE 'bluffhouse %' AND pid <> pg_backend_pid()"
    )
    async with transaction(different.database) as connection:
        await connection.execute(cut)
    async with asyncio.timeout(PATIENCE):
        await missed.wait()
        await different.tables.notify(5, FIRST)
        await heard.wait()
        younger = await process(shards)
        with pytest.raises(ShardsTaken):
            await impatient(younger).take(shards)
    watching.cancel()


async def test_a_process_hears_of_changes_by_others_to_its_tables_and_to_people(
    process: Open,
) -> None:
    ours, neighbour = await process(Shards(2, (0,))), await process(Shards(2, (1,)))
    queue: asyncio.Queue[tuple[str, int, int]] = asyncio.Queue()

    async def hear(kind: str, number: int, guild: int) -> None:
        queue.put_nowait((kind, number, guild))

    async def nothing() -> None: ...

    await neighbour.processes.listen(hear, nothing)
    own_table = await ours.tables.open(lobby(guild_id=FIRST, channel_id=1), None)
    theirs = await neighbour.tables.open(lobby(guild_id=SECOND, channel_id=2), None)
    practice = await ours.tables.open(lobby(guild_id=0, channel_id=-7), None)
    await ours.tables.commit(Change(next_version(own_table), None))
    await neighbour.tables.commit(Change(next_version(theirs), None))  # its own word
    await ours.tables.commit(Change(next_version(practice), None))
    await ours.tables.commit(Change(next_version(theirs, version=3), None))
    await store_person(ours, Player(44, "Dan"))
    async with asyncio.timeout(PATIENCE):
        heard = [await queue.get() for _ in range(3)]
    assert heard == [(TABLE, practice.id, 0), (TABLE, theirs.id, SECOND), (PERSON, 44, 0)]


async def test_a_due_deadline_is_given_to_one_process_until_the_table_changes(
    process: Open,
) -> None:
    ours, other_process = await process(Shards(2, (0,))), await process(Shards(2, (1,)))
    mine = await ours.tables.open(lobby(guild_id=FIRST, channel_id=1, deadline=10), None)
    theirs = await ours.tables.open(lobby(guild_id=SECOND, channel_id=2, deadline=11), None)
    practice = await ours.tables.open(lobby(guild_id=0, channel_id=-7, deadline=12), None)
    due = await asyncio.gather(ours.tables.due(20), other_process.tables.due(20))
    assert [table.id for table in due[0] if table.guild_id] == [mine.id]
    assert [table.id for table in due[1] if table.guild_id] == [theirs.id]
    assert sum(table.id == practice.id for some in due for table in some) == 1
    server = ours if practice.id in {table.id for table in due[0]} else other_process
    peer = other_process if server is ours else ours
    assert practice.id in {table.id for table in await server.tables.due(21)}  # it tries again
    assert practice.id not in {table.id for table in await peer.tables.due(21)}
    later = await server.tables.commit(Change(next_version(practice, deadline=22), None))
    assert later.id in {table.id for table in await peer.tables.due(23)}
    assert later.id not in {table.id for table in await server.tables.due(23)}
    assert later.id in {
        table.id for table in await server.tables.due(23 + 60_000)
    }  # the other has ended


async def test_only_the_processs_own_tables_are_live_or_up_to_date(process: Open) -> None:
    ours, other_process = await process(Shards(2, (0,))), await process(Shards(2, (1,)))
    mine = await ours.tables.open(lobby(guild_id=FIRST, channel_id=1), None)
    behind = await ours.tables.open(lobby(guild_id=FIRST, channel_id=3), None)
    theirs = await ours.tables.open(lobby(guild_id=SECOND, channel_id=2), None)
    assert [table.id for table in await ours.tables.live()] == [mine.id, behind.id]
    assert [table.id for table in await other_process.tables.live()] == [theirs.id]
    await ours.tables.note_shown([(mine.id, 1), (behind.id, 1)])
    await ours.tables.commit(Change(next_version(behind), None))
    await ours.tables.note_shown([(behind.id, 1)])  # too late
    assert await ours.tables.up_to_date() == {mine.id}
    assert await other_process.tables.up_to_date() == set()


async def test_a_clock_that_nobody_sees_leaves_a_message_as_it_is(process: Open) -> None:
    ours = await process(Shards(2, (0,)))
    reminded, hurried, dealt = [
        await ours.tables.open(
            lobby(guild_id=FIRST, channel_id=channel, deadline=10, deadline_kind=kind), None
        )
        for channel, kind in enumerate(
            (DeadlineKind.NUDGE, DeadlineKind.TURN, DeadlineKind.NEXT_ROUND)
        )
    ]
    await ours.tables.note_shown([(table.id, 1) for table in (reminded, hurried, dealt)])
    await ours.tables.postpone(
        [
            next_version(reminded, deadline=30),
            next_version(hurried, deadline=30, turn_ends=30),
            next_version(dealt, deadline=30),
        ]
    )
    assert await ours.tables.up_to_date() == {reminded.id}


async def test_a_lock_keeps_other_processes_and_ones_own_tasks_waiting(process: Open) -> None:
    ours, theirs = await process(Shards(2, (0,))), await process(Shards(2, (1,)))
    await ours.processes.lock("identify", 0)
    others = [asyncio.create_task(store.processes.lock("identify", 0)) for store in (ours, theirs)]
    await theirs.processes.lock("identify", 1)
    finished, _ = await asyncio.wait(others, timeout=0.5)
    assert not finished
    await ours.processes.unlock("identify", 0)
    async with asyncio.timeout(PATIENCE):
        finished, left = await asyncio.wait(others, return_when=asyncio.FIRST_COMPLETED)
        assert (len(finished), len(left)) == (1, 1)
        holder = ours if others[0] in finished else theirs
        await holder.processes.unlock("identify", 0)
        await asyncio.wait(left)


async def test_a_session_that_is_closed_while_a_lock_is_let_go_of_is_no_mistake(
    process: Open,
) -> None:
    # a stop soon after a start, while a shard rests behind its identify, was an error in the log
    for closing in range(10):
        store = await process(Shards())
        await store.processes.lock("identify")
        letting_go = asyncio.create_task(store.processes.unlock("identify"))
        for _ in range(closing % 5):
            await asyncio.sleep(0)
        await store.processes.close()
        await letting_go
