from itertools import combinations

import pytest

from engine.odds.three_card.advising import (
    aces_first_number,
    combination_index,
    three_of_52_index,
)


@pytest.mark.parametrize(("n", "k"), [(0, 0), (5, 0), (5, 5), (7, 3), (10, 4), (12, 1)])
def test_hands_are_numbered_in_lexicographic_order(n: int, k: int) -> None:
    for index, cards in enumerate(combinations(range(n), k)):
        assert combination_index(cards, n, k) == index


def test_the_closed_form_for_three_of_52_numbers_all_22100_hands() -> None:
    for index, (a, b, c) in enumerate(combinations(range(52), 3)):
        assert three_of_52_index(a, b, c) == index == combination_index((c, a, b), 52, 3)


@pytest.mark.parametrize("cards", [(0, 1), (0, 0, 1), (0, 1, 52), (-1, 0, 1), (0, 1, 2, 3)])
def test_what_is_no_hand_has_no_number(cards: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"expected 3|card numbers are 0 to 51"):
        combination_index(cards, 52, 3)


@pytest.mark.parametrize("cards", [(2, 1, 3), (1, 1, 2), (0, 1, 52), (-1, 0, 1)])
def test_the_closed_form_takes_sorted_cards_only(cards: tuple[int, int, int]) -> None:
    with pytest.raises(ValueError, match="a < b < c"):
        three_of_52_index(*cards)


def test_aces_are_numbered_first_and_spades_diamonds_clubs_hearts_within_a_rank() -> None:
    assert [aces_first_number(12, suit) for suit in (3, 1, 0, 2)] == [0, 1, 2, 3]
    assert [aces_first_number(0, suit) for suit in (3, 1, 0, 2)] == [48, 49, 50, 51]
