"""A hand against every kind of two-card hand: the 13 x 13 grid that players know.

Pairs stand on the diagonal from aces to deuces, suited hands above it, offsuit ones below.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from engine.cards import RANK_CHARS, Cards
from engine.errors import TextError
from engine.odds.showdown.equity import Effort, showdown_odds
from engine.odds.showdown.range_terms import named
from engine.odds.showdown.ranges import Range
from engine.odds.showdown.scenario import Scenario

GRID_EXAMPLE: Final = '--game holdem AhKd "QQ+, AKs" --grid'


@dataclass(frozen=True, slots=True)
class GridCell:
    """One kind of opponents' hands: what the pot is worth to the known hand against it.

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
    """Whether it is one whole hand of two cards against one range or unknown cards."""
    return (
        scenario.rules.private == 2 and len(scenario.players) == 2 and _hero(scenario) is not None
    )


def check_grid(scenario: Scenario) -> int:
    """The seat with the known hand. Raises `TextError` where there is no grid."""
    hero = _hero(scenario) if has_grid(scenario) else None
    if hero is None:
        reason = "a grid shows one hand of two cards against a range or unknown cards"
        raise TextError("", reason, GRID_EXAMPLE)
    return hero


def _hero(scenario: Scenario) -> int | None:
    """The seat with the whole hand, if the other has a range or nothing that is known."""
    whole = [len(cards) == 2 for cards in scenario.known]
    for seat in range(2):
        other = scenario.players[1 - seat]
        if whole[seat] and (isinstance(other, Range) or not other):
            return seat
    return None


def hand_grid(
    scenario: Scenario,
    effort: Effort = Effort(),
    cancelled: Callable[[], bool] | None = None,
) -> tuple[tuple[GridCell, ...], ...]:
    """The known hand against each kind of hand in the other player's range, by rows.

    Raises `TextError` unless one of two players holds two known cards, and the other a range or
    cards that are unknown.
    """
    hero = check_grid(scenario)
    held = scenario.players[1 - hero]
    weights: dict[int, int] = {}
    if isinstance(held, Range):
        weights = dict(zip(*scenario.weighed(1 - hero), strict=True))
    gone = ~scenario.left.bits
    effort = replace(effort, ranked=False)

    def cell(label: str) -> GridCell:
        combos = [combo for combo in named(label) if not combo & gone]
        if isinstance(held, Range):
            combos = [combo for combo in combos if combo in weights]
        if not combos:
            return GridCell(label, 0, 0, None)
        own = tuple(sorted(combos))
        weighed = tuple(weights.get(combo, 1) for combo in own)
        kind = Range(label, own, weighed if len(set(weighed)) > 1 else ())
        known: tuple[Cards | Range, ...] = (scenario.players[hero], kind)
        players = known if hero == 0 else known[::-1]
        answer = showdown_odds(replace(scenario, players=players), effort, cancelled=cancelled)
        value = answer.players[hero].value
        return GridCell(label, len(own), sum(weighed), value, answer.exact)

    lowest = 4 if scenario.rules.ranking.is_short else 0
    return tuple(tuple(cell(label) for label in row) for row in grid_labels(lowest))
