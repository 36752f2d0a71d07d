"""Decisions of computer players, asked of a real computing process."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from bot.computing.player_questions import (
    EXACTLY_SECONDS,
    MOST_SECONDS,
    ChooseAction,
    ComputingDecider,
)
from bot.computing.process import Computing
from bot.computing.question import StillWarming
from engine.errors import RulesetError
from engine.play import apply, start
from engine.players import Memory, Position, choose, observe
from engine.variants import VARIANTS, ruleset
from engine.view import view
from tests.bot.computing.a_process import computing
from tests.dealing import fair_deal, seed_of


def opening(game: str, character: str = "careful") -> Position:
    """The position of who opens a round."""
    match = start(ruleset(game), (1, 2, 3), opener=0)
    match = apply(match, fair_deal(match, seed_of(game)))
    position = observe(view(match, 0), Memory(character, 7))
    assert position is not None
    return position


@pytest.mark.parametrize("game", VARIANTS)
async def test_the_other_process_decides_as_this_one_would(game: str) -> None:
    position = opening(game)
    async with computing() as process:
        decided = await ComputingDecider(process).choose(position)
    assert decided == choose(position, ruleset(game))


async def test_a_character_that_this_house_does_not_have_is_an_error_and_no_crash() -> None:
    async with computing() as process:
        with pytest.raises(RulesetError):
            await ComputingDecider(process).choose(
                replace(opening("thai_poker"), character="nobody")
            )
        assert (await ComputingDecider(process).choose(opening("thai_poker"))).action is not None


class Asked(Computing):
    """Notes what it is asked."""

    def __init__(self, *, warming: bool) -> None:
        super().__init__()
        if warming:
            self.plan_warming()
        self.characters: list[str] = []
        self.limits: list[float | None] = []

    async def ask(self, question: Any, limit: float | None = None) -> Any:
        assert isinstance(question, ChooseAction)
        self.characters.append(question.position.character)
        self.limits.append(limit)


async def test_while_kernels_are_loaded_the_careful_one_decides_for_everybody() -> None:
    process = Asked(warming=True)
    await ComputingDecider(process).choose(opening("thai_poker", "sharp"))
    process.warmed.set()
    await ComputingDecider(process).choose(opening("thai_poker", "sharp"))
    assert process.characters == ["careful", "sharp"]


async def test_who_must_decide_exactly_has_time_for_it_on_a_slow_machine() -> None:
    process = Asked(warming=True)
    decider = ComputingDecider(process)
    with pytest.raises(StillWarming):
        await decider.choose(opening("thai_poker", "sharp"), exactly=True)
    process.warmed.set()
    for exactly in (True, False):
        await decider.choose(opening("thai_poker", "sharp"), exactly=exactly)
    assert process.limits == [EXACTLY_SECONDS, MOST_SECONDS]
    assert EXACTLY_SECONDS >= 10 * MOST_SECONDS
