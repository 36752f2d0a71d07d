"""The bot's languages: found in folders, current within a block, and safe from broken texts."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from babel import Locale
from discord import ui

from bot.boards.board import Address
from bot.discord.errors import misread
from bot.discord.forms import cut_form
from bot.language import catalogues
from bot.language.catalogues import (
    KEYS,
    by_locale,
    figure,
    language,
    speak,
    speaking,
    spoken,
    tr,
    trc,
    trn,
)
from bot.language.wordings import bid_text, parse_typed_bid
from bot.language.words import (
    cards_text,
    join_words,
    kind_label,
    lacking_text,
    percent,
    rough_percent,
)
from bot.tables.model import Player
from bot.tables.preferences import LANGUAGE as OWN
from bot.tables.preferences import SEEN, language_of
from bot.tables.table_options import LANGUAGE, duration, value_text
from engine.bids import Kind, Need, cards_of_rank, cards_of_suit
from engine.cards import Cards, Rank, Suit
from engine.errors import TextError
from engine.variants import ruleset
from engine.wording import BidTextError
from tests.third_game import VARIANT as THIRD

POLISH_BIDS = (catalogues.LOCALES / "pl" / "bids.toml").read_text("utf-8")


def test_the_default_language_is_english() -> None:
    assert spoken().key == "en"
    assert tr("My seat") == "My seat"
    assert trn("{number} card", "{number} cards", 2) == "2 cards"


def test_a_language_applies_to_one_block_and_one_task() -> None:
    with speaking("pl"):
        assert tr("My seat") == "Moje miejsce"
        with speaking("en"):
            assert tr("My seat") == "My seat"
        assert spoken().key == "pl"
    assert spoken().key == "en"
    apart = contextvars.copy_context()
    apart.run(speak, "pl")
    assert apart.run(tr, "Leave") == "Odejdź"
    assert tr("Leave") == "Leave"


async def test_a_task_starts_in_the_language_of_its_creator() -> None:
    async def heard() -> str:
        await asyncio.sleep(0)
        return tr("Leave")

    with speaking("pl"):
        task = asyncio.create_task(heard())
    assert await task == "Odejdź"


@pytest.mark.parametrize(
    ("locale", "key"),
    [("pl", "pl"), ("en-US", "en"), ("en-GB", "en"), ("de", "en"), ("", "en"), ("pl-PL", "pl")],
)
def test_the_language_of_a_discord_locale(locale: str, key: str) -> None:
    assert by_locale(locale).key == key


@pytest.mark.parametrize(
    ("number", "words"),
    [
        *((1, "1 karta"), (2, "2 karty"), (4, "4 karty"), (5, "5 kart"), (12, "12 kart")),
        *((0, "0 kart"), (22, "22 karty"), (25, "25 kart"), (112, "112 kart")),
    ],
)
def test_polish_counts_in_three_forms(number: int, words: str) -> None:
    with speaking("pl"):
        assert trn("{number} card", "{number} cards", number) == words


def test_numbers_have_the_signs_of_the_language() -> None:
    assert figure(1_712_304, ",") == "1,712,304"
    assert percent(0.655) == "65.5%"
    with speaking("pl"):
        assert figure(1_712_304, ",") == "1\u00a0712\u00a0304"
        assert figure(1234.5, ",.2f") == "1\u00a0234,50"
        assert [percent(share) for share in (0.655, 0.0024, 0.99999, 0, 1)] == [
            *("65,5%", "0,24%", ">99,9%", "0%", "100%")
        ]
        assert percent(-0.03373, 3) == "-3,373%"
        assert rough_percent(0.219) == "22%"


def test_lengths_of_time_are_counted_too() -> None:
    with speaking("pl"):
        durations = [duration(seconds) for seconds in (1, 90, 300, 3600, 5 * 3600, 86_400, 172_800)]
    assert durations == [
        "1 sekunda",
        "90 sekund",
        "5 minut",
        "1 godzina",
        "5 godzin",
        "1 dzień",
        "2 dni",
    ]


def test_small_words_of_cards_in_polish() -> None:
    naturals = cards_of_suit(Suit.CLUBS)
    lacking = (
        Need(cards_of_rank(Rank.TEN), 1),
        Need(cards_of_rank(Rank.ACE), 2),
        Need(naturals, 2),
        Need(Cards(), 1),
    )
    with speaking("pl"):
        assert lacking_text(lacking) == "dziesiątki, dwóch asów, jeszcze dwóch trefli i jokera"
        assert join_words("abc", "or") == "a, b lub c"
        assert cards_text(Cards()) == "brak kart"
        assert kind_label(Kind.FOUR) == "Kareta"
        assert trc("term", "Challenge") == "Sprawdzam"


def test_bids_are_shown_in_the_current_language_and_parsed_in_every_one() -> None:
    rules = ruleset("liars_poker")
    bid = rules.ladder.bid("pair:3")
    assert bid_text(rules, bid) == "pair of threes"
    assert parse_typed_bid(rules, "para trójek") == bid
    with speaking("pl"):
        assert bid_text(rules, bid) == "para trójek"
        assert parse_typed_bid(rules, "pair of threes") == bid


def test_a_game_without_words_in_a_language_is_worded_in_english() -> None:
    rules = THIRD.ruleset()
    with speaking("pl"):
        assert bid_text(rules, next(iter(rules.ladder))) == "a jack"
        assert parse_typed_bid(rules, "three kings").key == "three:K"


def test_a_person_reads_their_chosen_language_or_that_of_their_discord() -> None:
    assert language_of(Player(1)) == "en"
    assert language_of(Player(1, choices={SEEN: "pl"})) == "pl"
    assert language_of(Player(1, choices={SEEN: "pl", OWN.key: "en"})) == "en"
    assert language_of(Player(1, choices={SEEN: "xx", OWN.key: "yy"})) == "en"


def test_languages_are_offered_by_their_own_names() -> None:
    for option in (LANGUAGE, OWN):
        assert [choice.label for choice in option.choices[1:]] == ["English", "polski"]
    with speaking("pl"):
        assert value_text(LANGUAGE, "en") == "English"


# -- another language is one folder ----------------------------------------------------------------

HEAD = """msgid ""
msgstr ""
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"
"Content-Type: text/plain; charset=utf-8\\n"

"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Leave only English and German in the folder of languages, and no German texts yet."""
    path = tmp_path / "de" / "LC_MESSAGES"
    path.mkdir(parents=True)
    (tmp_path / "de" / "bids.toml").write_text(POLISH_BIDS.replace("polski", "Deutsch"), "utf-8")
    monkeypatch.setattr(catalogues, "LOCALES", tmp_path)
    monkeypatch.setattr(catalogues, "KEYS", ("en", "de"))
    for cached in (catalogues.language, catalogues._bids_document, catalogues.by_locale):
        cached.cache_clear()
    yield tmp_path
    for cached in (catalogues.language, catalogues._bids_document, catalogues.by_locale):
        cached.cache_clear()


def catalogue(folder: Path, *texts: tuple[str, str]) -> None:
    entries = "\n".join(f'msgid "{english}"\nmsgstr "{german}"\n' for english, german in texts)
    (folder / "de" / "LC_MESSAGES" / "bluffhouse.po").write_text(HEAD + entries, "utf-8")


def test_a_third_language_is_one_folder(folder: Path) -> None:
    catalogue(folder, ("My seat", "Mein Platz"))
    assert catalogues._languages() == ("en", "de")
    assert by_locale("de").name == "Deutsch"
    with speaking("de"):
        assert tr("My seat") == "Mein Platz"
        assert tr("Leave") == "Leave"  # what is not translated is said in English
        assert figure(1234.5, ",.1f") == "1.234,5"


def test_a_text_with_other_fields_is_left_in_english(folder: Path) -> None:
    catalogue(
        folder,
        ("{who} is out.", "{wer} ist raus."),
        ("by {who}", "von {who"),
        ("Take {name} away", "{name} wegnehmen"),
    )
    with speaking("de"):
        assert tr("{who} is out.", who="Ann") == "Ann is out."
        assert tr("by {who}", who="Ann") == "by Ann"
        assert tr("Take {name} away", name="Ann") == "Ann wegnehmen"


@pytest.mark.parametrize(
    ("file", "text", "reason"),
    [
        ("bids.toml", 'name = "Deutsch"\n', r"ranks\.2 lacks its forms one and several"),
        ("bids.toml", "name = Deutsch\n", "no TOML"),
        ("LC_MESSAGES/bluffhouse.po", "msgid Leave\n", "bluffhouse.po of de"),
    ],
)
def test_a_folder_that_cannot_be_read_is_left_out_and_says_why(
    folder: Path, file: str, text: str, reason: str
) -> None:
    (folder / "de" / file).write_text(text, "utf-8")
    with pytest.raises(TextError, match=reason):
        catalogues.read_language("de")
    assert language("de").key == "en"
    with speaking("de"):
        assert tr("Leave") == "Leave"


def test_a_language_without_texts_yet_has_its_words_of_bids(folder: Path) -> None:
    rules = ruleset("thai_poker")
    with speaking("de"):
        assert bid_text(rules, rules.ladder.bid("four:A")) == "kareta asów"
        assert tr("Leave") == "Leave"


@pytest.mark.parametrize("key", KEYS)
def test_the_form_that_cuts_shows_the_whole_seal_in_every_language(key: str) -> None:
    seal = "0123456789abcdef" * 4
    with speaking(key):
        form = cut_form(Address(1, 1, 1), seal)
    (label,) = form.children
    assert isinstance(label, ui.Label)
    assert label.description is not None
    assert seal in label.description.replace(" ", "")


def test_a_language_with_room_before_the_sign_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    german = Locale.parse("de").percent_formats[None]
    mixed = replace(language("en"), percent=(german.prefix[0], german.suffix[0]), decimal=",")
    monkeypatch.setattr(catalogues, "language", lambda _: mixed)
    with speaking("de"):
        assert percent(0.219) == "21,9\u00a0%"


def test_a_suggested_bid_has_the_quotation_marks_of_the_language() -> None:
    rules = ruleset("liars_poker")
    with pytest.raises(BidTextError) as misread_text:
        parse_typed_bid(rules, "six sevens")
    with speaking("pl"):
        said_of_it = misread(misread_text.value, rules, (rules.ladder.bid("pair:Q"),))
    assert said_of_it == "„six sevens” to nie jest tutaj odzywka. Czy chodziło o „para dam”?"
