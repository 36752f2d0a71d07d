"""Compile kernels once for all test processes: `python -m tests.kernels players|counting|sampling`.

These are the kernels that a bot loads, and some that only tests use.
"""

from __future__ import annotations

import sys

from bot.computing.warming import load_counting, load_players, load_sampling


def load_simulation() -> None:
    """Load the compiled match loop by playing a match in it."""
    from engine.players.simulation import Simulation
    from engine.variants import ruleset

    Simulation(ruleset("thai_poker"), ["careful", "sly"]).play(1)


def load_scores() -> None:
    """Score one hand each of six and of seven cards with `evaluate_many`."""
    import numpy as np

    from engine.odds.showdown.evaluator import evaluate_many

    for cards in (6, 7):
        evaluate_many(np.arange(cards, dtype=np.uint8)[None])


if __name__ == "__main__":
    if sys.argv[1] == "players":
        load_players()
        load_simulation()
    elif sys.argv[1] == "sampling":
        load_sampling()
    else:
        load_counting()
        load_scores()
