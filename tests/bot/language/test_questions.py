"""Questions in Polish words, understood in both languages of the house."""

from __future__ import annotations

import pytest

from bot.language.catalogues import speaking
from bot.language.questions import question_understood
from tests.asked import ASKED, IN_POLISH, told


@pytest.mark.parametrize(("text", "question"), IN_POLISH)
@pytest.mark.parametrize("language", ["en", "pl"])
def test_polish_words_ask_the_same_whatever_is_spoken(
    text: str, question: str, language: str
) -> None:
    with speaking(language):
        assert told(lambda: question_understood(text)) == question


@pytest.mark.parametrize(("text", "question"), ASKED)
def test_english_words_ask_the_same_where_polish_is_spoken(text: str, question: str) -> None:
    with speaking("pl"):
        assert told(lambda: question_understood(text)) == question
