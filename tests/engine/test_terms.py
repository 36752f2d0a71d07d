"""The words of a game, in every form that sentences need."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from engine.bids import Kind
from engine.errors import RulesetError
from engine.odds.bids.kinds import LACKING
from engine.terms import Terms
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
    assert list(forms(BIDS).values()) == ["Bid", "bid", "bids", "bidder", "Check", "checked"]
    assert (CALLS.verb, CALLS.doubt, CALLS.a_bid) == ("call", "challenge", "a call")
    assert (BIDS.verb, BIDS.doubt, BIDS.a_bid) == ("bid", "check", "a bid")
    assert replace(BIDS, noun="offer").a_bid == "an offer"


@pytest.mark.parametrize("game", VARIANTS.values(), ids=list(VARIANTS))
def test_no_text_of_a_game_speaks_of_bids_where_it_has_calls(game):
    terms = game.ruleset().terms
    others = {"call", "calls", "caller", "bid", "bids", "bidder"} - set(forms(terms).values())
    said = " ".join([game.summary, *(option.label for option in game.options)])
    said += " ".join(choice.label for option in game.options for choice in option.choices)
    assert others.isdisjoint(said.lower().split())


def test_an_irregular_past_tense_is_the_games_own():
    assert replace(CALLS, challenge="Deny", challenged="denied").challenged == "denied"
    assert replace(CALLS, challenge="Catch", challenged="caught").doubt == "catch"
    for verb, past in (
        ("Cut", "cut"),
        ("Hear", "heard"),
        ("See", "saw"),
        ("Stop", "stopped"),
        ("Fix", "fixed"),
    ):
        assert replace(CALLS, challenge=verb, challenged=past).challenged == past
    assert replace(CALLS, challenge="Call out", challenged="called out").doubt == "call out"
    assert replace(CALLS, noun="guess", plural="guesses", bidder="guesser").plural == "guesses"
    assert replace(CALLS, noun="veto", plural="vetoes", bidder="vetoer").plural == "vetoes"


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"challenge": "Deny", "challenged": "denyed"}, 'write challenged="denied"'),
        ({"challenge": "Deny", "challenged": "deny"}, 'write challenged="denied"'),
        ({"challenge": "Deny", "challenged": "denies"}, 'write challenged="denied"'),
        ({"challenge": "Doubt", "challenged": "doubts"}, 'write challenged="doubted"'),
        ({"challenge": "Stop", "challenged": "stoped"}, 'write challenged="stopped"'),
        ({"challenge": "Call out", "challenged": "calls out"}, 'write challenged="called out"'),
        ({"challenged": "calls"}, 'write challenged="challenged"'),
        ({"plural": "call"}, 'write plural="calls"'),
        ({"plural": "calles"}, 'write plural="calls"'),
        ({"noun": "box", "plural": "boxs"}, 'write plural="boxes"'),
        ({"bidder": "call"}, 'write bidder="caller"'),
        ({"challenged": "challengeed"}, 'write challenged="challenged"'),
        ({"plural": "replys"}, 'plural is "replys": write plural="replies"'),
        ({"bid": "call"}, 'bid is "call": write bid="Call"'),
        ({"challenge": "doubt it"}, 'challenge is "doubt it": write challenge="Doubt it"'),
        ({"noun": "Call"}, 'noun is "Call": write noun="call"'),
        ({"bidder": ""}, 'bidder is "", expected a word of letters, such as bidder="caller"'),
        ({"bidder": " caller"}, "expected a word of letters"),
        ({"challenged": "**doubted**"}, "expected a word of letters"),
        ({"bid": "Call\n"}, "expected a word of letters"),
    ],
)
def test_a_word_that_cannot_be_right_is_refused_with_what_to_write(changed, sentence):
    with pytest.raises(RulesetError) as caught:
        replace(CALLS, **changed)
    assert str(caught.value).startswith("terms: ")
    assert sentence in str(caught.value)


@pytest.mark.parametrize("plural", ["plays", "bids", "essays"])
def test_words_that_only_look_wrong_are_let_pass(plural):
    assert replace(CALLS, plural=plural, challenge="Betray", challenged="betrayed").plural == plural


def test_a_form_cannot_be_left_out():
    with pytest.raises(TypeError, match="bidder"):
        Terms(bid="Call", noun="call", plural="calls", challenge="Doubt", challenged="doubted")  # type: ignore[call-arg]


def test_each_kind_of_hand_has_an_example_phrase_and_a_way_of_counting():
    assert list(EXAMPLE_PHRASES) == list(Kind)
    assert set(LACKING) == set(Kind)


def test_kinds_of_hand_have_names_for_sentences():
    assert [kind.label for kind in Kind][:4] == ["high card", "pair", "two pair", "three of a kind"]
    assert [kind.with_article for kind in Kind] == [
        *("a high card", "a pair", "two pair", "three of a kind", "a flush", "a straight"),
        *("a full house", "four of a kind", "a straight flush", "a royal flush", "five of a kind"),
    ]
