"""Measure how much each extra card helps within a round: `python -m benchmarks.tilts [--save]`.

Equal networks play single rounds with random card counts. In the model of `engine.players.equity`,
a seat's chance to lose is proportional to exp(tilt * cards); the tilt is fitted by maximum
likelihood for each number of players. `--save` writes the shipped file.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

import engine.players
from benchmarks.training.rounds import play_rounds
from engine.players.arrays import Ints, arrays_of
from engine.players.kernels.cards import round_arrays
from engine.players.kernels.features import workspace
from engine.players.networks import network_of
from engine.ruleset import Ruleset
from engine.variants import VARIANTS

FILE = Path(engine.players.__file__).parent / "weights" / "tilts.json"


def simulate_rounds(rules: Ruleset, players: int, rounds: int, seed: int) -> tuple[Ints, Ints]:
    """Play rounds among equal networks; return (cards (rounds, players), losers (rounds))."""
    g = arrays_of(rules)
    entry = network_of(rules.key)
    cards, losers = np.zeros((rounds, players), np.int64), np.zeros(rounds, np.int64)
    play_rounds(
        *(g, workspace(g.rung.size), np.array(entry.row(), float), entry.weights),
        *(round_arrays(players, g.rung.size), np.array([seed], np.uint64), cards, losers),
    )
    return cards, losers


def fit_tilt(cards: Ints, losers: Ints) -> tuple[float, float]:
    """Return the likeliest tilt and its standard error, by Newton's method."""
    held = cards - cards.mean(axis=1, keepdims=True)
    lost = held[np.arange(len(losers)), losers]
    tilt = 0.0
    for _ in range(20):
        weight = np.exp(tilt * held)
        share = weight / weight.sum(axis=1, keepdims=True)
        mean = (share * held).sum(axis=1)
        spread = ((share * held**2).sum(axis=1) - mean**2).sum()
        tilt += float((lost - mean).sum() / spread)
    return tilt, float(spread**-0.5)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20_000, help="for each number of players")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", action="store_true", help="write the data that is shipped")
    options = parser.parse_args()
    tilts: dict[str, dict[str, float]] = {}
    for key, variant in VARIANTS.items():
        rules = variant.ruleset()
        tilts[key] = {}
        for players in range(2, rules.most_players + 1):
            cards, losers = simulate_rounds(rules, players, options.rounds, options.seed)
            tilt, error = fit_tilt(cards, losers)
            tilts[key][str(players)] = round(tilt, 3)
            print(f"{rules.title}, {players} players: tilt {tilt:+.3f} ± {1.96 * error:.3f}")
    if options.save:
        recipe = (
            f"python -m benchmarks.tilts --rounds {options.rounds} --seed {options.seed} --save"
        )
        FILE.write_text(json.dumps({"recipe": recipe, "tilts": tilts}, indent=2) + "\n")


if __name__ == "__main__":
    main()
