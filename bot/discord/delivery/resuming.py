"""Show the current state of tables after a start, a few at once and in the given order.

Discord takes about fifty requests a second from a bot, so requests that players wait for go first
(`pacing`).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable
from typing import Final

import structlog

from bot.discord.delivery.delivery import TableDelivery
from bot.services.tables import Tables
from bot.tables import errors
from bot.tables.computer_turns import ComputerTurns
from bot.tables.model import Status, Table

log = structlog.get_logger(__name__)

AT_ONCE: Final = 4
ARRIVE_WITHIN: Final = 15.0  # seconds in which a server without an outage arrives
RETRY_SECONDS: Final = 5.0  # seconds until a database that does not answer is asked again


class Resuming:
    """Resumes tables; an error at one table does not stop the others."""

    def __init__(
        self,
        tables: Tables,
        delivery: TableDelivery,
        thinking: ComputerTurns,
        is_here: Callable[[int], bool] = lambda _: True,
    ) -> None:
        self._tables = tables
        self._delivery = delivery
        self._thinking = thinking
        self._is_here = is_here  # returns whether a server has arrived
        self._waiting: deque[Table] = deque()
        # by server that has not arrived
        self._absent: defaultdict[int, list[Table]] = defaultdict(list)
        self._all_here = asyncio.Event()
        self._up_to_date: frozenset[int] = frozenset()
        self._lanes: set[asyncio.Task[None]] = set()
        self._finishing: asyncio.Task[None] | None = None
        self._stopping = asyncio.Event()

    def start(
        self,
        tables: Iterable[Table],
        then: Callable[[], object],
        up_to_date: Collection[int] = (),
    ) -> None:
        """Resume in the background; call `then` when all tables are shown, unless stopped before.

        Wait for missing servers for at most `ARRIVE_WITHIN`. `up_to_date`: ids of tables whose
        messages need no update.
        """
        self._up_to_date = frozenset(up_to_date)
        for table in tables:
            is_here = self._is_here(table.guild_id)
            (self._waiting if is_here else self._absent[table.guild_id]).append(table)
        self._go_on()
        self._finishing = asyncio.create_task(self._finish(then), name="resuming")

    def resume_server(self, guild_id: int) -> None:
        """Resume the tables of a server that has become available."""
        if self._stopping.is_set() or self._finishing is None:
            return
        self._waiting.extend(self._absent.pop(guild_id, ()))
        self._go_on()

    def _go_on(self) -> None:
        if not self._absent:
            self._all_here.set()
        working = sum(not lane.done() for lane in self._lanes)
        for number in range(working, min(AT_ONCE, working + len(self._waiting))):
            lane = asyncio.create_task(self._lane(), name=f"resuming-{number}")
            self._lanes.add(lane)
            lane.add_done_callback(self._lanes.discard)

    async def _finish(self, then: Callable[[], object]) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(ARRIVE_WITHIN):
                await self._all_here.wait()
        while self._lanes:
            await asyncio.wait(set(self._lanes))
        if not self._stopping.is_set():
            then()

    async def settle(self) -> None:
        """Wait until all tables are shown, except in servers that stay unavailable."""
        if self._finishing is not None:
            await asyncio.wait({self._finishing})
        while self._lanes:
            await asyncio.wait(set(self._lanes))

    def stop(self) -> None:
        """Resume no further table."""
        self._stopping.set()
        self._waiting.clear()
        self._absent.clear()
        self._all_here.set()

    async def _lane(self) -> None:
        while self._waiting:
            table = self._waiting.popleft()
            try:
                await self._resume(table)
            except errors.StoreUnavailable:
                log.warning("resuming: the database does not answer, trying again")
                self._waiting.appendleft(table)
                await self._pause()
            # the table was closed meanwhile, or is damaged (which is logged)
            except errors.RefusedError as refusal:
                log.info("resuming: left out", table=table.id, refusal=type(refusal).__name__)
            except Exception:
                log.exception("resuming: cannot go on", table=table.id)

    async def _resume(self, table: Table) -> None:
        live = await self._tables.see(table.id)
        if live.table.status is Status.CLOSED:
            self._delivery.reminders.update(live)  # a reminder may still be shown
            return
        self._thinking.on_change(live, unseen=True)
        up_to_date = table.id in self._up_to_date and live.table.version == table.version
        await self._delivery.resume(live, up_to_date=up_to_date)

    async def _pause(self) -> None:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(RETRY_SECONDS):
                await self._stopping.wait()
                self._waiting.clear()
