"""Fixtures that put a test at a table."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from bot.sandbox.world import Sandbox
from tests.bot.house import Table, running_bot, settings

NAMES = ("Ann", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gus", "Hal", "Ivy", "Jo", "Kim")
Seat = Callable[..., Awaitable[Table]]


@pytest.fixture
async def table(tmp_path: Path) -> AsyncIterator[Seat]:
    """`await table(2, turn_minutes=1)`: two people in a channel with the bot, and its settings.

    With `serve=False` there is no bot yet: the test runs its own.
    """
    async with AsyncExitStack() as stack:

        async def seat(players: int, *, serve: bool = True, **tables: object) -> Table:
            world = Sandbox()
            await world.start(port=0)
            stack.push_async_callback(world.stop)
            channel = world.add_guild("The Snug").add_text_channel("poker-night")
            people = [world.add_person(name) for name in NAMES[:players]]
            chosen = settings(tmp_path, **tables)
            if not serve:
                return Table(world, None, channel, people)  # type: ignore[arg-type]
            bot = await stack.enter_async_context(running_bot(world, chosen))
            return Table(world, bot, channel, people)

        yield seat
