"""Compare `top_share` with exact equities, combo counts and the order of all Omaha hands."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from engine.cards import Cards
from engine.odds.showdown.equity import Effort, showdown_odds
from engine.odds.showdown.games import PRESETS
from engine.odds.showdown.omaha_terms import strongest_first
from engine.odds.showdown.question import parse_question
from engine.odds.showdown.range_terms import ORDERS, combos_of, combos_of_kind
from engine.odds.showdown.ranges import Range
from engine.odds.showdown.scenario import Scenario
from engine.odds.showdown.strength import top_share


def share_of(question: str) -> Fraction | None:
    return top_share(parse_question(question))


def against_random(label: str) -> Fraction:
    hand = Cards(combos_of_kind(label)[0])
    scenario = parse_question(f"{str(hand).replace(' ', '')} vs random")
    return showdown_odds(scenario, Effort(exact=True, ranked=False)).players[0].value


@pytest.mark.thorough
def test_a_hands_share_is_that_of_the_hands_with_at_least_its_exact_equity() -> None:
    """Check that the shares of twelve random kinds of hands rank them by their exact equities."""
    kinds = Random(7).sample(ORDERS["holdem"], 12)
    equities = {kind: against_random(kind) for kind in kinds}
    shares = {kind: share_of(kind) for kind in kinds}
    assert sorted(kinds, key=lambda kind: -equities[kind]) == sorted(
        kinds, key=lambda kind: shares[kind] or 0
    )


def test_shares_are_counted_in_combos() -> None:
    assert share_of("AA") == Fraction(6, 1326)
    assert share_of("AhAs") == share_of("AA")
    assert share_of("KdKc vs random") == Fraction(12, 1326)
    assert share_of("32o") == 1
    assert sum(map(combos_of, ORDERS["holdem"])) == 1326
    assert share_of("short deck 76s") == 1 - Fraction(combos_of("86o") + combos_of("76o"), 630)


def test_a_hand_of_omaha_has_as_many_at_least_as_strong_as_counting_all_of_them_finds() -> None:
    every = np.array(Range.parse("100%", PRESETS["omaha"]).bits, np.uint64)
    places = strongest_first(every, np.ones(len(every), np.int64))
    for hand in ("AsAhKsKh", "AsKhQs2c", "7c6d5s4h", "2c2d2h2s"):
        (place,) = places[every == Cards.parse(hand).bits]
        assert share_of(f"omaha {hand}") == Fraction(int(place), 270_725)


@pytest.mark.parametrize(
    "question",
    [
        *("AhKd vs QQ", "AhKd, board 9c 8d 7s", "AhKd, dead 2c", "AK", "QQ+", "random", "Ah"),
        *("AhKd vs random, run it twice", "JTs, flop two pair+", "deuces wild, AhKd", "draw AhKd"),
        *("omaha8 AsAhKsKh", "omaha5 AsAhKsKhQd", "omaha AA", "100%", "stud AsAhKd"),
    ],
)
def test_other_questions_have_no_such_share(question: str) -> None:
    assert share_of(question) is None


def test_a_game_without_an_order_of_hands_has_no_shares() -> None:
    rules = replace(PRESETS["holdem"], hi_lo=True)
    assert top_share(Scenario(rules, (Cards.parse("AhKd"), Cards()))) is None
