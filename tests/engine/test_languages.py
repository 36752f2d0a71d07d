"""Test bids in another language: how they are written, and the short forms that players type."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from engine.bid_parser import normalise, read
from engine.bids import Kind
from engine.errors import RulesetError, TextError
from engine.lexicon import fold_accents
from engine.variants import VARIANTS, ruleset
from engine.vocabulary import ENGLISH, vocabulary_of
from engine.wording import BidTextError
from tests.third_game import VARIANT as THIRD

LOCALES = Path(__file__).parents[2] / "bot" / "locales"
TOLD = {
    path.parent.name: tomllib.loads(path.read_text("utf-8")) for path in LOCALES.glob("*/bids.toml")
}
VOCABULARIES = {key: vocabulary_of(key, tables) for key, tables in TOLD.items()}
POLISH = VOCABULARIES["pl"]
LIARS, THAI = ruleset("liars_poker"), ruleset("thai_poker")
EVERY_LADDER = [
    variant.ruleset({option.key: choice.value})
    for variant in VARIANTS.values()
    for option in variant.odds_options
    for choice in option.choices
] + [THAI]


def means(rules, text):
    return rules.wording_in(POLISH).parse(text, [rules.wording]).key


def refusal(rules, text, others=()):
    with pytest.raises(BidTextError) as caught:
        rules.wording_in(POLISH).parse(text, others)
    return caught.value


@pytest.mark.thorough
@pytest.mark.parametrize("key", VOCABULARIES)
@pytest.mark.parametrize(
    "rules", EVERY_LADDER, ids=lambda rules: f"{rules.key}-{len(rules.ladder.rungs)}"
)
def test_every_bid_is_understood_as_it_is_said_in_every_language(rules, key):
    words, lexicon = rules.wording_in(VOCABULARIES[key]), VOCABULARIES[key].lexicon
    tops = [bid.ranks[0] for bid in rules.ladder if bid.kind is Kind.STRAIGHT]
    assert len({words.say(bid) for bid in rules.ladder}) == len({bid.key for bid in rules.ladder})
    for bid in rules.ladder:
        spoken = words.say(bid)
        for text in (spoken, spoken.upper(), f" {spoken}. ", fold_accents(spoken), bid.key):
            assert words.parse(text) == bid
        # what is said of one bid is the short form of no other
        reading = read(normalise(spoken, lexicon), lexicon)
        assert reading.key(set(rules.ladder.kinds), tops) == bid.key
        # and each language understands the other at the same table
        assert words.parse(rules.wording.say(bid), [rules.wording]) == bid
        assert rules.wording.parse(spoken, [words]) == bid


SAID = {
    "high_card:J": "wysoka karta walet",
    "pair:3": "para trójek",
    "two_pair:Q,3": "dwie pary: damy i trójki",
    "three:K": "trójka króli",
    "flush:Ts": "kolor pik z dziesiątką",
    "straight:A": "strit do asa",
    "full_house:A,Q": "full asy na damach",
    "four:A": "kareta asów",
    "straight_flush:Qh": "poker kier do damy",
    "straight_flush:As": "poker królewski pik",
    "five:7": "pięć siódemek",
}
SAID_IN_THAI_POKER = {
    "high_card:A": "wysoka karta as",
    "straight:K": "mały strit",
    "straight:A": "duży strit",
    "flush:c": "kolor trefl",
    "straight_flush:d": "poker karo",
    "royal_flush:s": "poker królewski pik",
}


@pytest.mark.parametrize(("rules", "sentences"), [(LIARS, SAID), (THAI, SAID_IN_THAI_POKER)])
def test_bids_are_said_as_polish_players_say_them(rules, sentences):
    words = rules.wording_in(POLISH)
    assert {key: words.say(rules.ladder.bid(key)) for key in sentences} == sentences


# by what they mean, parted by |; the last ones are English, at a Polish table
LIARS_FORMS = {
    "pair:3": "33 | para 3 | para trojek | parę trójek | dwie trójki | pair of threes",
    "pair:Q": "dd | para d | para królowych | dwie krolowe",
    "pair:J": "w w",
    "pair:K": "para króli | para królów | jedna para króli",
    "high_card:Q": "dama | królowa | jedna dama | jedna królowa",
    "high_card:J": "jeden walet",
    "high_card:A": "as wysoki | 1 as",
    "high_card:K": "wysoka karta król",
    "two_pair:K,Q": "dd kk",
    "two_pair:Q,3": "damy i trójki | para dam, para trójek",
    "two_pair:A,Q": "dwie pary dam i asów",
    "three:Q": "trzy damy | 3 damy",
    "three:A": "trójka asów | aaa",
    "full_house:A,Q": "full asy na damach | ful asów na damach | full: trzy asy i dwie damy",
    "full_house:A,9": "asy na dziewiątkach",
    "full_house:A,K": "aaakk | full asów z królami | fulhaus: asy i króle",
    "full_house:K,Q": "full królów z królowymi | full haus króle na królowych",
    "full_house:Q,K": "full d na k",
    "four:T": "kareta dych | cztery dychy",
    "flush:As": "kolor w pikach z asem",
    "flush:Ts": "kolor pik do dychy",
    "flush:8c": "8 trefl kolor | 8c flush",
    "straight:Q": "strit do damy",
    "straight:K": "strit od dziewiątki do króla | strit 9 do K",
    "straight_flush:Qs": "poker pik do damy",
    "straight_flush:Ah": "poker królewski kier",
    "five:7": "piątka siódemek",
    "full_house:Q,T": "queens full of tens",
}
THAI_FORMS = {
    "straight:K": "mały strit | maly strit",
    "straight:A": "duży strit",
    "flush:s": "kolor pik",
    "straight_flush:d": "poker karo",
    "royal_flush:s": "królewski pik",
    "four:A": "kareta asów",
}


@pytest.mark.parametrize(
    ("rules", "text", "key"),
    [
        (rules, text, key)
        for rules, forms in ((LIARS, LIARS_FORMS), (THAI, THAI_FORMS))
        for key, texts in forms.items()
        for text in texts.split(" | ")
    ],
)
def test_short_forms_that_polish_players_type_are_understood(rules, text, key):
    assert means(rules, text) == key


@pytest.mark.parametrize(
    "text",
    [
        *("kareta", "para", "trójka", "trzy", "damy", "strit", "full", "kolor pik", "poker k"),
        *(
            "mały full",
            "para trójek pik",
            "full asy",
            "para asów i kolor",
            "strit do trójki i damy",
        ),
        *("trzy i damy", "dwa z asów", "strit od 9", "kolor pik od asa", "trzy dama", "jedna damy"),
        *("poker k k", "kolor pik kier", "as as dama", "dwie", "mała para dam", "asy na"),
    ],
)
def test_what_is_unclear_is_not_played(text):
    assert refusal(LIARS, text, [LIARS.wording]).text == text


def test_a_word_is_taken_for_no_other_hand_of_another_language():
    polish = LIARS.wording_in(POLISH)
    # "poker" is a straight flush to a Pole and four of a kind to some others
    assert LIARS.wording.parse("poker k").key == "four:K"
    meant = refusal(LIARS, "poker k", [LIARS.wording]).suggestions
    assert {bid.kind for bid in meant} == {Kind.STRAIGHT_FLUSH}
    # queens to a Pole, a slip of the finger to everybody else
    with pytest.raises(BidTextError):
        LIARS.wording.parse("dd", [polish])
    assert LIARS.wording.parse("para d", [polish]).key == "pair:Q"
    with pytest.raises(BidTextError, match="does not say which four of a kind") as caught:
        LIARS.wording.parse("kareta", [polish])
    assert {bid.kind for bid in caught.value.meant} == {Kind.FOUR}


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("damy", "pair:Q three:Q four:Q five:Q"),
        ("królowe", "pair:Q three:Q four:Q five:Q"),
        ("trzy dama", "three:Q"),
        ("5 asów pls", "five:A"),
        ("para krolli prosze", "pair:K"),
        ("kareta uśemek", "four:8"),
        ("strit od 9", "straight:9 straight:K"),
        ("strit od asa", "straight:5 straight:A"),
        ("pair of therees", "pair:3"),  # in English, at a Polish table
    ],
)
def test_what_is_offered_is_all_that_a_polish_text_leaves_open(text, keys):
    meant = refusal(LIARS, text, [LIARS.wording]).meant
    assert " ".join(bid.key for bid in meant) == keys


@pytest.mark.parametrize(
    "text", ["sprawdzam", "sprawdź!", "nie wierzę", "Nie wierze ci", "sprawdzm", "blef", "i call"]
)
def test_who_says_that_they_check_is_understood_in_either_language(text):
    assert refusal(LIARS, text, [LIARS.wording]).doubts
    with pytest.raises(BidTextError) as caught:
        LIARS.wording.parse(text, [LIARS.wording_in(POLISH)])
    assert caught.value.doubts


def test_a_hand_that_the_game_lacks_is_a_fact_of_the_refusal():
    error = refusal(THAI, "dwie pary dam i asów")
    assert (error.lacks, error.suggestions, error.shown) == (Kind.TWO_PAIR, (), "")
    assert refusal(THAI, "bzdura").shown == "bzdura"


def test_typed_words_are_completed_without_their_accents_and_in_either_language():
    words, rungs = LIARS.wording_in(POLISH), LIARS.ladder.rungs
    assert words.say(words.complete("para troj", rungs)[0]) == "para trójek"
    assert words.complete("trójka kr", rungs)[0].key == "three:K"
    assert words.complete("three kings", rungs) == []
    assert words.complete("three kings", rungs, [LIARS.wording])[0].key == "three:K"


def test_the_wording_of_a_language_is_made_once():
    assert LIARS.wording_in(POLISH) is LIARS.wording_in(POLISH)
    assert LIARS.wording_in(ENGLISH) is LIARS.wording


def test_a_game_whose_phrases_a_language_lacks_says_which():
    with pytest.raises(RulesetError, match=r'pl has no words for the phrase "a \{rank\}"'):
        THIRD.ruleset().wording_in(POLISH)


def with_tables(**tables):
    return TOLD["pl"] | tables


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (with_tables(ranks={}), r"ranks\.2 lacks its forms one and several"),
        (with_tables(ranks="none"), r"ranks\.2 lacks its forms"),
        (with_tables(suits={"c": {"one": "trefl"}}), r"suits\.c lacks its forms"),
        (
            with_tables(suits={"c": {"one": "a", "several": "b", "plural": "c"}}),
            r"suits\.c has a form plural",
        ),
        (with_tables(kinds={"pair": "para"}), "pl: kinds lacks high_card"),
        (
            with_tables(understood={"patterns": {"twopair": "dwie pary"}}),
            r"pl: understood\.patterns has no twopair",
        ),
    ],
)
def test_a_language_that_is_not_whole_is_told_what_it_lacks(words, reason):
    with pytest.raises(TextError, match=reason) as caught:
        vocabulary_of("pl", words)
    assert "Example: " in str(caught.value)
