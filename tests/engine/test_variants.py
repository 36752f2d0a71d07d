"""The two games' figures, as the rules print them."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.cards import MAX_JOKERS, DeckSpec
from engine.variants import ruleset

LIARS = {
    "high_card": 13,
    "pair": 13,
    "two_pair": 78,
    "three": 13,
    "flush": 36,
    "straight": 10,
    "full_house": 156,
    "four": 13,
    "straight_flush": 40,
}
THAI = {
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


@pytest.mark.parametrize(
    ("key", "options", "bids", "rungs", "cards"),
    [
        ("liars_poker", {}, LIARS | {"five": 13}, 328, 54),
        ("liars_poker", {"jokers": 0}, LIARS, 315, 52),
        ("liars_poker", {"flush_card": "highest"}, LIARS | {"five": 13}, 328, 54),
        ("thai_poker", {}, THAI, 68, 24),
    ],
)
def test_each_game_has_its_bids_on_its_rungs(key, options, bids, rungs, cards):
    rules = ruleset(key, options)
    assert dict(Counter(bid.kind.value for bid in rules.ladder)) == bids
    assert (rules.ladder.top, rules.deck.size) == (rungs, cards)


def test_the_highest_flush_rule_changes_what_bids_need_but_not_which_there_are():
    usual, highest = ruleset("liars_poker"), ruleset("liars_poker", {"flush_card": "highest"})
    assert [b.key for b in usual.ladder] == [b.key for b in highest.ladder]
    assert usual.ladder.bid("flush:8c") != highest.ladder.bid("flush:8c")


@pytest.mark.parametrize("jokers", [2, 0])
def test_liars_poker_starts_with_two_cards_and_six_are_too_many(jokers):
    rules = ruleset("liars_poker", {"jokers": jokers})
    assert rules.most_players == 10
    assert ruleset("liars_poker", {"jokers": jokers, "middle_hand": True}).most_players == 9
    assert set(rules.starting_cards[2:]) == {2}
    assert {rules.card_limit(live, 10) for live in range(2, 11)} == {5}


def test_thai_pokers_card_limit_is_23_cards_shared_out_and_six_at_most():
    rules = ruleset("thai_poker")
    assert rules.most_players == 10
    assert rules.starting_cards[2:] == (3, 2, 2, 1, 1, 1, 1, 1, 1)
    assert [rules.card_limit(live, 10) for live in range(2, 11)] == [6, 6, 5, 4, 3, 3, 2, 2, 2]
    seven = ruleset("thai_poker", {"two_player_limit": 7})
    assert [seven.card_limit(live, 5) for live in (2, 3)] == [7, 6]
    started = ruleset("thai_poker", {"limit_counts": "starting", "two_player_limit": 7})
    assert [started.card_limit(2, players) for players in (2, 5)] == [7, 4]


# -- decks ----------------------------------------------------------------------------------------


def test_a_deck_is_in_the_order_of_its_numbers_and_jokers_come_last():
    deck = DeckSpec(jokers=2)
    assert [card.number for card in deck.order] == list(range(54))
    assert (len(deck.cards), deck.size, deck.cards.jokers) == (54, 54, 2)
    assert " ".join(map(str, ruleset("thai_poker").deck.order)) == (
        "9c Tc Jc Qc Kc Ac 9d Td Jd Qd Kd Ad 9h Th Jh Qh Kh Ah 9s Ts Js Qs Ks As"
    )


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"ranks": ()}, "at least one rank"),
        ({"suits": ()}, "at least one rank"),
        ({"jokers": -1}, "0 to 12 jokers"),
        ({"jokers": MAX_JOKERS + 1}, "0 to 12 jokers"),
    ],
)
def test_a_deck_that_cannot_be_is_refused(changed, sentence):
    with pytest.raises(ValueError, match=sentence):
        DeckSpec(**changed)
