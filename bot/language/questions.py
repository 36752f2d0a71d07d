"""Showdown questions in the words of any of the bot's languages.

The engine parses English words; this module first translates those of other languages.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from bot.language.catalogues import ENGLISH, KEYS, spoken, vocabulary
from engine.errors import Reason, TextError, UnclearText

if TYPE_CHECKING:
    from engine.odds import NamedRange, Scenario


def parse_typed_question(
    hands: str | Sequence[str],
    game: Any = None,
    board: str = "",
    dead: str = "",
    opponents: int = 0,
    **options: Any,
) -> Scenario:
    """Parse a question in the current language, or else in another one.

    Works like `engine.odds.parse_question`. Raises `UnclearText` if a language finds the text
    ambiguous. If no language can parse it, raises the `TextError` of the current language, or of
    the one to which the refused word belongs.
    """
    from engine.odds.showdown.question import parse_question
    from engine.odds.showdown.question_words import WILD

    refused: TextError | None = None
    for key in dict.fromkeys((spoken().key, *KEYS)):  # the current language first
        in_english = partial(question_in_english, key=key)
        english_hands = (
            in_english(hands) if isinstance(hands, str) else list(map(in_english, hands))
        )
        english_board, english_dead = in_english(board), in_english(dead)
        try:
            scenario = parse_question(
                english_hands, game, english_board, english_dead, opponents, **options
            )
            if refused is not None and refused.text == WILD and not scenario.rules.five_possible:
                break  # the word is a name in this language
            return _with_names_as_typed(
                scenario, hands if isinstance(hands, str) else " ".join(hands)
            )
        except UnclearText:
            raise
        except TextError as error:
            if refused is None or _knows_word(refused, key):
                refused = error
    assert refused is not None
    raise refused


def _knows_word(error: TextError, key: str) -> bool:
    """Return whether the word that `error` doesn't know is one of the language `key`."""
    facts = error.reason.facts if isinstance(error.reason, Reason) else {}
    word = str(facts.get("word", facts.get("term", "")))
    return question_in_english(word, key) != word


def parse_typed_definition(text: str, ranges: Mapping[str, str]) -> NamedRange:
    """Parse "btn = 22+, A2s+" in the current language, or else in another one.

    Works like `engine.odds.parse_definition`; the name must not be a word that questions use in any
    language. Raises `TextError` for such a name, and if no language can parse the text;
    `UnclearText` if a language finds the text ambiguous.
    """
    from engine.odds.showdown.definitions import (
        parse_definition,
        split_definition,
        taken_name_error,
    )
    from engine.odds.showdown.named_ranges import name_key

    name, hands = split_definition(text) or ("", text)
    if any(name_key(question_in_english(name, key)) != name_key(name) for key in KEYS):
        raise taken_name_error(name)
    refused: TextError | None = None
    for key in dict.fromkeys((spoken().key, *KEYS)):
        try:
            return parse_definition(f"{name} = {question_in_english(hands, key)}", ranges)
        except UnclearText:
            raise
        except TextError as error:
            if refused is None or _knows_word(refused, key):
                refused = error
    assert refused is not None
    raise refused


def _with_names_as_typed(scenario: Scenario, typed: str) -> Scenario:
    """Return the scenario with players' names as typed, accents included; drop names not typed.

    Polish "On ma QQ" becomes English "villain has QQ", but no player is called Villain.
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
    """Translate the words and cards of a question from the language `key` into English."""
    from engine.card_words import in_letters
    from engine.lexicon import strip_accents

    if key == ENGLISH:
        return text
    words = vocabulary(key).lexicon
    text = in_letters(text, words)
    plain = strip_accents(text)
    for phrase, english in words.question:
        plain = re.sub(phrase.pattern, english, plain, flags=re.IGNORECASE)
    return text if plain == strip_accents(text) else " ".join(plain.split())
