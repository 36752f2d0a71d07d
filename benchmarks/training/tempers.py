"""Search for a temper of a network that beats *sharp* in whole matches.

A temper is a few numbers that change a network's play without training, as they do for *sly* and
*wild*: they are added to weights, and the last one scales all scores. The search is the
cross-entropy method: each generation draws candidates from a normal distribution, plays them on the
same deals, and moves the distribution towards the best quarter.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engine.players.forms import SHARP
from engine.players.kernels.network import DOUBT_AT, DOUBT_LINEAR_AT, DOUBT_OUT_AT, OUT_AT, WEIGHTS
from engine.players.networks import DOUBT, OWN_CARDS, OWN_CHANCE, Entry
from engine.players.simulation import Interval, Simulation
from engine.ruleset import Ruleset

JUMP: Final = OWN_CHANCE + 13  # index of the weight of the rungs that a bid rises
DOUBT_OWN: Final = DOUBT_LINEAR_AT + 7  # of the standing bid's chance by own cards, in a challenge
DOUBT_TRUSTING: Final = DOUBT_OWN + 1  # of the same chance in the trusting view
# the weights that a temper changes, each with its standard deviation in the first generation
SPREADS: Final = {
    OWN_CHANCE: 6.0,
    OWN_CARDS: 4.0,
    JUMP: 4.0,
    DOUBT: 1.5,
    DOUBT_OWN: 3.0,
    DOUBT_TRUSTING: 3.0,
}
SCALE: Final = 0.4  # the standard deviation of the logarithm of the scores' factor
CANDIDATES: Final = 16  # of a generation
STEP: Final = 0.7  # how far the distribution moves towards the best quarter

Report = Callable[[int, float], None]


def with_numbers(network: Entry, temper: NDArray[Any]) -> Entry:
    """Return `network` with a temper: a number for each of `SPREADS`, and a logarithm."""
    weights = network.weights.copy().reshape(-1, WEIGHTS)
    weights[:, list(SPREADS)] += temper[:-1].astype(np.float32)
    for block in (slice(OUT_AT, DOUBT_AT), slice(DOUBT_OUT_AT, None)):
        weights[:, block] *= np.float32(np.exp(temper[-1]))
    return replace(network, weights=weights.ravel())


def share_won(
    rules: Ruleset, response: Entry, opponent: str, seats: int, matches: int, seed: int
) -> Interval:
    """Return the share of matches that `response` wins against `seats` - 1 seats of `opponent`.

    It plays about `matches` matches: whole deals, in all seatings, at least one. `seed` gives the
    deals.
    """
    names = ["response", *[opponent] * (seats - 1)]
    simulation = Simulation(rules, names, seed=seed, others={"response": response})
    simulation.play(max(1, matches // simulation.seatings.of_a_deal))
    return simulation.results()[0].interval


def best_temper(
    rules: Ruleset,
    network: Entry,
    generations: int,
    seed: int,
    *,
    seats: int = 2,
    matches: int = 16,
    opponent: str = SHARP,
    report: Report = lambda generation, share: None,
) -> Entry:
    """Return `network` with the mean temper of the last generation.

    Each candidate plays about `matches` matches against `seats` - 1 seats of `opponent`. `report`
    is called after each generation with its number and its mean share of matches won.
    """
    rng = np.random.default_rng(seed)
    spread = np.array([*SPREADS.values(), SCALE])
    mean = np.zeros(spread.size)
    for generation in range(generations):
        tempers = mean + spread * rng.standard_normal((CANDIDATES, spread.size))
        shares = np.zeros(CANDIDATES)
        for number, temper in enumerate(tempers):
            response, deals = with_numbers(network, temper), 1000 * seed + generation
            shares[number] = share_won(rules, response, opponent, seats, matches, deals).share
        best = tempers[np.argsort(-shares, kind="stable")[: CANDIDATES // 4]]
        mean += STEP * (best.mean(axis=0) - mean)
        spread += STEP * (best.std(axis=0) - spread)
        spread = np.maximum(spread, 0.2 * np.array([*SPREADS.values(), SCALE]))
        report(generation, float(shares.mean()))
    return with_numbers(network, mean)
