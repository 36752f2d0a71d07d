"""Serve a table by a clock that only the test moves, and count its reminders."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any

from tests.bot.harness import StoppedClock, Table, running_bot, settings
from tests.people import until

SEND = "/channels/{channel_id}/messages"


@asynccontextmanager
async def serve_table(
    at: Table, folder: Path, clock: StoppedClock, **tables: Any
) -> AsyncIterator[None]:
    """Have a bot with this clock serve the table until the block ends."""
    async with running_bot(at.world, settings(folder, **tables), clock=clock) as bot:
        at.bot = bot
        yield


Clocked = Callable[..., AbstractAsyncContextManager[tuple[Table, StoppedClock]]]


def passes(at: Table, clock: StoppedClock, seconds: float) -> None:
    """Advance the clock by this many seconds and wake the bot, but don't wait for its actions."""
    clock.at += int(seconds * 1000)
    at.bot.tables.alarm.ring()


def pings_sent(at: Table) -> list[list[str]]:
    """Return the ids of the people whom each reminder was allowed to ping, oldest first."""
    sent = [
        request
        for request in at.world.state.requests
        if request.route == SEND and request.method == "POST"
    ]
    bodies = [
        request.body
        for request in sent
        if isinstance(request.body, dict) and request.body.get("content")
    ]
    reminders = [body for body in bodies if body.get("allowed_mentions", {}).get("users")]
    assert all(not body["allowed_mentions"].get("parse") for body in reminders)
    return [[str(user) for user in body["allowed_mentions"]["users"]] for body in reminders]


async def see_reminders(at: Table, clock: StoppedClock, after: float, count: int = 1) -> None:
    """Advance the clock by `after` seconds; wait until `count` reminders in total have pinged."""
    passes(at, clock, after)
    await until(lambda: len(pings_sent(at)) == count)
    await at.settle()
