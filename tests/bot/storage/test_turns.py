"""Turns at a connection: first come, first served."""

from __future__ import annotations

import asyncio

import pytest

from bot.storage.turns import Turns


async def test_a_waiting_request_gets_the_connection_before_a_newcomer() -> None:
    turns, order = Turns(1, 60_000), list[str]()

    async def have(name: str) -> None:
        async with turns.turn():
            order.append(name)
            await waits.wait()

    async def again_and_again() -> None:
        for _ in range(3):
            await have("busy")

    waits = asyncio.Event()
    busy = asyncio.create_task(again_and_again())
    patient = asyncio.create_task(have("patient"))
    await asyncio.sleep(0)
    waits.set()
    await asyncio.gather(busy, patient)
    assert order == ["busy", "patient", "busy", "busy"]


async def test_all_turns_can_be_held_and_a_cancelled_wait_takes_none() -> None:
    turns = Turns(2, 60_000)
    async with turns.turn(), turns.turn():
        waiting = asyncio.create_task(turns.turn().__aenter__())
        await asyncio.sleep(0)
        assert not waiting.done()
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
    async with turns.turn(), turns.turn():
        pass


async def test_a_request_without_a_turn_times_out() -> None:
    turns = Turns(1, 1)
    assert turns._patience == 1.0
    turns._patience = 0.01
    async with turns.turn():
        with pytest.raises(TimeoutError):
            async with turns.turn():
                raise AssertionError("there is one connection")
