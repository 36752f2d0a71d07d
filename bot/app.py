"""Builds the bot, connects its parts, starts and stops it."""

from __future__ import annotations

import asyncio
import contextlib
import math
import secrets
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Final, TypeVar

import structlog
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.computing.player_questions import ComputingDecider
from bot.computing.process import Computing
from bot.discord import answers, picture_job
from bot.discord.client import BotClient
from bot.discord.delivery.delivery import TableDelivery
from bot.discord.delivery.resuming import Resuming
from bot.discord.duplicate_instance import DuplicateInstances
from bot.discord.handlers import Handlers
from bot.discord.links import invite_link
from bot.discord.outcomes import code_of
from bot.discord.people import People
from bot.discord.sessions import FIRST_WITHIN, NoSession
from bot.discord.tables.preferences import PrivacyHandlers
from bot.from_settings import backups, keeping, limits, open_store, pace, pace_by_token
from bot.operations.error_reports import reporting
from bot.operations.health import Look, serving
from bot.operations.metrics import BotStatus, Meters
from bot.operations.process_lifetime import STOP, at_most, end_in_time, serve, spare_what_lives
from bot.operations.updates import update_feed, watch_updates
from bot.retry import RetryPolicy
from bot.roster import is_computer
from bot.services.housekeeping import Housekeeping
from bot.services.privacy import Privacy
from bot.services.tables import Tables
from bot.settings.config import Settings
from bot.settings.shards import NO_GUILD, PERSON, TABLE, Processes
from bot.storage.store import SqlStore
from bot.tables.changes import Changes
from bot.tables.computer_turns import ComputerTurns
from bot.tables.errors import StoreUnavailable
from bot.tables.game_fits import check_fits
from bot.tables.model import Table
from bot.tables.scheduler import Clock, ClockSkew, DeadlineClock, WallClock
from engine.shuffle import SEED_BYTES
from engine.variants import VARIANTS

log = structlog.get_logger(__name__)

GRACE_AFTER_START: Final = 20_000  # milliseconds given back to the player whose turn it was
RETRY: Final = RetryPolicy(first=1.0, longest=5.0)  # for a database that does not answer
T = TypeVar("T")


class Bot:
    """A running bot: its Discord client, its tables, their deadlines, and the database behind them.

    `dedicated`: the process does nothing else. Then, once all tables are redrawn, its computing
    process loads the kernels of heavy odds, and the current objects are exempted from garbage
    collection. `clock`: the system's by default. `jumps` measures how far a given `clock` has
    jumped. `processes`: coordination with other processes on the same database. Raises
    `ConfigError` for contradictory shards.
    """

    def __init__(
        self,
        settings: Settings,
        store: SqlStore,
        clock: Clock | None = None,
        draw_seed: Callable[[], bytes] = lambda: secrets.token_bytes(SEED_BYTES),
        *,
        computing: Computing | None = None,
        dedicated: bool = False,
        jumps: ClockSkew | None = None,
        processes: Processes | None = None,
        meters: Meters | None = None,
    ) -> None:
        for game in VARIANTS.values():
            check_fits(game)
        self._beating: ClockSkew | None = None
        if clock is None:
            clock = WallClock()
            jumps = self._beating = ClockSkew(clock)
        self._clock = clock
        self._serves_since = clock.now()
        changes = Changes()
        self.meters, self.duplicates = meters or Meters(), DuplicateInstances()
        self.meters.standing = self._standing
        self._watching: asyncio.Task[None] | None = None
        self.computing = computing or Computing()
        self.thinking = ComputerTurns(ComputingDecider(self.computing))
        changes.listen(self.thinking)
        waits, count = limits(settings), self.meters.count_move
        shards, self._processes = settings.own_shards(), processes or Processes()
        self._store = store
        self.tables = Tables(
            store, clock, changes, waits, draw_seed, self.thinking, jumps, count, shards
        )
        self.deadlines = DeadlineClock(
            self.tables, store.tables, clock, jumps, shared=store.is_shared
        )

        self.client = client = BotClient(
            self._first_ready,
            self.meters,
            self.duplicates,
            store,
            paced := pace(settings),
            shards,
            self._processes,
            self._wind_down,
            self._takes_over,
        )
        self._people = people = People(client, store)
        by_token = pace_by_token(settings)
        self.delivery = TableDelivery(
            client, store, people, self.tables, paced, by_token, lambda: self.computing.warming
        )
        changes.listen(self.delivery)
        self.resuming = Resuming(self.tables, self.delivery, self.thinking, client.is_here)
        self.housekeeping = Housekeeping(
            store.retention, self.tables, clock, keeping(settings), self._forget_person, shards
        )
        self.privacy = Privacy(
            store.privacy, self.tables, self._forget_person, self.housekeeping.hurry
        )
        kept_days = settings.privacy.keep_matches_days or None
        privacy = PrivacyHandlers(self.privacy, people, kept_days, settings.privacy.policy_url)
        handlers = Handlers(
            client,
            store,
            clock,
            self.tables,
            self.delivery,
            people,
            self.computing,
            privacy,
            self.housekeeping,
            settings.fair_use,
        )
        changes.listen(handlers.options)
        client.serve_at(handlers, self.resuming.resume_server)
        # the process that serves direct messages sends digests too
        self._digests = (
            DeadlineClock(
                handlers.turns, store.direct_messages, clock, settles=jumps, shared=store.is_shared
            )
            if shards.serves(NO_GUILD)
            else None
        )
        self._nights = DeadlineClock(
            handlers.nights, store.nights, clock, settles=jumps, shared=store.is_shared
        )
        self._winding: asyncio.Task[None] | None = None
        self._dedicated = dedicated
        if dedicated:
            self.computing.plan_warming()
        self.ready = asyncio.Event()  # set once interactions and deadlines are served

    def _takes_over(self) -> None:
        """Record that this process now serves players in place of the previous one."""
        self._serves_since = self._clock.now()
        self.duplicates.begin()

    async def _first_ready(self) -> None:
        """Extend deadlines after the time the bot was down; start timed work and redrawing."""
        await self._processes.listen(self._heard, self._refresh)
        # a table opened meanwhile is shown by the answer to the command that opened it
        granted, up_to_date = await self._retry(self._grant_time)
        earlier = [table for table in granted if table.created_at < self._serves_since]
        self.deadlines.start()
        self._nights.start()
        if self._digests is not None:
            self._digests.start()
        self.housekeeping.start()
        self.ready.set()
        self.resuming.start(earlier, self._after_resuming, up_to_date)
        log.info("bot: ready", invite=invite_link(self.client.application_id or 0))

    def _after_resuming(self) -> None:
        """Log that all tables are up to date. If `_dedicated`, start the computing process."""
        log.info("bot: all tables resumed")
        if self._dedicated:
            self.computing.start(warm=True)
            spare_what_lives()

    def _forget_names(self) -> None:
        """Drop cached pictures and replays, which may name a forgotten person."""
        self.client.handlers.replays.forget()
        picture_job.forget()

    def _forget_person(self, player: int) -> None:
        self._people.forget(player)
        self._forget_names()

    async def _heard(self, kind: str, number: int, guild_id: int) -> None:
        """After another process's change, reload the table or drop cached data about the person.

        `number`: the table's or person's id.
        """
        if kind == TABLE:
            await self._retry(lambda: self.tables.runtime.heard(number, guild_id))
        elif kind == PERSON:
            self._forget_person(number)

    async def _refresh(self) -> None:
        """Drop cached people, pictures and replays, and reload changed tables.

        Called when other processes' notifications of changes may have been lost.
        """
        self._people.forget_all()
        self._forget_names()
        await self._retry(self.tables.runtime.catch_up)

    async def _retry(self, work: Callable[[], Awaitable[T]]) -> T:
        """Return the result of `work`; retry while the database does not answer."""
        for pause in RETRY.pauses():
            try:
                return await work()
            except StoreUnavailable:
                log.warning("bot: the database does not answer, trying again", seconds=pause)
                await asyncio.sleep(pause)
        raise AssertionError("it never gives up")

    async def _grant_time(self) -> tuple[list[Table], set[int]]:
        """Grant time to live tables; return (tables to resume, ids of live tables up to date).

        The tables to resume include tables that ended within a day, if players may not have been
        shown the winner, or if a reminder may still have to be deleted.
        """
        granted = await self.tables.runtime.grant_time(GRACE_AFTER_START)
        up_to_date = await self._store.tables.up_to_date()
        return [*granted, *await self.tables.maybe_unannounced()], up_to_date

    async def run(self, token: str) -> None:
        """Serve until `stop` is called.

        Raises discord.LoginFailure for a refused token, and any other error from starting the
        client.
        """
        self._watching = asyncio.create_task(self.meters.watch_loop(), name="loop lag")
        answers.hearing.add(self._not_taken)
        picture_job.draw_with(self.computing)
        beating = None
        if self._beating is not None:
            beating = asyncio.create_task(self._beating.beating(), name="beating")
        try:
            await self.client.start(token)
        finally:
            answers.hearing.discard(self._not_taken)
            if beating is not None:
                beating.cancel()

    def _not_taken(self, error: Exception) -> None:
        self.meters.note_refused_answer(code_of(error))
        if self.client.is_alone:
            self.duplicates.note_refusal(error)

    def _standing(self) -> BotStatus:
        """Return the current state for `/metrics`, without asking Discord or the database."""
        tables: Counter[str] = Counter()
        people: set[int] = set()
        for live in self.tables.runtime.all():
            tables[live.table.status.value] += 1
            people.update(player for player in live.table.players if not is_computer(player))
        # nan or infinite until the first heartbeat was answered
        shards = {shard: took for shard, took in self.client.latencies if math.isfinite(took)}
        return BotStatus(dict(tables), len(people), shards, self.client.lost_for)

    async def why_not_ready(self) -> str | None:
        """Return why this process isn't ready to serve; None if it is.

        A process that stands by is ready once it is connected: the process that it will replace
        still serves the tables.
        """
        if self.client.waits.why is not None:
            return self.client.waits.why
        if not self.client.in_session.is_set():
            return "no session yet"
        if not self.ready.is_set() and not self.client.stands_by:
            return "tables are being brought back"
        return None if self.client.is_connected else "the gateway's connection is lost"

    async def first_session(self, within: float = FIRST_WITHIN) -> None:
        """Wait for the gateway's first session.

        Raises `NoSession` after `within` seconds. They count from this call or, if later, from the
        end of the latest wait that Discord imposed.
        """
        client, now = self.client, asyncio.get_running_loop().time
        began = now()
        while not client.in_session.is_set():
            left = within - (now() - max(began, client.waits.ended))
            if client.waits.why is not None:
                left = within
            elif left <= 0:
                raise NoSession(
                    "Discord's gateway gave no session since the start; look at the network and at"
                    " discord.gateway_url, then start again"
                )
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await client.in_session.wait()

    async def stop(self) -> None:
        """Finish pending answers and redraws, then leave Discord.

        Each step has its own limit in `process_lifetime.STOP`, even if something hangs.
        """
        if self._watching is not None:
            self._watching.cancel()
        await self._wind_down()
        self.delivery.close()
        picture_job.give_up()
        await at_most(STOP.discord, self.client.close())

    async def _wind_down(self) -> None:
        """Start nothing new and finish what was begun. Runs once, even if called repeatedly."""
        if self._winding is None:
            self._winding = asyncio.create_task(self._finish(), name="winding down")
        await asyncio.shield(self._winding)

    async def _finish(self) -> None:
        self.resuming.stop()
        await self._nights.stop(STOP.deadline)
        if self._digests is not None:
            await self._digests.stop(STOP.deadline)
        await self.deadlines.stop(STOP.deadline)
        await at_most(STOP.housekeeping, self.housekeeping.stop())
        await at_most(STOP.thinking, self.thinking.close())
        await at_most(STOP.computing, self.computing.close())
        await at_most(STOP.drain, self._drain())
        await at_most(STOP.shards, self._processes.release(self.client.last_answered))

    async def _drain(self) -> None:
        await self.client.leave_handlers()
        await self.resuming.settle()
        await self.delivery.settle_without_seats()
        await self.delivery.checkpoint.close()
        # another process may have come to stand by since the last check
        await self.client.hand_over()
        await self._processes.release(self.client.last_answered)
        await self.delivery.settle()


def looks(bot: Bot, store: SqlStore) -> dict[str, Look]:
    """Return the checks that must pass for the bot to be ready, by name."""
    return {
        "discord": bot.why_not_ready,
        "database": store.why_not_writing,
        "moves": bot.meters.why_moves_are_refused,
    }


async def main(settings: Settings, token: str) -> None:
    """Run one bot process from start to end.

    Raises discord.LoginFailure, `StorageError`, `CannotReport`, `CannotServe`, `ConfigError`, and
    what a watch raises, such as `NoSession`.
    """
    server = discord_server(settings.discord.api_url, settings.discord.gateway_url)
    with server, reporting(settings):
        async with open_store(settings, STOP.store) as store:
            if store.migrated.before is None:
                where = str(store.database.file or "PostgreSQL")
                log.info("database: a new one was made", where=where)
            bot = Bot(settings, store, dedicated=True, processes=store.processes)
            store.database.timed = bot.meters.waiting
            async with serving(settings.serving, bot.meters, looks(bot, store)) as leave:

                def last_resort() -> None:
                    leave()
                    end_in_time()

                watches = [store.watch, bot.first_session, bot.duplicates.watch]
                watches.append(store.processes.watch)
                first = settings.own_shards().serves(NO_GUILD)  # in one process only
                if settings.backups.every_hours and first:
                    watches.append(partial(copying, settings, bot))
                if update_feed(settings) is not None and first:
                    watches.append(partial(looking_for_updates, settings, bot))
                await serve(bot.run(token), bot.stop, last_resort, watches)


async def copying(settings: Settings, bot: Bot) -> None:
    """Make scheduled backups until cancelled, starting when this process serves players.

    Before that, the previous process makes the backups.
    """
    await bot.ready.wait()
    await backups(settings, bot.meters).run()


async def looking_for_updates(settings: Settings, bot: Bot) -> None:
    """Look for newer versions until cancelled, once this process serves players."""
    await bot.ready.wait()
    await watch_updates(settings)


@contextmanager
def discord_server(api_url: str | None, gateway_url: str | None) -> Iterator[None]:
    """Make discord.py use other addresses during the block, such as the sandbox's.

    None: Discord's own address. The library stores both in class attributes, so they apply to the
    whole process.
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
