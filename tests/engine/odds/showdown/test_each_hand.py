"""The equity of each hand of a range, compared with a question about that hand alone."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from engine.errors import TextError
from engine.odds.showdown.each_hand import each_hand, equity_curve, hand_grid, has_curve, knows_each
from engine.odds.showdown.equity import Effort, ShowdownCancelled, showdown_odds
from engine.odds.showdown.games import PRESETS, ShowdownRules
from engine.odds.showdown.ranges import Range
from engine.odds.showdown.scenario import Scenario, parse_scenario

pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered:RuntimeWarning")
EXACT = Effort(exact=True, ranked=False, table=False)


def ask(*players: str, board: str = "", game: str = "holdem", dead: str = "") -> Scenario:
    return parse_scenario(players, board, dead, PRESETS[game])


def with_hand(scenario: Scenario, seat: int, hand: int) -> Scenario:
    """Return the question with just this hand, as bits, for the player in `seat`."""
    players = list(scenario.players)
    players[seat] = Range("one", (hand,))
    return Scenario(scenario.rules, tuple(players), scenario.board, scenario.dead)


WHOLE = [
    ask("QQ+, AKs@50, 7h2c", "99, AKo, QcQd", board="9h 5h 2c 2d"),
    ask("QQ+, AKs@50", "99@20, AKs, QQ", board="9h 5h 2c 2d 3s", dead="As"),
    ask("AhKh, KcKd", "AdKd", board="9h 8h 2c"),
    ask("AdKd", "AhKh, QcQs, 7c7s@50", board="9d 8h 6c 7d", game="shortdeck"),
    ask("QQ, AKs@50", "QdJd, 22@25, AhKh"),
]


@pytest.mark.parametrize("scenario", WHOLE, ids=range(len(WHOLE)))
@pytest.mark.parametrize("seat", [0, 1])
def test_every_hand_has_what_a_question_of_its_own_says(scenario: Scenario, seat: int) -> None:
    worths = each_hand(scenario, seat)
    player = scenario.players[seat]
    if isinstance(player, Range):
        hands, weights = scenario.weighted_combos(seat)
        assert (worths.hands, worths.weights) == (tuple(hands), tuple(weights))
    for hand, won, deals in zip(worths.hands, worths.won, worths.deals, strict=True):
        question = with_hand(scenario, seat, hand) if isinstance(player, Range) else scenario
        answer = showdown_odds(question, replace(EXACT, table=not scenario.board))
        assert (deals, Fraction(won, 2 * deals)) == (answer.deals, answer.players[seat].value)


@pytest.mark.parametrize(
    "scenario",
    [
        ask("AhKd", "QQ", "JJ"),
        ask("AhKd", "QQ", board="9h 5h"),
        ask("Ah", "QQ"),
        ask("AhKd", "QQ", dead="2c"),
        ask("AhKd", "QQ", game="shortdeck"),
        ask("AsAhKsKh", "", game="omaha", board="9h 5h 2c"),
    ],
    ids=str,
)
def test_other_questions_are_not_its_own(scenario: Scenario) -> None:
    assert not knows_each(scenario)
    assert not has_curve(scenario)
    with pytest.raises(TextError, match="an equity curve is for two players"):
        equity_curve(scenario)


def test_it_stops_when_it_is_told_to() -> None:
    scenario = ask("AhKd", "QQ", board="9h 5h 2c 2d")
    answers = iter([False, False, True])
    with pytest.raises(ShowdownCancelled):
        each_hand(scenario, 1, lambda: next(answers))
    assert next(answers, None) is None


# -- grids of ranges ------------------------------------------------------------------------------


@pytest.mark.thorough
@pytest.mark.parametrize(
    "scenario",
    [
        ask("QQ+, AKs@50", "99, AKo, QQ", board="9h 5h 2c 2d"),
        ask("KK, AKs@50", "99, AKo, QQ", board="9h 8h 7c 6d 6s", game="shortdeck"),
    ],
    ids=["holdem", "short deck"],
)
def test_a_range_against_a_range_is_shown_by_the_kinds_of_the_first(scenario: Scenario) -> None:
    whole = showdown_odds(scenario, EXACT)
    won = deals = Fraction(0)
    for cell in (cell for row in hand_grid(scenario) for cell in row if cell.hands):
        kind = Range(cell.label, Range.parse(cell.label, scenario.rules).bits)
        question = Scenario(scenario.rules, (kind, scenario.players[1]), scenario.board)
        answer = showdown_odds(question, EXACT)
        assert cell.value == answer.players[0].value
        weight = Fraction(cell.weight, cell.hands)
        won, deals = won + weight * answer.deals * cell.value, deals + weight * answer.deals
    assert won / deals == whole.players[0].value


def test_where_single_hands_are_not_known_kinds_are_counted() -> None:
    rules = ShowdownRules(private=2, public=5, hi_lo=True)

    def split(*players: str) -> Scenario:
        return parse_scenario(players, "9h 5h 2c 4d 7s", "2d", rules)

    scenario = split("AA, Ah3h@50, As3s", "AcAd, AhAs, 6h3d")
    assert not knows_each(scenario)
    cells = {cell.label: cell for row in hand_grid(scenario, EXACT) for cell in row}
    assert [label for label, cell in cells.items() if cell.hands] == ["AA", "A3s"]
    assert (cells["A3s"].hands, cells["A3s"].weight) == (2, 3)
    kind = split("Ah3h@50, As3s", "AcAd, AhAs, 6h3d")
    assert cells["A3s"].value == showdown_odds(kind, EXACT).players[0].value
    known = hand_grid(split("AA, Ah3h", "KcKd"), EXACT)[0][0]
    assert known.value == showdown_odds(split("AA", "KcKd"), EXACT).players[1].value
    any_hand = hand_grid(split("KcKd", ""), EXACT)
    assert sum(cell.hands for row in any_hand for cell in row) == 44 * 43 / 2
    alone = hand_grid(split("AcAd, KhKs", "(AcAh)"), EXACT)[0][0]
    assert (alone.hands, alone.value) == (1, None)  # of which the other's range leaves nothing


# -- curves ---------------------------------------------------------------------------------------


def test_a_curve_says_against_how_many_hands_one_has_at_least_so_much() -> None:
    scenario = ask("AhKd", "KK@50, QcQd, 7c2s", board="9h 5h 2c 2d 3s")
    curve = equity_curve(scenario)
    assert (curve.seat, curve.of_own_hands) == (0, False)
    # it beats nothing of this: 3 × 1 and 2 × 2 of weight
    assert curve.points == ((Fraction(0), Fraction(1)),)
    ahead = equity_curve(ask("KK@50, QcQd, 7c4s", "AhKd", board="9h 5h 2c 2d 3s"))
    assert (ahead.seat, ahead.of_own_hands) == (1, False)
    assert ahead.points == ((Fraction(1), Fraction(2, 7)), (Fraction(0), Fraction(1)))


def test_a_curve_is_the_share_of_each_hand_from_the_highest_down() -> None:
    scenario = ask("AhKh", "QQ+, 98s, 22", board="9h 5h 2c")
    curve = equity_curve(scenario)
    hands = scenario.combos(1)
    values = [showdown_odds(with_hand(scenario, 1, hand), EXACT).players[0].value for hand in hands]
    for value, part in curve.points:
        assert part == Fraction(sum(each >= value for each in values), len(values))
    assert curve.at(Fraction(1)) == min(values)
    assert curve.at(Fraction(1, 1000)) == max(values)
    assert [value for value, _ in curve.points] == sorted(set(values), reverse=True)


def test_of_two_ranges_the_curve_has_the_hands_of_the_first() -> None:
    scenario = ask("AA, 72o", "KK", board="9h 5h 2c")
    curve = equity_curve(scenario)
    assert (curve.seat, curve.of_own_hands) == (0, True)
    worths = each_hand(scenario, 0)
    values = [Fraction(w, 2 * d) for w, d in zip(worths.won, worths.deals, strict=True)]
    assert curve.at(Fraction(1)) == min(values)
    assert curve.at(Fraction(6, len(values))) > Fraction(4, 5)


def test_a_hand_that_leaves_the_other_none_is_on_no_curve() -> None:
    scenario = ask("AcAd, AhAs", "(AhAs)", board="9h 5h 2c 2d 3s")
    assert equity_curve(scenario).points == ((Fraction(1, 2), Fraction(1)),)
    cell = hand_grid(scenario)[0][0]
    assert (cell.hands, cell.value) == (2, Fraction(1, 2))
    same = scenario.players[1]  # as a long search lets through that finds nothing
    object.__setattr__(scenario, "players", (same, same))
    with pytest.raises(TextError, match="don't leave a hand for everyone"):
        equity_curve(scenario)
    assert hand_grid(scenario)[0][0].value is None
