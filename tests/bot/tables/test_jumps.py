"""A machine that slept or a clock that was set takes nobody's turn: the time is given back."""

from __future__ import annotations

import pytest

from bot.tables.clock import DeadlineClock, Jumps
from tests.bot.tables.room import ANN, BOB, CLEO, MINUTE, FakeClock, Room


class Steady:
    """A clock in seconds that nobody sets."""

    at = 1000.0

    def __call__(self) -> float:
        return self.at


@pytest.mark.parametrize("jump", [8 * 60 * MINUTE, -30 * MINUTE])
async def test_the_time_by_which_the_clock_jumped_is_given_back(room: Room, jump: int) -> None:
    table_id = await room.match(ANN, BOB)
    lobby = await room.lobby(CLEO, channel=3)
    steady = Steady()
    serving = DeadlineClock(room.tables, room.store, room.clock, Jumps(room.clock, steady))
    before, waiting = await room.table(table_id), await room.table(lobby)
    assert before.turn_ends is not None
    assert waiting.deadline is not None
    room.clock.at += jump + 1000  # a second has passed in truth
    steady.at += 1
    await serving._serve()
    after = await room.table(table_id)
    assert not after.absent
    assert after.turn_ends == before.turn_ends + jump
    assert (await room.table(lobby)).deadline == waiting.deadline + jump
    shown = [live for live, answered in room.shown.seen if not answered]
    assert shown[-1].table.turn_ends or shown[-2].table.turn_ends
    await serving._serve()
    assert await room.table(table_id) == after  # once
    room.clock.at += 10 * MINUTE  # in truth: the turn is over
    steady.at += 600
    await serving._serve()
    assert (await room.table(table_id)).absent


async def test_time_that_could_not_be_given_back_is_given_before_anything_is_served(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    table_id = await room.match(ANN, BOB)
    serving = DeadlineClock(room.tables, room.store, room.clock, Jumps(room.clock, Steady()))
    room.clock.at += 60 * MINUTE
    with monkeypatch.context() as patched:

        async def down() -> None:
            raise RuntimeError("the database is away")

        patched.setattr(room.store, "live_tables", down)
        with pytest.raises(RuntimeError):
            await serving._serve()
    await serving._serve()
    assert not (await room.table(table_id)).absent


def test_a_clock_that_is_put_right_has_not_jumped() -> None:
    clock, steady = FakeClock(), Steady()
    jumps = Jumps(clock, steady)
    for _ in range(10):
        clock.at += 61_000
        steady.at += 60
        assert jumps.last() == 0
    clock.at += 20_000
    assert jumps.last() == 20_000
    assert jumps.last() == 0
