"""What is offered for a typed text that is not played, and the bids that one may become."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.errors import TextError
from engine.ladder import Ladder
from engine.variants import ruleset
from engine.wording import BidTextError

LIARS = ruleset("liars_poker")
BARE = ruleset("liars_poker", {"jokers": 0})
THAI = ruleset("thai_poker")
STANDING = LIARS.ladder.bid("full_house:A,K")


def understood(rules, text):
    return rules.wording.parse(text).key


def refusal(rules, text):
    with pytest.raises(BidTextError) as caught:
        rules.wording.parse(text)
    return caught.value


@pytest.mark.parametrize("text", ["two pair", "qq jj", "two pair q j", "tens and jacks", "2pair"])
def test_a_kind_of_hand_that_the_game_lacks_is_named(text):
    error = refusal(THAI, text)
    assert str(error) == 'Thai Poker has no two pair. Example: "pair of nines" or "99"'
    assert error.suggestions == ()
    assert understood(THAI, "99") == understood(THAI, "pair of nines") == "pair:9"


def few_bids(*rungs):
    """Thai Poker with only these bids on its ladder."""
    return replace(THAI, ladder=Ladder(tuple((THAI.ladder.bid(key),) for key in rungs)))


@pytest.mark.parametrize(
    ("text", "lacks"),
    [
        ("pair of kings", "no pair"),
        ("kkk", "no three of a kind"),
        ("straight", "no straight"),
        ("heart flush", "no flush"),
        ("kings over queens", "no full house"),
        ("four of a kind", "no four of a kind"),
        ("sf hearts", "no straight flush"),
        ("royal flush", "no royal flush"),
        ("five kings", "no five of a kind without jokers"),
    ],
)
def test_every_kind_of_hand_may_be_the_one_a_game_lacks(text, lacks):
    rules = few_bids("high_card:9", "high_card:A")
    assert str(refusal(rules, text)) == f'Thai Poker has {lacks}. Example: "high card nine"'
    assert str(refusal(few_bids("pair:9"), "king high")).startswith("Thai Poker has no high card.")


def test_a_royal_flush_is_not_lacking_where_it_is_a_straight_flush_to_the_ace():
    assert "Did you mean" in str(refusal(LIARS, "royal flush"))
    assert "has no" not in str(refusal(LIARS, "royal flush"))


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("pair of therees", "pair:3"),
        ("qween high", "high_card:Q"),
        ("staight to the ace", "straight:A"),
        ("eight hgih club flush", "flush:8c"),
        ("tens ovr jacks", "full_house:T,J"),
        ("3", "high_card:3"),
        ("three", "high_card:3"),
        ("33 33", "pair:3"),
        ("tens and tens", "three:T"),
        ("33 over 222", "full_house:2,3"),
        ("royal flush", "straight_flush:Ac"),
        ("three sixs", "three:6"),
        ("royal flsh spades", "straight_flush:As"),
    ],
)
def test_a_typo_or_a_contradiction_is_asked_about_and_not_played(text, meant):
    error = refusal(LIARS, text)
    assert meant in [bid.key for bid in error.suggestions]
    assert f'Did you mean "{LIARS.wording.say(error.suggestions[0])}"' in str(error)
    assert 1 <= len(error.suggestions) <= 3


@pytest.mark.parametrize(
    ("rules", "text", "first"),
    [
        (LIARS, "two pair", "two_pair:3,2"),
        (LIARS, "two pairs kings", "two_pair:A,K"),
        (LIARS, "three of a kind", "three:K"),
        (LIARS, "pair of high", "pair:8"),
        (THAI, "full house", "full_house:9,T"),
        (THAI, "straight", "straight:A"),
    ],
)
def test_who_names_a_kind_of_hand_the_game_has_is_offered_bids_of_that_kind(rules, text, first):
    error = refusal(rules, text)
    assert error.suggestions[0].key == first
    assert {bid.kind for bid in error.suggestions} == {rules.ladder.bid(first).kind}


def test_a_refusal_names_what_was_typed_and_gives_an_example():
    error = refusal(LIARS, "xyzzy")
    assert str(error) == '"xyzzy" is not a call here. Example: "pair of twos" or "22"'
    assert isinstance(error, TextError)
    assert str(refusal(THAI, "")) == 'Expected a bid. Example: "pair of nines" or "99"'
    assert str(refusal(LIARS, "x" * 10_000)).startswith(f'"{"x" * 40}…" is not a call here')
    assert str(refusal(THAI, "xyzzy")).startswith('"xyzzy" is not a bid here. Example: ')
    assert str(refusal(LIARS, "")).startswith("Expected a call. Example: ")


def test_what_was_typed_is_completed_to_the_bids_it_may_become():
    wording, rungs = LIARS.wording, LIARS.ladder.rungs
    assert [bid.key for bid in wording.complete("pair of thr", rungs)][:1] == ["pair:3"]
    assert all("queen" in wording.say(bid) for bid in wording.complete("que", rungs))
    found = [bid.key for bid in wording.complete("four q", rungs)]
    assert found == ["two_pair:Q,4", "full_house:4,Q", "full_house:Q,4", "four:Q"]
    assert wording.complete("xyzzy", rungs) == []
    assert wording.complete("threes threes threes", rungs) == []


def test_an_empty_text_may_become_every_bid_that_is_offered():
    rungs = LIARS.ladder.above(LIARS.ladder.bid("five:Q"))
    assert [bid.key for bid in LIARS.wording.complete("", rungs)] == ["five:K", "five:A"]


def test_a_text_that_means_one_bid_puts_it_first():
    assert LIARS.wording.complete("33", LIARS.ladder.rungs)[0].key == "pair:3"
    found = LIARS.wording.complete("pair of threes", LIARS.ladder.rungs)
    assert found[0].key == "pair:3"
    assert len(found) == len(set(found))


def test_a_text_that_means_a_bid_which_is_not_offered_is_completed_to_those_that_are():
    above = LIARS.ladder.above(STANDING)
    for text in ("aa", "pair of aces", "pair:A", "33", "tens over jacks"):
        assert LIARS.wording.complete(text, above) == []
    assert [bid.key for bid in LIARS.wording.complete("aaaa", above)] == ["four:A"]
    found = LIARS.wording.complete("ace", above)
    assert found
    assert all(LIARS.ladder.number(bid) > LIARS.ladder.number(STANDING) for bid in found)


def test_a_bid_of_another_game_cannot_be_said_here():
    with pytest.raises(KeyError):
        LIARS.wording.say(THAI.ladder.bid("flush:c"))


def test_completing_looks_for_no_bid_that_may_be_meant_instead(monkeypatch):
    def looked(*_):
        raise AssertionError("costly, and nobody asked")

    monkeypatch.setattr(type(LIARS.wording), "_suggest", looked)
    for text in ("qqj", "pair of", "zzz", "fuul house", ""):
        LIARS.wording.complete(text, [tuple(LIARS.ladder)])
