"""Estimate a bid's chance from the seat's cards and the earlier bids, for the coach.

The exact chance of a bid uses the seat's own cards and ignores the bidding; but a bid that somebody
made is far likelier than this chance. Here a logistic model combines three things: exact chances
under several beliefs; the share of deals in which the bid holds, if deals are drawn by reading the
bids (`kernels.reading`); and the state of the round. Its weights were fitted by
`benchmarks/estimate.py` on whole matches, at mixed and at strong tables.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.odds import bid_chance
from engine.players.kernels.estimating import CHANCES, FACTS, describe
from engine.players.kernels.features import workspace
from engine.players.learned import table_from
from engine.players.position import Position
from engine.players.reader import Reading, notes_from, reading_of
from engine.ruleset import Ruleset

INPUTS: Final = FACTS * (CHANCES + 1)
LOOKS = 600  # the most evaluations of the network for guessing hands
DEALS = 200  # deals to draw from the guesses
_LEAST: Final = 0.01  # keeps log-odds finite

Floats = NDArray[np.float64]


def estimate(position: Position, rules: Ruleset, place: int | None = None) -> float:
    """Return the chance, 0 to 1, that the bid at `place` of the ladder holds.

    If `place` is None, use the standing bid. A bid that the seat's own cards make certain or
    impossible gets 1 or 0. Before the first bid the chance is exact. Raises ValueError if no bid
    stands and `place` is None.
    """
    if place is None:
        place = position.standing
    if place is None:
        raise ValueError("no bid stands, so say which bid is meant, for example place=0")
    bid = rules.ladder.at(place)
    exact = bid_chance(bid, rules.deck, position.in_play, position.cards)
    if not position.bids or exact.favourable in (0, exact.total):
        return exact.probability
    reading = for_estimates(reading_of(rules, len(position.dealt)))
    chances, facts = np.zeros((1, CHANCES)), np.zeros((1, FACTS))
    # integer overflow is intended; numpy warns about it only with the JIT off
    with np.errstate(over="ignore"):
        describe(
            *(reading.arrays, workspace(len(rules.ladder)), reading.models, reading.reader),
            *(table_from(position), position.seat, notes_from(position, rules)),
            *(reading.hands(len(position.dealt)), np.array([position.chance], np.uint64)),
            *(np.array([place]), chances, facts),
        )
    return float(estimates(weights_of(rules.key), chances, facts)[0])


def for_estimates(reading: Reading) -> Reading:
    """Return `reading` with the limits that estimates were fitted with."""
    bounds = reading.reader._replace(looks=LOOKS, deals=DEALS)
    return Reading(reading.arrays, reading.models, bounds)


def design(chances: Floats, facts: Floats) -> Floats:
    """Return the model's inputs, (rows, INPUTS).

    The facts come first, then the products of each chance's log-odds with each fact.
    """
    odds = np.log((chances + _LEAST) / (1 + _LEAST - chances))
    products = odds[:, :, None] * facts[:, None, :]
    return np.concatenate([facts, products.reshape(len(facts), -1)], axis=1)


def estimates(weights: Floats, chances: Floats, facts: Floats) -> Floats:
    """Return each row's chance by the model, or its exact chance if that is 0 or 1.

    The exact chance is the first column of `chances`.
    """
    estimated = 1 / (1 + np.exp(-design(chances, facts) @ weights))
    exact = chances[:, 0]
    return np.where((exact <= 0) | (exact >= 1), exact, estimated)


@cache
def weights_of(game: str) -> Floats:
    """Return the weights (INPUTS,) for a game's key; the fallback game's if it has none."""
    text = files("engine.players").joinpath("weights", "estimate.json").read_text("utf-8")
    shipped: dict[str, Any] = json.loads(text)
    each = shipped["weights"]
    return np.array(each.get(game) or each[shipped["fallback"]])
