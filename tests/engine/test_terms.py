"""A game's words for bids and challenges, in every form that sentences need."""

from __future__ import annotations

import re
from dataclasses import fields, replace

import pytest

from engine.bids import Kind
from engine.errors import RulesetError
from engine.odds.bids.kinds import LACKING
from engine.variants import VARIANTS, ruleset
from engine.wording import EXAMPLE_PHRASES

BIDS = ruleset("liars_poker").terms


def forms(terms):
    return {field.name: getattr(terms, field.name) for field in fields(terms)}


@pytest.mark.parametrize("key", ["liars_poker", "thai_poker"])
def test_both_games_say_bid_and_challenge_and_no_word_that_poker_takes_otherwise(key):
    game = VARIANTS[key]
    terms = game.ruleset().terms
    assert list(forms(terms).values()) == [
        *("Bid", "bid", "bids", "bidder"),
        *("Challenge", "challenged"),
    ]
    texts = [game.summary]
    for option in game.all_options:
        texts += [option.label, option.about, *(choice.label for choice in option.choices)]
    assert not re.search(r"\b(?:call|check)", " ".join(texts).lower())


def test_a_sentence_gets_each_form_of_a_word():
    assert (BIDS.verb, BIDS.doubt, BIDS.a_bid) == ("bid", "challenge", "a bid")
    assert replace(BIDS, noun="offer").a_bid == "an offer"


def test_an_irregular_past_tense_is_the_games_own():
    for verb, past in (
        *(("Deny", "denied"), ("Catch", "caught"), ("Cut", "cut"), ("Hear", "heard")),
        *(("See", "saw"), ("Stop", "stopped"), ("Fix", "fixed"), ("Betray", "betrayed")),
        ("Call out", "called out"),
    ):
        terms = replace(BIDS, challenge=verb, challenged=past)
        assert (terms.challenged, terms.doubt) == (past, verb.lower())
    for noun, plural, bidder in (("guess", "guesses", "guesser"), ("veto", "vetoes", "vetoer")):
        assert replace(BIDS, noun=noun, plural=plural, bidder=bidder).plural == plural
    for plural in ("plays", "calls", "essays"):  # which only look wrong
        assert replace(BIDS, plural=plural).plural == plural


WRONG = {
    'write challenged="denied"': [
        {"challenge": "Deny", "challenged": past} for past in ("denyed", "deny", "denies")
    ],
    'write challenged="doubted"': [{"challenge": "Doubt", "challenged": "doubts"}],
    'write challenged="stopped"': [{"challenge": "Stop", "challenged": "stoped"}],
    'write challenged="called out"': [{"challenge": "Call out", "challenged": "calls out"}],
    'write challenged="challenged"': [{"challenged": past} for past in ("bids", "challengeed")],
    'write plural="bids"': [{"plural": plural} for plural in ("bid", "bides")],
    'write plural="boxes"': [{"noun": "box", "plural": "boxs"}],
    'write bidder="bidder"': [{"bidder": "bid"}],
    'plural is "replys": write plural="replies"': [{"plural": "replys"}],
    'bid is "bid": write bid="Bid"': [{"bid": "bid"}],
    'challenge is "doubt it": write challenge="Doubt it"': [{"challenge": "doubt it"}],
    'noun is "Bid": write noun="bid"': [{"noun": "Bid"}],
    'bidder is "", expected a word of letters, such as bidder="claimer"': [{"bidder": ""}],
    "expected a word of letters": [
        *({"bidder": " bidder"}, {"challenged": "**doubted**"}, {"bid": "Bid\n"}),
    ],
}


@pytest.mark.parametrize("sentence", WRONG)
def test_a_word_that_cannot_be_right_is_refused_with_what_to_write(sentence):
    for changed in WRONG[sentence]:
        with pytest.raises(RulesetError) as caught:
            replace(BIDS, **changed)
        assert str(caught.value).startswith("terms: ")
        assert sentence in str(caught.value)


def test_each_kind_of_hand_has_an_example_phrase_a_way_of_counting_and_a_name():
    assert list(EXAMPLE_PHRASES) == list(Kind)
    assert set(LACKING) == set(Kind)
    assert [kind.with_article for kind in Kind] == [
        *("a high card", "a pair", "two pair", "three of a kind", "a flush", "a straight"),
        *("a full house", "four of a kind", "a straight flush", "a royal flush", "five of a kind"),
    ]
