"""What happens by itself: one task, asleep until the next stored deadline.

Deadlines are wall-clock times in the store, so they survive a restart and any process may serve
them; inside the process the sleep is monotonic.
"""

from __future__ import annotations

import asyncio
import time
from typing import Final

import structlog

from bot.tables import ports, refusals
from bot.tables.service import Tables
from engine.errors import RuleViolation

log = structlog.get_logger(__name__)

_LONGEST_SLEEP: Final = 60.0  # seconds; a wall clock that jumps is noticed this soon
_RETRY: Final = 5.0  # seconds until a failed deadline is tried again


class WallClock:
    """The system's time."""

    def now(self) -> int:
        """Milliseconds since 1970."""
        return time.time_ns() // 1_000_000


class DeadlineClock:
    """Serves deadlines until stopped. The tables' alarm tells it of every changed deadline."""

    def __init__(self, tables: Tables, store: ports.Store, clock: ports.Clock) -> None:
        self._tables = tables
        self._store = store
        self._clock = clock
        self._alarm = tables.alarm
        self._task: asyncio.Task[None] | None = None
        self._stopping = False

    def start(self) -> None:
        """Begin serving, in a task of its own."""
        self._task = asyncio.create_task(self._run(), name="deadlines")

    async def stop(self) -> None:
        """Stop serving; a deadline being served is finished first."""
        self._stopping = True
        self._alarm.ring()
        if self._task is not None:
            await self._task  # not cancelled: a query that is cut off loses its connection

    async def _run(self) -> None:
        while not self._stopping:
            self._alarm.awake()
            try:
                wait = await self._serve()
            except Exception:
                # the store is down or a table is damaged: the others must still be served
                log.exception("deadlines: could not be served, trying again")
                wait = _RETRY
            if self._stopping:  # said while a deadline was being served
                return
            await self._alarm.sleep(wait, until=self._clock.now() + int(wait * 1000))

    async def _serve(self) -> float:
        """Serve what is due; how many seconds to sleep then."""
        failed, now = False, self._clock.now()
        for due in await self._store.due(now):
            try:
                await self._tables.on_deadline(due)
            except refusals.SetAside:
                continue  # it has been named, and nothing mends it while we run
            except (refusals.RefusedError, RuleViolation) as refusal:
                log.info("deadline: table has moved on", table=due.id, refusal=repr(refusal))
                failed = True
            except Exception:
                log.exception("deadline: failed", table=due.id, kind=due.deadline_kind)
                failed = True
        nearest = await self._store.next_deadline(after=now)
        wait = _LONGEST_SLEEP
        if nearest is not None:
            wait = max(0.0, (nearest - self._clock.now()) / 1000)
        return min(wait, _RETRY if failed else _LONGEST_SLEEP)
