"""Cards typed in words are turned into letters."""

from __future__ import annotations

import pytest

from bot.language.catalogues import language
from engine.card_words import in_letters

ENGLISH = [
    ("ace of hearts", "Ah"),
    ("Ace of Hearts, king of diamonds", "Ah, Kd"),
    ("10 of hearts k of spades", "Th Ks"),
    ("the ten of clubs", "Tc"),
    ("a ten of clubs", "Tc"),
    ("two jokers and a joker", "* * and *"),
    ("ace king suited", "AKs"),
    ("Ace-King offsuit", "AKo"),
    ("ak suited", "AKs"),
    ("a k off suit", "AKo"),
    ("ace king", "AK"),
    ("queen six four", "Q64"),
    ("pocket queens vs a pair of aces", "QQ vs AA"),
    ("two queens", "QQ"),
]
POLISH = [
    ("as kier", "Ah"),
    ("dama pik, 10 karo", "Qs, Td"),
    ("d pik", "Qs"),
    ("dwa jokery", "* *"),
    ("as król w kolorze", "AKs"),
    ("król walet nie w kolorze", "KJo"),
    ("para dam", "QQ"),
    ("dwójka trefl", "2c"),
]
LETTERS = [
    "Ah Kd *",
    "As Ks 10s",
    "QQ+, AKs",
    "two random",
    "3 opponents",
    "ace",
    "",
    "a",
    "♥",
    "9c 2s",
]


@pytest.mark.parametrize(("typed", "letters"), ENGLISH)
def test_english_words_are_cards(typed: str, letters: str) -> None:
    assert in_letters(typed) == letters


@pytest.mark.parametrize(("typed", "letters"), POLISH)
def test_polish_words_are_cards(typed: str, letters: str) -> None:
    assert in_letters(typed, language("pl").vocabulary.lexicon) == letters


@pytest.mark.parametrize("typed", LETTERS)
def test_letters_and_what_is_no_card_stay(typed: str) -> None:
    for key in ("en", "pl"):
        assert in_letters(typed, language(key).vocabulary.lexicon) == typed
