"""Ways to ask, each understood as one question, asked back or refused: never another question."""

from __future__ import annotations

import pytest

from engine.errors import TextError
from engine.odds.showdown.question import parse_question
from tests.asked import ASKED, told


@pytest.mark.parametrize(("text", "question"), ASKED)
def test_a_way_to_ask_is_just_this_question(text: str, question: str) -> None:
    assert told(lambda: parse_question(text)) == question


@pytest.mark.parametrize(
    ("texts", "question"),
    [
        (["flop 9c8d7s vs QQ"], "! expected the hands before the board"),
        (["AhKd or foo vs QQ"], "! expected vs between two players"),
        (["AhKd, Qs, Qh"], "! expected vs between two players"),
        (["AhKd vs 200%-300%, 9c 8d 7s"], '! "200%-300%" is more than all hands'),
        (["Ah", "Kd"], "? AhKd ? Ah vs Kd"),
        (["Ah", "Kd", "Qs"], "? AhKdQs ? Ah vs Kd vs Qs"),
    ],
)
def test_what_is_no_question_by_itself_is_refused_or_asked_back(
    texts: list[str], question: str
) -> None:
    assert told(lambda: parse_question(texts if len(texts) > 1 else texts[0])) == question


def test_a_reason_without_facts_is_said_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuses(*_: object) -> None:
        raise TextError("QQ", "not today", "AA")

    monkeypatch.setattr("engine.odds.showdown.question.parse_scenario", refuses)
    assert told(lambda: parse_question("AhKd vs QQ")) == "! not today"


UNDERSTOOD = sorted({question for _, question in ASKED if question[0] not in "?!"})
ASKED_BACK = sorted({question for _, question in ASKED if question[0] == "?"})


@pytest.mark.parametrize("question", UNDERSTOOD)
def test_the_plainest_form_of_a_question_means_itself(question: str) -> None:
    game, hands = question.split(" ", 1)
    assert told(lambda: parse_question(hands, game)) == question


@pytest.mark.parametrize("question", ASKED_BACK)
def test_every_choice_is_a_question_of_its_own(question: str) -> None:
    choices = question.removeprefix("? ").split(" ? ")
    understood = {told(lambda choice=choice: parse_question(choice)) for choice in choices}  # type: ignore[misc]
    assert len(understood) == len(choices)
    assert not any(one[0] in "?!" for one in understood)


@pytest.mark.parametrize("text", [text for text, _ in ASKED if " vs " in text and "," not in text])
def test_words_of_a_shell_are_the_same_question(text: str) -> None:
    """As an unquoted question comes to the command line."""
    assert told(lambda: parse_question(text.split())) == told(lambda: parse_question(text))
