"""Conditions counted with arrays, before compiled code is loaded, give the same counts."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

from engine.cards import Cards
from engine.odds import Scenario, Showdown, parse_question, showdown_odds
from engine.odds.machine_code import Kernel
from engine.odds.showdown import array_conditions
from tests.engine.odds.showdown.test_conditions import (
    CONDITIONS,
    EXACT,
    ask,
    pairs,
    random_question,
)
from tests.naive_conditions import count

QUESTIONS = (
    "AhKh, flop pair",
    "JTs, flop two pair+",
    "AK, flop top pair or flush draw",
    "87s, flop backdoor flush and not pair",
    "AhKd, board 9h 5h 2c, turn pair+ and turn any heart",
    "AhKd, board 9h 5h 2c 2d, turn pair+ or turn pairs",
    "shortdeck 76s, flop straight",
    "JTs@50, 22, flop set+, dead 2c",
)


def answer_with_arrays(scenario: Scenario, monkeypatch: pytest.MonkeyPatch) -> Showdown:
    """Return the answer that is given while no compiled code is loaded."""
    used: list[None] = []
    real = array_conditions.count_hits

    def count_hits(*arguments: object) -> tuple[int, int]:
        used.append(None)
        return real(*arguments)  # type: ignore[arg-type]

    with monkeypatch.context() as without:
        without.setattr(Kernel, "is_ready", False)
        without.setattr(array_conditions, "count_hits", count_hits)
        answer = showdown_odds(scenario, EXACT)
    assert used, "this is counted with arrays"
    return answer


@pytest.mark.parametrize("question", QUESTIONS)
def test_the_answer_is_that_of_the_compiled_code(
    question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert answer_with_arrays(parse_question(question), monkeypatch) == ask(question)


@pytest.mark.parametrize(
    "text", [text for text in CONDITIONS if "P2" not in text and "villain" not in text]
)
@pytest.mark.parametrize("game", ["holdem", "shortdeck"])
def test_chances_are_those_of_every_deal(
    text: str, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = Random(f"{text} {game}")
    for known in (0, 3, 4):
        (hands, *_), dealt, dead = random_question(random, game)
        scenario = parse_question(f"{hands[0]} vs AA, {text}", game)
        dealt = [card for card in scenario.rules.deck if card not in {*hands[0], *dead}][:known]
        scenario = replace(
            scenario,
            players=(hands[0],),
            board=Cards.of(dealt),
            dealt=tuple(dealt),
            dead=Cards.of(dead),
        )
        assert scenario.condition is not None
        with monkeypatch.context() as without:
            without.setattr(Kernel, "is_ready", False)
            if not array_conditions.is_quick(scenario, scenario.condition, 1):
                continue
        expected = count(
            [[pairs(hands[0])]],
            [pair for card in dealt for pair in pairs(Cards.of([card]))],
            pairs(Cards.of(dead)),
            CONDITIONS[text],
            scenario.rules.ranking.value,
        )
        chance = answer_with_arrays(scenario, monkeypatch).condition
        assert chance is not None
        assert Fraction(chance.favourable, chance.total) == expected.chance, (str(hands[0]), dealt)


@pytest.mark.parametrize(
    "question",
    ["AhKh, river flush", "AhKh, turn flush", "22+, flop set", "AhKh vs QQ, flop pair"],
)
def test_many_boards_are_left_to_compiled_code(
    question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    scenario = parse_question(question)
    assert scenario.condition is not None
    monkeypatch.setattr(Kernel, "is_ready", False)
    assert not array_conditions.is_quick(scenario, scenario.condition, 13)


@pytest.mark.thorough
def test_a_first_answer_loads_no_compiler(tmp_path: Path) -> None:
    """Ask where no kernel is stored."""
    code = (
        "import sys; from engine.odds import parse_question, showdown_odds;"
        "showdown_odds(parse_question('AhKh, flop pair'));"
        "assert 'numba' not in sys.modules"
    )
    empty = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", code], env=empty, check=True)
