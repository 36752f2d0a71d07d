"""A stop is quick, whatever is under way: the rest is for the next start."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from bot import app
from bot.app import Bot
from bot.operations.process_lifetime import StopBudget, serve
from bot.storage import DatabaseLost
from bot.tables.scheduler import DeadlineClock
from tests.bot.house import settings
from tests.bot.stores import Between, Call
from tests.bot.tables.room import ANN, BOB, CLEO, MINUTE, Room
from tests.people import PATIENCE


class Slow(Between):
    """A store whose commits wait until they may go on."""

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
    """Three tables whose clock has run out, of which the first is being served."""
    for channel in (2, 3, 4):
        await room.match(ANN, BOB, CLEO, channel=channel)
    room.clock.at += 60 * MINUTE
    slow = Slow(room.store)
    room.tables.runtime._store = slow
    serving = DeadlineClock(room.tables, room.store.tables, room.clock)
    serving.start()
    await slow.begun.wait()
    return slow, serving


async def missed(room: Room) -> int:
    """At how many tables somebody's turn has passed."""
    return sum(bool(table.absent) for table in await room.store.tables.live())


async def test_a_stop_finishes_the_deadline_under_way_and_leaves_the_others(room: Room) -> None:
    slow, serving = await slow_deadlines(room)
    stopping = asyncio.create_task(serving.stop())
    await asyncio.sleep(0)
    slow.may_go_on.set()
    async with asyncio.timeout(PATIENCE):
        await stopping
    assert await missed(room) == 1


async def test_a_stop_does_not_wait_for_a_commit_that_hangs(room: Room) -> None:
    slow, serving = await slow_deadlines(room)
    async with asyncio.timeout(PATIENCE):
        await serving.stop(within=0.01)
    assert await missed(room) == 0
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
    serving = asyncio.create_task(serve(bot, "token"))
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


async def test_a_database_that_is_lost_ends_the_bot_by_its_own_sentence() -> None:
    class Idle(Bot):
        stopped = False

        def __init__(self) -> None:
            pass

        async def run(self, token: str) -> None:
            await asyncio.sleep(3600)

        async def stop(self) -> None:
            self.stopped = True

    async def lost() -> None:
        raise DatabaseLost("house.db was deleted")

    bot = Idle()
    with pytest.raises(DatabaseLost):
        await serve(bot, "token", watches=(lost,))
    assert bot.stopped


def test_a_process_that_hangs_ends_all_the_same() -> None:
    program = (
        "import bot.operations.process_lifetime as it, time; "
        "it.STOP_WITHIN = 0.05; it.end_in_time(); time.sleep(600)"
    )
    done = subprocess.run([sys.executable, "-c", program], timeout=PATIENCE, capture_output=True)
    assert done.returncode == 0
    assert b"did not stop in time" in done.stdout + done.stderr
