"""Boards counted with arrays alone, before compiled code is loaded, give the same sums."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from engine.cards import Cards
from engine.odds import Effort, Scenario, Showdown, compiling, parse_question, showdown_odds
from engine.odds.loading import LOADED
from engine.odds.machine_code import Kernel
from engine.odds.showdown import array_boards, counting
from engine.odds.showdown.games import PRESETS, ShowdownRules
from tests.engine.odds.showdown.test_equity import agrees_with_oracle

QUESTIONS = (
    "AhKh vs QQ vs JJ",
    "AhKh vs QdQc vs JdJc vs 9d9c vs 8c8h",
    "AhKh vs QQ+, AKs, board 9h 5h 2c",
    "AhKh vs QQ@50, 22, board 9h 8h 7h 6h 5h",
    "AhKd vs QQ vs TT, board 9c 8d 7s 2h",
    "AKs vs random, board 9c 8d 7s 2h",
    "Ah vs QQ, board 9c 8d 7s 2h",
    "AhKh vs random, board 9h 5h 2c",
    "AhKh vs QQ, board 9h 5h 2c, dead 3h 4h Qs",
    "AhKh vs QQ, board 9h",
    "shortdeck AhKh vs QQ",
    "shortdeck AhKh vs QQ, board 9h 8h 7c",
    "shortdeck-trips AhKh vs 9s9d vs 8s7s",
    "omaha AsAhKsKh vs QsQdJsJd",
    "omaha AsAhKsKh vs QsQd**, board 9h 5h 2c 3d",
    "omaha5 AsAh2s3h5d vs KdKcQd7c9c, board 4s 5s 9h",
    "omaha8 AsAh2s3h vs KdKcQd7c vs 2d3d4c5c",
    "omaha85 AsAh2s3h5d vs KdKcQd7c9c, board 4s",
)
RULES = (
    *(PRESETS[key] for key in ("holdem", "shortdeck", "shortdeck-trips", "omaha", "omaha5")),
    *(PRESETS[key] for key in ("omaha6", "omaha8", "omaha85")),
    ShowdownRules(private=2, public=5, hi_lo=True),
    ShowdownRules(private=2, public=4),
    ShowdownRules(private=1, public=5),
    ShowdownRules(private=4, public=4, private_used=2, public_used=3, hi_lo=True),
    ShowdownRules(private=4, public=3, private_used=2, public_used=3),
)


def answer_with_arrays(
    scenario: Scenario, monkeypatch: pytest.MonkeyPatch, *, ranked: bool = True
) -> Showdown:
    """Return the answer that is given while no compiled code is loaded."""
    used: list[None] = []
    monkeypatch.setattr(counting, "_NOTHING_SECONDS", 1)  # by boards, however few deals there are
    real = array_boards.count_boards
    with monkeypatch.context() as without:
        without.setattr(Kernel, "is_ready", False)
        without.setattr(array_boards, "count_boards", lambda *args: used.append(real(*args)))
        answer = showdown_odds(scenario, Effort(exact=True, ranked=ranked, table=False))
    assert used, "this is counted with arrays"
    return answer


@pytest.mark.parametrize("text", QUESTIONS)
def test_the_answer_is_that_of_the_compiled_code(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert callable(compiling.njit)  # loaded with numba
    assert "kernels" in LOADED
    scenario = parse_question(text)
    for ranked in (True, False):
        compiled = showdown_odds(scenario, Effort(exact=True, ranked=ranked, table=False))
        assert answer_with_arrays(scenario, monkeypatch, ranked=ranked) == compiled


def random_scenario(random: Random, rules: ShowdownRules, unseen: int, left: int) -> Scenario:
    """Return a question with known hands, in which `unseen` board cards are still to come.

    At most `left` of the cards that are not dealt are alive; the others are dead.
    """
    deck = random.sample(list(rules.deck), len(rules.deck))
    hands = tuple(
        Cards.of(deck.pop() for _ in range(rules.private)) for _ in range(random.choice((2, 2, 3)))
    )
    board = Cards.of(deck.pop() for _ in range(rules.public - unseen))
    if random.random() < 0.5:  # more flushes
        suit = next(iter(hands[0])).suit
        deck.sort(key=lambda card: card.suit is suit)
    return Scenario(rules, hands, board, Cards.of(deck[: max(0, len(deck) - left)]))


@pytest.mark.thorough
@pytest.mark.parametrize("number", range(len(RULES)))
def test_random_hands_are_counted_as_by_the_oracle(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    random, rules = Random(number), RULES[number]
    for at in range(3 * (rules.public + 1)):
        unseen = at % (rules.public + 1)
        scenario = random_scenario(random, rules, unseen, left=unseen + 2)
        agrees_with_oracle(scenario, answer_with_arrays(scenario, monkeypatch))


@pytest.mark.parametrize("number", range(len(RULES)))
def test_random_hands_with_the_whole_pack_are_counted_as_by_the_compiled_code(
    number: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    random, rules = Random(number), RULES[number]
    for at in range(12):
        scenario = random_scenario(random, rules, at % (rules.public + 1), left=52)
        compiled = showdown_odds(scenario, Effort(exact=True, table=False))
        assert answer_with_arrays(scenario, monkeypatch) == compiled


def test_what_takes_longer_is_left_to_compiled_code(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not array_boards.is_quick(1_712_304, 0.001)  # it is loaded
    monkeypatch.setattr(Kernel, "is_ready", False)
    assert array_boards.is_quick(1_712_304, 0.001)
    assert not array_boards.is_quick(1_712_304, 0.3)
    assert not array_boards.is_quick(1 << 53, 0.001)


@pytest.mark.thorough
@pytest.mark.parametrize(
    "text",
    [
        "AhKh vs QQ+, AKs, board 9h 5h 2c",
        "AhKh vs random, board 9h 5h 2c",
        "AhKh vs QQ vs JJ",
        "omaha AsAhKsKh vs QsQdJsJd",
    ],
)
def test_a_first_answer_loads_no_compiler(text: str, tmp_path: Path) -> None:
    """Ask where no kernel is stored."""
    code = (
        "import sys; from engine.odds import parse_question, showdown_odds;"
        f"showdown_odds(parse_question({text!r}));"
        "assert 'numba' not in sys.modules"
    )
    empty = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", code], env=empty, check=True)
