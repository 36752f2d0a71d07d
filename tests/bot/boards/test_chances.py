"""The chances a seat shows: counted once a hand, and never those of another hand."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from bot.boards import seat
from bot.boards.seat import seat_chances
from bot.recent import Recent
from engine.cards import Cards
from engine.odds.bids.exact import seat_odds
from engine.variants import ruleset

LIARS, THAI = ruleset("liars_poker"), ruleset("thai_poker")
HANDS = [
    (rules, in_play, Cards.parse(hole))
    for rules in (LIARS, THAI)
    for in_play in (6, 7)
    for hole in ("Ah Kd", "Ah Kc")
]


@pytest.fixture(autouse=True)
def none_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seat, "_chances_of", Recent(100))


def test_they_are_those_of_the_hand_however_often_and_in_whatever_order_they_are_asked() -> None:
    for hand in (*HANDS, *reversed(HANDS)):
        expected = {odds.bid.key: odds.chance.probability for odds in seat_odds(*hand)}
        assert seat_chances(*hand) == expected


def test_a_hand_is_counted_once_and_the_oldest_is_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counted: Counter[Any] = Counter()

    def counting(*hand: Any) -> Any:
        counted[hand[1:]] += 1
        return seat_odds(*hand)

    monkeypatch.setattr(seat, "seat_odds", counting)
    monkeypatch.setattr(seat, "_chances_of", Recent(2))
    first, second, third = [(LIARS, number, Cards.parse("Ah")) for number in (3, 4, 5)]
    for hand in (first, second, first, third, first, second):  # the third drives out the second
        seat_chances(*hand)
    assert counted == {first[1:]: 1, second[1:]: 2, third[1:]: 1}
