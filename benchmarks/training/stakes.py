"""The stakes of a round: how each seat's chance to win the match depends on who loses.

They are computed by dynamic programming over the sorted card counts of the live seats. A seat with
c cards loses a round with a chance proportional to exp(tilt * c), as more cards help within a
round. Divided by `Stakes.scale`, all heads-up rounds are worth the same, since they have only two
outcomes.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from math import exp
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.players.arrays import Floats, Ints, RuleArrays

BASE: Final = 11  # more than seats at a table: the digits of a key are counts of seats
TILT: Final = {2: -0.24, 3: -0.12}  # by number of live seats; measured among equal networks
TILT_OF_MORE: Final = -0.07

State = tuple[int, ...]  # sorted card counts of the seats left


class Stakes(NamedTuple):
    """The chance to win the match, by state of the match. `keys` are sorted.

    Digit c - 1 of a state's key, in base 11, is the number of seats with c cards.
    """

    keys: Ints  # (states)
    value: Floats  # (states, most cards + 2): a seat's chance to win, by its cards
    scale: Floats  # (states): by how much a loss lowers a seat's chance, averaged over the seats


def stakes_of(g: RuleArrays) -> Stakes:
    """Return the stakes of a game, from its card limits by number of live seats."""
    limits = [int(limit) for limit in g.limits]

    def after(state: State, cards: int) -> State:
        """Return the state after a seat with `cards` cards lost a round."""
        left = list(state)
        left.remove(cards)
        if cards + 1 <= limits[len(state)]:
            left.append(cards + 1)
        return tuple(sorted(left))

    @cache
    def equity(state: State) -> dict[int, float]:
        """Return a seat's chance to win the match, by its number of cards."""
        if len(state) == 1:
            return {state[0]: 1.0}
        tilt = TILT.get(len(state), TILT_OF_MORE)
        weight = {cards: exp(tilt * cards) for cards in set(state)}
        total = sum(weight[cards] for cards in state)
        value = dict.fromkeys(weight, 0.0)
        for loser in weight:
            chance = weight[loser] / total
            then = equity(after(state, loser))
            for cards in weight:
                others = state.count(loser) - (cards == loser)
                value[cards] += chance * others * then.get(cards, 0.0)
                if cards == loser and loser + 1 <= limits[len(state)]:
                    value[cards] += chance * then[loser + 1]
        return value

    def cost(state: State) -> float:
        """Return by how much losing the round lowers the chance to win, on average over seats."""
        now = equity(state)
        lost = 0.0
        for cards in state:
            stays = cards + 1 <= limits[len(state)]
            lost += now[cards] - (equity(after(state, cards))[cards + 1] if stays else 0.0)
        return lost / len(state)

    states: dict[int, State] = {}
    for players in range(1, len(limits)):
        # with more players the limit may have been higher by one card: nobody holds more than that
        most = max(limits[max(2, players) :])
        most = max(most, limits[max(2, players)])
        for state in combinations_with_replacement(range(1, most + 1), players):
            states[sum(BASE ** (cards - 1) for cards in state)] = state
    keys = sorted(states)
    value = np.zeros((len(keys), max(limits) + 2), np.float32)
    scale = np.ones(len(keys), np.float32)
    for row, key in enumerate(keys):
        for cards, chance in equity(states[key]).items():
            value[row, cards] = chance
        if len(states[key]) > 1:
            scale[row] = cost(states[key])
    return Stakes(np.array(keys, np.int64), value, scale)


def equities_are_sound(stakes: Stakes) -> NDArray[np.bool_]:
    """Return for each state whether the seats' chances sum to 1."""
    sums = []
    for key, value in zip(stakes.keys, stakes.value, strict=True):
        remaining, total, cards = int(key), 0.0, 1
        while remaining:
            total += remaining % BASE * float(value[cards])
            remaining //= BASE
            cards += 1
        sums.append(abs(total - 1) < 1e-4)
    return np.array(sums)
