"""Connections are had first come, first served."""

from __future__ import annotations

import asyncio

import pytest

from bot.storage.turns import Turns


async def test_who_waits_has_it_before_whoever_comes_by_as_it_is_given_back() -> None:
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


async def test_as_many_have_one_as_there_are_and_one_that_is_given_up_is_free() -> None:
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


async def test_whose_turn_does_not_come_is_told_so() -> None:
    turns = Turns(1, 1)
    assert turns._patience == 1.0
    turns._patience = 0.01
    async with turns.turn():
        with pytest.raises(TimeoutError):
            async with turns.turn():
                raise AssertionError("there is one connection")
