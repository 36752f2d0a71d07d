"""Tables as a service: every request is judged and stored under its table's lock, then shown.

Nothing is shown before it is committed. What is asked is said here as a plan; `keeper` keeps the
tables, and judges and stores the plan.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import replace

import structlog

from bot.languages import ENGLISH
from bot.tables import past, plans, ports, power, refusals
from bot.tables.computers import Decided, with_computer, without_computer
from bot.tables.cuts import sealed
from bot.tables.house import LANGUAGE, TURN_CLOCK, defaults, still_offered
from bot.tables.keeper import Keeper, ask_store
from bot.tables.live import (
    Dealt,
    LiveTable,
    dealt_to,
    may_manage,
    with_joined,
    with_left,
    with_options,
)
from bot.tables.records import Change, Status, Table
from bot.tables.rematch import asked_again, with_declined, with_waiting
from bot.tables.requests import Ask, Limits, Place
from bot.tables.story import Story
from bot.tables.thinking import Thinking
from engine.actions import Action, Challenge, Forfeit, MakeBid
from engine.ruleset import Options, OptionValue
from engine.state import Match
from engine.variants import VARIANTS, variant

log = structlog.get_logger(__name__)
Reading = Callable[[Match], str]  # the key of the bid that was meant


class Tables:
    """All tables of this process. `draw_seed` gives 32 secret bytes for the deals of a match.

    Without `thinking` the plain safe move is all that is played for anybody.
    """

    def __init__(
        self,
        store: ports.Store,
        clock: ports.Clock,
        announcer: ports.Announcer,
        limits: Limits,
        draw_seed: Callable[[], bytes],
        thinking: Thinking | None = None,
    ) -> None:
        self._store = store
        self._clock = clock
        self._limits = limits
        self._draw_seed = draw_seed
        self._thinking = thinking
        self._keeper = Keeper(store, clock, announcer, limits)
        self.alarm = self._keeper.alarm

    @property
    def most_computers(self) -> int:
        """How many computer players a table may have; 0: the house seats none."""
        return self._limits.computers

    # -- reading ----------------------------------------------------------------------------------

    async def see(self, table_id: int, place: Place | None = None) -> LiveTable:
        """The table as it stands. Raises `NoTable`; `MovedOn` if `place` is not the table's."""
        return await self._keeper.see(table_id, place)

    async def round_of(self, table_id: int, match_id: int, number: int) -> Match:
        """The table's match as a round left it. Raises `NoTable`, `MovedOn` if it is not stored."""
        return past.round_of(await self._keeper.snapshot(table_id), match_id, number)

    async def deal_of(self, table_id: int, match_id: int, number: int) -> past.PastDeal:
        """How a round of the table's match was dealt. Raises as `round_of` does."""
        return past.deal_of(await self._keeper.snapshot(table_id), match_id, number)

    async def story_of(self, table_id: int, match_id: int) -> Story:
        """What is told of the table's match when it is over. Raises as `round_of` does."""
        return past.story_of(await self._keeper.snapshot(table_id), match_id)

    def is_latest(self, live: LiveTable) -> bool:
        """Whether this process knows of no later state of the table; asks nobody."""
        return self._keeper.is_latest(live)

    async def in_channel(self, channel_id: int) -> LiveTable:
        """The channel's table. Raises `NoTable`."""
        found = await ask_store(self._store.table_in(channel_id))
        if found is None:
            raise refusals.NoTable
        live = await self.see(found.id)
        return live if live.table.version >= found.version else await self._keeper.load(found.id)

    def where_dealt(self, player: int) -> list[Dealt]:
        """The tables this process keeps where `player` holds cards in a round being bid."""
        found = (dealt_to(live, player) for live in self._keeper.all())
        return [dealt for dealt in found if dealt is not None]

    # -- the lobby --------------------------------------------------------------------------------

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
        Raises `ChannelHasTable`, `GuildIsFull`, and as `with_computer`.
        """
        limited = channel_id > 0  # a practice is nobody else's affair
        live_here = await ask_store(self._store.live_in_guild(guild_id)) if limited else 0
        if live_here >= self._limits.tables_per_guild:
            raise refusals.GuildIsFull(self._limits.tables_per_guild)
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
            fresh = with_computer(fresh, character, self._limits.computers)
        fresh = plans.timed(LiveTable(fresh), LiveTable(fresh), self._limits, now)
        try:
            stored = await ask_store(self._store.open_table(fresh, ask.interaction_id))
        except ports.ChannelTaken:
            raise refusals.ChannelHasTable from None
        except ports.AlreadyDone:
            raise refusals.Repeated from None
        live = LiveTable(stored)
        self._keeper.keep(live)
        self.alarm.deadline(stored.deadline)
        return live

    async def usual(self, guild_id: int, game: str) -> dict[str, OptionValue]:
        """What new tables of a game begin with in a server: its own choices, or the house's."""
        key = variant(game).key
        kept = await ask_store(self._store.guild_options(guild_id, key))
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
        await ask_store(self._store.note_guild_options(guild_id, game, kept))

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

    async def add_computer(self, table_id: int, ask: Ask, character: str) -> LiveTable:
        """Seat a computer player in a lobby (host or moderator). Raises as `with_computer`."""

        def change(now: Table) -> Table:
            may_manage(now, ask.player, ask.moderator)
            return with_computer(now, character, self._limits.computers)

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
                raise refusals.MovedOn
            return replace(now, status=Status.CLOSED)

        return await self._lobby(table_id, ask, change)

    async def again(self, table_id: int, ask: Ask) -> LiveTable:
        """After a match: a lobby of the asker, in a new message, with the others invited."""

        def change(now: Table) -> Table:
            return sealed(asked_again(now, ask.player), self._draw_seed())

        return await self._lobby(table_id, ask, change)

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
        """Remove another from the lobby (host or moderator), or as `power.drop` in a match."""

        def plan(live: LiveTable) -> plans.Plan:
            if live.table.status is Status.LOBBY:
                may_manage(live.table, ask.player, ask.moderator)
                if player not in live.table.players:
                    raise refusals.NotHere(player)
                left = with_left(live.table, player)
                return replace(live, table=left), Change(left, ask.interaction_id)
            if live.table.status is not Status.PLAYING:
                raise refusals.NotHere(player)
            return power.drop(live, ask, player, self._clock.now())

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
        """End a lobby (host or moderator), or as `power.end` a match. None: its channel is gone."""

        def plan(live: LiveTable) -> plans.Plan:
            if ask is not None and live.table.status is Status.PLAYING:
                return power.end(live, ask)
            if ask is not None and live.table.status.live:
                may_manage(live.table, ask.player, ask.moderator)
            return plans.close(live, ask.interaction_id if ask else None)

        return await self._keeper.commit(table_id, ask or Ask(0, None), plan)

    # -- what happens by itself ------------------------------------------------------------------

    async def on_deadline(self, due: Table) -> None:
        """Do what a table's deadline stands for; nothing if it has moved on."""
        now = self._clock.now()

        def plan(live: LiveTable) -> plans.Plan:
            # judged under the lock: somebody may have acted at this very moment
            if live.table.version != due.version:
                raise refusals.MovedOn
            decided = self._decided(live)
            kind = due.deadline_kind
            return plans.overdue(live, kind, now, self._draw_seed, self._limits, decided)

        with contextlib.suppress(refusals.MovedOn):
            await self._keeper.commit(due.id, Ask(0, None), plan)

    def _decided(self, live: LiveTable) -> Decided | None:
        """What was decided for whoever is not a person, or not there."""
        return Decided() if self._thinking is None else self._thinking.decided(live)

    async def grant_time(self, at_least: int) -> list[LiveTable]:
        """After a start: every live table, with deadlines no nearer than `at_least` ms from now."""
        granted = []
        for found in await ask_store(self._store.live_tables()):
            try:
                granted.append(await self._keeper.grant_time(found.id, at_least))
            except refusals.SetAside:
                continue  # named when it was found
            except Exception:
                # whatever is wrong with one must not keep every other table from going on
                log.exception("tables: cannot go on", table=found.id)
        return granted

    async def read_anew(self, table_id: int) -> None:
        """A table was changed in the store by no move: know it, and show it, as it is now."""
        with contextlib.suppress(refusals.NoTable):
            await self._keeper.read_anew(table_id)

    async def give_back(self, by: int) -> None:
        """Move the clocks of every live table by `by` ms: so far has the wall clock jumped."""
        for found in await ask_store(self._store.live_tables()):
            try:
                await self._keeper.shift(found.id, by)
            except refusals.SetAside:
                continue
            except Exception:
                log.exception("tables: no time given back", table=found.id)

    async def shown(self, table_id: int, message_id: int, announced_seq: int) -> bool:
        """Remember which message shows a table, and how much of the log it shows.

        False if that could not be stored yet; `note_again` does it later.
        """
        return await self._keeper.shown(table_id, message_id, announced_seq)

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
                raise refusals.NoTable
            made = action(live.match, seat)
            return plans.act(live, made, self._clock.now(), ask.interaction_id)

        return await self._keeper.commit(table_id, ask, plan)
