"""Best responses: how much of heads-up matches somebody wins who studies a player and nothing else.

A response starts from the player's own weights (or fresh ones, for a player without) and trains
against it alone. What it wins is a lower bound of how far the player can be exploited.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np

from benchmarks.training.league import CUT, between, fresh
from benchmarks.training.practice import MANY, Drill, kept_of, learner_of, practise
from benchmarks.training.stakes import stakes_of
from engine.players.arrays import RuleArrays
from engine.players.kernels.deciding import NETWORK
from engine.players.kernels.features import workspace
from engine.players.kernels.network import WEIGHTS
from engine.players.matches import Entry, rows
from engine.players.networks import SENSIBLE, SETS

BATCH: Final = 256
STRETCH: Final = 50  # batches between two changes of rate and heat
RATES: Final = (2e-3, 2e-4)
HEATS: Final = (0.012, 0.001)


def best_response(g: RuleArrays, player: Entry, rounds: int, seed: int) -> Entry:
    """A network trained for so many heads-up rounds against `player` alone."""
    studied = player
    if player.weights is not None:
        # what plays heads-up: the last set, or the only one
        studied = replace(player, weights=player.weights[-WEIGHTS:])
    learner = learner_of(fresh(seed) if studied.weights is None else studied.weights, seed)
    opponents, nets = rows([studied])
    if player.weights is None:
        nets = np.zeros((1, WEIGHTS), np.float32)
    rng = np.array([seed * 104729 + 7], np.uint64)
    work, stakes, kept = workspace(g.rung.size), stakes_of(g), kept_of()
    batches = rounds // BATCH
    results = np.zeros((1, 2))
    for done in range(0, batches, STRETCH):
        drill = Drill(
            sizes=np.array([0, 0, 1], np.float32),
            opponents=opponents,
            nets=nets,
            often=np.ones(1, np.float32),
            alone=1.0,
            alike=1.0,
            middle=0.0,
            worth=0.0,
            sensible=SENSIBLE,
            rounds=BATCH,
            rate=between(RATES, done / batches),
            heat=between(HEATS, done / batches),
            pull=0.0,
            follow=0.005,
        )
        todo = min(STRETCH, batches - done)
        practise(g, work, stakes, drill, learner, kept, todo, results, rng)
    return Entry(NETWORK, CUT, np.tile(learner.mean, SETS), SENSIBLE, MANY)
