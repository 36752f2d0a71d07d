"""The coach, asked of the computing process: it needs the computer players' kernels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from bot.computing.question import Lane, Question, Stopped
from engine.players.coaching.advice import Advice
from engine.players.coaching.decisions import Decision


@dataclass(frozen=True, slots=True)
class Coaching(Question[tuple[Advice, ...]]):
    """What some decisions of one match were worth."""

    decisions: tuple[Decision, ...]
    lane: ClassVar[Lane] = Lane.LONG

    def answer(self, stopped: Stopped) -> tuple[Advice, ...]:
        """Judge each of them; none once nobody wants it."""
        from engine.players.coaching.advising import advise
        from engine.variants import ruleset

        judged: list[Advice] = []
        for decision in self.decisions:
            position = decision.position
            rules = ruleset(position.game, dict(position.options), position.version)
            if stopped():
                break
            judged.append(advise(decision, rules))
        return tuple(judged)
