"""The tables of this process: one lock each, their replayed states, and how a change is stored.

The database is the truth. A state kept in memory may be behind when another process has moved its
table on; the store's version check finds out, and the state is read anew and judged again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from typing import TypeVar
from weakref import WeakValueDictionary

import structlog

from bot.tables import computers, cuts, plans, ports, refusals, turns
from bot.tables.alarm import Alarm
from bot.tables.damage import SetAside
from bot.tables.live import LiveTable, chosen_ruleset, revive
from bot.tables.recording import with_record
from bot.tables.records import Change, DeadlineKind, Snapshot, Status, Table
from bot.tables.requests import Ask, Limits, Place
from engine.errors import RuleViolation

log = structlog.get_logger(__name__)
T = TypeVar("T")
Planner = Callable[[LiveTable], plans.Plan]


@dataclass(slots=True)
class _Unnoted:
    """What is to be seen of a table and could not be stored yet.

    `message`: the message that shows it and how much of the log; `nudge`: the message that reminds,
    which reminder it is, and the letter with its reader.
    """

    message: tuple[int, int] | None = None
    nudge: tuple[int | None, str | None, tuple[int, int] | None] | None = None


class Keeper:
    """Keeps live tables, and changes each under its lock."""

    def __init__(
        self,
        store: ports.Store,
        clock: ports.Clock,
        announcer: ports.Announcer,
        limits: Limits,
    ) -> None:
        self._store = store
        self._clock = clock
        self._announcer = announcer
        self._limits = limits
        self._live: dict[int, LiveTable] = {}
        self._unnoted: dict[int, _Unnoted] = {}
        self._set_aside = SetAside()
        # a lock lives as long as somebody holds or awaits it
        self._locks: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()
        self.alarm = Alarm()  # told of every changed deadline

    async def see(self, table_id: int, place: Place | None = None) -> LiveTable:
        """The table as it stands. Raises `NoTable`; `MovedOn` if `place` is not the table's."""
        live = self._live.get(table_id) or await self.load(table_id)
        if place is not None:
            plans.check_place(live, place)
        return live

    async def snapshot(self, table_id: int) -> Snapshot:
        """The table as it is stored, with its whole log. Raises `NoTable`, `SetAside`."""
        snapshot = await ask_store(self._store.snapshot(table_id))
        if snapshot is None:
            raise refusals.NoTable
        return snapshot

    def is_latest(self, live: LiveTable) -> bool:
        """Whether this process knows of no later state of the table; asks nobody."""
        known = self._live.get(live.table.id)
        if known is None:  # only tables that are over are forgotten
            return not live.table.status.live
        return known.table.version == live.table.version

    def all(self) -> Iterable[LiveTable]:
        """Every table that is kept."""
        return self._live.values()

    async def load(self, table_id: int) -> LiveTable:
        """The table as it is stored, replayed. Raises `NoTable`, `SetAside`."""
        snapshot = await self.snapshot(table_id)
        try:
            live = revive(snapshot)
            if live.table.status is Status.LOBBY:
                chosen_ruleset(live.table)
        except Exception as error:  # a log that is none may raise whatever it likes
            reason = f"its log cannot be replayed ({type(error).__name__})"
            self._set_aside.name(ports.Damaged(table_id, reason))
            raise refusals.SetAside from error
        live = replace(live, table=self._with_notes(live.table))
        self.keep(live)
        return live

    def keep(self, live: LiveTable) -> None:
        """Remember a live table; forget one that is over (it is read again when asked for)."""
        if live.table.status.live:
            self._live[live.table.id] = live
        else:
            self._live.pop(live.table.id, None)

    async def commit(self, table_id: int, ask: Ask, plan: Planner) -> LiveTable:
        """Judge under the lock, store, keep, show. A stale state is read anew and judged again."""
        async with self._lock(table_id):
            live = await self.see(table_id, ask.place)
            try:
                after, unseen = await self._try(live, plan)
            except ports.Stale:
                after, unseen = await self._try_again(table_id, plan)
            except ports.AlreadyDone:
                raise refusals.Repeated from None
            except (refusals.RefusedError, RuleViolation):
                if not await self._is_behind(live):
                    raise
                after, unseen = await self._try_again(table_id, plan)
            self.keep(after)
        self._announcer.changed(after, answered=ask.redraws or unseen)
        self.alarm.deadline(after.table.deadline)
        return after

    async def _is_behind(self, live: LiveTable) -> bool:
        """Whether another process has moved the table on, so that a refusal may be wrong."""
        try:
            stored = await self._store.table_in(live.table.channel_id)
        except (ports.StoreUnavailable, ports.Damaged):
            return False
        return (
            stored is not None
            and stored.id == live.table.id
            and stored.version > live.table.version
        )

    async def _try_again(self, table_id: int, plan: Planner) -> tuple[LiveTable, bool]:
        try:
            return await self._try(await self.load(table_id), plan)
        except ports.Stale:
            raise refusals.MovedOn from None
        except ports.AlreadyDone:
            raise refusals.Repeated from None

    async def _try(self, live: LiveTable, plan: Planner) -> tuple[LiveTable, bool]:
        """The table as it is stored then, and whether nobody sees a difference."""
        after, change = plan(live)
        timed = plans.timed(
            live, replace(after, table=change.table), self._limits, self._clock.now()
        )
        bumped = replace(
            cuts.unsealed(timed),
            version=live.table.version + 1,
            updated_at=self._clock.now(),
        )
        change = await with_record(self._store, live, replace(change, table=bumped))
        stored = await ask_store(self._store.commit(change))
        owed = self._unnoted.get(stored.id)
        if owed is not None and stored.match_id != live.table.match_id:
            owed.message = None  # of another match; the change has stored which message it is
        return replace(after, table=self._with_notes(stored)), change.unseen

    async def grant_time(self, table_id: int, at_least: int) -> LiveTable:
        """The table, with a deadline no nearer than `at_least` ms from now."""
        async with self._lock(table_id):
            live = await self.load(table_id)
            # a computer player needs no time to find its way back, only to think
            thinks = live.table.deadline_kind is DeadlineKind.COMPUTER
            wait = min(at_least, computers.PATIENCE // 3) if thinks else at_least
            earliest = self._clock.now() + wait
            if live.table.deadline is None or live.table.deadline >= earliest:
                return live
            later = replace(
                turns.later(live.table, earliest),
                version=live.table.version + 1,
                updated_at=self._clock.now(),
            )
            try:
                stored = await ask_store(self._store.commit(Change(later)))
            except ports.Stale:  # another process has just moved it on: it has its time
                return await self.load(table_id)
            granted = replace(live, table=self._with_notes(stored))
            self.keep(granted)
            return granted

    async def read_anew(self, table_id: int) -> None:
        """The table as it is stored now, kept and shown. Raises `NoTable`."""
        async with self._lock(table_id):
            live = await self.load(table_id)
        self._announcer.changed(live, answered=False)
        self.alarm.deadline(live.table.deadline)

    async def shift(self, table_id: int, by: int) -> None:
        """Move a table's clocks by `by` ms, and have that shown."""
        async with self._lock(table_id):
            live = await self.load(table_id)
            if live.table.deadline is None and live.table.turn_since is None:
                return
            later = replace(
                turns.shifted(live.table, by),
                version=live.table.version + 1,
                updated_at=self._clock.now(),
            )
            try:
                stored = await ask_store(self._store.commit(Change(later)))
            except ports.Stale:  # another process has just moved it on
                await self.load(table_id)
                return
            live = replace(live, table=self._with_notes(stored))
            self.keep(live)
        self._announcer.changed(live, answered=False)
        self.alarm.deadline(live.table.deadline)

    async def shown(self, table_id: int, message_id: int, announced_seq: int) -> bool:
        """Remember which message shows a table, and how much of the log it shows.

        False if that could not be stored: this process knows it all the same, and `note_again`
        stores it.
        """
        async with self._lock(table_id):  # or a move would write the old message back
            self._unnoted.setdefault(table_id, _Unnoted()).message = message_id, announced_seq
            return await self._note(table_id)

    async def nudge_shown(
        self,
        table_id: int,
        message_id: int | None,
        nudged: str | None,
        letter: tuple[int, int] | None,
    ) -> bool:
        """Remember what reminds whoever is to act: a message, and a letter with its reader.

        False as for `shown`.
        """
        async with self._lock(table_id):
            self._unnoted.setdefault(table_id, _Unnoted()).nudge = message_id, nudged, letter
            return await self._note(table_id)

    def owes_note(self, table_id: int) -> bool:
        """Whether something that is to be seen of the table is not stored yet."""
        return table_id in self._unnoted

    async def note_again(self, table_id: int) -> bool:
        """Store what could not be noted before; whether nothing is left of it."""
        async with self._lock(table_id):
            return await self._note(table_id)

    async def _note(self, table_id: int) -> bool:
        """Store what is unnoted of a table, under its lock; whether that succeeded."""
        owed = self._unnoted.get(table_id)
        if owed is None:
            return True
        live = self._live.get(table_id)
        if live is not None:
            self._live[table_id] = replace(live, table=self._with_notes(live.table))
        try:
            if owed.message is not None:
                await self._store.note_message(table_id, *owed.message)
            if owed.nudge is not None:
                await self._store.note_nudge(table_id, *owed.nudge)
        except ports.StoreUnavailable as error:
            log.warning("tables: could not be noted", table=table_id, reason=str(error))
            return False
        del self._unnoted[table_id]
        return True

    def _with_notes(self, table: Table) -> Table:
        """The stored table with what could not be noted of it yet."""
        owed = self._unnoted.get(table.id)
        if owed is None:
            return table
        if owed.message is not None:
            message_id, seq = owed.message
            shown = max(seq, table.announced_seq)
            table = replace(table, message_id=message_id, announced_seq=shown)
        if owed.nudge is not None:
            nudge_id, nudged, letter = owed.nudge
            letter_id, reader = letter or (None, None)
            table = replace(
                table, nudge_id=nudge_id, nudged=nudged, letter_id=letter_id, letter_to=reader
            )
        return table

    def _lock(self, table_id: int) -> asyncio.Lock:
        lock = self._locks.get(table_id)
        if lock is None:
            self._locks[table_id] = lock = asyncio.Lock()
        return lock


async def ask_store(request: Awaitable[T]) -> T:
    """What the store answers. Raises `StoreIsDown`, or `SetAside` for a table that is damaged."""
    try:
        return await request
    except ports.Damaged as damaged:
        raise refusals.SetAside from damaged
    except ports.StoreUnavailable as error:
        raise refusals.StoreIsDown from error
