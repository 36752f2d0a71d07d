"""A drawing that was begun before a press, and reaches Discord after its answer, does not stay."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tests.bot.conftest import Seat
from tests.bot.discord.tables.test_seats import open_seat, seat_of, tap

THAI = "Thai Poker"


class Slow:
    """A drawing; the first, with `player` among what is asked, goes on when it is let."""

    def __init__(self, draw: Callable[..., Awaitable[Any]], player: int | None = None) -> None:
        self._draw = draw
        self._player = player
        self.made = asyncio.Event()
        self.let = asyncio.Event()

    async def __call__(self, *of: Any, **more: Any) -> Any:
        drawn = await self._draw(*of, **more)
        if not self.made.is_set() and (self._player is None or self._player in of):
            self.made.set()
            await self.let.wait()
        return drawn


async def test_of_the_table_before_it_was_closed(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(1)
    await at.open(THAI)
    await at.settle()
    slow = Slow(at.bot.announcer.boards.of)
    monkeypatch.setattr(at.bot.announcer.boards, "of", slow)
    await at.bot.announcer.redraw((await at.live()).table.id)
    await slow.made.wait()
    await at.host.click(at.shown(), "Leave")
    assert "This table is closed." in at.shown().text
    slow.let.set()
    await at.settle()
    assert "This table is closed." in at.shown().text


async def test_of_a_seat_before_its_pad_was_pressed(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2)
    await at.start(THAI)
    first, second = at.turn(), next(one for one in at.people if one is not at.turn())
    await open_seat(at, second)
    slow = Slow(at.bot.seats._board, int(second.id))
    monkeypatch.setattr(at.bot.seats, "_board", slow)
    await at.call(first)
    await slow.made.wait()  # it is the turn of the second: their seat is being drawn by itself
    await second.click(seat_of(at, second), "Bring up to date")
    pressed = await tap(at, second, "Straight flush")
    assert "Back" in pressed.buttons
    slow.let.set()
    await at.settle()
    assert seat_of(at, second).buttons == pressed.buttons
