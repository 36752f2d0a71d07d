"""Drawings for those who watch come between the presses, and in any case at last."""

from __future__ import annotations

import asyncio
import itertools
import time

import pytest

from bot.discord import aside
from bot.discord.aside import Aside


async def test_drawings_come_one_a_turn_in_the_order_they_were_asked_for() -> None:
    lane, done = Aside(), list[str]()

    async def draws(name: str) -> None:
        await lane.turn()
        done.append(name)

    async def presses() -> None:
        while len(done) - done.count("press") < 4:
            done.append("press")
            await asyncio.sleep(0)

    await asyncio.gather(*(draws(name) for name in "abcd"), presses())
    drawn = [at for at, one in enumerate(done) if one != "press"]
    assert "".join(done[at] for at in drawn) == "abcd"
    assert all(later - at > 1 for at, later in itertools.pairwise(drawn))


async def test_a_drawing_waits_while_the_loop_is_busy_but_not_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(aside, "CALM", 0.0)  # it never is
    monkeypatch.setattr(aside, "LONGEST", 0.05)
    lane, began = Aside(), time.monotonic()
    await asyncio.gather(*(lane.turn() for _ in range(5)))
    assert time.monotonic() - began >= 0.05


async def test_it_is_busy_while_drawings_wait_for_their_gaps(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lane = Aside()
    assert not lane.busy
    monkeypatch.setattr(aside, "CALM", 0.0)
    monkeypatch.setattr(aside, "LONGEST", 2 * aside.LATEST * aside.BUSY)
    await lane.turn()
    assert lane.busy
    monkeypatch.setattr(aside, "CALM", 3600.0)
    for _ in range(3 * aside.LATEST):
        await lane.turn()
    assert not lane.busy
