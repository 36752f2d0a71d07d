"""The words of a game, in every form that sentences need."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from engine.bids import Kind
from engine.errors import RulesetError
from engine.odds.bids.kinds import LACKING
from engine.variants import VARIANTS, ruleset
from engine.wording import EXAMPLE_PHRASES

CALLS = ruleset("liars_poker").terms
BIDS = ruleset("thai_poker").terms


def forms(terms):
    return {field.name: getattr(terms, field.name) for field in fields(terms)}


def test_each_game_has_its_own_words_for_bidding_and_doubting():
    assert list(forms(CALLS).values()) == [
        *("Call", "call", "calls", "caller"),
        *("Challenge", "challenged"),
    ]
    assert list(forms(BIDS).values()) == [
        *("Bid", "bid", "bids", "bidder"),
        *("Challenge", "challenged"),
    ]
    assert (CALLS.verb, CALLS.doubt, CALLS.a_bid) == ("call", "challenge", "a call")
    assert (BIDS.verb, BIDS.doubt, BIDS.a_bid) == ("bid", "challenge", "a bid")
    assert replace(BIDS, noun="offer").a_bid == "an offer"


@pytest.mark.parametrize("game", VARIANTS.values(), ids=list(VARIANTS))
def test_no_text_of_a_game_speaks_of_bids_where_it_has_calls(game):
    terms = game.ruleset().terms
    others = {"call", "calls", "caller", "bid", "bids", "bidder"} - set(forms(terms).values())
    texts = " ".join([game.summary, *(option.label for option in game.options)])
    texts += " ".join(choice.label for option in game.options for choice in option.choices)
    assert others.isdisjoint(texts.lower().split())


def test_an_irregular_past_tense_is_the_games_own():
    for verb, past in (
        *(("Deny", "denied"), ("Catch", "caught"), ("Cut", "cut"), ("Hear", "heard")),
        *(("See", "saw"), ("Stop", "stopped"), ("Fix", "fixed"), ("Betray", "betrayed")),
        ("Call out", "called out"),
    ):
        terms = replace(CALLS, challenge=verb, challenged=past)
        assert (terms.challenged, terms.doubt) == (past, verb.lower())
    for noun, plural, bidder in (("guess", "guesses", "guesser"), ("veto", "vetoes", "vetoer")):
        assert replace(CALLS, noun=noun, plural=plural, bidder=bidder).plural == plural
    for plural in ("plays", "bids", "essays"):  # which only look wrong
        assert replace(CALLS, plural=plural).plural == plural


WRONG = {
    'write challenged="denied"': [
        {"challenge": "Deny", "challenged": past} for past in ("denyed", "deny", "denies")
    ],
    'write challenged="doubted"': [{"challenge": "Doubt", "challenged": "doubts"}],
    'write challenged="stopped"': [{"challenge": "Stop", "challenged": "stoped"}],
    'write challenged="called out"': [{"challenge": "Call out", "challenged": "calls out"}],
    'write challenged="challenged"': [{"challenged": past} for past in ("calls", "challengeed")],
    'write plural="calls"': [{"plural": plural} for plural in ("call", "calles")],
    'write plural="boxes"': [{"noun": "box", "plural": "boxs"}],
    'write bidder="caller"': [{"bidder": "call"}],
    'plural is "replys": write plural="replies"': [{"plural": "replys"}],
    'bid is "call": write bid="Call"': [{"bid": "call"}],
    'challenge is "doubt it": write challenge="Doubt it"': [{"challenge": "doubt it"}],
    'noun is "Call": write noun="call"': [{"noun": "Call"}],
    'bidder is "", expected a word of letters, such as bidder="caller"': [{"bidder": ""}],
    "expected a word of letters": [
        *({"bidder": " caller"}, {"challenged": "**doubted**"}, {"bid": "Call\n"}),
    ],
}


@pytest.mark.parametrize("sentence", WRONG)
def test_a_word_that_cannot_be_right_is_refused_with_what_to_write(sentence):
    for changed in WRONG[sentence]:
        with pytest.raises(RulesetError) as caught:
            replace(CALLS, **changed)
        assert str(caught.value).startswith("terms: ")
        assert sentence in str(caught.value)


def test_each_kind_of_hand_has_an_example_phrase_a_way_of_counting_and_a_name():
    assert list(EXAMPLE_PHRASES) == list(Kind)
    assert set(LACKING) == set(Kind)
    assert [kind.with_article for kind in Kind] == [
        *("a high card", "a pair", "two pair", "three of a kind", "a flush", "a straight"),
        *("a full house", "four of a kind", "a straight flush", "a royal flush", "five of a kind"),
    ]
