"""Lobbies as a service: opened, joined, left, their house rules chosen. See `service`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from bot.language.catalogues import ENGLISH
from bot.operations.fair_use import HOUR, Allowance
from bot.tables import errors, plans, ports
from bot.tables.computer_turns import rarest, with_computer, without_computer
from bot.tables.cuts import sealed
from bot.tables.live import LiveTable, may_manage, with_joined, with_left, with_options
from bot.tables.model import Change, Status, Table
from bot.tables.rematch import asked_again, with_declined, with_waiting
from bot.tables.requests import Ask, Limits
from bot.tables.runtime import TableRuntime
from bot.tables.table_options import LANGUAGE, TURN_CLOCK, defaults, still_offered
from engine.ruleset import Options, OptionValue
from engine.variants import VARIANTS, variant


class Lobbies:
    """The part of `service.Tables` that is about tables before their match."""

    def __init__(
        self,
        store: ports.Store,
        clock: ports.Clock,
        keeper: TableRuntime,
        limits: Limits,
        draw_seed: Callable[[], bytes],
    ) -> None:
        self._store = store
        self._clock = clock
        self._keeper = keeper
        self._limits = limits
        self._draw_seed = draw_seed
        self._opening = Allowance(limits.tables_per_hour, HOUR)
        self.alarm = keeper.alarm

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
    ) -> LiveTable:
        """Open a lobby, with computer players of these characters.

        `language` is the server's in Discord, for a server that has chosen none for its tables.
        Raises `ChannelHasTable`, `GuildIsFull`, `HostsTooMany`, `TooOften`, and as `with_computer`.
        """
        limited = channel_id > 0  # a practice is nobody else's affair
        if limited:
            await self._check_room(ask.player, guild_id)
        now = self._clock.now()
        options = await self.usual(guild_id, game)
        if options[LANGUAGE.key] == LANGUAGE.default and language != ENGLISH:
            options[LANGUAGE.key] = language
        fresh = Table(
            id=0,
            guild_id=guild_id,
            channel_id=channel_id,
            host_id=ask.player,
            status=Status.LOBBY,
            variant=variant(game).key,
            options=options,
            players=(ask.player,),
            version=1,
            created_at=now,
            updated_at=now,
            chain_root=self._draw_seed(),
        )
        for character in characters:
            fresh = with_computer(fresh, character, allowed=self.seats_computers)
        fresh = plans.timed(LiveTable(fresh), LiveTable(fresh), self._limits, now)
        wait = self._opening.take(ask.player)
        if wait:
            raise errors.TooOften(wait)
        try:
            stored = await self._store.open_table(fresh, ask.interaction_id)
        except Exception:
            self._opening.give_back(ask.player)
            raise
        live = LiveTable(stored)
        self._keeper.opened(live, ask.interaction_id)
        self.alarm.deadline(stored.deadline)
        return live

    async def _check_room(self, player: int, guild_id: int) -> None:
        """Raises `GuildIsFull`, `HostsTooMany`."""
        if await self._store.live_in_guild(guild_id) >= self._limits.tables_per_guild:
            raise errors.GuildIsFull(self._limits.tables_per_guild)
        most = self._limits.tables_at_once
        if most and await self._store.live_hosted_by(player) >= most:
            raise errors.HostsTooMany(most)

    async def usual(self, guild_id: int, game: str) -> dict[str, OptionValue]:
        """What new tables of a game begin with in a server: its own choices, or the house's."""
        key = variant(game).key
        kept = await self._store.guild_options(guild_id, key)
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
        await self._store.note_guild_options(guild_id, game, kept)

    async def join(self, table_id: int, ask: Ask) -> LiveTable:
        """Take a seat in a lobby; the last who was asked to play again starts the match by it."""
        return await self._answer(table_id, ask, with_joined)

    async def decline(self, table_id: int, ask: Ask) -> LiveTable:
        """Say no to playing again. Raises `NotInvited`."""
        return await self._answer(table_id, ask, with_declined)

    async def wait(self, table_id: int, ask: Ask) -> LiveTable:
        """Be asked to join the next match, or not any more. Raises `AlreadySeated`."""

        def plan(live: LiveTable) -> plans.Plan:
            waiting = with_waiting(live.table, ask.player)
            return replace(live, table=waiting), Change(waiting, ask.interaction_id)

        return await self._keeper.commit(table_id, ask, plan)

    async def leave(self, table_id: int, ask: Ask) -> LiveTable:
        """Leave a lobby; the last to leave closes it."""
        return await self._lobby(table_id, ask, lambda now: with_left(now, ask.player))

    async def choose(
        self, table_id: int, ask: Ask, options: Options | Callable[[Table], Options]
    ) -> LiveTable:
        """Change house rules of a lobby (host or moderator); `options` may be read from it."""

        def change(now: Table) -> Table:
            may_manage(now, ask.player, ask.moderator)
            return with_options(now, options(now) if callable(options) else options)

        return await self._lobby(table_id, ask, change)

    async def add_computer(self, table_id: int, ask: Ask, character: str | None) -> LiveTable:
        """Seat a computer player in a lobby (host or moderator), None: of the rarest character.

        Raises as `with_computer`.
        """

        def change(now: Table) -> Table:
            may_manage(now, ask.player, ask.moderator)
            return with_computer(now, character or rarest(now), allowed=self.seats_computers)

        return await self._lobby(table_id, ask, change)

    async def take_computer_away(self, table_id: int, ask: Ask, player: int) -> LiveTable:
        """Take a computer player's seat in a lobby away (host or moderator). Raises `NotHere`."""

        def change(now: Table) -> Table:
            may_manage(now, ask.player, ask.moderator)
            return without_computer(now, player)

        return await self._lobby(table_id, ask, change)

    async def cancel(self, table_id: int, ask: Ask) -> LiveTable:
        """Close a lobby (host or moderator)."""

        def change(now: Table) -> Table:
            may_manage(now, ask.player, ask.moderator)
            if now.status is not Status.LOBBY:
                raise errors.MovedOn
            return replace(now, status=Status.CLOSED)

        return await self._lobby(table_id, ask, change)

    async def again(self, table_id: int, ask: Ask) -> LiveTable:
        """After a match: a lobby of the asker, in a new message, with the others invited."""

        def change(now: Table) -> Table:
            return sealed(asked_again(now, ask.player), self._draw_seed())

        return await self._lobby(table_id, ask, change)

    async def _lobby(self, table_id: int, ask: Ask, change: Callable[[Table], Table]) -> LiveTable:
        def plan(live: LiveTable) -> plans.Plan:
            changed = change(live.table)
            after = LiveTable(changed) if changed.match_id is None else replace(live, table=changed)
            return after, Change(changed, ask.interaction_id)

        return await self._keeper.commit(table_id, ask, plan)

    async def _answer(
        self, table_id: int, ask: Ask, change: Callable[[Table, int], Table]
    ) -> LiveTable:
        def plan(live: LiveTable) -> plans.Plan:
            changed, now = change(live.table, ask.player), self._clock.now()
            return plans.gather(live, changed, now, self._draw_seed, ask.interaction_id)

        return await self._keeper.commit(table_id, ask, plan)
