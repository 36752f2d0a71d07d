"""Questions about play that need compiled code, answered by the computing process.

These are a computer player's action, a better hint than the plain one, and the coach's verdict on a
match.
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
MOST_SECONDS: Final = 2.0  # seconds for one decision; usually less than a twentieth of that
HINT_SECONDS: Final = 8.0  # seconds for a hint; usually less than one
# seconds if no simpler player may decide instead: a retry would take as long
EXACTLY_SECONDS: Final = 60.0


def _rules(position: Position) -> Ruleset:
    return ruleset(position.game, dict(position.options), position.version)


@dataclass(frozen=True, slots=True)
class ChooseAction(Question[Choice]):
    """The action of the computer player in `position`."""

    position: Position
    lane: ClassVar[Lane] = Lane.DECISION

    def answer(self, stopped: Stopped) -> Choice:
        """Choose the action by the rules of the position's game."""
        from engine.players import choose

        return choose(self.position, _rules(self.position))


class ComputingDecider:
    """A `bot.tables.computer_turns.Decider` that asks the computing process."""

    def __init__(self, computing: Computing) -> None:
        self._computing = computing

    async def choose(self, position: Position, *, exactly: bool = False) -> Choice:
        """Return the player's choice.

        While kernels are loading, the careful player decides for a character that needs kernels; if
        `exactly`, raise `StillWarming` instead. Raises other `ComputingError`s, and what
        `engine.players.choose` raises.
        """
        if self._computing.warming and position.character not in NEEDS_NOTHING:
            if exactly:
                raise StillWarming
            position = replace(position, character=NEEDS_NOTHING[0])
        limit = EXACTLY_SECONDS if exactly else MOST_SECONDS
        return await self._computing.ask(ChooseAction(position), limit)


# for `engine.players.hint`; described at `engine.players.coaching.advising.hinted_action`
Advised = tuple[int | None, float] | None


@dataclass(frozen=True, slots=True)
class SolvedHint(Question[Advised]):
    """A solved strategy's action in `position`; None if there is none.

    The action is only looked up, so the question goes in the lane for decisions and never waits for
    the coach.
    """

    position: Position
    lane: ClassVar[Lane] = Lane.DECISION

    def answer(self, stopped: Stopped) -> Advised:
        """Look up the solved strategy's action."""
        from engine.players.blueprint.values import likeliest_action

        return likeliest_action(self.position, _rules(self.position))


@dataclass(frozen=True, slots=True)
class HintAdvice(Question[Advised]):
    """A better hint for `position` than the plain one; None if the plain one is good enough."""

    position: Position
    lane: ClassVar[Lane] = Lane.LONG

    def answer(self, stopped: Stopped) -> Advised:
        """Return a solved strategy's action, or else the coach's if it is better."""
        from engine.players.coaching.advising import hinted_action

        return hinted_action(self.position, _rules(self.position))


async def hint_advice(computing: Computing, position: Position) -> Advised:
    """Return a better hint than the plain one.

    Return None if there is none in time, or if the computing process isn't ready or fails.
    """
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
    """The coach's verdict on some decisions of a match."""

    decisions: tuple[Decision, ...]
    lane: ClassVar[Lane] = Lane.LONG

    def answer(self, stopped: Stopped) -> tuple[Advice, ...]:
        """Return the verdicts in the order of `decisions`, fewer if stopped."""
        from engine.players.coaching.advising import advise

        decisions = takewhile(lambda _: not stopped(), self.decisions)
        return tuple(advise(decision, _rules(decision.position)) for decision in decisions)
