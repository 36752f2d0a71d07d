"""Fixtures: a table whose bot has a stopped clock."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.bot.conftest import Seat
from tests.bot.discord.tables.clocked import Clocked, serve_table
from tests.bot.harness import StoppedClock, Table


@pytest.fixture
def with_clock(table: Seat, tmp_path: Path) -> Clocked:
    """Return a function that puts people in a channel: `async with with_clock(3) as (at, clock)`.

    A bot with the stopped `clock` serves them, by default with two minutes for a turn.
    """

    @asynccontextmanager
    async def serving(
        players: int, turn_minutes: int = 2, **tables: Any
    ) -> AsyncIterator[tuple[Table, StoppedClock]]:
        at, clock = await table(players, serve=False), StoppedClock(time.time())
        async with serve_table(at, tmp_path, clock, turn_minutes=turn_minutes, **tables):
            yield at, clock

    return serving
