"""Ways to ask, each understood as one question, asked back or refused: never another question."""

from __future__ import annotations

import pytest

from engine.odds.showdown.question import parse_question
from tests.asked import ASKED, told


@pytest.mark.parametrize(("text", "question"), ASKED)
def test_a_way_to_ask_is_just_this_question(text: str, question: str) -> None:
    assert told(lambda: parse_question(text)) == question


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
