"""The sums of a showdown's deals: what they say each player's part of the pot is worth."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import lcm, sqrt
from operator import mul
from typing import Final

from engine.odds.showdown.dealing import Sums
from engine.odds.showdown.scenario import Scenario

_TELLING: Final = 100  # deals from which their spread is taken for that of all


class Totals:
    """Sums over deals: per player the deals by what part of the pot is theirs, and kinds of hands.

    The columns are those of `shares` in the kernels: among how many a player wins, and for a split
    pot those of `kernels.deal.add_split`. Where deals differ in weight (`hand_sampling`) all are
    sums of weights, `weight` in all; else `weight` is `deals`.
    """

    def __init__(self, scenario: Scenario) -> None:
        players = len(scenario.players)
        self.deals = 0
        self.tried = 0
        self.weight: float = 0
        self._square: float = 0
        self._parts, self._unit, self.units = parts_of_pot(players, scenario.rules.hi_lo)
        columns = len(self._parts)
        self.shares: list[list[float]] = [[0] * columns for _ in range(players)]
        self.kinds: list[list[float]] = [[0] * 10 for _ in range(players)]
        self._squares: list[list[float]] = [[0] * columns for _ in range(players)]

    def add(self, sums: Sums) -> None:
        """Add a piece of work."""
        weights = sums.weights
        self.deals += sums.deals
        self.tried += sums.tried
        self.weight += sums.deals if weights is None else weights.total
        self._square += sums.deals if weights is None else weights.square
        _add(self.shares, sums.shares.tolist())
        _add(self.kinds, sums.kinds.tolist())
        if weights is not None:
            _add(self._squares, weights.squares.tolist())

    def in_deals(self, weight: float) -> int:
        """A sum of weights as a number of the deals."""
        return int(weight if self.weight == self.deals else weight * self.deals / self.weight)

    @property
    def worth(self) -> float:
        """As how many deals of the same weight they are good for."""
        return self.weight * self.weight / self._square if self._square else 0.0

    def value(self, seat: int) -> Fraction:
        """The share of the pot."""
        won = sum(map(mul, self.units, self.shares[seat]))
        return Fraction(won) / Fraction(self._unit * self.weight)

    def is_whole(self, units: int) -> bool:
        """Whether a part of the pot is all of it."""
        return units == self._unit

    def error(self) -> float:
        """The largest standard error of a player's value."""
        return max(map(self.error_of, range(len(self.shares))))

    def error_of(self, seat: int) -> float:
        """The standard error of a player's value, that of a ratio of two sums over deals.

        Of a deal of weight w and share x it is w (x - value) that varies. A few deals that happen
        to be alike say nothing of how much that is: then it is as large as a share can vary.
        """
        weighed = self.weight != self._square
        squares = self._squares[seat] if weighed else self.shares[seat]
        parts = [
            (float(part), count) for part, count in zip(self._parts, squares, strict=True) if part
        ]
        value = float(self.value(seat))
        lost = self._square - sum(count for _, count in parts)
        spread = sum((part - value) ** 2 * count for part, count in parts) + value**2 * lost
        error = sqrt(max(0.0, spread)) / self.weight
        return error if self.worth >= _TELLING else max(error, 0.5 / sqrt(max(self.worth, 1.0)))


def _add(sums: list[list[float]], more: list[list[float]]) -> None:
    for own, others in zip(sums, more, strict=True):
        own[:] = [a + b for a, b in zip(own, others, strict=True)]


@cache
def parts_of_pot(players: int, split: bool) -> tuple[list[Fraction], int, list[int]]:
    """The part of the pot in each column of `shares`; a unit of the pot, and the parts in units."""
    if split:
        columns = range((players + 1) * (players + 2))
        parts = [_part_of_split(column, players) for column in columns]
    else:
        parts = [Fraction(1, among) if among else Fraction(0) for among in range(players + 1)]
    unit = lcm(*(part.denominator for part in parts))
    return parts, unit, [int(part * unit) for part in parts]


def _part_of_split(column: int, players: int) -> Fraction:
    """The part of the pot in a column of `shares` where it is split."""
    high, low = divmod(column, players + 2)
    of_high = Fraction(1, high) if high else Fraction(0)
    if low > players:  # nobody has a low hand
        return of_high
    return (of_high + (Fraction(1, low) if low else 0)) / 2
