"""Words, percentages, names made safe to show, and refusals, in every language."""

from __future__ import annotations

import ast
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.language.catalogues import ENGLISH, KEYS, language, speaking
from bot.language.questions import parse_typed_question
from bot.language.wordings import reason_text
from bot.language.words import (
    TypedText,
    bar,
    capital,
    lacking_text,
    percent,
    plain,
    short_kind,
    truncate,
)
from engine.bids import Need
from engine.cards import Cards
from engine.errors import TextError, quote
from tests.catalogues import reasons
from tests.hostile import NAMES, harm_in_markup, harm_in_plain
from tests.typed_questions import IN_POLISH, QUESTIONS, outcome


def test_a_sentence_gets_its_capital_even_after_markup() -> None:
    capitals = [capital(words) for words in ("two high", "**two high**, over it", "", "**")]
    assert capitals == ["Two high", "**Two high**, over it", "", "**"]


@pytest.mark.parametrize(
    ("probability", "text"),
    [
        (0, "0%"),
        (1, "100%"),
        (0.655, "65.5%"),
        (0.01, "1.0%"),
        (0.00409, "0.41%"),
        (0.001, "0.10%"),
        (0.00054, "0.054%"),
        (0.0000091, "0.00091%"),
        (0.9994, "99.9%"),
        (0.99999, ">99.9%"),
    ],
)
def test_only_exact_zero_and_one_are_shown_as_0_and_100_per_cent(
    probability: float, text: str
) -> None:
    assert percent(probability) == text


def test_a_text_bar_shows_a_sliver_for_every_possible_chance() -> None:
    assert bar(0, 4) == "░░░░"
    assert bar(1e-9, 4) == "▏░░░"
    assert bar(0.5, 4) == "██░░"
    assert bar(0.53, 4) == "██▏░"
    assert bar(1, 4) == "████"


def test_a_percentage_has_as_many_decimals_as_are_asked_for() -> None:
    assert percent(-0.0337298, 4) == "-3.3730%"
    assert percent(1, 2) == "100.00%"


@pytest.mark.parametrize(
    ("name", "display_name"),
    [
        ("\u202eevil\u2066", "evil"),
        ("\u200f\u061cAnn\u200e", "Ann"),
        ("a\nb\rc\u2028d", "a b c d"),
        ("\x00\x1b[31mred", "[31mred"),
        ("𝓕𝓪𝓷𝓬𝔂", "Fancy"),
        ("Élodie Иванов 张伟", "Élodie Иванов 张伟"),
        ("\u2800\u3164\u115f", ""),
        ("Z" + "\u0301" * 9, "Z\u0301\u0301\u0301"),
    ],
)
def test_a_name_loses_only_invisible_and_direction_changing_characters(
    name: str, display_name: str
) -> None:
    assert plain(name) == unicodedata.normalize("NFKC", display_name)


@given(st.text())
def test_any_text_becomes_one_plain_line(text: str) -> None:
    line = plain(text)
    assert len(line) <= 80
    unseen = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert not [char for char in line if unicodedata.category(char) in unseen]


def test_a_text_that_is_too_long_is_cut_with_an_ellipsis() -> None:
    assert truncate("AA, KK, QQ", 10) == "AA, KK, QQ"
    assert truncate("AA, KK, QQ", 8) == "AA, KK…"
    assert len(truncate("x" * 99, 40)) == 40


def test_quoted_text_cannot_reverse_the_line() -> None:
    assert quote("Ax") == '"Ax"'
    assert quote("a\u202eb\n") == '"a\\u202eb\\n"'


def test_a_kind_has_a_short_name() -> None:
    assert [short_kind(label) for label in ("Three of a kind", "Straight flush", "Pair")] == [
        "Three",
        "Str. flush",
        "Pair",
    ]


@pytest.mark.parametrize(
    ("cards", "lacking", "words"),
    [
        ("8c 8d 8h 8s", 1, "an eight"),
        ("6c 6d 6h 6s", 2, "two sixes"),
        ("2c 3c 4c 5c 7c", 1, "one more club"),
        ("2c 3c 4c 5c 7c", 3, "three more clubs"),
        ("As", 1, "the A♠"),
        ("As 9s", 1, "the A♠ or the 9♠"),
        ("", 1, "a joker"),
        ("", 2, "two jokers"),
    ],
)
def test_missing_cards_of_a_bid_are_put_into_words(cards: str, lacking: int, words: str) -> None:
    assert lacking_text([Need(Cards.parse(cards), lacking)]) == words


@pytest.mark.parametrize("name", NAMES)
def test_typed_text_is_escaped_in_a_sentence_and_one_line_in_a_picture(
    name: str,
) -> None:
    typed = TypedText(name)
    assert harm_in_markup(name) is not None
    assert harm_in_markup(f"**{typed}** said") is None
    assert harm_in_plain(typed.visible_text) is None
    assert typed.code.strip("`") == typed.visible_text.replace("`", "'")
    assert TypedText("Ann Lee-Smith 2.0").visible_text == str(TypedText("Ann Lee-Smith 2.0"))


def test_names_enter_only_through_functions_that_make_them_safe() -> None:
    """Check that a name read from Discord is stored as it is, or becomes a `TypedText` at once."""
    personal = {"display_name", "global_name", "nick", "guild.name", "channel.name"}
    for file in (Path(__file__).parents[3] / "bot").rglob("*.py"):
        if "sandbox" in file.parts:
            continue
        tree = ast.parse(file.read_text("utf-8"))
        doors = [
            inner
            for node in ast.walk(tree)
            if isinstance(node, ast.Call)
            and ast.unparse(node.func).rpartition(".")[2] in ("note_name", "SeenName", "TypedText")
            for inner in ast.walk(node)
        ]
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and node not in doors:
                source = ast.unparse(node)
                assert not any(source.endswith(ending) for ending in personal), f"{file}: {source}"


# -- why the engine refuses a question, in every language of the house -----------------------------

OTHERS = [key for key in KEYS if key != ENGLISH]


@pytest.mark.parametrize("key", OTHERS)
def test_every_reason_has_a_sentence_in_every_language(key: str) -> None:
    catalogue = language(key).catalogue
    templates = set(reasons())
    assert templates
    for template in templates:
        sentence = (
            catalogue.ngettext(template, template, 2)
            if "{number}" in template
            else catalogue.gettext(template)
        )
        assert sentence != template


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


@pytest.mark.parametrize(("text", "polish"), SAID)
def test_a_reason_is_translated_to_polish_with_its_facts(text: str, polish: str) -> None:
    with speaking("pl"):
        with pytest.raises(TextError) as refused:
            parse_typed_question(text)
        assert reason_text(refused.value.reason).startswith(polish)
    assert reason_text(refused.value.reason) == refused.value.reason


# -- questions in Polish words ---------------------------------------------------------------------


@pytest.mark.parametrize(("text", "question"), IN_POLISH)
@pytest.mark.parametrize("language", ["en", "pl"])
def test_polish_words_are_parsed_the_same_in_every_current_language(
    text: str, question: str, language: str
) -> None:
    with speaking(language):
        assert outcome(lambda: parse_typed_question(text)) == question


@pytest.mark.parametrize(
    ("text", "wild"),
    [
        ("dwójki dzikie: AsAh vs KsKh", "2s2h2d2c"),
        ("AsAh przeciwko KsKh, dzikie: dwójki i trójki", "3s3h3d3c2s2h2d2c"),
        ("dwa jokery dzikie, AsAh vs KsKh", "**"),
        ("jokers wild, AsAh vs KsKh", "**"),
        ("AsAh vs KsKh, dzikie karty: 2c, 2d", "2c2d"),
    ],
)
def test_wild_cards_may_be_named_in_polish(text: str, wild: str) -> None:
    with speaking("pl"):
        question = parse_typed_question(text)
    assert [*map(str, question.players)] == ["As Ah", "Ks Kh"]
    assert question.rules.wild == Cards.parse(wild.strip("*"))
    assert question.rules.jokers == wild.count("*")


@pytest.mark.parametrize("text", ["AsAh vs KsKh, dzikie karty 2c2d", "dwójka pik dzika, AA vs KK"])
def test_an_unclear_wild_card_is_not_taken_for_a_name_in_another_language(text: str) -> None:
    with speaking("pl"), pytest.raises(TextError, match="isn't clear which cards are wild"):
        parse_typed_question(text)


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("AhAd przeciw AhKd", "Ah is given twice"),
        ("AA przeciw KK, stół 9c 9c 8d", "9c is given twice"),
        ("asy przeciw bananom", '"bananom" isn\'t a card'),
        ("AhKd versus bananas", '"bananas" isn\'t a card'),
    ],
)
def test_a_refusal_in_english_blames_no_polish_word(text: str, wrong: str) -> None:
    with pytest.raises(TextError, match=wrong):
        parse_typed_question(text)


@pytest.mark.parametrize(("text", "question"), QUESTIONS)
def test_english_words_are_parsed_the_same_while_polish_is_current(
    text: str, question: str
) -> None:
    with speaking("pl"):
        assert outcome(lambda: parse_typed_question(text)) == question
