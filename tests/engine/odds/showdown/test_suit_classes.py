"""Classes of hands that differ by more than a change of suits, against each change made by hand."""

from __future__ import annotations

from itertools import combinations, permutations
from math import comb
from random import Random

import numpy as np
import pytest

from engine.odds.showdown.suit_classes import CHANGES, SuitClasses

FULL, SHORT = 0x1FFF, 0x1FF0


def changed(hand: int) -> set[int]:
    """The hands that changing suits makes of one."""
    suits = [hand >> 13 * suit & 0x1FFF for suit in range(4)]
    return {
        sum(suits[suit] << 13 * place for place, suit in enumerate(order))
        for order in permutations(range(4))
    }


@pytest.mark.parametrize(
    ("private", "ranks", "number"), [(4, FULL, 16_432), (5, FULL, 134_459), (4, SHORT, 3_663)]
)
def test_every_hand_is_of_one_class(private: int, ranks: int, number: int) -> None:
    classes = SuitClasses(private, ranks)
    assert len(classes.hands) == number
    every = classes.members(classes.row(np.ones(number, np.bool_)))
    cards = [13 * suit + rank for suit in range(4) for rank in range(13) if ranks >> rank & 1]
    assert len(every) == classes.often.sum() == comb(len(cards), private)
    assert (np.diff(np.sort(every)) > 0).all()
    if private == 4:
        by_hand = {sum(1 << card for card in some) for some in combinations(cards, private)}
        assert set(every.tolist()) == by_hand


def test_a_class_has_the_hands_that_a_change_of_suits_makes() -> None:
    classes, random = SuitClasses(5, FULL), Random(5)
    number = len(classes.hands)
    for at in random.sample(range(number), 60):
        row = classes.row(np.arange(number) == at)
        members = classes.members(row)
        assert len(members) == classes.often[at]
        assert set(members.tolist()) == changed(int(classes.hands[at]))


def test_sets_of_hands_are_joined_whether_they_name_suits_or_not() -> None:
    """Of 24 rows each says what one change of suits makes of the classes that it has."""
    classes, numbers = SuitClasses(4, FULL), np.random.default_rng(3)
    everything = classes.row(np.ones(len(classes.hands), np.bool_))
    alike = classes.row(numbers.random(len(classes.hands)) < 0.3)
    named = np.concatenate(  # the hands with the ace of spades
        [
            classes.row(classes.hands >> np.uint64(13 * change.index(3) + 12) & np.uint64(1) > 0)
            for change in CHANGES
        ]
    )

    def held(rows: np.ndarray) -> set[int]:
        return set(classes.members(rows).tolist())

    aces = {hand for hand in held(everything) if hand >> 51 & 1}
    assert held(named) == aces
    assert len(aces) == comb(51, 3)
    assert held(named & alike) == aces & held(alike)
    assert held(named | alike) == aces | held(alike)
    assert held(alike & ~named) == held(alike) - aces
    assert classes.has_any(named)
    assert not classes.has_any(named & ~named)
