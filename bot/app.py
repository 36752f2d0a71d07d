"""Builds the bot, wires its rooms together, starts and stops it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import signal
import threading
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Any, Final, Protocol

import discord
import structlog
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.computing.deciding import Decider
from bot.computing.process import Computing
from bot.config import Settings
from bot.discord import drawing
from bot.discord.announcer import DiscordAnnouncer
from bot.discord.client import Desks, House
from bot.discord.odds.desk import OddsDesk
from bot.discord.people import People
from bot.discord.records.desk import RecordsDesk
from bot.discord.replays.coach import Coach
from bot.discord.replays.desk import ReplayDesk
from bot.discord.tables.desk import Desk
from bot.discord.tables.habits import Habits
from bot.discord.tables.lobby import Lobby
from bot.discord.tables.privacy import PrivacyDesk
from bot.discord.tables.seats import Seats
from bot.privacy.housekeeping import Housekeeping, Keeping
from bot.privacy.ports import PrivacyStore
from bot.privacy.service import Privacy
from bot.storage.store import SqlStore
from bot.tables import ports
from bot.tables.archive import Archive
from bot.tables.changes import Changes
from bot.tables.clock import DeadlineClock, Jumps, WallClock
from bot.tables.live import LiveTable
from bot.tables.refusals import StoreIsDown
from bot.tables.requests import Limits
from bot.tables.service import Tables
from bot.tables.thinking import Thinking
from engine.shuffle import SEED_BYTES

log = structlog.get_logger(__name__)

GRACE_AFTER_START: Final = 20_000  # milliseconds given back to whoever was to act
DRAIN_SECONDS: Final = 2.5
STOP_WITHIN: Final = 7.0  # seconds from the signal to the end of the process
STORE_RETRY_SECONDS: Final = 5.0
MINUTE: Final = 60_000
# what the invite link asks for: see, send, attach, embed, read history, send in threads
PERMISSIONS: Final = discord.Permissions(
    view_channel=True,
    send_messages=True,
    attach_files=True,
    embed_links=True,
    read_message_history=True,
    send_messages_in_threads=True,
)


class HouseStore(ports.Store, PrivacyStore, Protocol):
    """What the whole house needs of a store."""


class Bot:
    """One running bot: a client, its tables and their deadlines, over a store.

    `warm` has its computing process load what heavy odds need once the bot is ready, before anybody
    asks.
    """

    def __init__(
        self,
        settings: Settings,
        store: HouseStore,
        clock: ports.Clock | None = None,
        draw_seed: Callable[[], bytes] = lambda: secrets.token_bytes(SEED_BYTES),
        *,
        computing: Computing | None = None,
        warm: bool = False,
    ) -> None:
        jumps = None if clock is not None else Jumps(WallClock())
        clock = clock or WallClock()
        self._made_at = clock.now()
        changes = Changes()
        self.computing = computing or Computing()
        self.thinking = Thinking(Decider(self.computing))
        changes.listen(self.thinking)
        self.tables = Tables(store, clock, changes, limits(settings), draw_seed, self.thinking)
        self.deadlines = DeadlineClock(self.tables, store, clock, jumps)
        self.odds = OddsDesk(self.tables, self.computing)

        def furnish(client: discord.Client) -> Desks:
            people = People(client, store)
            self.announcer = DiscordAnnouncer(client, store, people, self.tables, changes)
            self.seats = Seats(self.tables, changes, people)
            self.lobby = Lobby(client, store, clock, self.tables)
            habits = Habits(self.tables, people)
            records = RecordsDesk(store, people, clock, self.tables)
            replays = ReplayDesk(Archive(store), people, Coach(self.computing))
            self.privacy = Privacy(store, self.tables, people)

            def drop_names() -> None:
                replays.forget()
                drawing.forget()

            def forget(player: int) -> None:
                people.forget(player)
                drop_names()

            self.privacy.forgotten = drop_names
            self.housekeeping = Housekeeping(store, self.tables, clock, keeping(settings), forget)
            self.privacy.rewriting_due = self.housekeeping.hurry
            kept_days = settings.privacy.keep_matches_days or None
            privacy = PrivacyDesk(self.privacy, kept_days, settings.privacy.policy_url)
            desk = Desk(
                self.tables,
                self.announcer,
                people,
                self.seats,
                self.lobby,
                habits,
                records,
                replays,
                privacy,
            )
            return Desks(desk, self.odds, habits, people, records, privacy, self.housekeeping)

        self.client = House(furnish, self._first_ready)
        self._warm = warm
        self.ready = asyncio.Event()  # every live table is shown again

    async def _first_ready(self) -> None:
        """Redraw every live table, send what cards are unsent, give time back."""
        for live in await self._all_granted():
            self.thinking.changed(live, answered=True)
            # one that was opened meanwhile is being shown by the answer that opened it
            if live.table.created_at < self._made_at:
                self.announcer.resumed(live)
        self.deadlines.start()
        self.housekeeping.start()
        self.ready.set()
        if self._warm:
            self.computing.start(warm=True)
        invite = discord.utils.oauth_url(
            self.client.application_id or 0,
            permissions=PERMISSIONS,
            scopes=("bot", "applications.commands"),
        )
        log.info("bot: ready", invite=invite)

    async def _all_granted(self) -> list[LiveTable]:
        while True:
            try:
                return await self.tables.grant_time(GRACE_AFTER_START)
            except StoreIsDown:
                log.warning("bot: the database does not answer, trying again")
                await asyncio.sleep(STORE_RETRY_SECONDS)

    async def run(self, token: str) -> None:
        """Serve until stopped by `stop`. Raises discord.LoginFailure for a refused token."""
        await self.client.start(token)

    async def stop(self) -> None:
        """Finish what was asked and what is being shown, then leave Discord.

        Each part has its own limit, so that all of it takes less than `STOP_WITHIN`: what is not
        finished by then is committed or was never acknowledged, and the next start goes on.
        """
        await self.deadlines.stop()
        await _at_most(1.0, self.housekeeping.stop())
        await self.thinking.close()
        await _at_most(1.0, self.computing.close())
        await _at_most(DRAIN_SECONDS, self._drained())
        self.announcer.close()
        await _at_most(1.0, self.client.close())

    async def _drained(self) -> None:
        await self.client.leave_desk()
        await self.announcer.settled()
        await self.seats.settled()


async def _at_most(seconds: float, work: Coroutine[Any, Any, None]) -> None:
    """Do `work`, and give it up when it takes longer."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await work


async def serve(
    bot: Bot,
    token: str,
    last_resort: Callable[[], object] = lambda: None,
    watch: Callable[[], Coroutine[Any, Any, None]] | None = None,
) -> None:
    """Run a bot until SIGTERM or Ctrl-C, or until `watch` raises, which is raised when it stopped.

    `last_resort` is called once when it is to stop.
    """
    loop = asyncio.get_running_loop()
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(NotImplementedError):  # Windows raises KeyboardInterrupt instead
            loop.add_signal_handler(number, stopping.set)
    running = asyncio.create_task(bot.run(token), name="discord")
    waiting = asyncio.create_task(stopping.wait(), name="signals")
    awaited: set[asyncio.Task[Any]] = {running, waiting}
    if watch is not None:
        awaited.add(asyncio.create_task(watch(), name="watch"))
    try:
        ended, _ = await asyncio.wait(awaited, return_when=asyncio.FIRST_COMPLETED)
        for one in ended:
            one.result()
    finally:
        for one in awaited - {running}:
            one.cancel()
        last_resort()
        await bot.stop()
        # the client library may be asleep until it connects again, for as long as ten minutes
        running.cancel()
        await asyncio.wait({running}, timeout=1.0)


def end_in_time() -> None:
    """Have the process end within `STOP_WITHIN` seconds from now, whatever hangs.

    That costs nothing: what was acknowledged is committed, and the next start shows it.
    """

    def end() -> None:
        log.warning("bot: did not stop in time; what was under way is for the next start")
        logging.shutdown()
        os._exit(0)

    timer = threading.Timer(STOP_WITHIN, end)
    timer.daemon = True
    timer.start()


@asynccontextmanager
async def open_store(settings: Settings) -> AsyncIterator[SqlStore]:
    """The database of the settings, migrated and locked. Raises `bot.storage.StorageError`.

    Records that an older version made, or none, are made anew before anybody is served.
    """
    store = await SqlStore.open(settings.database.address)
    try:
        await _renew_records(store)
        yield store
    finally:
        await store.close()


async def _renew_records(store: SqlStore) -> None:
    try:
        outdated = await store.outdated_records()
        if outdated:
            log.info("records: making them anew from the logs", servers=len(outdated))
            done = await store.rebuild_records(outdated)
            log.info("records: made anew", won=done.won, counted=done.counted)
    except ports.StoreUnavailable:  # they stay outdated, and tables must not wait for them
        log.exception("records: could not be made anew")


async def main(settings: Settings, token: str) -> None:
    """The whole life of one bot process. Raises discord.LoginFailure, `StorageError`."""
    with pointed_at(settings.discord.api_url, settings.discord.gateway_url):
        async with open_store(settings) as store:
            if store.migrated.before is None:
                where = str(store.database.file or "PostgreSQL")
                log.info("database: a new one was made", where=where)
            bot = Bot(settings, store, warm=True)
            await serve(bot, token, end_in_time, store.watch)


def keeping(settings: Settings) -> Keeping:
    """How long what is kept, from the settings."""
    chosen = settings.privacy
    return Keeping(chosen.keep_matches_days or None, chosen.keep_departed_days)


def limits(settings: Settings) -> Limits:
    """The tables' waiting times, from the settings."""
    chosen = settings.tables
    return Limits(
        next_round=int(chosen.next_round_seconds * 1000),
        lobby=chosen.lobby_minutes * MINUTE or None,
        turn_seconds=round(chosen.turn_minutes * 60),
        tables_per_guild=chosen.most_tables_per_guild,
        computers=settings.computers.most_seats if settings.computers.allowed else 0,
        computer_pause=int(settings.computers.pause_seconds * 1000),
    )


@contextmanager
def pointed_at(api_url: str | None, gateway_url: str | None) -> Iterator[None]:
    """Have discord.py talk to another server, such as a REST proxy or the local Discord.

    The library keeps both addresses in class attributes, so they hold for the whole process.
    """
    base, gateway = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    if api_url:
        Route.BASE = api_url.rstrip("/")
    if gateway_url:
        DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway_url)
    try:
        yield
    finally:
        Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = base, gateway
