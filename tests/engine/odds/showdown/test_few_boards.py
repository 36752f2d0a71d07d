"""A few boards are counted with arrays alone before compiled code is loaded: the same sums."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from random import Random

import pytest

from engine.cards import Card
from engine.odds import Effort, compiling, parse_question, showdown_odds
from engine.odds.loading import LOADED
from engine.odds.showdown import counting, few_boards
from tests.naive_showdown import every_deal, naive, showdown_score

QUESTIONS = (
    "AhKh vs QQ+, AKs, board 9h 5h 2c",
    "AhKh vs QQ@50, 22, board 9h 8h 7h 6h 5h",
    "AhKd vs QQ vs TT, board 9c 8d 7s 2h",
    "AKs vs random, board 9c 8d 7s 2h",
    "Ah vs QQ, board 9c 8d 7s 2h",
    "AhKh vs QQ, board 9h 5h 2c, dead 3h 4h Qs",
    "shortdeck AhKh vs QQ, board 9h 8h 7c",
    "shortdeck-trips AhKh vs 9s9d, board 9h 8h 7c 6c",
)


def answers(
    text: str, monkeypatch: pytest.MonkeyPatch, *, ranked: bool = True
) -> tuple[object, object]:
    """The answer with compiled code, then without it."""
    assert callable(compiling.njit)  # loaded with numba
    assert "numba" in LOADED
    scenario, effort = parse_question(text), Effort(exact=True, ranked=ranked)
    compiled = showdown_odds(scenario, effort)
    used: list[None] = []
    real = few_boards.count_few
    with monkeypatch.context() as without:
        without.setattr(few_boards, "LOADED", set())
        without.setattr(counting, "count_few", lambda *args: used.append(real(*args)))
        plain = showdown_odds(scenario, effort)
    assert used, "these boards are few"
    return compiled, plain


@pytest.mark.parametrize("text", QUESTIONS)
def test_the_answer_is_that_of_the_compiled_code(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled, plain = answers(text, monkeypatch)
    assert plain == compiled


def test_random_hands_have_the_shares_of_the_oracle(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(11)
    for _ in range(25):
        cards = random.sample([Card(number) for number in range(52)], 52)
        players = random.choice((2, 2, 3))
        hands = [cards[2 * seat : 2 * seat + 2] for seat in range(players)]
        dealt = random.choice((4, 4, 5))
        board = cards[2 * players : 2 * players + dealt]
        text = " vs ".join("".join(map(str, hand)) for hand in hands)
        text += f", board {' '.join(map(str, board))}"
        shares, deals = [Fraction(0)] * players, 0
        for (runout,) in every_deal(cards[2 * players + dealt :], [5 - dealt]):
            scores = [
                showdown_score(
                    list(map(naive, hand)), list(map(naive, (*board, *runout))), "high", 2, 5
                )
                for hand in hands
            ]
            best = [seat for seat, score in enumerate(scores) if score == max(scores)]
            deals += 1
            for seat in best:
                shares[seat] += Fraction(1, len(best))
        with monkeypatch.context() as without:
            without.setattr(few_boards, "LOADED", set())
            answer = showdown_odds(parse_question(text), Effort(exact=True))
        assert [player.value for player in answer.players] == [share / deals for share in shares], (
            text
        )


def test_a_first_answer_with_a_flop_loads_no_compiler() -> None:
    code = (
        "import sys; from engine.odds import parse_question, showdown_odds;"
        "showdown_odds(parse_question('AhKh vs QQ+, AKs, board 9h 5h 2c'));"
        "assert 'numba' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
