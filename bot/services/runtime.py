"""This process's tables: a lock for each, their replayed states, and the storing of changes.

The database is the truth. A cached state is out of date if another process has changed its table:
the store's version check notices, and the request is judged again on the reloaded state. Nothing is
shown before it is committed.

The ids of messages that show tables or remind people are stored after the change itself
(`UnstoredNotes`), since a message appears before its id is known, and the store may be down just
then. Until they are stored, only this process knows them.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import OrderedDict
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, TypeVarTuple
from weakref import WeakValueDictionary

import structlog

from bot.services import unanswered
from bot.settings.shards import NO_GUILD, ONE, Shards
from bot.storage.store import SqlStore
from bot.tables import computer_turns, cuts, daily, errors, plans, turns
from bot.tables.changes import Announcer
from bot.tables.live import LiveTable, chosen_ruleset, revive
from bot.tables.match_log import log_change, result_of
from bot.tables.model import Change, DeadlineKind, Snapshot, Status, Table
from bot.tables.quarantine import Quarantine
from bot.tables.recording import with_record
from bot.tables.requests import Ask, Limits, Moment
from bot.tables.scheduler import Alarm, Clock, ClockSkew
from engine.errors import RuleViolation

log = structlog.get_logger(__name__)
APART: Final = 50  # milliseconds between the deadlines of two tables that are overdue at a start
OVER: Final = 100  # finished matches to keep in memory, since their end is drawn in many places
REMEMBERED: Final = 10_000  # interactions to remember: more than are ever under way
Ts = TypeVarTuple("Ts")  # a plan's arguments after the request


class TableRuntime:
    """Keeps live tables, and changes each under its lock.

    Methods that read or write the store may raise `StoreUnavailable`.
    """

    def __init__(
        self,
        store: SqlStore,
        clock: Clock,
        announcer: Announcer,
        limits: Limits,
        draw_seed: Callable[[], bytes],
        skew: ClockSkew | None = None,
        count: Callable[[str], None] = lambda _: None,
        shards: Shards = ONE,
    ) -> None:
        self._store = store
        self._shards = shards
        self._count = count  # called with the outcome of each request to change a table
        self._clock = clock
        self._announcer = announcer
        self._limits = limits
        self._draw_seed = draw_seed
        self._live: dict[int, LiveTable] = {}
        self._over: OrderedDict[int, LiveTable] = OrderedDict()  # the last changed comes last
        self._pending = UnstoredNotes()
        self._skew = skew
        # by table, the clock skew (ms) that its times have been moved by
        self._righted: dict[int, int] = {}
        self._quarantine = Quarantine()
        # a lock lives while a task holds or awaits it
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        # changes whose commit got no answer, with the table before and the skew
        self._unanswered: dict[int, tuple[Table, Change, int]] = {}
        # recent interactions, in order of arrival
        self._stored_for: OrderedDict[int, None] = OrderedDict()
        self.alarm = Alarm()  # told of every changed deadline

    async def latest(self, table_id: int) -> LiveTable:
        """Return the stored table, replayed only if the cache is behind.

        Raises `NoTable`, `Damaged`.
        """
        known = self._from_cache(table_id)
        at_least = 0
        # other processes may have changed the table; a finished one may be closed without notice to
        # this cache
        if known is not None and (self._store.is_shared or table_id in self._over):
            stored = await self._store.tables.version_of(table_id)
            at_least = stored if stored is not None else known.table.version + 1
        return await self.get_at_least(table_id, at_least)

    async def get_at_least(self, table_id: int, at_least: int) -> LiveTable:
        """Return the cached table if its version is at least `at_least`; else load it.

        Raises `NoTable`, `Damaged`. Another process may have changed the table since: call this
        only where the store checks the version anyway.
        """
        live = self._from_cache(table_id, at_least)
        if live is None:
            # without the lock, a state read before a move might be cached after it
            async with self._lock(table_id):
                live = self._from_cache(table_id, at_least) or await self._load(table_id)
        return live

    def _from_cache(self, table_id: int, at_least: int = 0) -> LiveTable | None:
        """Return the cached table if its version is at least `at_least`, else None."""
        live = self._live.get(table_id) or self._over.get(table_id)
        return live if live is not None and live.table.version >= at_least else None

    async def snapshot(self, table_id: int) -> Snapshot:
        """Return the stored table with its whole log. Raises `NoTable`, `Damaged`."""
        snapshot = await self._store.tables.snapshot(table_id)
        if snapshot is None:
            raise errors.NoTable
        return snapshot

    def with_nudge(self, live: LiveTable) -> LiveTable:
        """Return `live` with the message ids of the table's current reminder.

        `live` may be an earlier state. The ids come from the cache: if the table isn't cached,
        `live` is returned as it is.
        """
        known = self._from_cache(live.table.id)
        if known is None:
            return live
        now = known.table
        table = replace(
            live.table,
            nudge_id=now.nudge_id,
            nudged=now.nudged,
            letter_id=now.letter_id,
            letter_to=now.letter_to,
        )
        return replace(live, table=table)

    def is_latest(self, live: LiveTable) -> bool:
        """Return whether this process knows no later state of the table.

        Reads only the cache: a live table that isn't cached counts as changed.
        """
        known = self._from_cache(live.table.id)
        if known is None:  # only finished tables are dropped from the cache
            return not live.table.status.live
        return known.table.version == live.table.version

    def all(self) -> Iterable[LiveTable]:
        """Return every live table in the cache."""
        return self._live.values()

    def replaying(self, table_id: int) -> AbstractContextManager[None]:
        """Raise `Damaged`, and log it, if replaying the table in this block fails."""
        return self._quarantine.replaying(table=table_id)

    async def _load(self, table_id: int) -> LiveTable:
        """Load, replay and cache the table. The caller holds its lock.

        If an earlier change, whose commit got no answer, turns out to be stored, also show the
        table. Raises `NoTable`, `Damaged`.
        """
        snapshot = await self.snapshot(table_id)
        waiting = self._unanswered.pop(table_id, None)
        stored_after_all = waiting is not None and unanswered.is_stored(waiting[1], snapshot.table)
        if waiting is not None and stored_after_all:
            self._update_notes(*waiting)
        with self.replaying(table_id):
            live = revive(snapshot)
            if live.table.status is Status.LOBBY:
                chosen_ruleset(live.table)
        live = replace(live, table=self._pending.with_notes(live.table))
        self._keep(live)
        if stored_after_all:  # the earlier change was stored, but not announced
            self._show(live)
        return live

    def add_new(self, live: LiveTable, interaction_id: int | None) -> None:
        """Cache a table that has just been created, and set its alarm.

        The table's times must follow the current wall clock.
        """
        self._note_stored_for(interaction_id)
        self._righted[live.table.id] = self._clock_skew()
        self._keep(live)
        self.alarm.deadline(live.table.deadline)

    def _keep(self, live: LiveTable) -> None:
        """Cache a table that is live, or among the last finished; drop any other from the cache.

        Also drop tables of other processes' shards: nothing tells this process when they change.
        """
        number, status, ours = live.table.id, live.table.status, self.looks_after(live.table)
        self._over.pop(number, None)
        if status.live and ours:
            self._live[number] = live
            return
        self._live.pop(number, None)
        self._righted.pop(number, None)
        if status is Status.FINISHED and ours:
            self._over[number] = live
            while len(self._over) > OVER:
                self._over.popitem(last=False)

    def _forget(self, table_id: int) -> None:
        """Drop a table from the cache, so that the next reader loads it."""
        self._live.pop(table_id, None)
        self._over.pop(table_id, None)

    async def change(
        self,
        table_id: int,
        ask: Ask,
        plan: Callable[[LiveTable, Ask, Moment, *Ts], plans.Plan],
        *arguments: *Ts,
    ) -> LiveTable:
        """Judge a request under its table's lock; store, cache and show the changed table.

        `plan` is a function of `plans` or `moderation`; it is called with the table, the request,
        the moment and `arguments`. If the cached table turns out to be out of date, reload it and
        judge again. Raises what the plan raises, and `NoTable`, `MovedOn`, `Repeated`,
        `StoreUnavailable` (`MaybeStored` if the outcome is unknown) and `Damaged`.
        """
        fresh = False
        try:
            async with self._lock(table_id):
                live = self._from_cache(table_id) or await self._load(table_id)
                if ask.place is not None:
                    plans.check_place(live, ask.place)
                while True:
                    skewed = self._clock_skew()
                    live = self._shift_times(live, skewed)
                    moment = Moment(self._clock.now(), self._limits, self._draw_seed)
                    try:
                        after, change = plan(live, ask, moment, *arguments)
                        after = await self._store_plan(live, after, change, skewed)
                        break
                    except (errors.RefusedError, RuleViolation) as error:
                        if fresh or not await self._is_behind(live, error):
                            raise
                    live, fresh = await self._load(table_id), True
                self._keep(after)
        except (errors.RefusedError, RuleViolation) as error:
            self._count(result_of(error))
            raise
        self._count("stored")
        self._show(after, unseen=change.unseen)
        return after

    def _shift_times(self, live: LiveTable, skewed: int) -> LiveTable:
        """Return the table with its times moved by any new jumps of the wall clock.

        After a jump, also ring the alarm. Return a table of another process's shard unchanged.
        """
        behind = skewed - self._righted.get(live.table.id, 0)
        if not behind or not self._shards.serves(live.table.guild_id):
            return live
        self.alarm.ring()  # the times of all other tables need moving too
        return replace(live, table=turns.shift_times(live.table, behind))

    async def _is_behind(self, live: LiveTable, error: Exception) -> bool:
        """Return whether another process has changed the table, so `error` may be unjustified."""
        if isinstance(error, errors.Stale):
            return True
        if isinstance(error, errors.Repeated | errors.StoreUnavailable):
            return False
        try:
            stored = await self._store.tables.in_channel(live.table.channel_id)
        except (errors.StoreUnavailable, errors.Damaged):
            return False
        if stored is None or stored.id != live.table.id:
            return False
        return stored.version > live.table.version

    async def _store_plan(
        self, live: LiveTable, after: LiveTable, change: Change, skewed: int
    ) -> LiveTable:
        """Store a table's planned change and return the table as stored.

        `skewed`: the wall clock's jumps (ms) that the table's times already include.
        """
        now = self._clock.now()
        timed = plans.set_clocks(live, replace(after, table=change.table), self._limits, now)
        bumped = replace(
            cuts.without_secrets(timed), version=live.table.version + 1, updated_at=now
        )
        change = await with_record(self._store.tables.snapshot, live, replace(change, table=bumped))
        if change.ending is not None and live.table.daily_day is not None:
            ended = replace(after, table=live.table)  # keep the table's former channel
            result = await asyncio.to_thread(daily.result_of, ended)
            change = replace(change, ending=replace(change.ending, daily=result))
        if self.looks_after(bumped):
            self._announcer.on_plan(after)
        stored = await self._store_change(live.table, change, skewed)
        self._note_stored_for(change.interaction_id)
        if stored is None:
            with unanswered.perhaps_stored():
                return await self._load(bumped.id)
        log_change(after, stored, change)
        return replace(after, table=self._pending.with_notes(stored))

    async def _store_change(self, before: Table, change: Change, skewed: int) -> Table | None:
        """Store a change and return the stored table, or None if it must be loaded.

        Raises what `SqlTables.commit` raises.
        """
        try:
            stored: Table | None = await self._store.tables.commit(change)
        except errors.MaybeStored:
            log.warning("store: no answer to a commit, asking again", table=before.id)
            self._forget(before.id)
            self._unanswered[before.id] = before, change, skewed
            try:
                stored = await unanswered.stored_after_all(self._store, change)
            except errors.StoreUnavailable:
                self.alarm.ring()  # the table's deadline may have changed
                raise
        self._update_notes(before, change, skewed)
        return stored

    def _update_notes(self, before: Table, change: Change, skewed: int) -> None:
        """Update this process's notes on a table whose `change` is stored.

        `skewed`: the clock skew (ms) by which the change moved the table's times. If the change
        began another match or moved the table, forget a message id that was still to be stored.
        """
        self._unanswered.pop(before.id, None)
        self._righted[before.id] = skewed
        after = change.table
        another_match = change.new_match is not None or after.match_id != before.match_id
        if another_match or after.channel_id != before.channel_id:
            self._pending.drop_message(before.id)

    def _note_stored_for(self, interaction_id: int | None) -> None:
        if interaction_id is not None:
            self._stored_for[interaction_id] = None
            if len(self._stored_for) > REMEMBERED:
                self._stored_for.popitem(last=False)

    def has_stored(self, interaction_id: int) -> bool:
        """Return whether this process recently stored something for an interaction."""
        return interaction_id in self._stored_for

    def _show(self, live: LiveTable, *, unseen: bool = False) -> None:
        """Announce a changed table and set its alarm, if this process looks after it.

        Otherwise the store notifies the process that does.
        """
        if self.looks_after(live.table):
            self._announcer.on_change(live, unseen=unseen)
            self.alarm.deadline(live.table.deadline)

    def looks_after(self, table: Table) -> bool:
        """Return whether this process shows a table and serves its clock.

        A practice belongs to no server, so the answer is True in every process.
        """
        return table.guild_id == NO_GUILD or self._shards.serves(table.guild_id)

    async def grant_time(self, at_least: int) -> list[Table]:
        """Put off live deadlines to at least `at_least` ms from now; return all live tables.

        A computer player's move may be put off for a shorter time. Deadlines that are put off are
        also spread out, so that tables don't delay each other. All tables are read together and
        stored together. The result begins with the last changed table.
        """
        now = self._clock.now()
        tables = await self._store.tables.live()
        later: dict[int, Table] = {}
        for table in sorted(tables, key=lambda table: table.deadline or 0):
            # a computer player only needs time to think, not to come back to the game
            thinks = table.deadline_kind is DeadlineKind.COMPUTER
            wait = min(at_least, computer_turns.PATIENCE // 3) if thinks else at_least
            postponed_table = turns.postpone(table, now + wait + len(later) * APART)
            if postponed_table != table:
                later[table.id] = replace(
                    postponed_table, version=table.version + 1, updated_at=now
                )
        try:
            await self._store.tables.postpone(list(later.values()))
        except errors.MaybeStored:  # leave the deadlines that were postponed as they are
            postponed = partial(self._store.tables.postpone, list(later.values()))
            await unanswered.ask_again(postponed)
        for number in later:  # a state read meanwhile is out of date
            self._forget(number)
        tables.sort(key=lambda table: table.updated_at, reverse=True)
        return [later.get(table.id, table) for table in tables]

    async def reload(self, table_id: int) -> None:
        """Load a table from the store, cache it and have it shown. Raises `NoTable`, `Damaged`.

        If another process looks after the table, notify that process.
        """
        async with self._lock(table_id):
            live = await self._load(table_id)
        if not self.looks_after(live.table):
            await self._store.tables.notify(table_id, live.table.guild_id)
        self._show(live)

    async def heard(self, table_id: int, guild_id: int) -> None:
        """Reload and show a table that another process changed, if this process looks after it.

        For a practice that isn't cached, only ring the alarm.
        """
        if guild_id == NO_GUILD and table_id not in self._live:
            # a practice that isn't cached here, but this process may serve its clock
            self.alarm.ring()
            return
        if guild_id == NO_GUILD or self._shards.serves(guild_id):
            with contextlib.suppress(errors.NoTable, errors.Damaged):
                await self.reload(table_id)

    async def catch_up(self) -> None:
        """Show changes of other processes that were missed while no notifications arrived."""
        for table_id, version in await self._store.tables.versions():
            known = self._from_cache(table_id)
            if known is None or known.table.version != version:
                with contextlib.suppress(errors.NoTable, errors.Damaged):
                    await self.reload(table_id)
        self.alarm.ring()

    async def shift(self, table_id: int) -> None:
        """Move a table's clocks by new jumps of the wall clock, if any, and redraw the table.

        Raises `NoTable`, `Damaged`.
        """
        async with self._lock(table_id):
            live = await self._load(table_id)
            skewed = self._clock_skew()
            behind = skewed - self._righted.get(table_id, 0)
            if not behind or (live.table.deadline is None and live.table.turn_since is None):
                return
            later = replace(
                turns.shift_times(live.table, behind),
                version=live.table.version + 1,
                updated_at=self._clock.now(),
            )
            try:
                stored = await self._store_change(live.table, Change(later), skewed)
            except errors.Stale:  # another process has just changed it
                stored = None
            if stored is None:
                live = await self._load(table_id)
            else:
                live = replace(live, table=self._pending.with_notes(stored))
                self._keep(live)
        self._show(live)

    async def note_shown(self, table_id: int, message_id: int, announced_seq: int) -> None:
        """Remember which message shows a table, and how much of the log it shows.

        Nothing is stored: only this process knows, until `note_again` stores both.
        """
        # without the lock, a move could write the old message back
        async with self._lock(table_id):
            self._pending.of(table_id).message = message_id, announced_seq
            self._know(table_id)

    async def note_nudge(
        self,
        table_id: int,
        message_id: int | None,
        nudged: str | None,
        direct_message: tuple[int, int] | None,
    ) -> bool:
        """Remember the messages that remind the player in turn; return whether they are stored.

        `message_id`: the message in the channel. `nudged`: the id of the reminder that the messages
        show. `direct_message`: the id and the recipient of the direct message.
        """
        async with self._lock(table_id):
            self._pending.of(table_id).nudge = message_id, nudged, direct_message
            return await self._note(table_id)

    def owes_note(self, table_id: int) -> bool:
        """Return whether some message id of the table is not stored yet."""
        return table_id in self._pending

    async def note_again(self, table_id: int) -> bool:
        """Store a table's unstored message ids; return whether all are stored now."""
        async with self._lock(table_id):
            return await self._note(table_id)

    async def _note(self, table_id: int) -> bool:
        """Store a table's unstored message ids; return whether that succeeded.

        The caller holds the table's lock.
        """
        if table_id in self._pending:
            self._know(table_id)
        try:
            await self._pending.store(table_id, self._store)
        except errors.StoreUnavailable as error:
            log.warning("tables: could not be noted", table=table_id, reason=str(error))
            return False
        return True

    def _know(self, table_id: int) -> None:
        for cache in (self._live, self._over):
            live = cache.get(table_id)
            if live is not None:
                cache[table_id] = replace(live, table=self._pending.with_notes(live.table))

    def _clock_skew(self) -> int:
        """Return by how many ms the wall clock has jumped in total; positive means forwards."""
        return self._skew.total() if self._skew is not None else 0

    def _lock(self, table_id: int) -> asyncio.Lock:
        lock = self._locks.get(table_id)
        if lock is None:
            self._locks[table_id] = lock = asyncio.Lock()
        return lock


@dataclass(slots=True)
class Notes:
    """A table's message ids that are not stored yet.

    `message`: the message that shows the table, and how much of the log it shows. `nudge`: the
    message that reminds, which reminder it is, and the direct message with its recipient.
    """

    message: tuple[int, int] | None = None
    nudge: tuple[int | None, str | None, tuple[int, int] | None] | None = None


class UnstoredNotes:
    """Every table's `Notes`. Hold a table's lock to read or change its notes."""

    def __init__(self) -> None:
        self._owed: dict[int, Notes] = {}

    def __contains__(self, table_id: int) -> bool:
        return table_id in self._owed

    def of(self, table_id: int) -> Notes:
        """Return a table's `Notes` for the caller to change; create them if there are none."""
        return self._owed.setdefault(table_id, Notes())

    def drop_message(self, table_id: int) -> None:
        """Drop the unstored id of a table's message, which a stored change made obsolete."""
        owed = self._owed.get(table_id)
        if owed is not None:
            owed.message = None

    def with_notes(self, table: Table) -> Table:
        """Return the stored table with its unstored notes applied."""
        owed = self._owed.get(table.id)
        if owed is None:
            return table
        if owed.message is not None:
            message_id, seq = owed.message
            announced = max(seq, table.announced_seq)
            table = replace(table, message_id=message_id, announced_seq=announced)
        if owed.nudge is not None:
            nudge_id, nudged, direct_message = owed.nudge
            letter_id, reader = direct_message or (None, None)
            table = replace(
                table, nudge_id=nudge_id, nudged=nudged, letter_id=letter_id, letter_to=reader
            )
        return table

    async def store(self, table_id: int, store: SqlStore) -> None:
        """Store a table's pending notes, if it has any.

        If that raises `StoreUnavailable`, the notes stay pending.
        """
        owed = self._owed.get(table_id)
        if owed is None:
            return
        if owed.message is not None:
            await store.tables.note_message(table_id, *owed.message)
        if owed.nudge is not None:
            await store.tables.note_nudge(table_id, *owed.nudge)
        del self._owed[table_id]
