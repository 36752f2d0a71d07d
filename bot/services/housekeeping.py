"""Automatic deletion: old matches, servers that removed the bot, traces in the database's file.

One task works at the start and then every hour, in small parts with pauses, so that moves come in
between. A server is gone when Discord no longer lists it among the bot's; an unavailable server is
still listed, so an outage deletes nothing. If there are several processes, each handles the servers
of its own shards, and the one with the first shard handles old matches.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import structlog

from bot.privacy.results import Purged
from bot.services.privacy import REWRITTEN_AT_ONCE
from bot.services.tables import Tables
from bot.settings.shards import NO_GUILD, ONE, Shards
from bot.storage.retention import SqlRetention
from bot.tables import errors, plans
from bot.tables.requests import NOBODY
from bot.tables.scheduler import Clock

log = structlog.get_logger(__name__)

DAY: Final = 86_400_000  # milliseconds
AT_ONCE: Final = 20  # matches or tables to delete in one transaction
PAUSE: Final = 0.05  # seconds between two transactions
EVERY: Final = 3600.0  # seconds between two rounds
Purge = Callable[[int, int], Awaitable[Purged]]


@dataclass(frozen=True, slots=True)
class Keeping:
    """Days to keep old matches (None: for ever) and the data of servers that removed the bot."""

    matches: int | None
    departed: int


class Housekeeping:
    """Deletes old data. `forget` is called with each person who no longer appears anywhere."""

    def __init__(
        self,
        store: SqlRetention,
        tables: Tables,
        clock: Clock,
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
        """Start housekeeping in a separate task."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="housekeeping")

    async def stop(self) -> None:
        """Stop once the batch being deleted is done."""
        self._stopping = True
        self._wake.set()
        if self._task is not None:
            await self._task

    def hurry(self) -> None:
        """Search for old data and delete it at once.

        If a search is under way already, search once more right after it.
        """
        self._wake.set()

    # -- servers -----------------------------------------------------------------------------------

    async def note_present(
        self, guilds: Iterable[int], dealt_here: Callable[[int], bool] = lambda _: True
    ) -> None:
        """Record which servers the bot is in, from Discord's list at the start of a session.

        `dealt_here` tells whether a server belongs to the session's shard. A stored server of that
        shard that isn't listed has removed the bot, possibly while it was offline. A listed server
        that had removed the bot has added it again.
        """
        elsewhere = {guild for guild in self._present or () if not dealt_here(guild)}
        self._present = frozenset(elsewhere.union(guilds))
        with _ignoring_outage("guilds"):
            stored = {guild for guild in await self._store.stored_guilds() if dealt_here(guild)}
            known = await self._store.departed_guilds()
            gone = stored - self._present - set(known)
            if gone:
                log.warning(
                    "privacy: servers have removed the bot; their data goes after some days",
                    servers=len(gone),
                    days=self._keeping.departed,
                )
                await self._store.note_departed(gone, self._clock.now())
            returned = [guild for guild in known if guild in self._present]
            if returned:
                await self._store.note_returned(returned)

    async def note_left(self, guild_id: int) -> None:
        """Record that a server has removed the bot."""
        if self._present is not None:
            self._present -= {guild_id}
        with _ignoring_outage("guilds"):
            if guild_id in await self._store.stored_guilds():
                log.info(
                    "privacy: a server has removed the bot; its data goes after some days",
                    guild=guild_id,
                    days=self._keeping.departed,
                )
                await self._store.note_departed((guild_id,), self._clock.now())

    async def note_joined(self, guild_id: int) -> None:
        """Record that a server has added the bot, or added it again."""
        if self._present is not None:
            self._present |= {guild_id}
        with _ignoring_outage("guilds"):
            await self._store.note_returned((guild_id,))

    # -- deletion ----------------------------------------------------------------------------------

    async def _run(self) -> None:
        while not self._stopping:
            self._wake.clear()
            try:
                await self.tidy()
            except errors.StoreUnavailable as error:  # this is the database's state, not a bug
                log.warning("privacy: could not tidy up, trying again", error=str(error))
            except Exception:
                log.exception("privacy: could not tidy up, trying again")
            if self._stopping:
                return
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), EVERY)

    async def tidy(self) -> None:
        """Rewrite the database's file if that is due, and delete all data that is old enough.

        Live tables of a server that removed the bot are closed before its data is deleted. Raises
        `StoreUnavailable`.
        """
        await self._store.rewrite_if_due(REWRITTEN_AT_ONCE)
        await self._purge_departed()
        if self._keeping.matches is not None and self._shards.serves(
            NO_GUILD
        ):  # in only one of several processes
            before = self._clock.now() - self._keeping.matches * DAY
            await self._purge_all(self._store.purge_old, before)

    async def _purge_departed(self) -> None:
        before = self._clock.now() - self._keeping.departed * DAY
        for guild_id, noticed_at in (await self._store.departed_guilds()).items():
            present = self._present is None or guild_id in self._present
            if noticed_at > before or present or not self._shards.serves(guild_id):
                continue
            for table_id in await self._store.live_tables_of(guild_id):
                with contextlib.suppress(errors.RefusedError):
                    await self._tables.change(table_id, NOBODY, plans.close)
            if await self._purge_all(self._store.purge_guild, guild_id):
                log.info("privacy: a server's data is deleted", guild=guild_id)

    async def _purge_all(self, purge: Purge, of: int) -> bool:
        """Call `purge` until nothing is left to delete. Return False if stopped before that.

        `of`: the first argument of `purge`, a time (ms) or a server. Call `forget` for each person
        who no longer appears anywhere.
        """
        while not self._stopping:
            purged = await purge(of, AT_ONCE)
            for player in purged.unmet:
                self._forget(player)
            if not purged.rows:
                return True
            await asyncio.sleep(PAUSE)
        return False


@contextlib.contextmanager
def _ignoring_outage(kind: str) -> Iterator[None]:
    """Ignore an unavailable database: the next session lists the servers again."""
    try:
        yield
    except errors.StoreUnavailable:
        log.warning("privacy: could not be noted", what=kind)
