"""Tables as a service: every request is judged and stored under its table's lock, then shown.

Nothing is shown before it is committed. What is asked is said here as a plan; `keeper` keeps the
tables, and judges and stores the plan.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

import structlog

from bot.settings.shards import ONE, Shards
from bot.tables import errors, history, moderation, plans, ports
from bot.tables.computer_turns import ComputerTurns, Decided
from bot.tables.highlights import Story
from bot.tables.live import (
    Dealt,
    LiveTable,
    dealt_to,
    may_manage,
    with_left,
)
from bot.tables.lobbies import Lobbies
from bot.tables.match_log import leave_match
from bot.tables.model import Change, Snapshot, Status, Table
from bot.tables.requests import Ask, Limits, Place
from bot.tables.runtime import TableRuntime
from bot.tables.scheduler import ClockSkew
from engine.actions import Action, Challenge, Forfeit, MakeBid
from engine.state import Match

log = structlog.get_logger(__name__)
DAY: Final = 86_400_000  # milliseconds
LOOKED_AT: Final = 25  # of somebody's matches, some of which may be practices
Reading = Callable[[Match], str]  # the key of the bid that was meant


class Tables(Lobbies):
    """All tables of this process. `draw_seed` gives 32 secret bytes for the deals of a match.

    Without `thinking` the plain safe move is all that is played for anybody. `count` is told what
    became of each request to change a table (`diary.result_of`, or "stored"). Any table can be
    acted at; those of `shards` are shown, and their clocks served, by this process.
    """

    def __init__(
        self,
        store: ports.Store,
        clock: ports.Clock,
        announcer: ports.Announcer,
        limits: Limits,
        draw_seed: Callable[[], bytes],
        thinking: ComputerTurns | None = None,
        jumps: ClockSkew | None = None,
        count: Callable[[str], None] = lambda _: None,
        shards: Shards = ONE,
    ) -> None:
        keeper = TableRuntime(store, clock, announcer, limits, jumps, count, shards)
        super().__init__(store, clock, keeper, limits, draw_seed)
        self._thinking = thinking

    # -- reading ----------------------------------------------------------------------------------

    async def see(self, table_id: int, place: Place | None = None) -> LiveTable:
        """The table as it stands. Raises `NoTable`; `MovedOn` if `place` is not the table's."""
        return await self._keeper.see(table_id, place)

    async def round_of(self, table_id: int, match_id: int, number: int) -> Match:
        """The table's match as a round left it. Raises `NoTable`, `MovedOn` if it is not stored."""
        snapshot = await self._past(table_id, match_id)
        with self._keeper.replaying(table_id):
            return history.round_of(snapshot, match_id, number)

    async def deal_of(self, table_id: int, match_id: int, number: int) -> history.PastDeal:
        """How a round of the table's match was dealt. Raises as `round_of` does."""
        snapshot = await self._past(table_id, match_id)
        with self._keeper.replaying(table_id):
            return history.deal_of(snapshot, match_id, number)

    async def story_of(self, table_id: int, match_id: int) -> tuple[Match, Story]:
        """The table's match when it is over, with what is told of it. Raises as `round_of`."""
        snapshot = await self._past(table_id, match_id)
        with self._keeper.replaying(table_id):
            return history.story_of(snapshot, match_id)

    async def _past(self, table_id: int, match_id: int) -> Snapshot:
        """The table with this match of it: the latest, or one whose messages still stand."""
        snapshot = await self._keeper.snapshot(table_id)
        if snapshot.match is not None and snapshot.match.id == match_id:
            return snapshot
        kept = await self._store.kept_match(match_id)
        if kept is None or kept.match.table_id != table_id:
            raise errors.MovedOn
        return Snapshot(snapshot.table, kept.match, kept.seeds)

    def has_stored(self, interaction_id: int) -> bool:
        """Whether this process has stored something for an interaction, of late."""
        return interaction_id in self._keeper.stored_for

    def looks_after(self, table: Table) -> bool:
        """Whether this process is the one that shows a table."""
        return self._keeper.looks_after(table)

    def is_latest(self, live: LiveTable) -> bool:
        """Whether this process knows of no later state of the table; asks nobody."""
        return self._keeper.is_latest(live)

    async def in_channel(self, channel_id: int) -> LiveTable:
        """The channel's table. Raises `NoTable`."""
        found = await self._store.table_in(channel_id)
        if found is None:
            raise errors.NoTable
        return await self._keeper.kept(found.id, at_least=found.version)

    def all(self) -> Iterable[LiveTable]:
        """Every live table that this process keeps."""
        return self._keeper.all()

    async def where_dealt(self, player: int) -> list[Dealt]:
        """Every table where `player` holds cards in a round being bid, whoever dealt them."""
        found = []
        for table_id, version in await self._store.seats_of(player):
            with contextlib.suppress(errors.NoTable, errors.Damaged):
                live = await self._keeper.kept(table_id, at_least=version)
                found.append(dealt_to(live, player))
        return [dealt for dealt in found if dealt is not None]

    async def played_last(self, player: int) -> int:
        """The server where somebody last played a match to its end; 0 if in none."""
        lines = await self._store.history(player, None, LOOKED_AT)
        return next((one.guild_id for one in lines if one.guild_id), 0)

    # -- the match --------------------------------------------------------------------------------

    async def cut(self, table_id: int, ask: Ask, text: str) -> LiveTable:
        """Cut the cards, in a lobby or at any time of a match. Raises as `cuts.may_cut`."""
        return await self._keeper.commit(
            table_id, ask, lambda live: plans.cut(live, ask.player, text, ask.interaction_id)
        )

    async def start(self, table_id: int, ask: Ask) -> LiveTable:
        """Start the match of a lobby and deal its first round (host or moderator)."""

        def plan(live: LiveTable) -> plans.Plan:
            may_manage(live.table, ask.player, ask.moderator)
            return plans.begin(live, self._draw_seed(), self._clock.now(), ask.interaction_id)

        return await self._keeper.commit(table_id, ask, plan)

    async def bid(self, table_id: int, ask: Ask, meant: str | Reading) -> LiveTable:
        """Make a bid, given by its canonical key or read by `meant` from what a person asked.

        `meant` gets the match that the bid is for and may raise what it finds wrong.
        """

        def action(match: Match, seat: int) -> Action:
            return MakeBid(seat, meant if isinstance(meant, str) else meant(match))

        return await self._act(table_id, ask, action)

    async def challenge(self, table_id: int, ask: Ask) -> LiveTable:
        """Doubt the standing bid."""
        return await self._act(table_id, ask, lambda _, seat: Challenge(seat))

    async def forfeit(self, table_id: int, ask: Ask) -> LiveTable:
        """Leave the match for good."""
        return await self._act(table_id, ask, lambda _, seat: Forfeit(seat))

    async def drop(self, table_id: int, ask: Ask, player: int) -> LiveTable:
        """Remove another from the lobby (host or moderator), or as `moderation.drop` in a match."""

        def plan(live: LiveTable) -> plans.Plan:
            if live.table.status is Status.LOBBY:
                may_manage(live.table, ask.player, ask.moderator)
                if player not in live.table.players:
                    raise errors.NotHere(player)
                left = with_left(live.table, player)
                return replace(live, table=left), Change(left, ask.interaction_id)
            if live.table.status is not Status.PLAYING:
                raise errors.NotHere(player)
            return moderation.drop(live, ask, player, self._clock.now())

        return await self._keeper.commit(table_id, ask, plan)

    async def say_away(self, table_id: int, ask: Ask, player: int) -> LiveTable:
        """Say that another player is away; the second who says so has the house play for them."""

        def plan(live: LiveTable) -> plans.Plan:
            return plans.vote(live, ask.player, player, ask.interaction_id)

        return await self._keeper.commit(table_id, ask, plan)

    async def back(self, table_id: int, ask: Ask) -> LiveTable:
        """Play on oneself after having been away. Raises `NotAway`."""

        def plan(live: LiveTable) -> plans.Plan:
            return plans.back(live, ask.player, ask.interaction_id)

        return await self._keeper.commit(table_id, ask, plan)

    async def next_round(self, table_id: int, ask: Ask) -> LiveTable:
        """Deal the next round now. Whoever has a seat may ask."""

        def plan(live: LiveTable) -> plans.Plan:
            plans.check_current(live, ask)
            live.seat(ask.player)
            return plans.deal(live, self._draw_seed(), self._clock.now(), ask.interaction_id)

        return await self._keeper.commit(table_id, ask, plan)

    async def end(self, table_id: int, ask: Ask | None) -> LiveTable:
        """End a lobby (host or moderator), or a match as `moderation.end`. None: no channel."""

        def plan(live: LiveTable) -> plans.Plan:
            if ask is not None and live.table.status is Status.PLAYING:
                return moderation.end(live, ask)
            if ask is not None and live.table.status.live:
                may_manage(live.table, ask.player, ask.moderator)
            return plans.close(live, ask.interaction_id if ask else None)

        return await self._keeper.commit(table_id, ask or Ask(0, None), plan)

    async def agree(self, table_id: int, ask: Ask, match_id: int, about: int) -> LiveTable:
        """Say yes to a question, as `moderation.agree`. Raises `MovedOn` for another match."""

        def plan(live: LiveTable) -> plans.Plan:
            _check_match(live, match_id)
            return moderation.agree(live, ask, about, self._clock.now())

        return await self._keeper.commit(table_id, ask, plan)

    async def refuse(self, table_id: int, ask: Ask, match_id: int, about: int) -> LiveTable:
        """Say no to it, as `moderation.refuse`. Raises `MovedOn` for another match."""

        def plan(live: LiveTable) -> plans.Plan:
            _check_match(live, match_id)
            return moderation.refuse(live, ask, about)

        return await self._keeper.commit(table_id, ask, plan)

    # -- what happens by itself ------------------------------------------------------------------

    async def on_deadline(self, due: Table) -> None:
        """Do what a table's deadline stands for; nothing if it has moved on."""
        now = self._clock.now()

        def plan(live: LiveTable) -> plans.Plan:
            # judged under the lock: somebody may have acted at this very moment
            if live.table.version != due.version:
                raise errors.MovedOn
            decided = self._decided(live)
            kind = due.deadline_kind
            return plans.overdue(live, kind, now, self._draw_seed, self._limits, decided)

        try:
            with contextlib.suppress(errors.MovedOn):
                await self._keeper.commit(due.id, Ask(0, None), plan)
        finally:
            leave_match()

    def _decided(self, live: LiveTable) -> Decided | None:
        """What was decided for whoever is not a person, or not there."""
        return Decided() if self._thinking is None else self._thinking.decided(live)

    async def grant_time(self, at_least: int) -> list[Table]:
        """After a start: every live table, with deadlines no nearer than `at_least` ms from now."""
        return await self._keeper.grant_time(at_least)

    async def untold(self) -> list[Table]:
        """After a start: matches that ended within a day and whose winner may not have been shown.

        The process may have ended between the commit and the message.
        """
        return await self._store.untold(self._clock.now() - DAY)

    async def read_anew(self, table_id: int) -> None:
        """A table was changed in the store by no move: know it, and show it, as it is now."""
        with contextlib.suppress(errors.NoTable):
            await self._keeper.read_anew(table_id)

    async def heard(self, table_id: int, guild_id: int) -> None:
        """Another process has moved a table on: show it, or forget what this one knows of it."""
        await self._keeper.heard(table_id, guild_id)

    async def catch_up(self) -> None:
        """Show what other processes may have moved on while nothing was heard of them."""
        await self._keeper.catch_up()

    async def give_back(self) -> None:
        """Move the clocks of every live table as far as the wall clock has jumped.

        Raises `StoreUnavailable` if some are still to be moved; asked again, it moves none twice.
        """
        down: errors.StoreUnavailable | None = None
        for found in await self._store.live_tables():
            try:
                await self._keeper.shift(found.id)
            except errors.Damaged:
                continue
            except errors.StoreUnavailable as error:
                down = error
            except Exception:
                log.exception("tables: no time given back", table=found.id)
        if down is not None:
            raise down

    async def shown(
        self, table_id: int, message_id: int, announced_seq: int, *, store: bool = True
    ) -> bool:
        """Remember which message shows a table, and how much of the log it shows.

        False if that is not stored yet; `note_again` does it later.
        """
        return await self._keeper.shown(table_id, message_id, announced_seq, store=store)

    async def nudge_shown(
        self,
        table_id: int,
        message_id: int | None,
        nudged: str | None,
        letter: tuple[int, int] | None,
    ) -> bool:
        """Remember what reminds whoever is to act (None: nothing does any more). As `shown`."""
        return await self._keeper.nudge_shown(table_id, message_id, nudged, letter)

    def owes_note(self, table_id: int) -> bool:
        """Whether something that is to be seen of the table is not stored yet."""
        return self._keeper.owes_note(table_id)

    async def note_again(self, table_id: int) -> bool:
        """Store what could not be noted before; whether nothing is left of it."""
        return await self._keeper.note_again(table_id)

    # -- plans that several requests share --------------------------------------------------------

    async def _act(
        self,
        table_id: int,
        ask: Ask,
        action: Callable[[Match, int], Action],
    ) -> LiveTable:
        def plan(live: LiveTable) -> plans.Plan:
            seat = live.seat(ask.player)
            plans.check_current(live, ask)
            if live.table.status is Status.CLOSED or live.match is None:
                raise errors.NoTable
            made = action(live.match, seat)
            return plans.act(live, made, self._clock.now(), ask.interaction_id)

        return await self._keeper.commit(table_id, ask, plan)


def _check_match(live: LiveTable, match_id: int) -> None:
    if live.table.match_id != match_id:
        raise errors.MovedOn
