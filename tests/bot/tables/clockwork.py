"""A table over a real store whose clock is moved by hand."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from bot.storage.store import SqlStore
from bot.tables import plans
from bot.tables.changes import Changes
from bot.tables.live import LiveTable
from bot.tables.model import DeadlineKind, Table
from bot.tables.requests import Ask, Limits
from bot.tables.service import Tables
from tests.bot.house import new_store

ANN, BOB, CLEO, DAN = 11, 12, 13, 14
SECOND, MINUTE = 1000, 60_000
START = 1_800_000_000_000
interactions = itertools.count(5000)


class Clock:
    """Stands where it is put."""

    def __init__(self) -> None:
        self.at = START

    def now(self) -> int:
        return self.at


class Room:
    """Tables over a real store, and a clock that is moved by hand."""

    def __init__(self, store: SqlStore) -> None:
        self.store = store
        self.clock = Clock()
        seeds: Callable[[], bytes] = lambda: next(interactions).to_bytes(32, "big")  # noqa: E731
        limits = Limits(15_000, lobby=60 * MINUTE, turn_seconds=120, tables_per_guild=9)
        self.tables = Tables(store, self.clock, Changes(), limits, seeds)
        self.id = 0

    async def match(self, *players: int, **options: str | int) -> Table:
        """A match that has been dealt."""
        live = await self.tables.open(ask(players[0]), 1, 2, "thai_poker")
        self.id = live.table.id
        for player in players[1:]:
            await self.tables.change(self.id, ask(player), plans.join)
        if options:
            await self.tables.change(self.id, ask(players[0]), plans.choose, options)
        return (await self.tables.change(self.id, ask(players[0]), plans.start)).table

    async def live(self) -> LiveTable:
        return await self.tables.see(self.id)

    async def turn(self) -> int:
        """Who is to act."""
        match = (await self.live()).match
        assert match is not None
        assert match.round is not None
        return match.seats[match.round.turn].player

    async def next(self) -> tuple[DeadlineKind | None, int | None]:
        """What happens next by itself, and in how many milliseconds since the start."""
        snapshot = await self.store.tables.snapshot(self.id)
        assert snapshot is not None
        at = snapshot.table.deadline
        return snapshot.table.deadline_kind, at - START if at is not None else None

    async def happens(self) -> DeadlineKind:
        """Let the next deadline come and be served."""
        nearest = await self.store.tables.next_deadline(after=0)
        assert nearest is not None
        self.clock.at = max(self.clock.at, nearest)
        (due,) = await self.store.tables.due(self.clock.at)
        assert due.deadline_kind is not None
        await self.tables.on_deadline(due)
        return due.deadline_kind


def ask(player: int) -> Ask:
    return Ask(player, next(interactions))


@asynccontextmanager
async def clockwork(folder: Path) -> AsyncIterator[Room]:
    """The room, with a store of its own in the folder."""
    store = await new_store(folder / "house.db")
    yield Room(store)
    await store.close()
