"""A machine that slept or a clock that was set takes nobody's turn: the time is given back."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.tables import errors, plans
from bot.tables.errors import StoreUnavailable
from bot.tables.model import Change, Table
from bot.tables.scheduler import BEAT_SECONDS, ClockSkew, DeadlineClock
from tests.bot.tables.room import ANN, BOB, CLEO, MINUTE, FakeClock, Room, ask, tables_over

HOUR = 60 * MINUTE
BOTH_WAYS = pytest.mark.parametrize("jump", [8 * HOUR, -HOUR // 2])


class Steady:
    """A clock in seconds that nobody sets."""

    at = 1000.0

    def __call__(self) -> float:
        return self.at


class Machine:
    """A room on a machine whose clock is set now and then."""

    def __init__(self, room: Room) -> None:
        self.steady = Steady()
        jumps = self.jumps = ClockSkew(room.clock, self.steady)
        self.room = replace(room, tables=tables_over(room.store, room.clock, room.shown, jumps))
        self.serving = DeadlineClock(self.room.tables, room.store.tables, room.clock, jumps)

    def pass_on(self, seconds: int, jump: int = 0) -> None:
        """Some seconds pass in truth; the wall clock is set `jump` ms ahead."""
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
    shown = [live.table for live, answered in room.shown.seen if not answered]
    assert after.turn_ends in [table.turn_ends for table in shown if table.id == table_id]
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
async def test_what_happens_beside_a_turn_after_the_jump_leaves_the_turn_its_clock(
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
    before = [await room.table(one) for one in tables]
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
    after = [await room.table(one) for one in tables]
    assert [one.turn_ends for one in after] == [(one.turn_ends or 0) + HOUR for one in before]
    assert not any(one.absent for one in after)


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


async def beaten(machine: Machine) -> asyncio.Task[None]:
    """The machine's process gives signs of life from now on."""
    beating = asyncio.create_task(machine.jumps.beating())
    await asyncio.sleep(0)
    return beating


async def test_a_process_that_stood_still_gives_the_time_back(machine: Machine) -> None:
    room, serving = machine.room, machine.serving
    table_id = await room.match(ANN, BOB)
    before = await room.table(table_id)
    assert before.turn_ends is not None
    beating = await beaten(machine)
    machine.pass_on(3600)  # both clocks go on, and nobody is served meanwhile
    await serving._serve()
    after = await room.table(table_id)
    beating.cancel()
    assert after.turn_ends is not None
    assert abs(after.turn_ends - before.turn_ends - HOUR) <= 1000 * BEAT_SECONDS
    assert not after.absent


async def test_a_process_that_is_only_a_little_late_takes_no_time(machine: Machine) -> None:
    room, serving = machine.room, machine.serving
    table_id = await room.match(ANN, BOB)
    before = await room.table(table_id)
    beating = await beaten(machine)
    machine.pass_on(6)
    await serving._serve()
    beating.cancel()
    assert (await room.table(table_id)).turn_ends == before.turn_ends
