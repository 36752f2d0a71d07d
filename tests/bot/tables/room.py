"""Tables over a real store, with a clock that a test sets, and without Discord."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from bot.services.tables import Tables
from bot.storage.store import SqlStore
from bot.tables import plans
from bot.tables.changes import Announcer
from bot.tables.live import LiveTable
from bot.tables.model import Table
from bot.tables.requests import Ask, At, Limits
from bot.tables.scheduler import ClockSkew

ANN, BOB, CLEO = 11, 12, 13
MINUTE = 60_000
LIMITS = Limits(next_round=15_000, lobby=60 * MINUTE, turn_seconds=600, tables_per_guild=3)
interactions = itertools.count(1000)


@dataclass
class FakeClock:
    """A clock that shows `at`, in milliseconds, which the test sets."""

    at: int = 1_800_000_000_000

    def now(self) -> int:
        return self.at


@dataclass
class Shown(Announcer):
    """An announcer that records each change it should show, and whether the change is unseen."""

    changes: list[tuple[LiveTable, bool]] = field(default_factory=list)

    def on_change(self, live: LiveTable, *, unseen: bool) -> None:
        self.changes.append((live, unseen))


@dataclass
class Room:
    """A store, a clock, and tables over them; `another` gives a second process's tables."""

    store: SqlStore
    clock: FakeClock
    screens: Shown
    tables: Tables
    store_file: Path

    def another(self) -> Tables:
        return tables_over(self.store, self.clock, Shown())

    async def lobby(self, *players: int, channel: int = 2) -> int:
        """Open a lobby hosted by the first player; return the table's id."""
        live = await self.tables.open(ask(players[0]), 1, channel, "thai_poker")
        for player in players[1:]:
            await self.tables.change(live.table.id, ask(player), plans.join)
        return live.table.id

    async def match(self, *players: int, channel: int = 2, **options: str) -> int:
        """Start a match without reminders and deal its first round; return the table's id."""
        table_id = await self.lobby(*players, channel=channel)
        await self.tables.change(
            table_id, ask(players[0]), plans.choose, {"pings": "never"} | options
        )
        await self.tables.change(table_id, ask(players[0]), plans.start)
        return table_id

    async def turn(self, table_id: int) -> int:
        """Return the player to act."""
        match = (await self.tables.see(table_id)).match
        assert match is not None
        assert match.round is not None
        return match.seats[match.round.turn].player

    async def table(self, table_id: int) -> Table:
        snapshot = await self.store.tables.snapshot(table_id)
        assert snapshot is not None
        return snapshot.table


def ask(player: int, at: At | None = None, interaction: int | None = None) -> Ask:
    return Ask(player, next(interactions) if interaction is None else interaction, at)


def tables_over(
    store: SqlStore, clock: FakeClock, screens: Shown, skew: ClockSkew | None = None
) -> Tables:
    seeds: Callable[[], bytes] = lambda: next(interactions).to_bytes(32, "big")  # noqa: E731
    return Tables(store, clock, screens, LIMITS, seeds, skew=skew)
