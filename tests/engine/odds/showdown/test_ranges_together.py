"""Ranges of several players at once: drawn together, by their weights, or refused."""

from __future__ import annotations

from fractions import Fraction

import pytest

from engine.cards import Cards
from engine.errors import TextError
from engine.odds.showdown.equity import Effort, showdown_odds
from engine.odds.showdown.games import HOLDEM, PRESETS
from engine.odds.showdown.ranges import Range
from engine.odds.showdown.scenario import Scenario, parse_scenario

# uint64 arithmetic wraps; numpy warns of it where the compiler is off
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
FEW = 50_000


def test_players_whose_ranges_clash_are_drawn_anew_together() -> None:
    ranges = (Range.parse("AhKh, AhKd"), Range.parse("AhKs, AdAc"))
    scenario = Scenario(HOLDEM, ranges, Cards.parse("2c3h4c5d8d"))
    answer = showdown_odds(scenario, Effort(exact=False, deals=FEW))
    exact = showdown_odds(scenario, Effort(exact=True))
    assert exact.deals == 2  # AhKh and AhKd each meet only AdAc
    assert float(exact.players[0].value) == float(answer.players[0].value)


def test_ranges_of_omaha_are_sampled_as_often_as_they_come() -> None:
    scenario = parse_scenario(["AA**", "KQJT"], "2c 7d 9h Kd", rules=PRESETS["omaha"])
    sampled = showdown_odds(scenario, Effort(deals=600, seed=4))
    assert not sampled.exact
    # counted once: 37,178,880 deals, which take a minute
    assert float(sampled.players[0].value) == pytest.approx(0.64415, abs=0.06)


def test_weighted_ranges_of_omaha_are_drawn_by_their_weights() -> None:
    hands, board = ["AsAhKsKh, 5c5d6c6d@25", "QsQhJsJh"], "2c 7d 9h Kd 3s"
    scenario = parse_scenario(hands, board, rules=PRESETS["omaha"])
    sampled = showdown_odds(scenario, Effort(exact=False, deals=FEW, seed=4))
    assert showdown_odds(scenario, Effort(exact=True)).players[0].value == Fraction(4, 5)
    assert float(sampled.players[0].value) == pytest.approx(0.8, abs=0.06)


def test_ranges_of_omaha_that_almost_never_fit_beside_each_other_are_answered() -> None:
    hands = ["AsAhKsKh, 5c5d6c6d@0.01%", "AsAhQsQh, 8c8d9c9d@0.01%", "AsAhJsJh, TcTd4c4d@0.01%"]
    scenario = parse_scenario(hands, "2c 7d 9h Kd 3s", rules=PRESETS["omaha"])
    exact = showdown_odds(scenario, Effort(exact=True))
    sampled = showdown_odds(scenario, Effort(exact=False, deals=FEW, seed=4))
    for truth, guess in zip(exact.players, sampled.players, strict=True):
        assert float(guess.value) == pytest.approx(float(truth.value), abs=0.03)


def test_ranges_that_leave_no_deal_are_refused_before_anything_is_dealt() -> None:
    with pytest.raises(TextError, match="leave no hand for everybody"):
        parse_scenario(["AA", "AA", "AKs", "KK"], "As Kd")


def test_a_count_that_finds_no_deal_is_refused_rather_than_divided_by() -> None:
    # five players for four ranks of three cards each; the first four hide that from a short search
    ranges = ["98s", "76s", "54s", "32s", *["JJ+"] * 5]
    scenario = parse_scenario(ranges, "ThTc8c6d2c", "JcQcKcAc9c9d7c7d5c5d3c3d")
    with pytest.raises(TextError, match="leave no hand for everybody"):
        showdown_odds(scenario, Effort(exact=True))
