"""What an action is worth in a solved round, if both seats play by the shipped strategy from then.

The other seat's hand is weighed by Bayes' rule: by chance and by its bids, each of which it would
make by the strategy but for a few slips. Walked are all histories that follow, but for rare ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.players.blueprint.abstraction import Abstraction
from engine.players.blueprint.playing import blueprint_of, chances_at, index
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
    the actions differ that it takes here itself, if that is more.
    """

    worth: dict[int | None, float]
    error: float


def round_values(
    position: Position, rules: Ruleset, wanted: Iterable[int | None]
) -> RoundValues | None:
    """The worth of the actions `wanted` and of those that the shipped strategy takes.

    None where it does not say what it does, or does not know one of the actions.
    """
    chances = dict(chances_at(position, rules))
    if not chances:
        return None
    me = int(position.seat != position.opener)
    other = next(seat for seat in position.live if seat != position.seat)
    held = (position.dealt[position.seat], position.dealt[other])
    blueprint = blueprint_of(rules, held[::-1] if me else held)
    assert blueprint is not None  # it has just been asked
    known = blueprint[0].places
    actions = dict.fromkeys([*wanted, *chances, *([None] if position.may_challenge else [])])
    made = [known.get(place) for _, place in position.bids]
    if None in made[-1:] or not set(actions) - {None} <= known.keys():
        return None
    walk = _Walk(*blueprint, me, position.hole)
    reach = walk.belief(made)
    worth = {
        place: walk.challenge(made, reach)
        if place is None
        else walk.answer([*made, known[place]], reach)
        for place in actions
    }
    usual = [worth[place] for place, chance in chances.items() if chance >= OFTEN]
    lost = index()[rules.key]["exploitability"]["{}-{}".format(*blueprint[0].cards)]
    # whoever sets sums of these against the error must not find a difference by rounding
    return RoundValues(worth, max(lost, max(usual) - min(usual)) + ROUNDING)


def advised(position: Position, rules: Ruleset) -> tuple[int | None, float] | None:
    """What the strategy does most often of what no other action clearly beats, and how often.

    An action and a chance, which is 0 for a challenge that it would not make but that is better
    than all it does. None where `round_values` says nothing.
    """
    values = round_values(position, rules, ())
    if values is None:
        return None
    chances = dict(chances_at(position, rules))
    least = max(values.worth.values()) - values.error
    good = [action for action, worth in values.worth.items() if worth >= least]
    action = max(good, key=lambda each: chances.get(each, 0.0))
    return action, chances.get(action, 0.0)


class _Walk:
    """One seat with a hand, and how likely the other holds each of its hands."""

    def __init__(self, abstraction: Abstraction, strategy: Strategy, me: int, hole: int) -> None:
        self.hand = abstraction.hand_of(me, hole)
        self.me, self.strategy = me, strategy
        chance = abstraction.chance if me == 0 else abstraction.chance.T
        self.chance = chance[self.hand]
        true = abstraction.true[:, self.hand] if me == 0 else abstraction.true[:, :, self.hand]
        self.doubt = 1.0 - 2.0 * true  # (bids, other's hands) what a challenge of a bid wins

    def belief(self, made: list[int | None]) -> Floats:
        """The chance of each of the other's hands, after the bids `made`."""
        reach = self.chance
        for at in range(1 - self.me, len(made), 2):
            bid = made[at]
            if bid is not None:
                told = self.strategy.all_at(made[:at])
                reach = reach * ((1 - SLIPS) * told[:, bid] + SLIPS / told.shape[1])
        likely: Floats = reach / reach.sum()
        return likely

    def challenge(self, made: list[int | None], reach: Floats) -> float:
        """What a challenge of the last bid wins."""
        bid = made[-1]
        assert bid is not None
        return float(self.doubt[bid] @ reach)

    def answer(self, made: list[int | None], reach: Floats) -> float:
        """The other's turn: what the seat wins, times how often that comes."""
        told = self.strategy.all_at(made) * reach[:, None]
        worth = -self.challenge(made, told[:, -1])
        often = told.sum(axis=0)
        for bid in np.flatnonzero(often[:-1]):
            worth += self._follow(made, int(bid), told[:, bid], float(often[bid]), 1)
        return worth

    def _respond(self, made: list[int | None], reach: Floats) -> float:
        worth, often = 0.0, float(reach.sum())
        for bid, chance in self.strategy.at(made, self.hand):
            if bid is None:
                worth += chance * self.challenge(made, reach)
            else:
                worth += self._follow(made, bid, chance * reach, chance * often, -1)
        return worth

    def _follow(
        self, made: list[int | None], bid: int, reach: Floats, often: float, sign: int
    ) -> float:
        """After another bid, by the other seat for `sign` 1, by one's own for -1."""
        if bid == made[-1]:
            return sign * often  # it must go on and knows no bid: it loses
        if often < RARE:
            return sign * self.challenge([bid], reach)
        return (self._respond if sign > 0 else self.answer)([*made, bid], reach)
