"""What a solved strategy says for a hint, asked of the computing process; else nothing is said."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from bot.computing import player_questions
from bot.computing.player_questions import SolvedAdvice, solved_advice
from bot.computing.process import Computing
from bot.computing.question import ProcessLost, QueueFull, TookTooLong
from engine.play import start
from engine.players import Memory, Position, observe
from engine.players.blueprint.values import advised
from engine.variants import ruleset
from engine.view import view
from tests.bot.computing.a_process import computing
from tests.dealing import fair_deal, play, seed_of


def opening(game: str) -> Position:
    """The position of who opens a round heads-up."""
    match = start(ruleset(game), (1, 2), opener=0)
    position = observe(view(play(match, fair_deal(match, seed_of(game))), 0), Memory("", 0))
    assert position is not None
    return position


async def test_the_other_process_says_what_this_one_would() -> None:
    position = opening("thai_poker")
    async with computing() as process:
        told = await process.ask(SolvedAdvice(position))
        elsewhere = await process.ask(SolvedAdvice(replace(position, middle_size=1)))
    assert told == advised(position, ruleset("thai_poker"))
    assert told is not None
    assert elsewhere is None


class Standing(Computing):
    """Is at hand, and answers as a test has it."""

    at_hand = True

    def __init__(self, answer: object) -> None:
        super().__init__()
        self._answer = answer

    async def ask(self, question: Any, limit: float | None = None) -> Any:
        if isinstance(self._answer, Exception):
            raise self._answer
        if self._answer is None:
            await asyncio.Event().wait()
        return self._answer


async def test_a_process_at_hand_is_asked() -> None:
    assert await solved_advice(Standing((None, 0.5)), opening("thai_poker")) == (None, 0.5)


@pytest.mark.parametrize("error", [ProcessLost(), QueueFull(), TookTooLong(1)], ids=repr)
async def test_a_question_without_an_answer_leaves_the_hint_as_it_is(error: Exception) -> None:
    assert await solved_advice(Standing(error), opening("thai_poker")) is None


async def test_nobody_waits_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player_questions, "HINT_SECONDS", 0.01)
    assert await solved_advice(Standing(None), opening("thai_poker")) is None


async def test_no_process_is_started_for_a_hint() -> None:
    process = Computing()
    assert await solved_advice(process, opening("thai_poker")) is None
    assert process.pid is None
