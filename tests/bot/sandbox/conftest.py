"""Fixtures: the local Discord with a clock that only tests move."""

import time
from collections.abc import AsyncIterator

import pytest_asyncio

from bot.sandbox.clock import ManualClock
from tests.bot.sandbox.raw import Raw
from tests.people import Snug, start_world


@pytest_asyncio.fixture
async def snug() -> AsyncIterator[Snug]:
    """Yield a new world for each test, in which no answer is too late on a slow machine."""
    async with start_world(ManualClock(time.time())) as world:
        yield world


@pytest_asyncio.fixture
async def raw(snug: Snug) -> AsyncIterator[Raw]:
    """Yield the bot's side of the world `snug`, used without a client library."""
    async with Raw(snug.world) as speaking:
        yield speaking
