"""A table whose odds are worked out on a bench, in this process; nobody there is in a hurry."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from bot.discord.odds import handlers
from bot.sandbox.clock import ManualClock
from bot.sandbox.world import Sandbox
from tests.bot.conftest import NAMES, Seat
from tests.bot.discord.odds.bench import Bench
from tests.bot.house import Table, running_bot, settings
from tests.people import PATIENCE


@pytest.fixture
async def table(
    tmp_path: Path, unhurried: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Seat]:
    """`await table(2)`: two people in a channel with the bot, whose `computing` is the bench."""
    monkeypatch.setattr(handlers, "SOON", PATIENCE)
    async with AsyncExitStack() as stack:

        async def seat(players: int, *, plays: str | None = None) -> Table:
            world = Sandbox(unhurried)
            await world.start(port=0)
            stack.push_async_callback(world.stop)
            channel = world.add_guild("The Snug").add_text_channel("poker-night")
            people = [world.add_person(name) for name in NAMES[:players]]
            bot = await stack.enter_async_context(
                running_bot(world, settings(tmp_path), computing=Bench())
            )
            at = Table(world, bot, channel, people)
            if plays is not None:
                await at.start(plays)
            return at

        yield seat
