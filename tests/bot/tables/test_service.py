"""Tables over a real store: deadlines, two processes, clock jumps, stops and damaged tables."""

from __future__ import annotations

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing, suppress
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
import structlog
from structlog.testing import LogCapture, capture_logs

from benchmarks.reading import CARD
from bot import app
from bot.app import Bot
from bot.discord.errors import sentence
from bot.operations.process_lifetime import StopBudget, serve
from bot.services import runtime
from bot.services.archive import Archive
from bot.services.runtime import APART
from bot.storage import tables as stored
from bot.storage.repair import TableCheck, find_damaged, repair
from bot.tables import errors, plans
from bot.tables.errors import StoreUnavailable
from bot.tables.match_log import result_of
from bot.tables.model import Change, KeptMatch, Status, Table
from bot.tables.requests import NOBODY
from bot.tables.scheduler import BEAT_SECONDS, ClockSkew, DeadlineClock
from engine.errors import NothingToChallenge, NotYourTurn
from engine.state import Phase
from tests.bot.conftest import Seat
from tests.bot.harness import settings
from tests.bot.stores import Between, Call
from tests.bot.tables.room import (
    ANN,
    BOB,
    CLEO,
    LIMITS,
    MINUTE,
    FakeClock,
    Room,
    Shown,
    ask,
    tables_over,
)
from tests.bot.troubled import Late, another_move
from tests.people import PATIENCE

# -- results --------------------------------------------------------------------------------------


# -- deadlines -------------------------------------------------------------------------------------


async def test_the_next_round_is_dealt_at_its_deadline_and_once(room: Room) -> None:
    table_id = await room.match(ANN, BOB)
    await room.tables.change(table_id, ask(await room.turn(table_id)), plans.bid, "pair:9")
    await room.tables.change(table_id, ask(await room.turn(table_id)), plans.challenge)
    (due,) = await room.store.tables.due(room.clock.at + 15_000)
    await asyncio.gather(*(room.tables.on_deadline(due) for _ in range(5)))
    match = (await room.tables.see(table_id)).match
    assert match is not None
    assert match.round is not None
    assert (match.round.number, match.phase) == (2, Phase.BIDDING)


async def test_a_turn_taken_as_its_clock_runs_out_is_no_timeout(room: Room) -> None:
    table_id = await room.match(ANN, BOB, CLEO)
    (due,) = await room.store.tables.due(room.clock.at + 10 * MINUTE)
    bid = room.tables.change(table_id, ask(await room.turn(table_id)), plans.bid, "pair:9")
    await asyncio.gather(bid, room.tables.on_deadline(due))
    match = (await room.tables.see(table_id)).match
    assert match is not None
    assert len(match.live) == 3


async def test_the_clock_wakes_for_a_deadline_that_comes_nearer(room: Room) -> None:
    clock = DeadlineClock(room.tables, room.store.tables, room.clock)
    clock.start()
    try:
        lobby = await room.tables.open(ask(ANN), 1, 2, "thai_poker")
        await asyncio.sleep(0)
        assert lobby.table.deadline is not None
        room.clock.at = lobby.table.deadline
        room.tables.alarm.ring()
        async with asyncio.timeout(PATIENCE):
            while (await room.table(lobby.table.id)).status is not Status.CLOSED:  # noqa: ASYNC110
                await asyncio.sleep(0.005)
    finally:
        await clock.stop()


# -- after a start ---------------------------------------------------------------------------------
async def test_time_is_given_back_after_a_start_but_never_taken(room: Room) -> None:
    soon = await room.match(ANN, BOB)
    room.clock.at += 10 * MINUTE - 1
    later = (await room.tables.open(ask(CLEO), 1, 3, "thai_poker")).table
    granted = {table.id: table for table in await room.another().runtime.grant_time(20_000)}
    assert granted[soon].deadline == room.clock.at + 20_000
    assert granted[later.id].deadline == later.deadline
    assert (await room.table(soon)).deadline == room.clock.at + 20_000


async def test_a_start_resumes_every_table_there_is(room: Room) -> None:
    for server in range(1, 11):
        opened = await room.tables.open(ask(ANN), server, 100 + server, "thai_poker")
        await room.tables.change(opened.table.id, ask(BOB), plans.join)
        await room.tables.change(opened.table.id, ask(ANN), plans.start)
    room.clock.at += 60 * MINUTE
    resumed = await room.another().runtime.grant_time(20_000)
    assert sorted(table.guild_id for table in resumed) == list(range(1, 11))
    assert all((table.deadline or 0) >= room.clock.at + 20_000 for table in resumed)


async def test_overdue_tables_get_deadlines_one_after_another_at_a_start(room: Room) -> None:
    tables = [await room.lobby(player, channel=player) for player in (ANN, BOB, CLEO)]
    room.clock.at += 1000 * MINUTE
    await room.another().runtime.grant_time(20_000)
    due = [(await room.table(table_id)).deadline for table_id in tables]
    assert due == [room.clock.at + 20_000 + APART * number for number in range(3)]


async def test_a_table_read_before_time_was_given_back_still_takes_moves(
    room: Room,
) -> None:
    table_id = await room.match(ANN, BOB)
    room.clock.at += 10 * MINUTE
    await room.tables.runtime.grant_time(20_000)
    stored = await room.table(table_id)
    assert (await room.tables.see(table_id)).table == stored
    await room.tables.change(table_id, ask(await room.turn(table_id)), plans.bid, "pair:9")
    room.clock.at += 60 * MINUTE
    (due,) = await room.store.tables.due(room.clock.at)
    await room.tables.on_deadline(due)
    assert (await room.table(table_id)).absent


# -- two processes, two presses --------------------------------------------------------------------
async def test_a_move_on_a_stale_state_is_judged_again_on_the_stored_one(room: Room) -> None:
    table_id = await room.match(ANN, BOB)
    second_seen = room.another()
    first = await room.turn(table_id)
    second = ({ANN, BOB} - {first}).pop()
    await second_seen.see(table_id)
    await room.tables.change(table_id, ask(first), plans.bid, "pair:9")
    live = await second_seen.change(
        table_id, ask(second), plans.bid, "pair:T"
    )  # its turn by now, though not as it saw
    assert live.match is not None
    assert live.match.round is not None
    assert len(live.match.round.bids) == 2
    await room.tables.change(table_id, ask(first), plans.bid, "pair:J")
    with pytest.raises(NotYourTurn):
        await second_seen.change(table_id, ask(first), plans.bid, "pair:Q")


async def test_a_deadline_of_a_state_that_another_process_made_is_served(room: Room) -> None:
    table_id = await room.match(ANN, BOB)
    first = await room.turn(table_id)
    await room.another().change(table_id, ask(first), plans.bid, "pair:9")
    (due,) = await room.store.tables.due(room.clock.at + 10 * MINUTE)
    await room.tables.on_deadline(due)
    live = await room.another().see(table_id)
    assert live.match is not None
    assert live.match.seq == 3
    assert live.by_house == {3}  # a move, played by the house
    assert live.table.absent == {({ANN, BOB} - {first}).pop(): 1}


async def test_one_interaction_is_applied_once_in_any_process(room: Room) -> None:
    table_id = await room.match(ANN, BOB)
    player = await room.turn(table_id)
    await room.tables.change(table_id, ask(player, interaction=77), plans.bid, "pair:9")
    for tables in (room.tables, room.another()):
        with pytest.raises((errors.Repeated, NotYourTurn)):
            await tables.change(table_id, ask(player, interaction=77), plans.bid, "pair:T")
    await room.tables.change(table_id, ask(await room.turn(table_id)), plans.bid, "pair:T")
    with pytest.raises(errors.Repeated):
        await room.another().change(table_id, ask(player, interaction=77), plans.bid, "pair:Q")


async def test_a_refused_move_is_neither_stored_nor_shown(room: Room) -> None:
    table_id = await room.match(ANN, BOB)
    stored, before = await room.store.tables.snapshot(table_id), len(room.screens.changes)
    waiting = ({ANN, BOB} - {await room.turn(table_id)}).pop()
    with pytest.raises(NotYourTurn):
        await room.tables.change(table_id, ask(waiting), plans.bid, "pair:9")
    with pytest.raises(errors.MovedOn):
        await room.tables.change(table_id, ask(CLEO), plans.join)
    assert await room.store.tables.snapshot(table_id) == stored
    assert len(room.screens.changes) == before


async def test_a_deadline_of_an_unknown_kind_is_replaced_by_the_right_one(room: Room) -> None:
    table_id = await room.match(ANN, BOB)
    with sqlite3.connect(room.store_file) as database:
        database.execute("update tables set deadline_kind = 'tea break'")
    database.close()
    (due,) = await room.store.tables.due(room.clock.at + 10 * MINUTE)
    assert due.deadline_kind is None
    room.clock.at += MINUTE
    await room.tables.on_deadline(due)
    live = await room.tables.see(table_id)
    assert live.match is not None
    assert live.match.seq == 1  # nothing was played
    assert (live.table.deadline_kind, live.table.deadline) == ("turn", room.clock.at + 9 * MINUTE)


@pytest.mark.parametrize("over", [False, True])
async def test_a_state_read_before_a_move_never_replaces_the_newer_one(
    room: Room, over: bool
) -> None:
    table_id = await room.match(ANN, BOB)
    started, turn = room.another(), ask(await room.turn(table_id))
    late: Any = Late(room.store)
    started.runtime._store = late
    reading = asyncio.create_task(started.see(table_id))  # as a start does, to show it
    await late.read.wait()
    if over:
        moving = asyncio.create_task(started.change(table_id, NOBODY, plans.close))
    else:
        moving = asyncio.create_task(started.change(table_id, turn, plans.bid, "pair:9"))
    await asyncio.wait({moving}, timeout=0.2)  # it may wait for the reading, or not
    late.let.set()
    await reading
    moved = await moving
    assert (await started.see(table_id)).table == moved.table
    assert list(started.runtime.all()) == ([] if over else [moved])


# -- a table whose match is over is read from the store but once -----------------------------------


class Reads:
    """Counts in `number` how often a table's whole log is read."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.number = 0
        read = stored.SqlTables.snapshot

        async def count_reads(store: stored.SqlTables, table_id: int) -> object:
            self.number += 1
            return await read(store, table_id)

        monkeypatch.setattr(stored.SqlTables, "snapshot", count_reads)


async def play_won_match(room: Room, *, channel: int = 2) -> int:
    """Play a match that Ann wins; return its table's id."""
    table_id = await room.match(ANN, BOB, channel=channel)
    await room.tables.change(table_id, ask(BOB), plans.forfeit)
    return table_id


async def test_a_finished_table_is_not_read_again(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    table_id = await play_won_match(room)
    reads = Reads(monkeypatch)
    for _ in range(3):
        live = await room.tables.see(table_id)
        assert live.table.status is Status.FINISHED
        assert live.match is not None
        assert live.match.winner == 0
        assert room.tables.runtime.is_latest(live)
    assert reads.number == 0
    monkeypatch.undo()
    await room.tables.runtime._load(table_id)  # what is kept is what is stored
    assert await room.tables.see(table_id) == live


async def test_a_finished_tables_cache_follows_notes_deletions_and_closing(
    room: Room,
) -> None:
    table_id = await play_won_match(room)
    await room.tables.runtime.note_shown(table_id, 77, 3)
    assert await room.tables.runtime.note_again(table_id)
    table = (await room.tables.see(table_id)).table
    assert (table.message_id, table.announced_seq) == (77, 3)
    assert (await room.table(table_id)).message_id == 77
    assert await room.store.privacy.forget(BOB) is not None
    assert BOB not in (await room.tables.see(table_id)).table.players
    await room.lobby(CLEO)
    assert (await room.tables.see(table_id)).table.status is Status.CLOSED
    with pytest.raises(errors.RefusedError):
        await room.tables.change(table_id, ask(ANN), plans.again)


async def test_a_finished_table_goes_on_with_a_new_match(room: Room) -> None:
    table_id = await play_won_match(room)
    await room.tables.change(table_id, ask(ANN), plans.again)
    await room.tables.change(table_id, ask(BOB), plans.join)
    live = await room.tables.see(table_id)
    assert live.table.status is Status.PLAYING
    assert live in room.tables.runtime.all()


async def test_only_the_latest_finished_tables_are_cached(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runtime, "OVER", 2)
    first, second, third = [await play_won_match(room, channel=channel) for channel in (2, 3, 4)]
    reads = Reads(monkeypatch)
    for table_id in (second, third, first):
        assert (await room.tables.see(table_id)).table.status is Status.FINISHED
    assert reads.number == 1


# -- a machine that slept or a clock that was set takes nobody's turn ------------------------------

HOUR = 60 * MINUTE
BOTH_WAYS = pytest.mark.parametrize("jump", [8 * HOUR, -HOUR // 2])


class Steady:
    """A steady clock in seconds, which setting the wall clock doesn't change."""

    at = 1000.0

    def __call__(self) -> float:
        return self.at


class Machine:
    """A `Room` on a machine whose wall clock a test can set."""

    def __init__(self, room: Room) -> None:
        self.steady = Steady()
        jumps = self.jumps = ClockSkew(room.clock, self.steady)
        self.room = replace(room, tables=tables_over(room.store, room.clock, room.screens, jumps))
        self.serving = DeadlineClock(self.room.tables, room.store.tables, room.clock, jumps)

    def pass_on(self, seconds: int, jump: int = 0) -> None:
        """Let this many seconds pass, and set the wall clock ahead by `jump` milliseconds."""
        self.steady.at += seconds
        self.room.clock.at += 1000 * seconds + jump


@pytest.fixture
def machine(room: Room) -> Machine:
    return Machine(room)


@BOTH_WAYS
async def test_the_time_by_which_the_clock_jumped_is_given_back(
    machine: Machine, jump: int
) -> None:
    room, serving = machine.room, machine.serving
    table_id = await room.match(ANN, BOB)
    lobby = await room.lobby(CLEO, channel=3)
    before, waiting = await room.table(table_id), await room.table(lobby)
    assert before.turn_ends is not None
    assert waiting.deadline is not None
    machine.pass_on(1, jump)
    await serving._serve()
    after = await room.table(table_id)
    assert not after.absent
    assert after.turn_ends == before.turn_ends + jump
    assert (await room.table(lobby)).deadline == waiting.deadline + jump
    tables_shown = [live.table for live, unseen in room.screens.changes if not unseen]
    assert after.turn_ends in [table.turn_ends for table in tables_shown if table.id == table_id]
    await serving._serve()
    assert await room.table(table_id) == after  # once
    machine.pass_on(600)  # the turn is over
    await serving._serve()
    assert (await room.table(table_id)).absent


@BOTH_WAYS
async def test_a_turn_that_began_after_the_jump_has_its_whole_clock_and_no_more(
    machine: Machine, jump: int
) -> None:
    room = machine.room
    table_id = await room.match(ANN, BOB)
    machine.pass_on(30, jump)
    await room.tables.change(table_id, ask(await room.turn(table_id)), plans.bid, "high_card:9")
    begun = await room.table(table_id)
    await machine.serving._serve()  # notices that the clock has jumped
    assert (await room.table(table_id)).turn_ends == begun.turn_ends == room.clock.at + 10 * MINUTE


@BOTH_WAYS
async def test_after_a_clock_jump_other_changes_do_not_shorten_the_turn(
    machine: Machine, jump: int
) -> None:
    room = machine.room
    table_id = await room.match(ANN, BOB)
    before = await room.table(table_id)
    assert before.turn_ends is not None
    machine.pass_on(30, jump)
    await room.tables.change(table_id, ask(ANN), plans.cut, "purple giraffe")
    assert (await room.table(table_id)).turn_ends == before.turn_ends + jump
    await machine.serving._serve()
    after = await room.table(table_id)
    assert after.turn_ends == before.turn_ends + jump
    assert after.deadline is not None
    assert after.deadline >= room.clock.at


@BOTH_WAYS
async def test_a_table_opened_after_the_jump_waits_as_long_as_any(
    machine: Machine, jump: int
) -> None:
    machine.pass_on(30, jump)
    lobby = await machine.room.lobby(ANN)
    opened = await machine.room.table(lobby)
    await machine.serving._serve()
    assert (await machine.room.table(lobby)).deadline == opened.deadline


async def test_time_that_could_not_be_given_back_is_given_before_anything_is_served(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, serving = machine.room, machine.serving
    tables = [await room.match(ANN, BOB, channel=channel) for channel in (2, 3, 4)]
    before = [await room.table(table_id) for table_id in tables]
    machine.pass_on(1, HOUR)
    commit = room.store.tables.commit

    async def fails_once(change: Change) -> Table:
        if change.table.id == tables[1]:
            monkeypatch.undo()
            raise StoreUnavailable("the database is away")
        return await commit(change)

    monkeypatch.setattr(room.store.tables, "commit", fails_once)
    with pytest.raises(errors.StoreUnavailable):
        await serving._serve()
    await serving._serve()
    after = [await room.table(table_id) for table_id in tables]
    assert [table.turn_ends for table in after] == [
        (table.turn_ends or 0) + HOUR for table in before
    ]
    assert not any(table.absent for table in after)


def test_a_clock_that_is_put_right_has_not_jumped() -> None:
    clock, steady = FakeClock(), Steady()
    jumps = ClockSkew(clock, steady)
    for _ in range(10):
        clock.at += 61_000
        steady.at += 60
        assert jumps.total() == 0
    clock.at += 20_000
    assert jumps.total() == 20_000
    assert jumps.total() == 20_000
    clock.at -= 50_000
    assert jumps.total() == -30_000


@pytest.mark.parametrize(("seconds", "seconds_back"), [(3600, HOUR - 1000 * BEAT_SECONDS), (6, 0)])
async def test_a_process_that_stood_still_gives_the_time_back(
    machine: Machine, seconds: int, seconds_back: float
) -> None:
    room, serving = machine.room, machine.serving
    table_id = await room.match(ANN, BOB)
    before = (await room.table(table_id)).turn_ends or 0
    beating = asyncio.create_task(machine.jumps.beating())
    await asyncio.sleep(0)
    machine.pass_on(seconds)  # both clocks go on, and nobody is served meanwhile
    await serving._serve()
    after = await room.table(table_id)
    beating.cancel()
    assert after.turn_ends == before + seconds_back
    assert not after.absent


# -- a stop is quick, whatever is under way --------------------------------------------------------


class Slow(Between):
    """A store whose commits wait for `may_go_on`."""

    def __init__(self, store: Any) -> None:
        super().__init__(store)
        self.begun = asyncio.Event()
        self.may_go_on = asyncio.Event()

    async def call(self, name: str, method: Call, *args: Any) -> Any:
        if name == "commit":
            self.begun.set()
            await self.may_go_on.wait()
        return await method(*args)


async def slow_deadlines(room: Room) -> tuple[Slow, DeadlineClock]:
    """Let the turns at three tables run out, and serve them until the first commit is waiting.

    Return the store whose commits wait, and the clock that serves deadlines.
    """
    for channel in (2, 3, 4):
        await room.match(ANN, BOB, CLEO, channel=channel)
    room.clock.at += 60 * MINUTE
    slow: Any = Slow(room.store)
    room.tables.runtime._store = slow
    serving = DeadlineClock(room.tables, room.store.tables, room.clock)
    serving.start()
    await slow.begun.wait()
    return slow, serving


async def missed_turns(room: Room) -> int:
    """Return the number of tables where somebody has missed a turn."""
    return sum(bool(table.absent) for table in await room.store.tables.live())


async def test_a_stop_finishes_the_deadline_under_way_and_leaves_the_others(room: Room) -> None:
    slow, serving = await slow_deadlines(room)
    stopping = asyncio.create_task(serving.stop())
    await asyncio.sleep(0)
    slow.may_go_on.set()
    async with asyncio.timeout(PATIENCE):
        await stopping
    assert await missed_turns(room) == 1


async def test_a_stop_does_not_wait_for_a_commit_that_hangs(room: Room) -> None:
    slow, serving = await slow_deadlines(room)
    async with asyncio.timeout(PATIENCE):
        await serving.stop(within=0.01)
    assert await missed_turns(room) == 0
    slow.may_go_on.set()
    assert serving._task is not None
    await serving._task


async def test_a_stop_does_not_wait_until_the_library_connects_again() -> None:
    class Reconnecting(Bot):
        def __init__(self) -> None:
            self.begun = asyncio.Event()

        async def run(self, token: str) -> None:
            self.begun.set()
            await asyncio.sleep(676)

        async def stop(self) -> None:
            pass

    bot = Reconnecting()
    serving = asyncio.create_task(serve(bot.run("token"), bot.stop))
    await bot.begun.wait()
    os.kill(os.getpid(), signal.SIGTERM)
    async with asyncio.timeout(PATIENCE):
        await serving


async def test_a_stop_is_over_in_time_whatever_hangs_in_it(
    room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "STOP", StopBudget(*(0.01 for _ in fields(StopBudget))))
    let_go = asyncio.Event()
    hung: list[str] = []

    def hangs(name: str) -> Any:
        async def work(*_: object) -> None:
            hung.append(name)
            while not let_go.is_set():  # as a part does that waits for a process or a thread
                with suppress(asyncio.CancelledError):
                    await let_go.wait()

        return work

    bot = Bot(settings(tmp_path), room.store)
    for part, name in (
        (bot.housekeeping, "stop"),
        (bot.thinking, "close"),
        (bot.computing, "close"),
        (bot.client, "leave_handlers"),
        (bot.client, "close"),
    ):
        monkeypatch.setattr(part, name, hangs(f"{type(part).__name__}.{name}"))
    async with asyncio.timeout(PATIENCE):
        await bot.stop()
    assert len(hung) == 5
    let_go.set()


def test_a_process_that_hangs_ends_all_the_same() -> None:
    program = (
        "import bot.operations.process_lifetime as it, time; "
        "it.STOP_WITHIN = 0.05; it.end_in_time(); time.sleep(600)"
    )
    process = subprocess.run([sys.executable, "-c", program], timeout=PATIENCE, capture_output=True)
    assert process.returncode == 0
    assert b"did not stop in time" in process.stdout + process.stderr


# -- one damaged table is set aside and named, all others go on ------------------------------------

DAMAGES = [
    "UPDATE tables SET players = '[1' WHERE id = :table",
    "UPDATE tables SET players = '{}' WHERE id = :table",
    "UPDATE tables SET players = '[' || printf('%.100000c', '[') WHERE id = :table",
    "UPDATE tables SET options = 'null' WHERE id = :table",
    "UPDATE tables SET options = json_set(options, '$.turn_seconds', 'long') WHERE id = :table",
    f"UPDATE tables SET options = json_set(options, '$.turn_seconds', {10**17}) WHERE id = :table",
    "UPDATE tables SET absent = '{\"ann\":1}' WHERE id = :table",
    "UPDATE tables SET version = 'two' WHERE id = :table",
    "UPDATE tables SET votes = '[]' WHERE id = :table",
    "UPDATE tables SET turn_since = 'noon' WHERE id = :table",
    "UPDATE tables SET host_id = 'ann' WHERE id = :table",
    "UPDATE tables SET created_at = '' WHERE id = :table",
    "UPDATE matches SET players = '[1' WHERE table_id = :table",
    "UPDATE matches SET options = '' WHERE table_id = :table",
    "UPDATE matches SET status = 'lost' WHERE table_id = :table",
]
LOST = [
    "UPDATE actions SET body = '{' WHERE seq = 1 AND match_id = (SELECT match_id FROM tables"
    " WHERE id = :table)",
    "DELETE FROM actions WHERE seq = 1 AND match_id = (SELECT match_id FROM tables"
    " WHERE id = :table)",
    "UPDATE matches SET variant = 'bridge' WHERE table_id = :table",
]


def damage(file: Path, statement: str, table: int) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        assert connection.execute(statement, {"table": table}).rowcount


@pytest.mark.thorough
@pytest.mark.parametrize("statement", DAMAGES + LOST)
async def test_a_damaged_table_is_named_once_and_all_others_go_on(
    room: Room, statement: str
) -> None:
    bad = await room.match(ANN, BOB)
    await room.tables.change(bad, ask(await room.turn(bad)), plans.bid, "pair:9")
    good = await room.match(ANN, CLEO, channel=3)
    damage(room.store_file, statement, bad)
    with capture_logs() as logged:
        tables = tables_over(room.store, room.clock, Shown())  # as after a start
        resumed = []
        for live in await tables.runtime.grant_time(1):
            with suppress(errors.Damaged):
                resumed.append((await tables.see(live.id)).table.id)
        assert resumed == [good]
        room.clock.at += 3_600_000
        clock = DeadlineClock(tables, room.store.tables, room.clock)
        assert await clock._serve() > 0
        assert await clock._serve() > 5.0  # nothing is tried again and again
        assert (await tables.see(good)).table.absent  # its clock ran out
        with pytest.raises(errors.Damaged):
            await tables.in_channel(2)
        await tables.change(good, ask(CLEO), plans.forfeit)
    (named,) = [line for line in logged if "set aside" in line["event"]]
    assert (named["table"], named["log_level"]) == (bad, "error")
    assert "bluffhouse store repair" in named["mend"]
    assert not [line for line in logged if line["log_level"] == "error" and line is not named]


@pytest.mark.thorough
# -- repair ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("statement", DAMAGES)
async def test_a_repair_rebuilds_a_table_from_its_match_and_its_log(
    room: Room, statement: str
) -> None:
    bad = await room.match(ANN, BOB)
    await room.tables.change(bad, ask(await room.turn(bad)), plans.bid, "pair:9")
    before = await room.tables.see(bad)
    damage(room.store_file, statement, bad)
    ((damaged, _),) = (await find_damaged(room.store.database)).damaged
    assert damaged == bad
    report = await repair(room.store.database, bad, LIMITS)
    assert report == f"table {bad} was rebuilt; its match is at action 2"
    assert await find_damaged(room.store.database) == TableCheck(1, ())
    after = await room.another().see(bad)
    assert after.match == before.match
    assert after.table.players == (ANN, BOB)
    assert after.table.host_id == ANN
    assert after.table.deadline is not None
    await room.another().change(bad, ask(await room.turn(bad)), plans.challenge)


@pytest.mark.parametrize("statement", LOST)
async def test_a_repair_closes_a_table_whose_log_is_lost_and_deletes_nothing(
    room: Room, statement: str
) -> None:
    bad = await room.match(ANN, BOB)
    await room.tables.change(bad, ask(await room.turn(bad)), plans.bid, "pair:9")
    damage(room.store_file, statement, bad)
    with closing(sqlite3.connect(room.store_file)) as connection:
        before = connection.execute("SELECT * FROM actions").fetchall()
    report = await repair(room.store.database, bad, LIMITS)
    assert report.startswith(
        f"table {bad} was closed, without a winner: its log cannot be replayed"
    )
    assert await find_damaged(room.store.database) == TableCheck(0, ())
    with closing(sqlite3.connect(room.store_file)) as connection:
        assert connection.execute("SELECT * FROM actions").fetchall() == before
        ended = connection.execute("SELECT status, ended_at FROM matches").fetchone()
        assert connection.execute("SELECT * FROM results").fetchall() == []
    assert ended[0] == "abandoned"
    assert ended[1] is not None
    await room.lobby(CLEO, BOB)  # the channel is free


async def test_a_repair_closes_a_lobby_that_does_not_say_who_sits_in_it(room: Room) -> None:
    bad = await room.lobby(ANN, BOB)
    damage(room.store_file, DAMAGES[0], bad)
    report = await repair(room.store.database, bad, LIMITS)
    assert report == f"table {bad} was closed: nothing says who sat at it"
    await room.lobby(CLEO, BOB)


async def test_a_repair_keeps_a_less_damaged_lobby(room: Room) -> None:
    bad = await room.lobby(ANN, BOB)
    damage(room.store_file, "UPDATE tables SET waiting = '', options = '' WHERE id = :table", bad)
    assert await repair(room.store.database, bad, LIMITS) == (
        f"table {bad} was rebuilt; its match hadn't started"
    )
    live = await room.another().change(bad, ask(ANN), plans.start)
    assert live.table.players == (ANN, BOB)


async def test_a_table_whose_match_old_age_has_taken_is_not_damaged(room: Room) -> None:
    table = await room.match(ANN, BOB)
    await room.tables.change(table, ask(ANN), plans.forfeit)
    room.clock.at += 86_400_000
    purged = await room.store.retention.purge_old(
        room.clock.at, 1
    )  # the table goes in a later part
    assert purged.rows == 1
    assert await find_damaged(room.store.database) == TableCheck(1, ())


async def test_matches_that_cannot_be_read_take_no_place_in_a_list(room: Room) -> None:
    over = []
    for _ in range(4):
        table = await room.match(ANN, BOB)
        await room.tables.change(table, ask(ANN), plans.forfeit)
        over.append((await room.table(table)).match_id)
    with closing(sqlite3.connect(room.store_file)) as connection, connection:
        connection.execute("UPDATE matches SET players = '[' WHERE id = ?", (over[2],))
    with capture_logs() as logged:
        numbers = [line.match_id for line in await room.store.matches.history(ANN, None, 3)]
        assert numbers == [over[3], over[1], over[0]]
        assert [line.match_id for line in await room.store.matches.history(BOB, over[3], 1)] == [
            over[1]
        ]
    (named,) = [line for line in logged if line["log_level"] == "error"]
    assert (named["match"], named["found"]) == (
        over[2],
        "cannot be read in a row of matches: players",
    )


async def test_a_match_that_looks_back_on_a_damaged_log_says_which(room: Room) -> None:
    table = await room.match(ANN, BOB)
    await room.tables.change(table, ask(ANN), plans.forfeit)
    match = (await room.table(table)).match_id or 0
    damage(room.store_file, "UPDATE actions SET body = '{' WHERE match_id = :table", match)
    with pytest.raises(errors.Damaged) as refused:
        await Archive(room.store).match(match, _anybody)
    assert sentence(refused.value).startswith(f"Match {match} is damaged in the database")
    with pytest.raises(errors.Damaged):
        await room.another().highlights_of(table, match)


async def _anybody(match: KeptMatch) -> bool:
    return True


# -- what a host reads of matches in the log -------------------------------------------------------

THAI = "Thai Poker"


async def test_all_log_lines_of_a_match_have_its_number(
    table: Seat,
) -> None:
    capture = LogCapture()
    before = structlog.get_config()["processors"]
    at = await table(2)
    structlog.configure(processors=[structlog.contextvars.merge_contextvars, capture])
    try:
        await at.start(THAI)
        await another_move(at)
        await at.forfeit(at.turn())
        await at.settle()
    finally:
        structlog.configure(processors=before)
    ours = [line for line in capture.entries if line["event"].startswith(("match: ", "move: "))]
    assert [(line["event"], line.get("kind")) for line in ours] == [
        ("match: begun", None),
        ("move: stored", "deal"),
        ("move: stored", "bid"),
        ("move: stored", "forfeit"),
        ("match: ended", None),
    ]
    assert {line["match"] for line in ours} == {1}
    assert [line["seq"] for line in ours] == [1, 1, 2, 3, 3]
    assert ours[-1]["how"] == "won"
    assert [line["log_level"] for line in ours] == ["info", "debug", "debug", "debug", "info"]
    log_text = " ".join(str(value) for line in capture.entries for value in line.values())
    assert not CARD.search(log_text)
    assert all(person.name not in log_text for person in at.people)


def test_each_refusal_is_counted_by_its_kind() -> None:
    assert result_of(errors.Repeated()) == "repeated"
    assert result_of(errors.MovedOn()) == "moved_on"
    assert result_of(errors.StoreUnavailable()) == "unavailable"
    assert result_of(NothingToChallenge()) == "refused"
