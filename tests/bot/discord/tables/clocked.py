"""A table whose bot has a clock that only the test moves."""

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
    """The bot serves the table by this clock until the block ends."""
    async with running_bot(at.world, settings(folder, **tables), clock=clock) as bot:
        at.bot = bot
        yield


Clocked = Callable[..., AbstractAsyncContextManager[tuple[Table, StoppedClock]]]


def passes(at: Table, clock: StoppedClock, seconds: float) -> None:
    """So much time passes; what is due by then is served."""
    clock.at += int(seconds * 1000)
    at.bot.tables.alarm.ring()


def pings_sent(at: Table) -> list[list[str]]:
    """Whom each reminder was allowed to ping, in the order they were sent."""
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
    """So many seconds pass, then so many reminders were sent in all, and are noted."""
    passes(at, clock, after)
    await until(lambda: len(pings_sent(at)) == count)
    await at.settle()
