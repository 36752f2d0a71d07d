"""The estimate of a bid's chance: exact if possible, else better than from one's cards alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from engine import variants
from engine.actions import MakeBid
from engine.cards import Cards
from engine.odds import bid_chance
from engine.play import start
from engine.players.estimate import INPUTS, design, estimate, estimates, weights_of
from engine.players.kernels.estimating import CHANCES, FACTS
from engine.players.memory import Memory
from engine.variants import ruleset
from tests.dealing import play, stacked_deal
from tests.engine.players.reading.tables import bid as bid_of
from tests.engine.players.reading.tables import observe_seat
from tests.engine.rounds import with_cards
from tests.third_game import VARIANT

THAI, LIARS = ruleset("thai_poker"), ruleset("liars_poker")


def position(*bids, rules=THAI, hands=("Kc 9d", "Ad Jc", "Qd Th"), seat=None):
    """Return the position of the seat in turn after `bids`, made in turn from seat 0 on."""
    match = start(rules, range(len(hands)), 0)
    match = with_cards(match, *(len(hand.split()) for hand in hands))
    match = play(match, stacked_deal(match, dict(enumerate(hands))))
    match = play(match, *(MakeBid(number % len(hands), key) for number, key in enumerate(bids)))
    return observe_seat(match, match.round.turn, Memory("careful", 3))


def place(key, rules=THAI):
    return rules.ladder.place(bid_of(rules, key))


def test_what_ones_own_cards_decide_is_certain():
    assert estimate(position("high_card:A"), THAI) == 1  # an ace in hand
    unlikely = position("high_card:Q", hands=("Kc", "9d"))
    assert estimate(unlikely, THAI, place("three:A")) == 0


def test_before_the_first_bid_it_is_the_exact_chance():
    first = position()
    for key in ("pair:K", "straight:A"):
        exact = bid_chance(bid_of(THAI, key), THAI.deck, 6, first.cards)
        assert estimate(first, THAI, place(key)) == exact.probability


def test_without_a_bid_one_must_say_which_is_meant():
    with pytest.raises(ValueError, match="say which bid is meant, for example place=0"):
        estimate(position(), THAI)


def test_a_bid_that_was_made_is_likelier_than_ones_cards_say():
    sight = position("pair:A", hands=("Kc 9d", "9c Jc", "Qd Th"))
    exact = bid_chance(bid_of(THAI, "pair:A"), THAI.deck, 6, Cards.parse("9c Jc"))
    estimated = estimate(sight, THAI)
    assert exact.probability + 0.05 < estimated < 1
    assert estimated == estimate(sight, THAI)  # the same position, the same number


def test_the_hidden_cards_do_not_matter():
    sights = [
        position("pair:A", hands=(first, "9c Jc", last))
        for first, last in [("Ac Ad", "Kd Th"), ("Qc Qd", "Kc 9h")]
    ]
    assert estimate(sights[0], THAI) == estimate(sights[1], THAI)


@pytest.mark.long
@pytest.mark.parametrize(
    "options", [{"middle_hand": True}, {"jokers": 0}, {"challengers": "anyone"}], ids=str
)
def test_every_table_has_its_estimates(options):
    rules = ruleset("liars_poker", options)
    sight = position("pair:K", "three:3", rules=rules, hands=("Kc Kd", "2d 3d", "4c 5c"))
    chances = {key: estimate(sight, rules, place(key, rules)) for key in ("three:3", "three:9")}
    exact = bid_chance(bid_of(rules, "three:3"), rules.deck, sight.in_play, sight.cards)
    # one's own cards say the same of both; but somebody called threes, and nobody spoke of nines
    assert chances["three:3"] > 2 * chances["three:9"]
    assert chances["three:3"] > 2 * exact.probability
    # it wants five cards of others, and there are four without a middle hand
    full = estimate(sight, rules, place("full_house:K,A", rules))
    assert (full > 0) is bool(rules.middle_hand)


def test_ones_own_bid_says_nothing_new_and_the_same_of_another_does():
    sight = position("pair:A", "straight:A", "flush:s", hands=("Kc 9d", "9c Jc", "Qd Th"))
    own_bid = replace(sight, bids=sight.bids[:1])  # the seat to act made the only bid
    others_bid = replace(own_bid, bids=((1, own_bid.bids[0][1]),))
    exact = bid_chance(
        bid_of(THAI, "pair:A"), THAI.deck, own_bid.in_play, own_bid.cards
    ).probability
    assert exact < estimate(own_bid, THAI) < estimate(others_bid, THAI) < 1
    assert abs(estimate(own_bid, THAI) - exact) < 0.2 < estimate(others_bid, THAI) - exact


def test_one_may_ask_about_the_top_of_the_ladder():
    sight = position("pair:A", "straight:A", "flush:s", hands=("Kc 9d", "9c Jc", "Qd Th"))
    top = replace(sight, bids=((1, len(THAI.ladder) - 1),), hole=Cards.parse("As Ks Qs").bits)
    top = replace(top, dealt=(3, 3, 3))
    exact = bid_chance(THAI.ladder.at(len(THAI.ladder) - 1), THAI.deck, 9, top.cards)
    assert exact.probability < estimate(top, THAI) < 1
    assert estimate(replace(top, hole=Cards.parse("Ad Kd Qd").bits), THAI) < estimate(top, THAI)


def test_a_further_game_has_the_weights_of_the_fallback(monkeypatch):
    monkeypatch.setitem(variants.VARIANTS, VARIANT.key, VARIANT)
    rules = ruleset(VARIANT.key)
    match = start(rules, range(3), 0)
    match = play(match, stacked_deal(match, {0: "Jc", 1: "Qc", 2: "Kc"}), MakeBid(0, "high_card:A"))
    sight = observe_seat(match, 1, Memory("careful", 1))
    exact = bid_chance(bid_of(rules, "high_card:A"), rules.deck, 3, sight.cards)
    assert exact.probability + 0.1 < estimate(sight, rules) < 1
    assert (weights_of(VARIANT.key) == weights_of(LIARS.key)).all()
    assert (weights_of(THAI.key) != weights_of(LIARS.key)).any()


def test_the_weights_are_one_for_each_input_and_certain_chances_stay():
    for rules in (THAI, LIARS):
        assert weights_of(rules.key).shape == (INPUTS,)
    chances = np.full((3, CHANCES), 0.5)
    chances[:, 0] = 0, 0.5, 1
    facts = np.ones((3, FACTS))
    estimated = estimates(weights_of(THAI.key), chances, facts)
    assert (estimated[0], estimated[2]) == (0, 1)
    assert 0 < estimated[1] < 1
    # a chance of one half has log-odds of 0, so that facts alone are left
    assert design(chances, facts)[1] == pytest.approx(
        [1] * FACTS + [0] * (INPUTS - FACTS), abs=1e-9
    )
