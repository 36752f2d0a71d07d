"""The tables as a service: open them, look them up, and change them.

`change` applies a plan of `plans` or `moderation`; `runtime` caches this process's tables, judges
requests and stores changes.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import structlog

from bot.language.catalogues import ENGLISH
from bot.operations.fair_use import HOUR, TokenBucket
from bot.services import unanswered
from bot.services.runtime import TableRuntime, Ts
from bot.settings.shards import ONE, Shards
from bot.storage.store import SqlStore
from bot.tables import errors, history, plans
from bot.tables.changes import Announcer
from bot.tables.computer_turns import ComputerTurns, Decided, with_computer
from bot.tables.daily import Daily, day_at
from bot.tables.highlights import MatchHighlights
from bot.tables.live import Dealt, LiveTable, dealt_to
from bot.tables.match_log import leave_match
from bot.tables.model import Snapshot, Status, Table
from bot.tables.requests import NOBODY, Ask, Limits, Moment, Place
from bot.tables.scheduler import Clock, ClockSkew
from bot.tables.table_options import LANGUAGE, TURN_CLOCK, defaults, still_offered
from engine.ruleset import Options, OptionValue
from engine.state import Match
from engine.variants import VARIANTS, variant

log = structlog.get_logger(__name__)
DAY: Final = 86_400_000  # milliseconds
REMINDERS_A_DAY: Final = 2  # direct messages a day, however many slow matches a person plays
LOOKED_AT: Final = 25  # latest matches to look at; some may be practices


class Tables:
    """All tables. `draw_seed` returns 32 secret bytes for a match.

    Without `turns`, computer players and stand-ins only make the safe move. `count` is called with
    the outcome of each request to change a table (`match_log.result_of`, or "stored"). Requests may
    concern any table; this process shows the tables of `shards` and serves their clocks. Methods
    that read or write the store may raise `StoreUnavailable`.
    """

    def __init__(
        self,
        store: SqlStore,
        clock: Clock,
        announcer: Announcer,
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
        self.daily = store.daily
        self.alarm = self.runtime.alarm

    # -- reading ----------------------------------------------------------------------------------

    async def see(self, table_id: int, place: Place | None = None) -> LiveTable:
        """Return the table as it is now.

        Raises `NoTable`; `Damaged`; `MovedOn` if `place` isn't the table's.
        """
        live = await self.runtime.latest(table_id)
        if place is not None:
            plans.check_place(live, place)
        return live

    async def round_of(self, table_id: int, match_id: int, number: int) -> Match:
        """Return the table's match at the last stored moment of a round.

        Raises `NoTable`; `Damaged`; `MovedOn` if the round is not stored.
        """
        snapshot = await self._snapshot_of(table_id, match_id)
        with self.runtime.replaying(table_id):
            return history.round_of(snapshot, match_id, number)

    async def deal_of(self, table_id: int, match_id: int, number: int) -> history.PastDeal:
        """Return how a round of the table's match was dealt. Raises what `round_of` raises."""
        snapshot = await self._snapshot_of(table_id, match_id)
        with self.runtime.replaying(table_id):
            return history.deal_of(snapshot, match_id, number)

    async def highlights_of(self, table_id: int, match_id: int) -> tuple[Match, MatchHighlights]:
        """Return the table's match, which must be over, and its highlights.

        Raises what `round_of` raises; also `MovedOn` if nobody has won.
        """
        snapshot = await self._snapshot_of(table_id, match_id)
        with self.runtime.replaying(table_id):
            return history.highlights_of(snapshot, match_id)

    async def _snapshot_of(self, table_id: int, match_id: int) -> Snapshot:
        """Return the table with its match `match_id`, the current match or an earlier one.

        Raises `NoTable`, `Damaged`, and `MovedOn` if the table has no such match.
        """
        snapshot = await self.runtime.snapshot(table_id)
        if snapshot.match is not None and snapshot.match.id == match_id:
            return snapshot
        past = await self._store.matches.load(match_id)
        if past is None or past.match.table_id != table_id:
            raise errors.MovedOn
        return Snapshot(snapshot.table, past.match, past.seeds)

    async def in_channel(self, channel_id: int) -> LiveTable:
        """Return the channel's table. Raises `NoTable`, `Damaged`."""
        table = await self._store.tables.in_channel(channel_id)
        if table is None:
            raise errors.NoTable
        return await self.runtime.get_at_least(table.id, table.version)

    async def tables_of(self, player: int) -> list[LiveTable]:
        """Return every live table, in any server, where `player` sits or is invited to sit.

        Damaged tables are left out.
        """
        tables = []
        for table_id, version in await self._store.tables.seats_of(player):
            with contextlib.suppress(errors.NoTable, errors.Damaged):
                tables.append(await self.runtime.get_at_least(table_id, version))
        return tables

    async def where_dealt(self, player: int) -> list[Dealt]:
        """Return every table where `player` holds cards and the bidding is still open."""
        seats = [dealt_to(live, player) for live in await self.tables_of(player)]
        return [dealt for dealt in seats if dealt is not None]

    async def may_write(self, player: int, which: str) -> bool:
        """Return whether a person may get a reminder of slow matches; if so, count it.

        `which` identifies the reminder, a direct message. A reminder that was counted in the last
        day isn't counted again.
        """
        return await self._store.direct_messages.may_remind(
            player, which, self._clock.now(), REMINDERS_A_DAY, DAY
        )

    async def played_last(self, player: int) -> int:
        """Return the server where a person last played a match to its end; 0 if in none.

        Only their latest 25 matches (`LOOKED_AT`) count.
        """
        lines = await self._store.matches.history(player, None, LOOKED_AT)
        return next((line.guild_id for line in lines if line.guild_id), 0)

    # -- the deal of the day ----------------------------------------------------------------------

    def today(self) -> int:
        """Return the day of the current deal of the day, as a number (`date.toordinal`)."""
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

        `language` is the server's language in Discord, used if the server has chosen none for its
        tables. `daily`: the deal of the day to play, and the server where it counts (0: none).
        Raises `ChannelHasTable`, `GuildIsFull`, `HostsTooMany`, `TooOften`, `Repeated`, and what
        `with_computer` raises.
        """
        if channel_id > 0:  # practices don't count towards limits
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
            return await self._store_lobby(fresh, ask.interaction_id)
        except Exception:
            self._opening.give_back(ask.player)
            raise

    async def open_empty(
        self, guild_id: int, channel_id: int, game: str, host: int, language: str
    ) -> LiveTable:
        """Open an empty lobby. Its host is `host` until somebody joins, and then the first to join.

        Raises `ChannelHasTable`, `GuildIsFull`.
        """
        await self._check_room(guild_id)
        fresh = await self._lobby(guild_id, channel_id, game, host, language)
        return await self._store_lobby(fresh, None)

    async def _lobby(
        self, guild_id: int, channel_id: int, game: str, host: int, language: str
    ) -> Table:
        """Return an empty lobby with a server's usual options, not stored yet."""
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

    async def _store_lobby(self, fresh: Table, interaction_id: int | None) -> LiveTable:
        """Set a new lobby's clock and store it. Raises `ChannelHasTable`, `Repeated`."""
        fresh = plans.set_clocks(
            LiveTable(fresh), LiveTable(fresh), self._limits, self._clock.now()
        )
        stored = await unanswered.open_table(self._store, fresh, interaction_id)
        if stored.version > 1:  # another process changed it while the store did not answer
            return await self.runtime.get_at_least(stored.id, stored.version)
        live = LiveTable(stored)
        self.runtime.add_new(live, interaction_id)
        return live

    async def _check_room(self, guild_id: int) -> None:
        if await self._store.tables.live_in_guild(guild_id) >= self._limits.tables_per_guild:
            raise errors.GuildIsFull(self._limits.tables_per_guild)

    async def _check_host(self, player: int) -> None:
        most = self._limits.tables_at_once
        if most and await self._store.tables.live_hosted_by(player) >= most:
            raise errors.HostsTooMany(most)

    async def usual(self, guild_id: int, game: str) -> dict[str, OptionValue]:
        """Return all options for a server's new tables of a game.

        They are the server's choices, or else the defaults. The settings give the turn clock's
        default.
        """
        key = variant(game).key
        chosen_options = await self._store.servers.guild_options(guild_id, key)
        host_defaults = {TURN_CLOCK.key: self._limits.turn_seconds}
        return defaults(key) | host_defaults | still_offered(key, chosen_options)

    async def language_in(self, guild_id: int, language: str) -> str:
        """Return the key of a server's language: its choice, or else `language` from Discord."""
        usual = await self.usual(guild_id, next(iter(VARIANTS)))
        chosen = str(usual[LANGUAGE.key])
        return language if chosen == LANGUAGE.default else chosen

    async def keep_usual(self, guild_id: int, game: str, options: Options) -> None:
        """Store a server's options for new tables of a game, without those no longer offered."""
        offered = still_offered(game, options)
        await self._store.servers.note_guild_options(guild_id, game, offered)

    # -- changing ---------------------------------------------------------------------------------

    async def change(
        self,
        table_id: int,
        ask: Ask,
        plan: Callable[[LiveTable, Ask, Moment, *Ts], plans.Plan],
        *arguments: *Ts,
    ) -> LiveTable:
        """Judge a request by `plan`, store the change and show it; see `TableRuntime.change`."""
        return await self.runtime.change(table_id, ask, plan, *arguments)

    # -- deadlines -------------------------------------------------------------------------------

    async def on_deadline(self, due: Table) -> None:
        """Apply the change that a table's deadline triggers, unless the table has changed since."""
        try:
            with contextlib.suppress(errors.MovedOn):
                await self.change(due.id, NOBODY, plans.overdue, due, self._decision_for)
        finally:
            leave_match()

    def _decision_for(self, live: LiveTable) -> Decided | None:
        """Return the decision for computers and absent people; None if it isn't known yet."""
        return Decided() if self._turns is None else self._turns.decision_for(live)

    async def maybe_unannounced(self) -> list[Table]:
        """Return tables whose match ended in the last day but whose winner may not be shown yet.

        Also return tables that are over and whose reminder may still be shown. In both cases the
        process may have stopped between the commit and the message.
        """
        return await self._store.tables.to_announce(self._clock.now() - DAY)

    async def give_back(self) -> None:
        """Move the clocks of every live table by the wall clock's jumps.

        Raises `StoreUnavailable` if the store failed for a table. Then call this again: no clock is
        moved twice for the same jump.
        """
        down: errors.StoreUnavailable | None = None
        for table in await self._store.tables.live():
            try:
                await self.runtime.shift(table.id)
            except errors.Damaged:
                continue
            except errors.StoreUnavailable as error:
                down = error
            except Exception:
                log.exception("tables: no time given back", table=table.id)
        if down is not None:
            raise down
