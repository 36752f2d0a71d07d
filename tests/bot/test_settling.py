"""Whoever waits until everything is shown leaves the loop to those who show it."""

from __future__ import annotations

import asyncio

import pytest

from tests.bot.conftest import Seat


@pytest.mark.timeout(60)  # what spins lets no other limit pass
async def test_a_drawing_that_has_just_ended_is_not_waited_for_for_ever(table: Seat) -> None:
    at = await table(1)

    async def drawn() -> None:
        """Done at its first step; who listens to that is told one round of the loop later."""

    worker = asyncio.create_task(drawn())
    at.bot.seats._workers.add(worker)
    worker.add_done_callback(at.bot.seats._workers.discard)
    await asyncio.sleep(0)
    assert worker.done()
    assert worker in at.bot.seats._workers
    await at.bot.seats.settled()  # from Python 3.12 on `gather` would not wait for it
