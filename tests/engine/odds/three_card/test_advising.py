"""Advice on one hand of Three Card Poker, and all figures that it gives."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import Card, Cards
from engine.errors import TextError
from engine.odds.three_card import AnteBonus, Category, TableRules, advice, parse_line
from engine.odds.three_card.advising import combination_index
from engine.odds.three_card.hands import ranks_of, short_name, suit_classes, three_cards
from engine.odds.three_card.pay import six_card_counts, six_card_counts_with
from tests import naive_three_card as naive


def test_advice_counts_the_dealers_hands_with_and_without_seen_cards() -> None:
    for hand, exposed in (("Qs 6h 4d", ""), ("Qs 6h 4d", "Ah Kd 2c"), ("9s 9h 4d", "As 9c")):
        given_advice = advice(hand, seen=exposed or None)
        cards = [card.number for card in Cards.parse(hand)]
        known = {*cards, *(card.number for card in Cards.parse(exposed))}
        worth = naive.hand_value(cards)
        queen_high = (naive.HIGH_CARD, 10, 1, 0)
        counted = [0, 0, 0, 0]
        for dealer in combinations(sorted(set(range(52)) - known), 3):
            dealers = naive.hand_value(dealer)
            result = 0 if worth > dealers else 1 if worth == dealers else 2
            counted[3 if dealers < queen_high else result] += 1
        ends = given_advice.outcomes
        assert [ends.win, ends.tie, ends.lose, ends.dealer_not_qualified] == counted
        assert given_advice.dealers == comb(52 - len(known), 3)
        assert given_advice.net == counted[3] + 2 * (counted[0] - counted[2])


@pytest.mark.parametrize(
    ("hand", "exposed", "play", "changed"),
    [
        ("Qs 6h 4d", None, True, False),
        ("Qs 6h 3d", None, False, False),
        ("Qs 6h 3d", "Ah Kd 2c", True, True),
        ("Qs 6h 4d", "Js 9h 8d", False, True),
        ("Qs 6h 4d", "Qh 4c 2h", True, False),  # playing and folding are equal
        ("As Ah Ad", "2c", True, False),
    ],
)
def test_seen_cards_can_turn_a_fold_into_a_play_and_back(
    hand: str, exposed: str | None, play: bool, changed: bool
) -> None:
    answer = advice(hand, seen=exposed)
    assert (answer.play, answer.sight_matters) == (play, changed)
    assert answer.blind_value == advice(hand).expected_value
    if exposed:
        assert answer == advice(Cards.parse(hand), seen=Cards.parse(exposed))


def test_bonus_and_pair_plus_are_those_of_the_hand() -> None:
    royal = advice("Ah Kh Qh", rules=TableRules(bonus=AnteBonus(1, 4, 5, mini_royal=20)))
    assert (royal.mini_royal, royal.bonus, royal.pair_plus) == (True, 20, 40)
    assert royal.category is Category.STRAIGHT_FLUSH
    assert royal.expected_value > 20
    three = advice("7h 7d 7c")
    assert (three.bonus, three.pair_plus, three.mini_royal) == (4, 30, False)
    nothing = advice("Ah 9d 2c")
    assert (nothing.bonus, nothing.pair_plus) == (0, -1)


def test_a_hand_is_placed_among_all_others() -> None:
    best = advice("As Ks Qs")
    assert (best.weaker, best.equal) == (22_096, 3)
    weakest = advice("5s 3d 2c")
    assert (weakest.weaker, weakest.equal) == (0, 59)


@pytest.mark.parametrize("hand", ["As Ad Ac", "Ah Ks Kd", "Qs 6h 4d", "9c 9h 2s", "2d 2c 2h"])
def test_the_number_of_a_hand_is_that_of_the_published_closed_form(hand: str) -> None:
    """Compare hand numbers with the formula in the enumeration that this project started from.

    In the formula, cards 0-3 are the aces ♠♦♣♥, 48-51 the deuces in the same order of suits;
    a < b < c are the hand's cards.
    """
    suits = {"s": 0, "d": 1, "c": 2, "h": 3}
    cards = (4 * "AKQJT98765432".index(card[0]) + suits[card[1]] for card in hand.split())
    a, b, c = (Fraction(card) for card in sorted(cards))
    number = (2652 * a - 103 * (a**2 + a) / 2 + a**3 / 3 + a**2 / 2 + a / 6) / 2
    number += 52 * (b - a - 1) - (b**2 + b - a**2 - 3 * a - 2) / 2 + (c - b - 1)
    assert advice(hand).number == number


def test_a_line_is_judged_beside_the_best_play() -> None:
    assert advice("Qs 6h 3d", line=parse_line("queen")).line_plays
    assert not advice("Qs 6h 4d", line=parse_line("K32")).line_plays
    assert advice("Qs 6h 4d").line_plays
    assert not advice("Js Th 8d").line_plays


@given(st.lists(st.integers(0, 51), min_size=3, max_size=3, unique=True))
@settings(max_examples=40, deadline=None)
def test_a_hand_means_the_same_however_it_is_written(numbers: list[int]) -> None:
    cards = [Card(number) for number in numbers]
    written = "".join(card.symbol for card in cards)
    assert three_cards(written) == three_cards(" ".join(map(str, reversed(cards))))
    given_advice = advice(Cards.of(cards))
    assert given_advice == advice(written)
    assert given_advice.category == naive.hand_value(numbers)[0]


@pytest.mark.parametrize(
    ("hand", "name"),
    [("Qs 4h 6d", "Q64"), ("As 2d 3c", "32A"), ("2s As 2d", "22A"), ("Th Td 3c", "TT3")],
)
def test_hands_are_read_aloud_pair_first_and_low_ace_last(hand: str, name: str) -> None:
    assert short_name(ranks_of(Cards.parse(hand))) == name


@pytest.mark.parametrize(
    ("hand", "sentence"),
    [
        ("Qs 6h", 'expected three cards, got 2. Example: "Qs 6h 4d"'),
        ("", "expected three cards, got 0"),
        ("Qs 6h 4d 2c", "expected three cards, got 4"),
        ("Qs Qs 4d", 'Qs is given twice. Example: "Qs 6h 4d"'),
        ("Qs * 4d", 'no jokers. Example: "Qs 6h 4d"'),
        ("Qs 6h 4x", '"4x" isn\'t a card'),
    ],
)
def test_what_is_no_hand_is_refused_with_an_example(hand: str, sentence: str) -> None:
    with pytest.raises(TextError, match=sentence.replace("*", r"\*")):
        advice(hand)


@pytest.mark.parametrize(
    ("exposed", "sentence"),
    [
        ("", 'one to 15 cards seen, got 0. Example: "Ah Kd 2c"'),
        ("2c3c4c5c6c7c8c9cTcJcQcKcAc2d3d5d", "one to 15 cards seen, got 16"),
        ("Qs 2c 3c", "Qs can't be both in your hand and seen"),
        ("*", "no jokers"),
    ],
)
def test_cards_that_cannot_have_been_seen_are_refused(exposed: str, sentence: str) -> None:
    with pytest.raises(TextError, match=sentence):
        advice("Qs 6h 4d", seen=exposed)


@pytest.mark.long
@pytest.mark.parametrize("hand", ["Ah Kh Qh", "7h 7d 7c", "5s 5h 4s", "4c 3d 2h"])
def test_the_six_card_bonus_of_a_hand_agrees_with_the_naive_judge(hand: str) -> None:
    cards = Cards.parse(hand)
    numbers = {card.number for card in cards}
    deck = sorted(set(range(52)) - numbers)
    exposed = Cards.of(Card(number) for number in deck[::2][:15])
    left = sorted(set(deck) - {card.number for card in exposed})
    counted = [0] * 8
    for dealer in combinations(left, 3):
        counted[naive.six_card_kind((*dealer, *sorted(numbers)))] += 1
    assert six_card_counts_with(cards, exposed) == (tuple(counted[:7]), comb(len(left), 3))


@pytest.mark.long
def test_the_six_card_bonus_hand_by_hand_adds_up_to_all_six_card_sets() -> None:
    classes = suit_classes()
    total = np.zeros(7, dtype=np.int64)
    for hands, cards in zip(classes.hands, classes.cards.tolist(), strict=True):
        counts, dealers = six_card_counts_with(Cards.of(map(Card, cards)), Cards())
        assert dealers == 18_424
        total += hands * np.array(counts)
    assert six_card_counts() == (188, 1_656, 14_664, 165_984, 205_792, 361_620, 732_160)
    # Each set of six cards is met once for every way to give three of them to the player.
    assert (total == comb(6, 3) * np.array(six_card_counts())).all()


def test_hands_are_numbered_in_lexicographic_order() -> None:
    hands = list(combinations(range(52), 3))
    assert [combination_index(cards[::-1]) for cards in hands] == list(range(len(hands)))
