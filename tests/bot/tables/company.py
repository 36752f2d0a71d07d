"""A house with computer players, over a real store, whose clock is moved by hand."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from typing import Any

from bot.storage.store import SqlStore
from bot.tables import plans, ports
from bot.tables.changes import Changes
from bot.tables.computer_turns import ComputerTurns
from bot.tables.live import LiveTable
from bot.tables.model import DeadlineKind, Table
from bot.tables.requests import Ask, Limits
from bot.tables.service import Tables
from engine.play import legal
from engine.players import Choice, Position, choose
from engine.ruleset import Ruleset
from engine.state import Match, Round
from engine.variants import ruleset
from tests.bot.tables.clockwork import Clock

ANN, BOB, CLEO, DAN = 11, 12, 13, 14
AGNES, MIRA, BLAISE, ROXY = -101, -201, -301, -401
ALL_FOUR = ("careful", "sly", "sharp", "wild")
MINUTE = 60_000
SHORTEST = 1000
THAI, LIARS = "thai_poker", "liars_poker"
interactions = itertools.count(5000)


def rules_of(position: Position) -> Ruleset:
    """The rules that a position names."""
    return ruleset(position.game, dict(position.options), position.version)


class Here:
    """Decides in this process, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[Position] = []

    async def choose(self, position: Position, *, exactly: bool = False) -> Choice:
        self.asked.append(position)
        rules = ruleset(position.game, dict(position.options), position.version)
        return choose(position, rules)


class Never(Here):
    """Has no answer as long as it is not given up."""

    async def choose(self, position: Position, *, exactly: bool = False) -> Choice:
        self.asked.append(position)
        await asyncio.Event().wait()
        raise AssertionError


class Broken(Here):
    """Fails at once."""

    async def choose(self, position: Position, *, exactly: bool = False) -> Choice:
        self.asked.append(position)
        raise RuntimeError("the computing process is lost")


class Always(Here):
    """Does what it was told, by character."""

    def __init__(self, **plans: Callable[[Position], Choice]) -> None:
        super().__init__()
        self.plans = plans

    async def choose(self, position: Position, *, exactly: bool = False) -> Choice:
        plan = self.plans.get(position.character)
        return plan(position) if plan is not None else await super().choose(position)


class House:
    """One process's tables over a store, with a clock that is moved by hand."""

    def __init__(
        self, store: SqlStore, decider: ports.Decider | None = None, clock: Clock | None = None
    ) -> None:
        self.store = store
        self.clock = clock or Clock()
        self.decider = decider or Here()
        self.changes = Changes()
        self.thinking = ComputerTurns(self.decider)
        self.changes.listen(self.thinking)
        seeds = itertools.count(77)
        limits = Limits(
            15_000,
            lobby=60 * MINUTE,
            turn_seconds=120,
            tables_per_guild=9,
            computer_pause=SHORTEST,
        )
        self.tables = Tables(
            store,
            self.clock,
            self.changes,
            limits,
            lambda: next(seeds).to_bytes(32, "big"),
            self.thinking,
        )
        self.id = 0

    async def match(
        self, *people: int, with_: tuple[str, ...] = ALL_FOUR, game: str = THAI, **options: Any
    ) -> LiveTable:
        """A match of people and computer players that has been dealt."""
        live = await self.tables.open(ask(people[0]), 1, 2, game, with_)
        self.id = live.table.id
        for player in people[1:]:
            await self.tables.change(self.id, ask(player), plans.join)
        if options:
            await self.tables.change(self.id, ask(people[0]), plans.choose, options)
        return await self.tables.change(self.id, ask(people[0]), plans.start)

    async def live(self) -> LiveTable:
        return await self.tables.see(self.id)

    async def table(self) -> Table:
        return (await self.live()).table

    async def turn(self) -> int:
        """The player to act."""
        live = await self.live()
        return match_of(live).seats[round_of(live).turn].player

    async def happens(self) -> DeadlineKind:
        """Let the next deadline come, everything thought, and be served."""
        nearest = await self.store.tables.next_deadline(after=0)
        assert nearest is not None
        self.clock.at = max(self.clock.at, nearest)
        (due,) = await self.store.tables.due(self.clock.at)
        assert due.deadline_kind is not None
        if not isinstance(self.decider, Never):
            await self.thinking.settled()
        await self.tables.on_deadline(due)
        return due.deadline_kind

    async def until_turn(self, player: int) -> None:
        """Let the others act until this one is to; whoever is a person bids the least."""
        while await self.turn() != player:
            await self.act_for_whoever_is_in_turn()

    async def act_for_whoever_is_in_turn(self) -> None:
        live, player = await self.live(), await self.turn()
        if player < 0:
            await self.happens()
        else:
            least = legal(match_of(live)).rungs[0][0].key
            await self.tables.change(self.id, ask(player), plans.bid, least)

    async def stored(self) -> list[dict[str, Any]]:
        """The log as it is stored."""
        snapshot = await self.store.tables.snapshot(self.id)
        assert snapshot is not None
        assert snapshot.match is not None
        return [{**action.body, "by_house": action.by_house} for action in snapshot.match.actions]


def ask(player: int) -> Ask:
    return Ask(player, next(interactions))


def match_of(live: LiveTable) -> Match:
    assert live.match is not None
    return live.match


def round_of(live: LiveTable) -> Round:
    current = match_of(live).round
    assert current is not None
    return current
