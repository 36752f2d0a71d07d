"""The worth of actions in a solved round, if both seats then play by the shipped strategy.

The other seat's hands are weighed by Bayes' rule: the chance that a hand is dealt, times
the chance that its holder then makes the bids made. A seat is assumed to follow the
strategy, but to take a random action (a slip) now and then. All further bids are searched,
except rare bids. After a bid that the strategy hardly ever makes there is no result: from
there on, the strategy was solved against slips only, and says little about players who bid
like that.
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

SLIPS: Final = 0.01  # fraction of actions that a seat takes at random
RARE: Final = 1e-3  # a history less likely than this is valued as if its last bid were challenged
ROUNDING: Final = 1e-9
OFTEN: Final = 0.1  # actions that the strategy takes at least this often count as equally good

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class RoundValues:
    """The worth of actions: rounds won minus rounds lost, -1 to 1.

    An action is a bid's place in the ladder's order, or None for the challenge. `error` is how far
    a figure may be off. It is the larger of two numbers: what the best opponent wins against the
    strategy in a round, and the difference in worth between the best action and the worst action
    that the strategy often takes here.
    """

    worth: dict[int | None, float]
    error: float


def round_values(
    position: Position, rules: Ruleset, options: Iterable[int | None]
) -> RoundValues | None:
    """Return the worth of `options`, of each action of the strategy, and of a challenge if legal.

    None if the strategy has no action here, or does not know one of `options`. Also None if a
    bid was made that the strategy makes with a chance below `SLIPS`, averaged over the hands
    with which its seat comes to this point.
    """
    solution = _solution(position, rules)
    if solution is None:
        return None
    (abstraction, strategy), history = solution
    known, chances = abstraction.places, dict(chances_at(position, rules))
    actions = dict.fromkeys([*options, *chances, *([None] if position.may_challenge else [])])
    if not set(actions) - {None} <= known.keys():
        return None
    walk = _Walk(abstraction, strategy, int(position.seat != position.opener), position.hole)
    reach = walk.belief(history)
    worth = {
        place: walk.challenge(history, reach)
        if place is None
        else walk.answer([*history, known[place]], reach)
        for place in actions
    }
    often = min(OFTEN, max(chances.values()))
    usual = [worth[place] for place, chance in chances.items() if chance >= often]
    lost = index()[rules.key]["exploitability"]["{}-{}".format(*abstraction.cards)]
    # so that rounding in these sums never exceeds the error
    return RoundValues(worth, max(lost, max(worth.values()) - min(usual)) + ROUNDING)


def likeliest_action(position: Position, rules: Ruleset) -> tuple[int | None, float] | None:
    """Return the strategy's most frequent action and its chance.

    An action is as in `RoundValues`. The result is None if the strategy has no action here, or
    after a rare bid, as in `round_values`.
    """
    if _solution(position, rules) is None:
        return None
    return max(chances_at(position, rules), key=lambda choice: choice[1])


def _solution(position: Position, rules: Ruleset) -> tuple[Blueprint, list[int]] | None:
    """Return the round's solved strategy, and the bids made, by their indexes in its abstraction.

    None if the strategy has no action here, or if a bid was made that is not usual (`_is_usual`).
    """
    if not chances_at(position, rules):
        return None
    opener = position.opener
    opponent = next(seat for seat in position.live if seat != opener)
    blueprint = blueprint_of(rules, (position.dealt[opener], position.dealt[opponent]))
    assert blueprint is not None  # `chances_at` found it
    history = [blueprint[0].places.get(place) for _, place in position.bids]
    return (blueprint, history) if _is_usual(history, *blueprint) else None


def _is_usual(
    history: list[int | None], abstraction: Abstraction, strategy: Strategy
) -> TypeGuard[list[int]]:
    """Return whether the strategy knows each bid, and makes it with a chance of at least `SLIPS`.

    The chance is averaged over the hands with which the bidder comes to this point.
    """
    reach = [abstraction.chance.sum(axis=1), abstraction.chance.sum(axis=0)]
    for at, bid in enumerate(history):
        if bid is None:
            return False
        seat = at % 2
        often = reach[seat] * strategy.all_at(history[:at])[:, bid]
        if often.sum() < SLIPS * reach[seat].sum():
            return False
        reach[seat] = often
    return True


class _Walk:
    """A search through the rest of a round, for seat `me` (0: the opener) with the cards `hole`.

    A `reach` has, for each hand of the other seat, the chance that this hand is dealt and the bids
    so far are made. Gains are those of `me`: 1 if `me` wins the round, -1 if `me` loses.
    """

    def __init__(self, abstraction: Abstraction, strategy: Strategy, me: int, hole: int) -> None:
        self.hand = abstraction.hand_of(me, hole)
        self.me, self.strategy = me, strategy
        chance = abstraction.chance if me == 0 else abstraction.chance.T
        self.chance = chance[self.hand]
        true = abstraction.true[:, self.hand] if me == 0 else abstraction.true[:, :, self.hand]
        self.doubt = 1.0 - 2.0 * true  # (bids, other's hands) gain from a challenge

    def belief(self, history: list[int]) -> Floats:
        """Return the chance of each hand of the other seat after the bids in `history`."""
        reach = self.chance
        for at in range(1 - self.me, len(history), 2):
            chances = self.strategy.all_at(history[:at])
            reach = reach * ((1 - SLIPS) * chances[:, history[at]] + SLIPS / chances.shape[1])
        likely: Floats = reach / reach.sum()
        return likely

    def challenge(self, history: list[int], reach: Floats) -> float:
        """Return the gain if `me` challenges the last bid, weighted by `reach`."""
        return float(self.doubt[history[-1]] @ reach)

    def answer(self, history: list[int], reach: Floats) -> float:
        """Return the gain after `history` if the other seat moves next, weighted by `reach`."""
        reaches = self.strategy.all_at(history) * reach[:, None]
        worth = -self.challenge(history, reaches[:, -1])
        often = reaches.sum(axis=0)
        for bid in np.flatnonzero(often[:-1]):
            worth += self._follow(history, int(bid), reaches[:, bid], float(often[bid]), 1)
        return worth

    def _respond(self, history: list[int], reach: Floats) -> float:
        worth, often = 0.0, float(reach.sum())
        for bid, chance in self.strategy.at(history, self.hand):
            if bid is None:
                worth += chance * self.challenge(history, reach)
            else:
                worth += self._follow(history, bid, chance * reach, chance * often, -1)
        return worth

    def _follow(
        self, history: list[int], bid: int, reach: Floats, often: float, sign: int
    ) -> float:
        """Return the gain of `me` after `bid`, weighted by `reach`.

        `reach` includes the chance of the bid, and `often` is its sum. The other seat makes the bid
        if `sign` is 1, seat `me` if it is -1.
        """
        if bid == history[-1]:
            return sign * often  # the bidder has no higher bid: it loses
        if often < RARE:
            return sign * self.challenge([bid], reach)
        return (self._respond if sign > 0 else self.answer)([*history, bid], reach)
