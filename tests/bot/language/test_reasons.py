"""Why the engine refuses a question, in every language of the house."""

from __future__ import annotations

import pytest

from bot.language.catalogues import ENGLISH, KEYS, language, speaking
from bot.language.questions import question_understood
from bot.language.wordings import reason_said
from engine.errors import TextError
from tests.catalogues import reasons

OTHERS = [key for key in KEYS if key != ENGLISH]


@pytest.mark.parametrize("key", OTHERS)
@pytest.mark.parametrize("template", sorted(set(reasons())))
def test_every_reason_has_a_sentence_in_every_language(template: str, key: str) -> None:
    catalogue = language(key).catalogue
    said = (
        catalogue.ngettext(template, template, 2)
        if "{number}" in template
        else catalogue.gettext(template)
    )
    assert said != template


SAID = (
    ("AhKd vs AhQd", "Ah podano dwa razy"),
    ("AhKd, 24 graczy", "Dla 24 graczy potrzeba 53 kart, razem ze wspólnymi"),
    ("AhKd vs QQ, flop 9c 8d", "Flop to trzy karty, a tu są 2 (9c 8d)"),
    ("krótka talia 22 vs AA", "„22” nie zostawia żadnej ręki: talia 36 kart zaczyna się od 6"),
    ("-5% vs AA", "„-5%” to mniej niż żadna ręka"),
    ("1h2d vs AA", "„1h” to nie karta"),
    ("omaha AhKdQcJcTc", "Jeden z graczy ma 5 kart (Ah Kd Qc Jc Tc), a w grze Omaha rozdaje się 4"),
    ("AK vs AKz", "„AKz” to nie zakres rąk"),
    ("AhKd vs banany", "„banany” to nie karta"),
)


@pytest.mark.parametrize(("text", "said"), SAID)
def test_a_reason_is_said_in_polish_with_its_facts(text: str, said: str) -> None:
    with speaking("pl"):
        with pytest.raises(TextError) as refused:
            question_understood(text)
        assert reason_said(refused.value.reason).startswith(said)
    assert reason_said(refused.value.reason) == refused.value.reason
