"""Faults of the disk, and locks by other programs, with the real process."""

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
async def process(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Faulted]:
    """Yield a real process with a match of two under way."""
    async with run_faulted(tmp_path_factory.mktemp("disk")) as setup:
        await setup.setup.start()
        await setup.setup.begin(THAI)
        yield setup


@needs_compiler
@pytest.mark.parametrize("order", ["full", "broken", "unsynced", "readonly"])
async def test_a_disk_that_refuses_writes_refuses_moves_until_it_works_again(
    process: Faulted, order: str
) -> None:
    await process.move()
    before = len(process.log_lines("database:"))
    process.shim.order(order)
    await process.check_refusal()
    await process.check_refusal()
    process.shim.order("")
    await process.move()
    await process.look()
    assert [line["level"] for line in process.log_lines("database:")[before:]] == ["error", "info"]


@needs_compiler
async def test_a_disk_that_takes_two_seconds_to_sync_is_waited_for(process: Faulted) -> None:
    process.shim.order("slow 2000")
    for _ in range(3):  # by the loop, which takes it for quick; after that, by the thread
        await process.move()
    process.shim.order("")
    await process.move()


async def test_a_file_that_another_program_locks_is_waited_for_and_then_refused(
    process: Faulted,
) -> None:
    with closing(sqlite3.connect(process.database, isolation_level=None)) as holder:
        holder.execute("begin immediate")
        await process.check_refusal()
        holder.execute("rollback")
    await process.move()


async def test_a_paused_process_serves_presses_made_meanwhile(process: Faulted) -> None:
    bot = process.setup.bot
    assert bot is not None
    before = process.actions()
    bot.send_signal(signal.SIGSTOP)
    act, _, person = await process.choose()
    await process.check_unanswered(act)  # Discord gives up after three seconds
    bot.send_signal(signal.SIGCONT)
    await process.until_turn_passed(person)
    assert process.actions() == before + 1  # late, and a move all the same
    await process.move()
    await process.look()
