"""What is asked of the computing process about play, as it needs what is compiled: a computer
player's action, what is better than the plain hint, what the coach says of a match.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import ClassVar, Final

from bot.computing.process import Computing
from bot.computing.question import ComputingError, Lane, Question, StillWarming, Stopped
from engine.players import OPENER, STAND_IN, Choice, Position
from engine.players.coaching.decisions import Advice, Decision
from engine.ruleset import Ruleset
from engine.variants import ruleset

NEEDS_NOTHING: Final = "careful", STAND_IN.key, OPENER.key
MOST_SECONDS: Final = 2.0  # of one decision; what is usual is less than a twentieth of it
HINT_SECONDS: Final = 4.0  # that a person waits for a hint; what is usual is less than one
EXACTLY_SECONDS: Final = 60.0  # where nobody else may decide: asked anew, it takes as long again


def _rules(position: Position) -> Ruleset:
    return ruleset(position.game, dict(position.options), position.version)


@dataclass(frozen=True, slots=True)
class ChooseAction(Question[Choice]):
    """What the computer player in `position` does."""

    position: Position
    lane: ClassVar[Lane] = Lane.DECISION

    def answer(self, stopped: Stopped) -> Choice:
        """Choose, by the rules that the position names."""
        from engine.players import choose

        return choose(self.position, _rules(self.position))


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


Advised = tuple[int | None, float] | None  # as `engine.players.hint` takes it


@dataclass(frozen=True, slots=True)
class SolvedHint(Question[Advised]):
    """What a solved strategy does in `position`; None where none says it.

    It is looked up, so it does not wait for the coach.
    """

    position: Position
    lane: ClassVar[Lane] = Lane.DECISION

    def answer(self, stopped: Stopped) -> Advised:
        """Look it up."""
        from engine.players.blueprint.values import likeliest_action

        return likeliest_action(self.position, _rules(self.position))


@dataclass(frozen=True, slots=True)
class HintAdvice(Question[Advised]):
    """What is better in `position` than the plain hint; None where that will do."""

    position: Position
    lane: ClassVar[Lane] = Lane.LONG

    def answer(self, stopped: Stopped) -> Advised:
        """What a solved strategy does, or the coach finds better."""
        from engine.players.coaching.advising import hinted_action

        return hinted_action(self.position, _rules(self.position))


async def hint_advice(computing: Computing, position: Position) -> Advised:
    """What is better than the plain hint; None where nothing is, or that is not soon known."""
    if not computing.at_hand:
        return None
    try:
        async with asyncio.timeout(HINT_SECONDS):
            solved = await computing.ask(SolvedHint(position))
            return solved or await computing.ask(HintAdvice(position))
    except (ComputingError, TimeoutError):
        return None


@dataclass(frozen=True, slots=True)
class Coaching(Question[tuple[Advice, ...]]):
    """What some decisions of one match were worth."""

    decisions: tuple[Decision, ...]
    lane: ClassVar[Lane] = Lane.LONG

    def answer(self, stopped: Stopped) -> tuple[Advice, ...]:
        """Judge each of them; none once nobody wants it."""
        from engine.players.coaching.advising import advise

        wanted = takewhile(lambda _: not stopped(), self.decisions)
        return tuple(advise(one, _rules(one.position)) for one in wanted)
