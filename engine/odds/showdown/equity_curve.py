"""An equity curve: against which part of the hands one has at least so much of the pot."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from engine.errors import Reason, TextError
from engine.odds.showdown.each_hand import each_hand, knows_each
from engine.odds.showdown.hand_grid import listed_seat
from engine.odds.showdown.scenario import NO_HAND_FOR_ALL, RANGES_EXAMPLE, Scenario

CURVE_EXAMPLE: Final = '--game holdem -p "9h 5h 2c" AhKd "QQ+, AKs" --curve'


@dataclass(frozen=True, slots=True)
class EquityCurve:
    """Shares of the pot from the highest down, each with the part of hands that have as much.

    Of a known hand it is its own share, by the hands it may meet; of a range the share that each
    of its hands has against all the other player's. `seat` is whose share it is.
    """

    seat: int
    of_own_hands: bool
    points: tuple[tuple[Fraction, Fraction], ...]

    def at(self, part: Fraction) -> Fraction:
        """The share of the pot that is had with at least that part of the hands."""
        return next(value for value, reached in self.points if reached >= part)


def has_curve(scenario: Scenario) -> bool:
    """Whether it is hold'em or short deck with something open between two players."""
    return listed_seat(scenario) is not None and knows_each(scenario)


def check_curve(scenario: Scenario) -> None:
    """Raise `TextError` where there is no curve."""
    if not has_curve(scenario):
        reason = Reason(
            "an equity curve is for two players, one of them with a range or unknown cards, in"
            " hold'em without dead cards before the flop, or hold'em and short deck after it"
        )
        raise TextError("", reason, CURVE_EXAMPLE)


def equity_curve(scenario: Scenario, cancelled: Callable[[], bool] | None = None) -> EquityCurve:
    """The curve of the known hand, or of the first player's where neither is known; exact.

    Raises `TextError` where there is none.
    """
    check_curve(scenario)
    seat = listed_seat(scenario)
    assert seat is not None
    found = each_hand(scenario, seat, cancelled)
    whole = len(scenario.known[1 - seat]) == 2
    weight_of: dict[Fraction, int] = defaultdict(int)
    for weight, won, deals in zip(found.weights, found.won, found.deals, strict=True):
        if deals:
            value = Fraction(won, 2 * deals)
            weight_of[1 - value if whole else value] += weight
    total = sum(weight_of.values())
    if not total:
        raise TextError("", NO_HAND_FOR_ALL, RANGES_EXAMPLE)
    reached = 0
    points = []
    for value in sorted(weight_of, reverse=True):
        reached += weight_of[value]
        points.append((value, Fraction(reached, total)))
    return EquityCurve(1 - seat if whole else seat, not whole, tuple(points))
