"""A question about a showdown in the words of any language of the house.

What the words mean is the engine's to read; here those of other languages become English ones.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from bot.language.catalogues import ENGLISH, KEYS, language, spoken
from engine.errors import TextError, UnclearText

if TYPE_CHECKING:
    from engine.odds import Scenario


def question_understood(
    hands: str | Sequence[str],
    game: Any = None,
    board: str = "",
    dead: str = "",
    opponents: int = 0,
    **options: Any,
) -> Scenario:
    """`engine.odds.parse_question` in the language that is spoken, or else in another one.

    Raises `TextError`: what is wrong with the text in the language that is spoken.
    """
    from engine.odds.showdown.question import WILD, parse_question

    refused: TextError | None = None
    for key in dict.fromkeys((spoken().key, *KEYS)):  # that which is spoken first
        in_english = partial(question_in_english, key=key)
        said = in_english(hands) if isinstance(hands, str) else list(map(in_english, hands))
        shown, gone = in_english(board), in_english(dead)
        try:
            scenario = parse_question(said, game, shown, gone, opponents, **options)
            if refused is not None and refused.text == WILD and not scenario.rules.five_possible:
                break  # to this language the word is a name
            return _with_names_as_typed(
                scenario, hands if isinstance(hands, str) else " ".join(hands)
            )
        except UnclearText:
            raise
        except TextError as error:
            refused = refused or error
    assert refused is not None
    raise refused


def _with_names_as_typed(scenario: Scenario, typed: str) -> Scenario:
    """The scenario with the accents of its players' names, and without names nobody typed.

    "On ma QQ" is "villain has QQ" in English, and nobody is called Villain.
    """
    from engine.lexicon import strip_accents

    if not scenario.names:
        return scenario
    typed = unicodedata.normalize("NFC", typed)
    bare = strip_accents(typed)
    if len(bare) != len(typed):
        return scenario
    begins = [bare.find(name) if name else -1 for name in map(strip_accents, scenario.names)]
    names = tuple(
        typed[at : at + len(name)] if at >= 0 else ""
        for at, name in zip(begins, scenario.names, strict=True)
    )
    return replace(scenario, names=names)


def question_in_english(text: str, key: str) -> str:
    """The words and cards of a question in the language of that key as English words."""
    from engine.card_words import in_letters
    from engine.lexicon import strip_accents

    if key == ENGLISH:
        return text
    words = language(key).vocabulary.lexicon
    text = in_letters(text, words)
    plain = strip_accents(text)
    for said, english in words.question:
        plain = re.sub(said.pattern, english, plain, flags=re.IGNORECASE)
    return text if plain == strip_accents(text) else " ".join(plain.split())
