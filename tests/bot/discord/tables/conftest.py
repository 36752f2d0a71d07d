"""Every test here is unhurried: what is looked at is what is said, not how soon."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot.sandbox.clock import ManualClock
from tests.bot.conftest import Seat
from tests.bot.discord.tables.clocked import Clocked, served
from tests.bot.house import StoppedClock, Table


@pytest.fixture(autouse=True)
def nobody_is_late(unhurried: ManualClock) -> None:
    """See `unhurried`."""


@pytest.fixture
def clocked(table: Seat, tmp_path: Path) -> Clocked:
    """`async with clocked(3, turn_minutes=1) as (at, clock)`: three people, a bot and its clock."""

    @asynccontextmanager
    async def serving(
        players: int, turn_minutes: int = 2
    ) -> AsyncIterator[tuple[Table, StoppedClock]]:
        at, clock = await table(players, serve=False), StoppedClock(time.time())
        async with served(at, tmp_path, clock, turn_minutes=turn_minutes):
            yield at, clock

    return serving
