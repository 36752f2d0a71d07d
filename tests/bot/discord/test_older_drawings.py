"""A drawing that was begun before a press, and reaches Discord after its answer, does not stay."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import discord
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
    slow = Slow(at.bot.publisher.boards.of)
    monkeypatch.setattr(at.bot.publisher.boards, "of", slow)
    await at.bot.publisher.redraw((await at.live()).table.id)
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
    pressed = await tap(at, second, "Pair")
    assert "Back" in pressed.buttons
    slow.let.set()
    await at.settle()
    assert seat_of(at, second).buttons == pressed.buttons


@pytest.mark.parametrize("sent", [False, True])
async def test_of_a_seat_whose_press_discord_has_just_been_answered(
    table: Seat, monkeypatch: pytest.MonkeyPatch, sent: bool
) -> None:
    at = await table(3)
    await at.start(THAI)
    await at.call(at.turn())
    await at.settle()
    second = at.turn()
    third = next(one for one in at.people if one is not second and one is not at.host)
    await open_seat(at, second)
    made, let = asyncio.Event(), asyncio.Event()
    draw, edit = at.bot.seats._board, discord.Interaction.edit_original_response
    answer = discord.InteractionResponse.edit_message

    async def held() -> None:
        if not made.is_set():
            made.set()
            await let.wait()

    async def drawn(*of: Any, **more: Any) -> Any:
        board = await draw(*of, **more)
        if not sent and int(second.id) in of:
            await held()  # it is sent when the press has been answered
        return board

    async def edited(interaction: Any, **more: Any) -> Any:
        if sent and str(interaction.user.id) == second.id:
            await held()  # it is on its way already
        return await edit(interaction, **more)

    async def answered(response: Any, **more: Any) -> Any:
        taken = await answer(response, **more)
        if str(response._parent.user.id) == second.id:
            let.set()  # Discord has taken the answer, and the bot does not know that yet
            await at.bot.seats.settled()
        return taken

    monkeypatch.setattr(at.bot.seats, "_board", drawn)
    monkeypatch.setattr(discord.Interaction, "edit_original_response", edited)
    monkeypatch.setattr(discord.InteractionResponse, "edit_message", answered)
    sure = await (await third.slash(at.channel, "leave")).settled()
    assert sure.message is not None
    await third.click(sure.message, "Yes, leave")
    await made.wait()  # the seat of the second is being drawn by itself
    await tap(at, second, "Pair")
    await at.settle()
    assert "Back" in seat_of(at, second).buttons
