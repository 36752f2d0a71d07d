"""Whoever waits until everything is shown leaves the loop to those who show it."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot import app
from bot.operations.process_lifetime import STOP
from tests.bot.conftest import Seat
from tests.people import PATIENCE


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


async def test_a_stop_notes_what_is_shown_before_it_waits_for_seats(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2)
    await at.start("Thai Poker")
    await at.call(at.turn())
    noted: list[set[int]] = []

    async def settled() -> None:
        """Seats wait for Discord's limits, perhaps for longer than a stop has."""
        noted.append(await at.bot._store.tables.shown())

    monkeypatch.setattr(at.bot.seats, "settled", settled)
    monkeypatch.setattr(app, "STOP", replace(STOP, drain=PATIENCE, discord=PATIENCE))
    await at.bot.stop()
    assert noted == [{(await at.live()).table.id}]
