"""After a start: the tables that were there go on, a few at once, and are shown as they stand.

One whose message is known to show it as it stands is left as it is.

A thousand at once would keep every press waiting, and Discord takes about fifty requests a second
of a bot: what players wait for is sent before these (`pacing`). They come in the order in which
they are given; one that somebody acts at meanwhile is shown by that as ever.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Collection, Iterable
from typing import Final

import structlog

from bot.discord.announcer import DiscordAnnouncer
from bot.discord.pacing import Urgency, urgency
from bot.tables import refusals
from bot.tables.live import LiveTable
from bot.tables.records import Status, Table
from bot.tables.service import Tables
from bot.tables.thinking import Thinking

log = structlog.get_logger(__name__)

AT_ONCE: Final = 4
RETRY_SECONDS: Final = 5.0  # until a database that does not answer is asked again


class Resuming:
    """Brings tables back to where they were; whatever is wrong with one, the others go on."""

    def __init__(self, tables: Tables, announcer: DiscordAnnouncer, thinking: Thinking) -> None:
        self._tables = tables
        self._announcer = announcer
        self._thinking = thinking
        self._waiting: deque[Table] = deque()
        self._shown: frozenset[int] = frozenset()
        self._lanes: set[asyncio.Task[None]] = set()
        self._stopping = asyncio.Event()

    def start(
        self,
        tables: Iterable[Table],
        then: Callable[[], object],
        shown: Collection[int] = (),
    ) -> None:
        """Begin, in the background; `then` is called when all of them are shown.

        `shown`: the tables whose messages are not behind, by their ids.
        """
        self._shown = frozenset(shown)
        self._waiting.extend(tables)

        def ended(lane: asyncio.Task[None]) -> None:
            self._lanes.discard(lane)
            if not self._lanes and not self._stopping.is_set():
                then()

        for number in range(AT_ONCE):
            lane = asyncio.create_task(self._lane(), name=f"resuming-{number}")
            self._lanes.add(lane)
            lane.add_done_callback(ended)

    async def settled(self) -> None:
        """Wait until all of them are shown."""
        while self._lanes:
            await asyncio.wait(set(self._lanes))

    def stop(self) -> None:
        """Begin with no further table: the next start does."""
        self._stopping.set()
        self._waiting.clear()

    async def _lane(self) -> None:
        while self._waiting:
            table = self._waiting.popleft()
            try:
                await self._resume(table)
            except refusals.StoreIsDown:
                log.warning("resuming: the database does not answer, trying again")
                self._waiting.appendleft(table)
                await self._pause()
            except refusals.RefusedError as refusal:  # closed meanwhile, or named as damaged
                log.info("resuming: left out", table=table.id, refusal=type(refusal).__name__)
            except Exception:
                log.exception("resuming: cannot go on", table=table.id)

    async def _resume(self, table: Table) -> None:
        live = await self._tables.see(table.id)
        if live.table.status is Status.CLOSED:
            self._announcer.take_back_reminder(live)
            return
        self._thinking.changed(live, answered=True)
        found = await self._strays(live)
        if found:
            live = await self._tables.see(table.id)
        if found or table.id not in self._shown or live.table.version != table.version:
            await self._announcer.resume(live)

    async def _strays(self, live: LiveTable) -> bool:
        """Whether something of the table was found in its channel; what fails is only said."""
        try:
            with urgency(Urgency.CATCHING_UP):
                return await self._announcer.strays.taken_up(live)
        except refusals.RefusedError:
            raise
        except Exception:
            log.exception("resuming: strays not looked for", table=live.table.id)
            return False

    async def _pause(self) -> None:
        try:
            async with asyncio.timeout(RETRY_SECONDS):
                await self._stopping.wait()
        except TimeoutError:
            return
        self._waiting.clear()
