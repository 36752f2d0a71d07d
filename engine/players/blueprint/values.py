"""What an action is worth in a solved round, if both seats play by the shipped strategy from then.

The other seat's hand is weighed by Bayes' rule: by chance and by its bids, each of which it would
make by the strategy but for a few slips. Walked are all histories that follow, but for rare ones.
Once a bid was made that the strategy hardly makes, nothing is said: what it does from there was
solved for slips alone, and says little of players who bid so.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TypeGuard

import numpy as np
from numpy.typing import NDArray

from engine.players.blueprint.abstraction import Abstraction
from engine.players.blueprint.playing import Blueprint, blueprint_of, chances_at
from engine.players.blueprint.shipped import index
from engine.players.blueprint.strategy import Strategy
from engine.players.position import Position
from engine.ruleset import Ruleset

SLIPS: Final = 0.01  # how often a seat does anything at all
RARE: Final = 1e-3  # histories that come less often are judged as if the last bid were challenged
ROUNDING: Final = 1e-9
OFTEN: Final = 0.1  # what the strategy does no less often is as good as what else it does so

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class RoundValues:
    """What actions are worth, rounds won less rounds lost, -1 to 1.

    An action is a bid's place in the ladder's order, or None for the challenge. `error` is what
    such a figure may be off: what the best opponent wins a round from the strategy, or by how much
    the best action differs from those that it often takes here itself, if that is more.
    """

    worth: dict[int | None, float]
    error: float


def round_values(
    position: Position, rules: Ruleset, wanted: Iterable[int | None]
) -> RoundValues | None:
    """The worth of the actions `wanted` and of those that the shipped strategy takes.

    None where it does not say what it does, does not know one of the actions, or where a bid was
    made that it makes in less than `SLIPS` of the rounds that come there, over all cards that the
    bidder may hold.
    """
    found = _solved(position, rules)
    if found is None:
        return None
    (abstraction, strategy), made = found
    known, chances = abstraction.places, dict(chances_at(position, rules))
    actions = dict.fromkeys([*wanted, *chances, *([None] if position.may_challenge else [])])
    if not set(actions) - {None} <= known.keys():
        return None
    walk = _Walk(abstraction, strategy, int(position.seat != position.opener), position.hole)
    reach = walk.belief(made)
    worth = {
        place: walk.challenge(made, reach)
        if place is None
        else walk.answer([*made, known[place]], reach)
        for place in actions
    }
    often = min(OFTEN, max(chances.values()))
    usual = [worth[place] for place, chance in chances.items() if chance >= often]
    lost = index()[rules.key]["exploitability"]["{}-{}".format(*abstraction.cards)]
    # whoever sets sums of these against the error must not find a difference by rounding
    return RoundValues(worth, max(lost, max(worth.values()) - min(usual)) + ROUNDING)


def advised(position: Position, rules: Ruleset) -> tuple[int | None, float] | None:
    """What the strategy does most often, an action, and how often it does so.

    None where it does not say what it does, or where a bid was made as for `round_values`.
    """
    if _solved(position, rules) is None:
        return None
    return max(chances_at(position, rules), key=lambda each: each[1])


def _solved(position: Position, rules: Ruleset) -> tuple[Blueprint, list[int]] | None:
    """The strategy of the position's round, and the bids made; None where neither says anything."""
    if not chances_at(position, rules):
        return None
    opener = position.opener
    other = next(seat for seat in position.live if seat != opener)
    blueprint = blueprint_of(rules, (position.dealt[opener], position.dealt[other]))
    assert blueprint is not None  # it has just been asked
    made = [blueprint[0].places.get(place) for _, place in position.bids]
    return (blueprint, made) if _is_usual(made, *blueprint) else None


def _is_usual(
    made: list[int | None], abstraction: Abstraction, strategy: Strategy
) -> TypeGuard[list[int]]:
    """Whether the strategy makes these bids, none of them less often than it slips."""
    reach = [abstraction.chance.sum(axis=1), abstraction.chance.sum(axis=0)]
    for at, bid in enumerate(made):
        if bid is None:
            return False
        seat = at % 2
        often = reach[seat] * strategy.all_at(made[:at])[:, bid]
        if often.sum() < SLIPS * reach[seat].sum():
            return False
        reach[seat] = often
    return True


class _Walk:
    """One seat with a hand, and how likely the other holds each of its hands."""

    def __init__(self, abstraction: Abstraction, strategy: Strategy, me: int, hole: int) -> None:
        self.hand = abstraction.hand_of(me, hole)
        self.me, self.strategy = me, strategy
        chance = abstraction.chance if me == 0 else abstraction.chance.T
        self.chance = chance[self.hand]
        true = abstraction.true[:, self.hand] if me == 0 else abstraction.true[:, :, self.hand]
        self.doubt = 1.0 - 2.0 * true  # (bids, other's hands) what a challenge of a bid wins

    def belief(self, made: list[int]) -> Floats:
        """The chance of each of the other's hands, after the bids `made`."""
        reach = self.chance
        for at in range(1 - self.me, len(made), 2):
            told = self.strategy.all_at(made[:at])
            reach = reach * ((1 - SLIPS) * told[:, made[at]] + SLIPS / told.shape[1])
        likely: Floats = reach / reach.sum()
        return likely

    def challenge(self, made: list[int], reach: Floats) -> float:
        """What a challenge of the last bid wins."""
        return float(self.doubt[made[-1]] @ reach)

    def answer(self, made: list[int], reach: Floats) -> float:
        """The other's turn: what the seat wins, times how often that comes."""
        told = self.strategy.all_at(made) * reach[:, None]
        worth = -self.challenge(made, told[:, -1])
        often = told.sum(axis=0)
        for bid in np.flatnonzero(often[:-1]):
            worth += self._follow(made, int(bid), told[:, bid], float(often[bid]), 1)
        return worth

    def _respond(self, made: list[int], reach: Floats) -> float:
        worth, often = 0.0, float(reach.sum())
        for bid, chance in self.strategy.at(made, self.hand):
            if bid is None:
                worth += chance * self.challenge(made, reach)
            else:
                worth += self._follow(made, bid, chance * reach, chance * often, -1)
        return worth

    def _follow(self, made: list[int], bid: int, reach: Floats, often: float, sign: int) -> float:
        """After another bid, by the other seat for `sign` 1, by one's own for -1."""
        if bid == made[-1]:
            return sign * often  # it must go on and knows no bid: it loses
        if often < RARE:
            return sign * self.challenge([bid], reach)
        return (self._respond if sign > 0 else self.answer)([*made, bid], reach)
