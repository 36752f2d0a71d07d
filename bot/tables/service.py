"""Tables as a service: what can be asked of them, opened, and looked up.

To change a table is `change`, with one of the plans of `plans` or `moderation`; `runtime` keeps the
tables of this process, judges and stores.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import structlog

from bot.language.catalogues import ENGLISH
from bot.operations.fair_use import HOUR, TokenBucket
from bot.settings.shards import ONE, Shards
from bot.tables import errors, history, plans, ports, unanswered
from bot.tables.computer_turns import ComputerTurns, Decided, with_computer
from bot.tables.daily import Daily, day_at
from bot.tables.highlights import Story
from bot.tables.live import Dealt, LiveTable, dealt_to
from bot.tables.match_log import leave_match
from bot.tables.model import Snapshot, Status, Table
from bot.tables.requests import NOBODY, Ask, Limits, Place
from bot.tables.runtime import TableRuntime
from bot.tables.scheduler import ClockSkew
from bot.tables.table_options import LANGUAGE, TURN_CLOCK, defaults, still_offered
from engine.ruleset import Options, OptionValue
from engine.state import Match
from engine.variants import VARIANTS, variant

log = structlog.get_logger(__name__)
DAY: Final = 86_400_000  # milliseconds
REMINDERS_A_DAY: Final = 2  # by direct message, however many slow matches somebody plays
LOOKED_AT: Final = 25  # of somebody's matches, some of which may be practices


class Tables:
    """All tables, over the runtime of this process. `draw_seed` gives 32 secret bytes for a match.

    Without `turns` the plain safe move is all that is played for anybody. `count` is told what
    became of each request to change a table (`match_log.result_of`, or "stored"). Any table can be
    acted at; those of `shards` are shown, and their clocks served, by this process.
    """

    def __init__(
        self,
        store: ports.Store,
        clock: ports.Clock,
        announcer: ports.Announcer,
        limits: Limits,
        draw_seed: Callable[[], bytes],
        turns: ComputerTurns | None = None,
        skew: ClockSkew | None = None,
        count: Callable[[str], None] = lambda _: None,
        shards: Shards = ONE,
    ) -> None:
        self._store = store
        self._clock = clock
        self._limits = limits
        self._draw_seed = draw_seed
        self._turns = turns
        self._opening = TokenBucket(limits.tables_per_hour, HOUR)
        self.runtime = TableRuntime(store, clock, announcer, limits, draw_seed, skew, count, shards)
        self.change = self.runtime.change
        self.daily = store.daily
        self.alarm = self.runtime.alarm

    # -- reading ----------------------------------------------------------------------------------

    async def see(self, table_id: int, place: Place | None = None) -> LiveTable:
        """The table as it stands. Raises `NoTable`; `MovedOn` if `place` is not the table's."""
        live = await self.runtime.latest(table_id)
        if place is not None:
            plans.check_place(live, place)
        return live

    async def round_of(self, table_id: int, match_id: int, number: int) -> Match:
        """The table's match as a round left it. Raises `NoTable`, `MovedOn` if it is not stored."""
        snapshot = await self._snapshot_of(table_id, match_id)
        with self.runtime.replaying(table_id):
            return history.round_of(snapshot, match_id, number)

    async def deal_of(self, table_id: int, match_id: int, number: int) -> history.PastDeal:
        """How a round of the table's match was dealt. Raises as `round_of` does."""
        snapshot = await self._snapshot_of(table_id, match_id)
        with self.runtime.replaying(table_id):
            return history.deal_of(snapshot, match_id, number)

    async def story_of(self, table_id: int, match_id: int) -> tuple[Match, Story]:
        """The table's match when it is over, with what is told of it. Raises as `round_of`."""
        snapshot = await self._snapshot_of(table_id, match_id)
        with self.runtime.replaying(table_id):
            return history.story_of(snapshot, match_id)

    async def _snapshot_of(self, table_id: int, match_id: int) -> Snapshot:
        """The table with this match of it: the latest, or one whose messages still stand."""
        snapshot = await self.runtime.snapshot(table_id)
        if snapshot.match is not None and snapshot.match.id == match_id:
            return snapshot
        kept = await self._store.matches.load(match_id)
        if kept is None or kept.match.table_id != table_id:
            raise errors.MovedOn
        return Snapshot(snapshot.table, kept.match, kept.seeds)

    async def in_channel(self, channel_id: int) -> LiveTable:
        """The channel's table. Raises `NoTable`."""
        found = await self._store.tables.in_channel(channel_id)
        if found is None:
            raise errors.NoTable
        return await self.runtime.kept(found.id, found.version)

    async def tables_of(self, player: int) -> list[LiveTable]:
        """Every live table, in every server, where `player` sits or is asked to sit again."""
        found = []
        for table_id, version in await self._store.tables.seats_of(player):
            with contextlib.suppress(errors.NoTable, errors.Damaged):
                found.append(await self.runtime.kept(table_id, version))
        return found

    async def where_dealt(self, player: int) -> list[Dealt]:
        """Every table where `player` holds cards in a round being bid, whoever dealt them."""
        found = [dealt_to(live, player) for live in await self.tables_of(player)]
        return [dealt for dealt in found if dealt is not None]

    async def may_write(self, player: int, which: str) -> bool:
        """Whether one more direct message may remind somebody of slow matches; it is counted.

        `which` tells the reminder from any other: asked again about it, the answer stays.
        """
        return await self._store.direct_messages.may_remind(
            player, which, self._clock.now(), REMINDERS_A_DAY, DAY
        )

    async def played_last(self, player: int) -> int:
        """The server where somebody last played a match to its end; 0 if in none."""
        lines = await self._store.matches.history(player, None, LOOKED_AT)
        return next((one.guild_id for one in lines if one.guild_id), 0)

    # -- the deal of the day ----------------------------------------------------------------------

    def today(self) -> int:
        """The day whose deal is played now."""
        return day_at(self._clock.now())

    # -- opening ----------------------------------------------------------------------------------

    @property
    def seats_computers(self) -> bool:
        """Whether tables may have computer players."""
        return self._limits.computers

    async def open(
        self,
        ask: Ask,
        guild_id: int,
        channel_id: int,
        game: str,
        characters: Sequence[str] = (),
        language: str = ENGLISH,
        daily: tuple[Daily, int] | None = None,
    ) -> LiveTable:
        """Open a lobby, with computer players of these characters.

        `language` is the server's in Discord, for a server that has chosen none for its tables.
        `daily`: it is for the deal of a day, played in this server (0: in none).
        Raises `ChannelHasTable`, `GuildIsFull`, `HostsTooMany`, `TooOften`, and as `with_computer`.
        """
        if channel_id > 0:  # a practice is nobody else's affair
            await self._check_room(guild_id)
            await self._check_host(ask.player)
        fresh = await self._lobby(guild_id, channel_id, game, ask.player, language)
        fresh = replace(fresh, players=(ask.player,))
        if daily is not None:
            deal, played_in = daily
            fresh = replace(fresh, chain_root=deal.root, daily_day=deal.day, daily_guild=played_in)
        for character in characters:
            fresh = with_computer(fresh, character, allowed=self._limits.computers)
        wait = self._opening.take(ask.player)
        if wait:
            raise errors.TooOften(wait)
        try:
            return await self._opened(fresh, ask.interaction_id)
        except Exception:
            self._opening.give_back(ask.player)
            raise

    async def open_empty(
        self, guild_id: int, channel_id: int, game: str, host: int, language: str
    ) -> LiveTable:
        """Open a lobby where nobody sits yet: whoever joins first is its host, until then `host`.

        Raises `ChannelHasTable`, `GuildIsFull`.
        """
        await self._check_room(guild_id)
        fresh = await self._lobby(guild_id, channel_id, game, host, language)
        return await self._opened(fresh, None)

    async def _lobby(
        self, guild_id: int, channel_id: int, game: str, host: int, language: str
    ) -> Table:
        """A lobby with a server's usual rules, where nobody sits; not stored yet."""
        now = self._clock.now()
        options = await self.usual(guild_id, game)
        if options[LANGUAGE.key] == LANGUAGE.default and language != ENGLISH:
            options[LANGUAGE.key] = language
        return Table(
            id=0,
            guild_id=guild_id,
            channel_id=channel_id,
            host_id=host,
            status=Status.LOBBY,
            variant=variant(game).key,
            options=options,
            players=(),
            version=1,
            created_at=now,
            updated_at=now,
            chain_root=self._draw_seed(),
        )

    async def _opened(self, fresh: Table, interaction_id: int | None) -> LiveTable:
        """A new lobby, timed and stored. Raises `ChannelHasTable`."""
        fresh = plans.timed(LiveTable(fresh), LiveTable(fresh), self._limits, self._clock.now())
        stored = await unanswered.open_table(self._store, fresh, interaction_id)
        if stored.version > 1:  # it moved on while the store did not answer
            return await self.runtime.kept(stored.id, stored.version)
        live = LiveTable(stored)
        self.runtime.opened(live, interaction_id)
        return live

    async def _check_room(self, guild_id: int) -> None:
        """Raises `GuildIsFull`."""
        if await self._store.tables.live_in_guild(guild_id) >= self._limits.tables_per_guild:
            raise errors.GuildIsFull(self._limits.tables_per_guild)

    async def _check_host(self, player: int) -> None:
        """Raises `HostsTooMany`."""
        most = self._limits.tables_at_once
        if most and await self._store.tables.live_hosted_by(player) >= most:
            raise errors.HostsTooMany(most)

    async def usual(self, guild_id: int, game: str) -> dict[str, OptionValue]:
        """What new tables of a game begin with in a server: its own choices, or the house's."""
        key = variant(game).key
        kept = await self._store.servers.guild_options(guild_id, key)
        house = {TURN_CLOCK.key: self._limits.turn_seconds}
        return defaults(key) | house | still_offered(key, kept)

    async def language_in(self, guild_id: int, language: str) -> str:
        """The key of a server's language: its own choice, else `language`, its own in Discord."""
        usual = await self.usual(guild_id, next(iter(VARIANTS)))
        chosen = str(usual[LANGUAGE.key])
        return language if chosen == LANGUAGE.default else chosen

    async def keep_usual(self, guild_id: int, game: str, options: Options) -> None:
        """Have new tables of a game begin so in a server."""
        kept = still_offered(game, options)
        await self._store.servers.note_guild_options(guild_id, game, kept)

    # -- what happens by itself ------------------------------------------------------------------

    async def on_deadline(self, due: Table) -> None:
        """Do what a table's deadline stands for; nothing if it has moved on."""
        try:
            with contextlib.suppress(errors.MovedOn):
                await self.change(due.id, NOBODY, plans.overdue, due, self._decided_for)
        finally:
            leave_match()

    def _decided_for(self, live: LiveTable) -> Decided | None:
        """What was decided for whoever is not a person, or not there."""
        return Decided() if self._turns is None else self._turns.decided(live)

    async def untold(self) -> list[Table]:
        """After a start: matches that ended within a day and whose winner may not have been shown.

        The process may have ended between the commit and the message.
        """
        return await self._store.tables.to_announce(self._clock.now() - DAY)

    async def give_back(self) -> None:
        """Move the clocks of every live table as far as the wall clock has jumped.

        Raises `StoreUnavailable` if some are still to be moved; asked again, it moves none twice.
        """
        down: errors.StoreUnavailable | None = None
        for found in await self._store.tables.live():
            try:
                await self.runtime.shift(found.id)
            except errors.Damaged:
                continue
            except errors.StoreUnavailable as error:
                down = error
            except Exception:
                log.exception("tables: no time given back", table=found.id)
        if down is not None:
            raise down
