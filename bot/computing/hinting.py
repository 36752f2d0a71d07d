"""What a solved strategy says, asked of the computing process for a hint: it needs arrays."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import ClassVar, Final

from bot.computing.process import Computing
from bot.computing.question import ComputingError, Lane, Question, Stopped
from engine.players import Position

LONGEST: Final = 2.0  # seconds that a person waits for it; a tenth of one is usual

Advised = tuple[int | None, float] | None  # as `engine.players.hint` takes it


@dataclass(frozen=True, slots=True)
class SolvedAdvice(Question[Advised]):
    """What the shipped strategy says of `position`; None where there is none."""

    position: Position
    lane: ClassVar[Lane] = Lane.LONG

    def answer(self, stopped: Stopped) -> Advised:
        """Judge what may be done, by the rules that the position names."""
        from engine.players.blueprint.values import advised
        from engine.variants import ruleset

        position = self.position
        rules = ruleset(position.game, dict(position.options), position.version)
        return advised(position, rules)


async def solved_advice(computing: Computing, position: Position) -> Advised:
    """What a solved strategy says; None where there is none, or where that is not soon known."""
    if not computing.at_hand:
        return None
    try:
        async with asyncio.timeout(LONGEST):
            return await computing.ask(SolvedAdvice(position))
    except (ComputingError, TimeoutError):
        return None
