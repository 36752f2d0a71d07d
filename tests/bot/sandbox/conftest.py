"""Fixtures: the local Discord with a clock that only tests move."""

import time
from collections.abc import AsyncIterator

import pytest_asyncio

from bot.sandbox.clock import ManualClock
from tests.bot.sandbox.raw import Raw
from tests.people import Snug, start_world


@pytest_asyncio.fixture
async def snug() -> AsyncIterator[Snug]:
    """Yield a new local Discord for each test; its clock is stopped, so no answer is too late."""
    async with start_world(ManualClock(time.time())) as world:
        yield world


@pytest_asyncio.fixture
async def raw(snug: Snug) -> AsyncIterator[Raw]:
    """Yield a client of `snug`'s API and gateway that needs no client library."""
    async with Raw(snug.world) as speaking:
        yield speaking
