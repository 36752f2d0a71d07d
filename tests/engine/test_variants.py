"""The two games' figures, as the rules print them."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.variants import ruleset


def counts(rules):
    return dict(Counter(bid.kind.value for bid in rules.ladder))


def test_liars_poker_has_385_bids_on_328_rungs_with_jokers():
    rules = ruleset("liars_poker")
    assert (len(rules.ladder), rules.ladder.top, rules.deck.size) == (385, 328, 54)
    assert counts(rules) == {
        "high_card": 13,
        "pair": 13,
        "two_pair": 78,
        "three": 13,
        "flush": 36,
        "straight": 10,
        "full_house": 156,
        "four": 13,
        "straight_flush": 40,
        "five": 13,
    }


def test_liars_poker_has_372_bids_on_315_rungs_without_jokers():
    rules = ruleset("liars_poker", {"jokers": 0})
    assert (len(rules.ladder), rules.ladder.top, rules.deck.size) == (372, 315, 52)
    assert "five" not in counts(rules)


def test_thai_poker_has_68_bids_each_on_a_rung_of_its_own():
    rules = ruleset("thai_poker")
    assert (len(rules.ladder), rules.ladder.top, rules.deck.size) == (68, 68, 24)
    assert counts(rules) == {
        "high_card": 6,
        "pair": 6,
        "straight": 2,
        "three": 6,
        "full_house": 30,
        "flush": 4,
        "four": 6,
        "straight_flush": 4,
        "royal_flush": 4,
    }


def test_the_highest_flush_rule_changes_what_bids_need_but_not_which_there_are():
    usual, highest = ruleset("liars_poker"), ruleset("liars_poker", {"flush_card": "highest"})
    assert [b.key for b in usual.ladder] == [b.key for b in highest.ladder]
    assert usual.ladder.bid("flush:8c") != highest.ladder.bid("flush:8c")


@pytest.mark.parametrize("jokers", [2, 0])
def test_ten_play_liars_poker_without_a_middle_hand_and_nine_with_it(jokers):
    assert ruleset("liars_poker", {"jokers": jokers}).most_players == 10
    assert ruleset("liars_poker", {"jokers": jokers, "middle_hand": True}).most_players == 9


def test_liars_poker_starts_with_two_cards_and_six_are_too_many():
    rules = ruleset("liars_poker")
    assert set(rules.starting_cards[2:]) == {2}
    assert {rules.card_limit(live, 10) for live in range(2, 11)} == {5}


def test_thai_poker_starts_with_fewer_cards_the_more_players_there_are():
    rules = ruleset("thai_poker")
    assert rules.most_players == 10
    assert rules.starting_cards[2:] == (3, 2, 2, 1, 1, 1, 1, 1, 1)


def test_thai_pokers_card_limit_is_23_cards_shared_out_and_six_at_most():
    rules = ruleset("thai_poker")
    assert [rules.card_limit(live, 10) for live in range(2, 11)] == [6, 6, 5, 4, 3, 3, 2, 2, 2]


def test_the_last_two_may_be_allowed_seven_cards():
    rules = ruleset("thai_poker", {"two_player_limit": 7})
    assert rules.card_limit(2, 5) == 7
    assert rules.card_limit(3, 5) == 6


def test_the_card_limit_may_count_those_who_started():
    rules = ruleset("thai_poker", {"limit_counts": "starting", "two_player_limit": 7})
    assert rules.card_limit(2, 5) == 4
    assert rules.card_limit(2, 2) == 7
