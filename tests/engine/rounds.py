"""Small matches with known cards, for tests of single rules."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.play import apply, start
from engine.variants import ruleset
from tests.dealing import play, stacked_deal

LIARS = ruleset("liars_poker")
THAI = ruleset("thai_poker")
ANYONE = ruleset("liars_poker", {"challengers": "anyone"})

# three players of Liars' Poker: no pair of kings is in this pool, a pair of aces is
HANDS = {0: "Ac 2d", 1: "Ad 3h", 2: "4s 5c"}
GOOD, BAD = "pair:A", "pair:K"


def table(rules=LIARS, players=3, opener=0):
    return start(rules, range(100, 100 + players), opener)


def dealt(rules=LIARS, players=3, opener=0, hands=None):
    match = table(rules, players, opener)
    return play(match, stacked_deal(match, HANDS if hands is None else hands))


def with_cards(match, *counts):
    seats = zip(match.seats, counts, strict=True)
    return replace(match, seats=tuple(replace(seat, cards=cards) for seat, cards in seats))


def assert_refused(match, action, error):
    with pytest.raises(error) as caught:
        apply(match, action)
    return caught.value
