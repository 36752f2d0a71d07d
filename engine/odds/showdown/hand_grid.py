"""Hands against each other, kind by kind: the 13 x 13 grid that players know.

Pairs stand on the diagonal from aces to deuces, suited hands above it, offsuit ones below. A known
hand is shown against each kind of the other player's hands; where neither is known, each kind of
the first player's hands against all of the other's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from engine.cards import RANK_CHARS
from engine.errors import Reason, TextError
from engine.odds.showdown.each_hand import each_hand, knows_each, value_of
from engine.odds.showdown.equity import Effort, showdown_odds
from engine.odds.showdown.range_terms import named
from engine.odds.showdown.ranges import Range
from engine.odds.showdown.scenario import Scenario

GRID_EXAMPLE: Final = '--game holdem AhKd "QQ+, AKs" --grid'


@dataclass(frozen=True, slots=True)
class GridCell:
    """One kind of hands, and what the pot is worth to the player whom the grid is about.

    `hands` are the combos of the kind that are in the range and can be held, `weight` the sum of
    what they weigh; `value` is None if there are none.
    """

    label: str
    hands: int
    weight: int
    value: Fraction | None
    exact: bool = True


def grid_labels(lowest: int = 0) -> tuple[tuple[str, ...], ...]:
    """The kinds of hands by rows, ranks from aces down to number `lowest`."""
    ranks = [RANK_CHARS[rank] for rank in range(12, lowest - 1, -1)]
    return tuple(
        tuple(
            one + other
            if row == column
            else one + other + "s"
            if row < column
            else other + one + "o"
            for column, other in enumerate(ranks)
        )
        for row, one in enumerate(ranks)
    )


def has_grid(scenario: Scenario) -> bool:
    """Whether it is hands of two cards, of two players of whom one has a range or unknown cards."""
    return listed_seat(scenario) is not None


def check_grid(scenario: Scenario) -> None:
    """Raise `TextError` where there is no grid."""
    if not has_grid(scenario):
        reason = Reason(
            "a grid shows one hand of two cards, or a range, against a range or unknown cards"
        )
        raise TextError("", reason, GRID_EXAMPLE)


def listed_seat(scenario: Scenario) -> int | None:
    """Whose hands are listed: those of whose hand nothing is known, the first where both are."""
    if scenario.rules.private != 2 or len(scenario.players) != 2:
        return None
    known = [len(cards) for cards in scenario.known]
    if 1 in known or 0 not in known:
        return None
    return known.index(0)


def hand_grid(
    scenario: Scenario,
    effort: Effort = Effort(),
    cancelled: Callable[[], bool] | None = None,
) -> tuple[tuple[GridCell, ...], ...]:
    """The known hand against each kind of the other's, or each kind of the first player's hands.

    By rows. Raises `TextError` unless two players hold two cards each, of which one has a range or
    cards that are unknown, and the other the same or a whole hand.
    """
    check_grid(scenario)
    listed = listed_seat(scenario)
    assert listed is not None
    lowest = 4 if scenario.rules.ranking.is_short else 0
    labels = grid_labels(lowest)
    if knows_each(scenario):
        cells = _from_each(scenario, listed, cancelled)
    else:
        cells = {
            label: _counted(label, scenario, listed, effort, cancelled)
            for row in labels
            for label in row
        }
    return tuple(tuple(cells[label] for label in row) for row in labels)


def _from_each(
    scenario: Scenario, listed: int, cancelled: Callable[[], bool] | None
) -> dict[str, GridCell]:
    """Every cell at once, of single hands."""
    found = each_hand(scenario, listed, cancelled)
    at = {hand: place for place, hand in enumerate(found.hands)}
    whole = len(scenario.known[1 - listed]) == 2
    cells = {}
    for label in (label for row in grid_labels() for label in row):
        places = [at[hand] for hand in named(label) if hand in at]
        weight = sum(found.weights[place] for place in places)
        won = sum(found.weights[place] * found.won[place] for place in places)
        deals = sum(found.weights[place] * found.deals[place] for place in places)
        value = value_of(won, deals)
        if value is not None and whole:
            value = 1 - value
        cells[label] = GridCell(label, len(places), weight, value)
    return cells


def _counted(
    label: str,
    scenario: Scenario,
    listed: int,
    effort: Effort,
    cancelled: Callable[[], bool] | None,
) -> GridCell:
    """One cell as a question of its own."""
    held = scenario.players[listed]
    gone = ~scenario.left.bits
    combos = [combo for combo in named(label) if not combo & gone]
    weights: dict[int, int] = {}
    if isinstance(held, Range):
        weights = dict(zip(*scenario.weighed(listed), strict=True))
        combos = [combo for combo in combos if combo in weights]
    if not combos:
        return GridCell(label, 0, 0, None)
    own = tuple(sorted(combos))
    weighed = tuple(weights.get(combo, 1) for combo in own)
    kind = Range(label, own, weighed if len(set(weighed)) > 1 else ())
    players = list(scenario.players)
    players[listed] = kind
    try:
        one = replace(scenario, players=tuple(players))
        answer = showdown_odds(one, replace(effort, ranked=False), cancelled=cancelled)
    except TextError:  # the kind leaves the other's range no hand
        return GridCell(label, len(own), sum(weighed), None)
    about = 1 - listed if len(scenario.known[1 - listed]) == 2 else listed
    return GridCell(label, len(own), sum(weighed), answer.players[about].value, answer.exact)
