"""What goes by itself: old matches, servers that removed the bot, traces in the database's file.

One task that works at the start and then every hour, a small part at a time with a pause after
each, so that moves come in between. A server is gone when Discord no longer lists it among the
bot's: one that is only unavailable is listed, so an outage is no removal. Of several processes each
sees to the servers of its own shards, and the one with the first shard to old matches.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import structlog

from bot.privacy.ports import Purged, RetentionStore
from bot.privacy.service import REWRITTEN_AT_ONCE
from bot.settings.shards import NO_GUILD, ONE, Shards
from bot.tables import errors, plans, ports
from bot.tables.requests import NOBODY
from bot.tables.service import Tables

log = structlog.get_logger(__name__)

DAY: Final = 86_400_000  # milliseconds
AT_ONCE: Final = 20  # matches or tables deleted in one transaction
PAUSE: Final = 0.05  # seconds between two of them
EVERY: Final = 3600.0  # seconds
Purge = Callable[[int, int], Awaitable[Purged]]


@dataclass(frozen=True, slots=True)
class Keeping:
    """How long what is kept, in days. `matches`: None for ever."""

    matches: int | None
    departed: int


class Housekeeping:
    """Deletes what is not to be kept. `forget` is told of people who are met nowhere any more."""

    def __init__(
        self,
        store: RetentionStore,
        tables: Tables,
        clock: ports.Clock,
        keeping: Keeping,
        forget: Callable[[int], None],
        shards: Shards = ONE,
    ) -> None:
        self._shards = shards
        self._store = store
        self._tables = tables
        self._clock = clock
        self._keeping = keeping
        self._forget = forget
        self._present: frozenset[int] | None = None  # servers the bot is in; None: not known yet
        self._wake = asyncio.Event()
        self._stopping = False
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin, in a task of its own."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="housekeeping")

    async def stop(self) -> None:
        """Stop after the part that is being done."""
        self._stopping = True
        self._wake.set()
        if self._task is not None:
            await self._task

    def hurry(self) -> None:
        """Look now what there is to do."""
        self._wake.set()

    # -- servers -----------------------------------------------------------------------------------

    async def present(
        self, guilds: Iterable[int], dealt_here: Callable[[int], bool] = lambda _: True
    ) -> None:
        """The bot is in just these servers, as Discord lists them when a session begins.

        Of those that are stored, all others that are `dealt_here`, to the session's shard, have
        removed it, perhaps while it was away.
        """
        elsewhere = {one for one in self._present or () if not dealt_here(one)}
        self._present = frozenset(elsewhere.union(guilds))
        with _trying_again("guilds"):
            stored = {one for one in await self._store.stored_guilds() if dealt_here(one)}
            known = await self._store.departed_guilds()
            gone = stored - self._present - set(known)
            if gone:
                log.warning(
                    "privacy: servers have removed the bot; their data goes after some days",
                    servers=len(gone),
                    days=self._keeping.departed,
                )
                await self._store.note_departed(gone, self._clock.now())
            returned = [one for one in known if one in self._present]
            if returned:
                await self._store.note_returned(returned)

    async def left(self, guild_id: int) -> None:
        """A server has removed the bot."""
        if self._present is not None:
            self._present -= {guild_id}
        with _trying_again("guilds"):
            if guild_id in await self._store.stored_guilds():
                log.info(
                    "privacy: a server has removed the bot; its data goes after some days",
                    guild=guild_id,
                    days=self._keeping.departed,
                )
                await self._store.note_departed((guild_id,), self._clock.now())

    async def joined(self, guild_id: int) -> None:
        """A server has the bot, perhaps again."""
        if self._present is not None:
            self._present |= {guild_id}
        with _trying_again("guilds"):
            await self._store.note_returned((guild_id,))

    # -- what is done ------------------------------------------------------------------------------

    async def _run(self) -> None:
        while not self._stopping:
            self._wake.clear()
            try:
                await self.tidy()
            except errors.StoreUnavailable as error:  # the database's state, and no mistake
                log.warning("privacy: could not tidy up, trying again", error=str(error))
            except Exception:
                log.exception("privacy: could not tidy up, trying again")
            if self._stopping:
                return
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), EVERY)

    async def tidy(self) -> None:
        """Do everything that is due now."""
        await self._store.rewrite_if_due(REWRITTEN_AT_ONCE)
        await self._departed()
        if self._keeping.matches is not None and self._shards.serves(NO_GUILD):  # one of several
            before = self._clock.now() - self._keeping.matches * DAY
            await self._until_none_is_left(self._store.purge_old, before)

    async def _departed(self) -> None:
        before = self._clock.now() - self._keeping.departed * DAY
        for guild_id, noticed_at in (await self._store.departed_guilds()).items():
            present = self._present is None or guild_id in self._present
            if noticed_at > before or present or not self._shards.serves(guild_id):
                continue
            for table_id in await self._store.live_tables_of(guild_id):
                with contextlib.suppress(errors.RefusedError):
                    await self._tables.change(table_id, NOBODY, plans.close)
            if await self._until_none_is_left(self._store.purge_guild, guild_id):
                log.info("privacy: a server's data is deleted", guild=guild_id)

    async def _until_none_is_left(self, purge: Purge, of: int) -> bool:
        """Delete part by part; whether it came to the end before it was to stop."""
        while not self._stopping:
            done = await purge(of, AT_ONCE)
            for player in done.unmet:
                self._forget(player)
            if not done.rows:
                return True
            await asyncio.sleep(PAUSE)
        return False


@contextlib.contextmanager
def _trying_again(what: str) -> Iterator[None]:
    """What could not be noted is found again when the next session begins."""
    try:
        yield
    except errors.StoreUnavailable:
        log.warning("privacy: could not be noted", what=what)
