"""Train best responses: networks that learn to beat one player.

A response starts from the player's own weights, from given weights, or from new weights if the
player has none, and trains only against the player. The share of matches that it wins is a lower
bound of how far the player can be exploited.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from benchmarks.training.league import CUT, between, fresh
from benchmarks.training.practice import MANY, Drill, learner_of, practise, records_for_round
from benchmarks.training.solved import solved_rounds
from benchmarks.training.stakes import stakes_of
from engine.players.arrays import Floats, arrays_of
from engine.players.kernels.cards import round_arrays
from engine.players.kernels.deciding import NETWORK
from engine.players.kernels.features import workspace
from engine.players.kernels.match import Readers
from engine.players.kernels.network import WEIGHTS
from engine.players.kernels.reading import MODELS
from engine.players.networks import SENSIBLE, Entry
from engine.players.reader import new_outlook, reading_of
from engine.ruleset import Ruleset

BATCH: Final = 256
STRETCH: Final = 50  # batches after which rate and heat change
RATES: Final = (2e-3, 2e-4)
HEATS: Final = (0.012, 0.001)
FEWEST_DEALS: Final = 4  # that a quick reader looks ahead on


def best_response(
    rules: Ruleset,
    player: Entry,
    rounds: int,
    seed: int,
    *,
    seats: int = 2,
    solved: bool = False,
    begin: Entry | None = None,
    looks: int = 0,
) -> Entry:
    """Return a network trained for `rounds` against copies of `player` at a table of `seats`.

    With three or more seats, the network trains as many rounds heads-up too, since matches end
    heads-up. If `solved`, the player plays solved rounds by their tables, like *sharp* against an
    opponent it has not recognised. With `looks`, it looks ahead elsewhere, with about this many
    evaluations of the network in a decision; at tables there are some hundreds. `begin` is an
    earlier response to start from.
    """
    tables = solved_rounds(rules if solved else None)
    readers = quick_readers(rules, seats, looks) if looks else None

    def train(live: tuple[int, ...], part: slice) -> Floats:
        """Train one set of weights (`part`), for rounds with the numbers `live` of live seats."""
        g = arrays_of(rules)
        nets = np.zeros((1, WEIGHTS), np.float32)
        weights = fresh(seed)
        if player.weights.size:
            weights = nets[0] = player.weights[part]
        if begin is not None:
            weights = begin.weights[part]
        learner = learner_of(weights, seed)
        sizes = np.zeros(11, np.float32)
        sizes[list(live)] = 1 / len(live)
        rng = np.array([seed * 104729 + 7], np.uint64)
        work, stakes, records = workspace(g.rung.size), stakes_of(g), records_for_round()
        batches, results = rounds // BATCH, np.zeros((1, 2))
        for finished in range(0, batches, STRETCH):
            drill = Drill(
                sizes=sizes,
                fewest=int(g.starting[seats]),
                opponents=np.array([player.row()]),
                nets=nets,
                solved=tables,
                often=np.ones(1, np.float32),
                alone=1.0,
                alike=1.0,
                middle=0.0,
                worth=0.0 if live == (2,) else 1.0,
                sensible=SENSIBLE,
                rounds=BATCH,
                rate=between(RATES, finished / batches),
                heat=between(HEATS, finished / batches),
                pull=0.0,
                follow=0.02 if looks else 0.005,  # with readers, rounds are few
            )
            todo = min(STRETCH, batches - finished)
            practise(g, work, stakes, drill, learner, records, todo, results, rng, readers)
        return learner.mean

    # the last set of weights, or the only one, plays heads-up
    heads_up = train((2,), slice(-WEIGHTS, None))
    many_players = train(tuple(range(3, seats + 1)), slice(WEIGHTS)) if seats > 2 else heads_up
    return Entry(NETWORK, CUT, np.concatenate([many_players, heads_up]), SENSIBLE, MANY)


def quick_readers(rules: Ruleset, seats: int, looks: int) -> Readers:
    """Return readers for a table of `seats` that evaluate the network about `looks` times."""
    reading = reading_of(rules, seats)
    return Readers(
        models=reading.models,
        reader=reading.reader._replace(looks=looks, fewest=FEWEST_DEALS),
        sight=round_arrays(seats, reading.arrays.rung.size),
        notes=np.zeros((seats, MODELS)),
        hands=reading.hands(seats),
        outlook=new_outlook(),
    )
