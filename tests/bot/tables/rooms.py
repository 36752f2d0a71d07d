"""Tables with computer players over a real store, with a clock that a test moves."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from bot.storage.store import SqlStore
from bot.tables import plans
from bot.tables.computer_turns import ComputerTurns, Decider
from bot.tables.model import DeadlineKind, Table
from engine.play import legal
from engine.players import Choice, Position, choose
from engine.ruleset import Ruleset
from engine.variants import ruleset
from tests.bot.tables.clockwork import Room
from tests.bot.tables.room import FakeClock, ask
from tests.bot.tables.scenes import match_of

AGNES, MIRA, BLAISE, ROXY = -101, -201, -301, -401
ALL_FOUR = ("careful", "sly", "sharp", "wild")
SHORTEST = 1000


def rules_of(position: Position) -> Ruleset:
    return ruleset(position.game, dict(position.options), position.version)


class LocalDecider:
    """A decider that decides in this process and records its positions."""

    def __init__(self) -> None:
        self.asked: list[Position] = []

    async def choose(self, position: Position, *, exactly: bool = False) -> Choice:
        self.asked.append(position)
        rules = ruleset(position.game, dict(position.options), position.version)
        return choose(position, rules)


class SilentDecider(LocalDecider):
    """A decider that never answers."""

    async def choose(self, position: Position, *, exactly: bool = False) -> Choice:
        self.asked.append(position)
        await asyncio.Event().wait()
        raise AssertionError


class BrokenDecider(LocalDecider):
    """A decider that fails at once."""

    async def choose(self, position: Position, *, exactly: bool = False) -> Choice:
        self.asked.append(position)
        raise RuntimeError("the computing process is lost")


class PlannedDecider(LocalDecider):
    """Chooses by the plan in `plans` for a character, without recording the position.

    For all other characters it is a `LocalDecider`.
    """

    def __init__(self, **plans: Callable[[Position], Choice]) -> None:
        super().__init__()
        self.plans = plans

    async def choose(self, position: Position, *, exactly: bool = False) -> Choice:
        plan = self.plans.get(position.character)
        return plan(position) if plan is not None else await super().choose(position)


class ComputerRoom(Room):
    """One process's tables, at which computer players sit too."""

    def __init__(
        self, store: SqlStore, decider: Decider | None = None, clock: FakeClock | None = None
    ) -> None:
        self.decider = decider or LocalDecider()
        self.thinking = ComputerTurns(self.decider)
        super().__init__(store, clock, self.thinking)
        self.changes.listen(self.thinking)

    async def table(self) -> Table:
        return (await self.live()).table

    async def happens(self) -> DeadlineKind:
        """Let computer players decide, move to the next deadline and serve it; return its kind."""
        if not isinstance(self.decider, SilentDecider):
            await self.thinking.wait_until_idle()
        return await super().happens()

    async def until_turn(self, player: int) -> None:
        """Have the others act until it is `player`'s turn; people make the lowest bid."""
        while await self.turn() != player:
            await self.act_for_whoever_is_in_turn()

    async def act_for_whoever_is_in_turn(self) -> None:
        live, player = await self.live(), await self.turn()
        if player < 0:
            await self.happens()
        else:
            least = legal(match_of(live)).rungs[0][0].key
            await self.tables.change(self.id, ask(player), plans.bid, least)

    async def stored_log(self) -> list[dict[str, Any]]:
        """Return the stored actions' bodies; `by_house` in each says whether the bot made it."""
        snapshot = await self.store.tables.snapshot(self.id)
        assert snapshot is not None
        assert snapshot.match is not None
        return [{**action.body, "by_house": action.by_house} for action in snapshot.match.actions]
