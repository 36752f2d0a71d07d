"""Tables over a real store, with a clock that a test moves to each deadline."""

from __future__ import annotations

import itertools
from typing import Any

from bot.services.tables import Tables
from bot.storage.store import SqlStore
from bot.tables import plans
from bot.tables.changes import Changes
from bot.tables.computer_turns import ComputerTurns
from bot.tables.live import LiveTable
from bot.tables.model import DeadlineKind
from bot.tables.requests import Limits
from tests.bot.tables.room import FakeClock, ask

DAN = 14
THAI, LIARS = "thai_poker", "liars_poker"
SECOND, MINUTE = 1000, 60_000
START = FakeClock().at


class Room:
    """Tables over a real store, with a clock that the test moves."""

    def __init__(
        self,
        store: SqlStore,
        clock: FakeClock | None = None,
        thinking: ComputerTurns | None = None,
    ) -> None:
        self.store = store
        self.clock = clock or FakeClock()
        self.changes = Changes()
        seeds = itertools.count(77)
        limits = Limits(
            15_000,
            lobby=60 * MINUTE,
            turn_seconds=120,
            tables_per_guild=9,
            computer_pause=1000,
        )
        self.tables = Tables(
            store,
            self.clock,
            self.changes,
            limits,
            lambda: next(seeds).to_bytes(32, "big"),
            thinking,
        )
        self.id = 0

    async def match(
        self, *people: int, with_: tuple[str, ...] = (), game: str = THAI, **options: Any
    ) -> LiveTable:
        """Open a match of people and the computer players `with_`, and deal the first round."""
        live = await self.tables.open(ask(people[0]), 1, 2, game, with_)
        self.id = live.table.id
        for player in people[1:]:
            await self.tables.change(self.id, ask(player), plans.join)
        if options:
            await self.tables.change(self.id, ask(people[0]), plans.choose, options)
        return await self.tables.change(self.id, ask(people[0]), plans.start)

    async def live(self) -> LiveTable:
        return await self.tables.see(self.id)

    async def turn(self) -> int:
        """Return the player to act."""
        match = (await self.live()).match
        assert match is not None
        assert match.round is not None
        return match.seats[match.round.turn].player

    async def next(self) -> tuple[DeadlineKind | None, int | None]:
        """Return the next deadline's kind and its milliseconds since `START`, or two Nones."""
        snapshot = await self.store.tables.snapshot(self.id)
        assert snapshot is not None
        at = snapshot.table.deadline
        return snapshot.table.deadline_kind, at - START if at is not None else None

    async def happens(self) -> DeadlineKind:
        """Move the clock to the next deadline and serve it; return its kind."""
        nearest = await self.store.tables.next_deadline(after=0)
        assert nearest is not None
        self.clock.at = max(self.clock.at, nearest)
        (due,) = await self.store.tables.due(self.clock.at)
        assert due.deadline_kind is not None
        await self.tables.on_deadline(due)
        return due.deadline_kind
