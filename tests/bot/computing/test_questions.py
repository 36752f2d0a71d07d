"""Computer players' decisions, hints and the coach, computed by a real computing process."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.computing import player_questions
from bot.computing.player_questions import (
    EXACTLY_SECONDS,
    MOST_SECONDS,
    ChooseAction,
    Coaching,
    ComputingDecider,
    HintAdvice,
    SolvedHint,
    hint_advice,
)
from bot.computing.process import Computing
from bot.computing.question import ProcessLost, QueueFull, StillWarming, TookTooLong
from engine.actions import MakeBid
from engine.errors import RulesetError
from engine.play import apply, start
from engine.players import Memory, Position, choose, observe
from engine.players.blueprint.values import likeliest_action
from engine.players.coaching.advising import advise, hinted_action
from engine.players.coaching.decisions import decisions_of, position_of
from engine.variants import VARIANTS, ruleset
from engine.view import view_of
from tests.bot.computing.a_process import appears, computing
from tests.bot.computing.questions import Hold
from tests.bot.replays.matches import whole
from tests.dealing import fair_deal, play, seed_from
from tests.engine.rounds import with_cards

# -- decisions -------------------------------------------------------------------------------------


def opening(game: str, character: str = "careful") -> Position:
    """Return the position of the opener of a three-player round."""
    match = start(ruleset(game), (1, 2, 3), opener=0)
    match = apply(match, fair_deal(match, seed_from(game)))
    position = observe(view_of(match, 0), Memory(character, 7))
    assert position is not None
    return position


@pytest.mark.thorough
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
    """A computing process that answers None and records each question's character and limit."""

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


async def test_an_exact_decision_has_enough_time_on_a_slow_machine() -> None:
    process = Asked(warming=True)
    decider = ComputingDecider(process)
    with pytest.raises(StillWarming):
        await decider.choose(opening("thai_poker", "sharp"), exactly=True)
    process.warmed.set()
    for exactly in (True, False):
        await decider.choose(opening("thai_poker", "sharp"), exactly=exactly)
    assert process.limits == [EXACTLY_SECONDS, MOST_SECONDS]
    assert EXACTLY_SECONDS >= 10 * MOST_SECONDS


# -- hints: what a solved strategy says, or the coach finds better ---------------------------------


def heads_up_opening(game: str) -> Position:
    """Return the position of the opener of a heads-up round."""
    match = start(ruleset(game), (1, 2), opener=0)
    position = observe(view_of(play(match, fair_deal(match, seed_from(game))), 0), Memory("", 0))
    assert position is not None
    return position


def unsolved_position() -> Position:
    """Return a three-player position where the coach calls the careful player's move a mistake."""
    rules = ruleset("thai_poker")
    match = with_cards(start(rules, range(3), 0), 4, 4, 4)
    match = play(match, fair_deal(match, seed_from("hinted 3 0")))
    for seat, text in enumerate(("pair of queens", "pair of kings")):
        match = play(match, MakeBid(seat, rules.wording.parse(text).key))
    position = position_of(match, 2, ())
    assert position is not None
    return position


@pytest.mark.thorough
@pytest.mark.parametrize(
    "position", [heads_up_opening("thai_poker"), unsolved_position()], ids=["solved", "unsolved"]
)
async def test_the_other_process_says_what_this_one_would(position: Position) -> None:
    rules = ruleset("thai_poker")
    async with computing() as process:
        advice = await process.ask(HintAdvice(position))
    assert advice == hinted_action(position, rules)
    assert advice is not None
    if len(position.live) == 2:
        assert advice == likeliest_action(position, rules)


class Standing(Computing):
    """A computing process that is always available and answers every question with `answer`.

    If `answer` is an exception, the process raises it; if None, the process never answers.
    """

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


async def test_a_hint_is_asked_of_a_running_process() -> None:
    assert await hint_advice(Standing((None, 0.5)), heads_up_opening("thai_poker")) == (None, 0.5)


@pytest.mark.parametrize("error", [ProcessLost(), QueueFull(), TookTooLong(1)], ids=repr)
async def test_a_question_without_an_answer_leaves_the_hint_as_it_is(error: Exception) -> None:
    assert await hint_advice(Standing(error), heads_up_opening("thai_poker")) is None


async def test_a_hint_stops_waiting_for_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(player_questions, "HINT_SECONDS", 0.01)
    assert await hint_advice(Standing(None), heads_up_opening("thai_poker")) is None


@pytest.mark.thorough
async def test_a_hint_that_is_looked_up_does_not_wait_for_the_coach(tmp_path: Path) -> None:
    position = heads_up_opening("thai_poker")
    async with computing() as process:
        holds = [asyncio.create_task(process.ask(Hold(tmp_path, name))) for name in "ab"]
        for name in "ab":
            await appears(tmp_path / f"{name}.begun", 1)
        solved = likeliest_action(position, ruleset("thai_poker"))
        assert await process.ask(SolvedHint(position)) == solved
        assert await hint_advice(process, position) == solved
        for name in "ab":
            (tmp_path / f"{name}.go").touch()
        await asyncio.gather(*holds)
        assert await process.ask(SolvedHint(unsolved_position())) is None


async def test_no_process_is_started_for_a_hint() -> None:
    process = Computing()
    assert await hint_advice(process, heads_up_opening("thai_poker")) is None
    assert process.pid is None


# -- the coach -------------------------------------------------------------------------------------


@pytest.mark.thorough
async def test_the_other_process_judges_as_this_one_would() -> None:
    match = whole("thai_poker", 3)
    decisions = decisions_of(match.first(), match.actions)[:2]
    async with computing() as process:
        judged = await process.ask(Coaching(decisions))
    assert judged == tuple(advise(decision, match.rules) for decision in decisions)


def test_the_coach_stops_when_its_answer_is_cancelled() -> None:
    match = whole("thai_poker", 3)
    decisions = decisions_of(match.first(), match.actions)[:3]
    calls = iter((False, True))
    assert [judged.seq for judged in Coaching(decisions).answer(lambda: next(calls))] == [
        decisions[0].seq
    ]
