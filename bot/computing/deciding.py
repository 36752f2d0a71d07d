"""Decisions of computer players, made in the computing process like everything that is compiled."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, Final

from bot.computing.process import Computing
from bot.computing.question import Lane, Question, StillWarming, Stopped
from engine.players import OPENER, STAND_IN, Choice, Position

NEEDS_NOTHING: Final = "careful", STAND_IN.key, OPENER.key
MOST_SECONDS: Final = 2.0  # of one decision; what is usual is less than a twentieth of it
EXACTLY_SECONDS: Final = 60.0  # where nobody else may decide: asked anew, it takes as long again


@dataclass(frozen=True, slots=True)
class ChooseAction(Question[Choice]):
    """What the computer player in `position` does."""

    position: Position
    lane: ClassVar[Lane] = Lane.DECISION

    def answer(self, stopped: Stopped) -> Choice:
        """Choose, by the rules that the position names."""
        from engine.players import choose
        from engine.variants import ruleset

        position = self.position
        return choose(position, ruleset(position.game, dict(position.options), position.version))


class ComputingDecider:
    """Implements `bot.tables.ports.Decider`."""

    def __init__(self, computing: Computing) -> None:
        self._computing = computing

    async def choose(self, position: Position, *, exactly: bool = False) -> Choice:
        """What the player does. Raises `ComputingError`, and what `engine.players.choose` does.

        While kernels are being loaded the careful one, which needs none, decides for everybody; or
        it raises `StillWarming`, if the player is to decide `exactly`.
        """
        if self._computing.warming and position.character not in NEEDS_NOTHING:
            if exactly:
                raise StillWarming
            position = replace(position, character=NEEDS_NOTHING[0])
        limit = EXACTLY_SECONDS if exactly else MOST_SECONDS
        return await self._computing.ask(ChooseAction(position), limit)
