"""Faults of the disk, and other programs' locks, with the real process."""

from __future__ import annotations

import signal
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing

import pytest
import pytest_asyncio

from tests.bot.faulted import THAI, Faulted, run_faulted
from tests.powerloss.shim import needs_compiler

pytestmark = [
    pytest.mark.process,
    pytest.mark.long,
    pytest.mark.asyncio(loop_scope="module"),
]
CONFIGURATION = 78  # the exit code after which starting again would not help


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Faulted]:
    """A match of two under way, in one real process."""
    async with run_faulted(tmp_path_factory.mktemp("disk")) as setup:
        await setup.setup.start()
        await setup.setup.begin(THAI)
        yield setup


@needs_compiler
@pytest.mark.parametrize("order", ["full", "broken", "unsynced", "readonly"])
async def test_a_disk_that_refuses_writes_refuses_moves_until_it_works_again(
    house: Faulted, order: str
) -> None:
    await house.move()
    before = len(house.log_lines("database:"))
    house.shim.order(order)
    await house.check_refusal()
    await house.check_refusal()
    house.shim.order("")
    await house.move()
    await house.look()
    assert [line["level"] for line in house.log_lines("database:")[before:]] == ["error", "info"]


@needs_compiler
async def test_a_disk_that_takes_two_seconds_to_sync_is_waited_for(house: Faulted) -> None:
    house.shim.order("slow 2000")
    for _ in range(3):  # by the loop, which takes it for quick; after that, by the thread
        await house.move()
    house.shim.order("")
    await house.move()


async def test_a_file_that_another_program_locks_is_waited_for_and_then_refused(
    house: Faulted,
) -> None:
    with closing(sqlite3.connect(house.database, isolation_level=None)) as holder:
        holder.execute("begin immediate")
        await house.check_refusal()
        holder.execute("rollback")
    await house.move()


async def test_a_paused_process_serves_presses_made_meanwhile(house: Faulted) -> None:
    bot = house.setup.bot
    assert bot is not None
    before = house.actions()
    bot.send_signal(signal.SIGSTOP)
    act, _, person = await house.choose()
    await house.check_unanswered(act)  # Discord gives up after three seconds
    bot.send_signal(signal.SIGCONT)
    await house.until_turn_passed(person)
    assert house.actions() == before + 1  # late, and a move all the same
    await house.move()
    await house.look()
