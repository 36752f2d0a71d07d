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


def holds_in(rules, key, pool):
    return holds(rules.ladder.bid(key), Cards.parse(pool))


@st.composite
def pools(draw):
    """Draw a ruleset and a pool of its deck, often rich in one suit or a few ranks."""
    rules = draw(st.sampled_from(RULESETS))
    cards = draw(st.permutations(rules.deck.order))
    size = draw(st.integers(1, min(rules.deck.size, 30)))
    taste = draw(st.sampled_from(["any", "suit", "ranks"]))
    if taste == "suit":
        cards = sorted(cards, key=lambda card: card.number // 13 != 2)
    if taste == "ranks":
        cards = sorted(cards, key=lambda card: card.number % 13 % 4 != 0)
    return rules, Cards.of(cards[:size])


@pytest.mark.thorough
@given(pools())
@settings(max_examples=60)
def test_judging_agrees_with_an_oracle_that_searches_for_the_actual_cards(case):
    rules, pool = case
    texts = str(pool).split()
    flush_card = dict(rules.options).get("flush_card", "in_play")
    for bid in rules.ladder:
        assert holds(bid, pool) == naive.holds(bid.key, texts, flush_card), bid.key


@pytest.mark.thorough
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


@pytest.mark.thorough
@given(pools())
@settings(max_examples=60)
def test_a_proof_shows_cards_of_the_pool_that_make_the_bid_or_exactly_what_lacks(case):
    rules, pool = case
    for bid in rules.ladder:
        evidence = proof(bid, pool)
        assert evidence.holds == holds(bid, pool)
        assert not evidence.cards - pool
        assert evidence.found.jokers == 0
        assert len(evidence.jokers) == evidence.jokers.jokers
        needed = sum(need.count for need in bid.needs)
        lacking = sum(need.count for need in evidence.lacking)
        assert len(evidence.cards) + lacking == needed
        assert lacking == max(0, shortfall(bid, pool) - pool.jokers)
        if evidence.holds:  # and the shown cards alone are enough
            assert holds(bid, evidence.cards)
        for need in evidence.lacking:
            assert need.cards.isdisjoint(pool)


@pytest.mark.parametrize(
    ("rules", "key", "good", "bad"),
    [
        (LIARS, "high_card:J", "Jc", "Qc Kd"),
        (LIARS, "pair:3", "3c 3d 9h", "3c 9h"),
        (LIARS, "two_pair:T,3", "Tc Td 3c 3h", "Tc Td 3c"),
        (LIARS, "three:6", "6c 6d 6h", "6c 6d"),
        (LIARS, "flush:8c", "8c Ac Kc Qc Jc", "8d Ac Kc Qc Jc"),
        (HIGHEST, "flush:8c", "8c 7c 4c 3c 2c Ac", "8c Ac 4c 3c 2c"),
        (LIARS, "straight:T", "6c 7d 8h 9s Tc", "6c 7d 8h 9s Jc"),
        (LIARS, "straight:5", "Ac 2d 3h 4s 5c", "6c 2d 3h 4s 5c"),
        (LIARS, "full_house:T,J", "Tc Td Th Jc Jd", "Tc Td Jh Jc Jd"),
        (LIARS, "four:Q", "Qc Qd Qh Qs", "Qc Qd Qh"),
        (LIARS, "straight_flush:Qh", "8h 9h Th Jh Qh", "8h 9h Th Jh Qd"),
        (LIARS, "straight_flush:As", "Ts Js Qs Ks As", "9s Ts Js Qs Ks"),
        (LIARS, "five:7", "7c 7d 7h 7s *", "7c 7d 7h 7s 8c"),
        (THAI, "high_card:9", "9c", "Tc"),
        (THAI, "straight:K", "9c Td Jh Qs Kc", "Td Jh Qs Kc Ac"),
        (THAI, "flush:c", "9c Tc Jc Qc Ac", "9c Tc Jc Qc"),
        (THAI, "straight_flush:h", "9h Th Jh Qh Kh", "9h Th Jh Qh Ah"),
        (THAI, "straight_flush:h", "Ah Th Jh Qh Kh", "9h Th Jh Qh Ah"),
        (THAI, "royal_flush:s", "Ts Js Qs Ks As", "9s Ts Js Qs Ks"),
    ],
)
def test_each_kind_holds_with_its_cards_and_not_with_one_missing(rules, key, good, bad):
    assert str(rules.ladder.bid(key)) == key
    assert holds_in(rules, key, good)
    assert not holds_in(rules, key, bad)
    assert holds_in(rules, key, f"{bad} *")


def test_the_first_rank_is_the_one_that_a_bid_is_named_by():
    ladder = ruleset("liars_poker").ladder
    assert ladder.bid("two_pair:K,5").first_rank is Rank.KING
    assert ruleset("thai_poker").ladder.bid("royal_flush:h").first_rank is None


def test_an_ace_is_low_only_in_the_straight_to_the_five():
    assert straight_ranks(Rank.FIVE)[0] is Rank.ACE
    assert straight_ranks(Rank.SIX)[0] is Rank.TWO
    with pytest.raises(ValueError, match="no straight ends at the 4"):
        straight_ranks(Rank.FOUR)


def test_a_bid_whose_classes_overlap_cannot_be_made():
    twice = (Need(cards_of_rank(Rank.ACE), 1), Need(cards_of_suit(Suit.CLUBS), 1))
    with pytest.raises(ValueError, match="overlap"):
        Bid(Kind.FLUSH, (Rank.ACE,), Suit.CLUBS, twice)


def test_a_proof_points_at_the_cards_just_below_the_named_one():
    evidence = proof(LIARS.ladder.bid("flush:8c"), Cards.parse("8c Ac Kc 7c 4c 3c 2c"))
    assert str(evidence.found) == "8c 7c 4c 3c 2c"
