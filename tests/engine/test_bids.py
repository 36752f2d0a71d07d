"""Bids: judged by one rule, compared with an oracle that searches for the actual cards."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.bids import (
    Bid,
    Kind,
    Need,
    cards_of_rank,
    cards_of_suit,
    holds,
    proof,
    shortfall,
    straight_ranks,
)
from engine.cards import Card, Cards, Rank, Suit
from engine.variants import ruleset
from tests import naive

LIARS = ruleset("liars_poker")
HIGHEST = ruleset("liars_poker", {"flush_card": "highest"})
BARE = ruleset("liars_poker", {"jokers": 0})
THAI = ruleset("thai_poker")
RULESETS = (LIARS, HIGHEST, BARE, THAI)


def judged(rules, key, pool):
    return holds(rules.ladder.bid(key), Cards.parse(pool))


@st.composite
def pools(draw):
    """A ruleset and a pool of its deck, often rich in one suit or a few ranks."""
    rules = draw(st.sampled_from(RULESETS))
    cards = draw(st.permutations(rules.deck.order))
    size = draw(st.integers(1, min(rules.deck.size, 30)))
    taste = draw(st.sampled_from(["any", "suit", "ranks"]))
    if taste == "suit":
        cards = sorted(cards, key=lambda card: card.number // 13 != 2)
    if taste == "ranks":
        cards = sorted(cards, key=lambda card: card.number % 13 % 4 != 0)
    return rules, Cards.of(cards[:size])


@pytest.mark.untraced
@given(pools())
@settings(max_examples=60)
def test_judging_agrees_with_an_oracle_that_searches_for_the_actual_cards(case):
    rules, pool = case
    texts = str(pool).split()
    flush_card = dict(rules.options).get("flush_card", "in_play")
    for bid in rules.ladder:
        assert holds(bid, pool) == naive.holds(bid.key, texts, flush_card), bid.key


@pytest.mark.untraced
@given(pools(), st.data())
@settings(max_examples=40)
def test_judging_agrees_with_trying_every_joker_as_every_card(case, data):
    rules, pool = case
    if pool.jokers == 2 and len(pool) > 3:
        pool = pool - Cards.of([Card.joker(1)])
    few = [bid for bid in rules.ladder if len(naive.hands_of(bid.key)) <= 100]
    flush_card = dict(rules.options).get("flush_card", "in_play")
    for bid in data.draw(st.lists(st.sampled_from(few), min_size=6, max_size=6)):
        expected = naive.holds_trying_every_joker(bid.key, str(pool).split(), flush_card)
        assert holds(bid, pool) == expected, bid.key


@pytest.mark.untraced
@given(pools())
@settings(max_examples=60)
def test_a_proof_shows_cards_of_the_pool_that_make_the_bid_or_exactly_what_lacks(case):
    rules, pool = case
    for bid in rules.ladder:
        shown = proof(bid, pool)
        assert shown.holds == holds(bid, pool)
        assert not shown.cards - pool
        assert shown.found.jokers == 0
        assert len(shown.jokers) == shown.jokers.jokers
        needed = sum(need.count for need in bid.needs)
        lacking = sum(need.count for need in shown.lacking)
        assert len(shown.cards) + lacking == needed
        assert lacking == max(0, shortfall(bid, pool) - pool.jokers)
        if shown.holds:  # and the shown cards alone are enough
            assert holds(bid, shown.cards)
        for need in shown.lacking:
            assert need.cards.isdisjoint(pool)


@pytest.mark.parametrize(
    ("key", "good", "bad"),
    [
        ("high_card:J", "Jc", "Qc Kd"),
        ("pair:3", "3c 3d 9h", "3c 9h"),
        ("two_pair:T,3", "Tc Td 3c 3h", "Tc Td 3c"),
        ("three:6", "6c 6d 6h", "6c 6d"),
        ("flush:8c", "8c 2c 3c 4c 5c", "8d 2c 3c 4c 5c"),
        ("straight:T", "6c 7d 8h 9s Tc", "6c 7d 8h 9s Jc"),
        ("straight:5", "Ac 2d 3h 4s 5c", "6c 2d 3h 4s 5c"),
        ("full_house:T,J", "Tc Td Th Jc Jd", "Tc Td Jh Jc Jd"),
        ("four:Q", "Qc Qd Qh Qs", "Qc Qd Qh"),
        ("straight_flush:Qh", "8h 9h Th Jh Qh", "8h 9h Th Jh Qd"),
        ("straight_flush:As", "Ts Js Qs Ks As", "9s Ts Js Qs Ks"),
        ("five:7", "7c 7d 7h 7s *", "7c 7d 7h 7s 8c"),
    ],
)
def test_each_kind_of_liars_poker_holds_with_its_cards_and_not_with_one_missing(key, good, bad):
    assert judged(LIARS, key, good)
    assert not judged(LIARS, key, bad)
    assert judged(LIARS, key, f"{bad} *")


@pytest.mark.parametrize(
    ("key", "good", "bad"),
    [
        ("high_card:9", "9c", "Tc"),
        ("straight:K", "9c Td Jh Qs Kc", "Td Jh Qs Kc Ac"),
        ("straight:A", "Td Jh Qs Kc Ac", "9c Td Jh Qs Kc"),
        ("flush:c", "9c Tc Jc Qc Ac", "9c Tc Jc Qc"),
        ("full_house:A,9", "Ac Ad Ah 9c 9d", "Ac Ad 9h 9c 9d"),
        ("royal_flush:s", "Ts Js Qs Ks As", "9s Ts Js Qs Ks"),
    ],
)
def test_each_kind_of_thai_poker_holds_with_its_cards_and_not_with_one_missing(key, good, bad):
    assert judged(THAI, key, good)
    assert not judged(THAI, key, bad)


def test_a_full_house_is_the_triplet_and_the_pair_not_the_other_way_round():
    assert judged(LIARS, "full_house:K,Q", "Kc Kd Kh Qc Qd")
    assert not judged(LIARS, "full_house:Q,K", "Kc Kd Kh Qc Qd")


def test_two_jokers_alone_hold_any_pair_and_any_high_card_but_no_three():
    for rank in "23456789TJQKA":
        assert judged(LIARS, f"high_card:{rank}", "**")
        assert judged(LIARS, f"pair:{rank}", "**")
        assert not judged(LIARS, f"three:{rank}", "**")


def test_a_called_flush_holds_even_if_higher_cards_of_the_suit_are_there():
    assert judged(LIARS, "flush:8c", "8c Ac Kc Qc Jc")


def test_a_flush_may_have_to_be_the_highest_if_the_house_says_so():
    assert not judged(HIGHEST, "flush:8c", "8c Ac Kc Qc Jc")
    assert judged(HIGHEST, "flush:8c", "8c 7c 4c 3c 2c Ac")
    assert judged(HIGHEST, "flush:8c", "8c 7c 4c 3c Ac *")


def test_a_joker_may_stand_for_the_named_card_of_a_flush():
    assert judged(LIARS, "flush:8c", "* Ac Kc Qc Jc")
    assert not judged(LIARS, "flush:8c", "Tc Ac Kc Qc Jc")


def test_a_straight_flush_of_thai_poker_is_good_with_either_straight_of_the_suit():
    assert judged(THAI, "straight_flush:h", "9h Th Jh Qh Kh")
    assert judged(THAI, "straight_flush:h", "Ah Th Jh Qh Kh")
    assert not judged(THAI, "straight_flush:h", "9h Th Jh Qh Ah")


def test_an_ace_is_low_only_in_the_straight_to_the_five():
    assert straight_ranks(Rank.FIVE)[0] is Rank.ACE
    assert straight_ranks(Rank.SIX)[0] is Rank.TWO
    with pytest.raises(ValueError, match="no straight ends at the 4"):
        straight_ranks(Rank.FOUR)


def test_a_bid_whose_classes_overlap_cannot_be_made():
    twice = (Need(cards_of_rank(Rank.ACE), 1), Need(cards_of_suit(Suit.CLUBS), 1))
    with pytest.raises(ValueError, match="overlap"):
        Bid(Kind.FLUSH, (Rank.ACE,), Suit.CLUBS, twice)


@pytest.mark.parametrize(
    "key", ["high_card:J", "two_pair:T,3", "flush:8c", "straight_flush:Qh", "five:7"]
)
def test_a_bid_reads_as_its_key(key):
    assert str(LIARS.ladder.bid(key)) == key


def test_a_proof_points_at_the_cards_just_below_the_named_one():
    shown = proof(LIARS.ladder.bid("flush:8c"), Cards.parse("8c Ac Kc 7c 4c 3c 2c"))
    assert str(shown.found) == "8c 7c 4c 3c 2c"
