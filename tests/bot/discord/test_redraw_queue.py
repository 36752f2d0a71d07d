"""Drawings for those who watch come between the presses, and in any case at last."""

from __future__ import annotations

import asyncio
import itertools
import time

import pytest

from bot.discord import redraw_queue
from bot.discord.redraw_queue import RedrawQueue, _Load


def loaded(monkeypatch: pytest.MonkeyPatch, share: float) -> None:
    """The loop takes so much of a core."""
    monkeypatch.setattr(_Load, "of_late", lambda *_: share)


async def all_in_line(*asked: asyncio.Task[None]) -> None:
    """Wait until everybody has asked for their turn."""
    await asyncio.sleep(0)
    assert not any(one.done() for one in asked)


async def test_drawings_come_one_a_turn_in_the_order_they_were_asked_for() -> None:
    lane, done = RedrawQueue(), list[str]()

    async def draws(name: str) -> None:
        await lane.turn(name)
        done.append(name)

    async def presses() -> None:
        while len(done) - done.count("press") < 4:
            done.append("press")
            await asyncio.sleep(0)

    await asyncio.gather(*(draws(name) for name in "abcd"), presses())
    drawn = [at for at, one in enumerate(done) if one != "press"]
    assert "".join(done[at] for at in drawn) == "abcd"
    assert all(later - at > 1 for at, later in itertools.pairwise(drawn))


@pytest.mark.parametrize("full", ["never calm", "much taken"])
async def test_a_drawing_waits_while_the_loop_is_busy_but_not_for_ever(
    monkeypatch: pytest.MonkeyPatch, full: str
) -> None:
    if full == "never calm":
        monkeypatch.setattr(redraw_queue, "CALM", 0.0)
    else:
        loaded(monkeypatch, 1.0)
    monkeypatch.setattr(redraw_queue, "LONGEST", 0.02)
    lane, began = RedrawQueue(), time.monotonic()
    await asyncio.gather(*(lane.turn(number) for number in range(5)))
    assert time.monotonic() - began >= 5 * 0.02  # one by one: no heap of them comes at the end


async def test_who_looks_on_gives_way_until_they_are_asked_for_something(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loaded(monkeypatch, (redraw_queue.PRESSING + redraw_queue.LOOKING_ON) / 2)
    monkeypatch.setattr(redraw_queue, "LONGEST", 3600.0)
    monkeypatch.setattr(redraw_queue, "PATIENCE", 3600.0)
    lane = RedrawQueue()
    watching = [asyncio.create_task(lane.turn(name, pressing=False)) for name in "abc"]
    await all_in_line(*watching)
    for number in range(9):
        await lane.turn(number)
    await all_in_line(*watching)
    lane.hurry("b")
    lane.hurry("nobody")
    await watching[1]
    await all_in_line(watching[0], watching[2])
    loaded(monkeypatch, 0.0)
    lane.hurry("c")
    await asyncio.gather(*watching)


async def test_what_everybody_sees_is_drawn_before_the_seats_that_wait() -> None:
    lane, order = RedrawQueue(), list[str]()

    async def draws(name: str) -> None:
        pressing = name != "looks on"
        await lane.turn(name, pressing=pressing, everybody=name.startswith("table"))
        order.append(name)

    asked = ["seat 1", "looks on", "seat 2", "table 1", "table 2"]
    await asyncio.gather(*map(draws, asked))
    assert order == ["seat 1", "table 1", "table 2", "seat 2", "looks on"]


async def test_who_is_asked_for_something_as_their_turn_comes_does_not_give_way() -> None:
    lane, order = RedrawQueue(), list[str]()

    async def draws(name: str) -> None:
        await lane.turn(name, pressing=name.islower())
        order.append(name)
        if name == "x":
            lane.hurry("Y")  # who has been told that they are the first, and does not know it yet
            everybody.extend(asyncio.create_task(draws(one)) for one in "abc")

    everybody = [asyncio.create_task(draws(name)) for name in "xY"]
    await asyncio.gather(*everybody)
    await asyncio.gather(*everybody)
    assert order == ["x", "Y", "a", "b", "c"]


async def test_who_has_looked_on_for_long_has_one_turn_in_four(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(redraw_queue, "PATIENCE", 0.0)
    lane, order = RedrawQueue(), list[str]()

    async def draws(name: str) -> None:
        await lane.turn(name, pressing=name.islower())
        order.append(name)

    await asyncio.gather(*(draws(name) for name in "abcdefgXYZ"))
    assert len(order) == 10
    assert [at for at, name in enumerate(order) if name in "XYZ"] == [4, 8, 9]


async def test_who_is_cancelled_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded(monkeypatch, 1.0)
    monkeypatch.setattr(redraw_queue, "LONGEST", 3600.0)
    lane = RedrawQueue()
    tasks = [asyncio.create_task(lane.turn(number)) for number in range(4)]
    tasks.append(asyncio.create_task(lane.turn("looks on", pressing=False)))
    await all_in_line(*tasks)
    tasks[1].cancel()  # in line
    tasks[0].cancel()  # the first: whoever is told next, 1, does not know yet that it is cancelled
    await asyncio.wait(tasks[:2])
    tasks[2].cancel()
    tasks[4].cancel()
    await asyncio.wait({tasks[2], tasks[4]})
    loaded(monkeypatch, 0.0)
    await tasks[3]
    await lane.turn("whoever comes")


async def test_of_late_is_what_the_loop_took_and_takes_no_more() -> None:
    load, used = _Load(), 0.0
    while used < redraw_queue.WINDOW:
        used = time.thread_time()
    busy = [load.of_late(second) for second in (1000.0, 1000.0 + redraw_queue.WINDOW / 2)]
    assert busy[0] == busy[1] > 0  # not measured again so soon
    assert load.of_late(1001.0) < 1
    assert load.of_late(3600.0) < 0.01
