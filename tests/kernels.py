"""Compile kernels once for all processes of the tests: `python -m tests.kernels players|odds`.

These are the kernels that a bot loads, and those of simulations, which no bot needs.
"""

from __future__ import annotations

import sys

from bot.computing.warming import load_kernels, load_players


def load_simulations() -> None:
    """Play a match of each kind that simulations compile: with and without a seat that reads."""
    from engine.players.forms import NETWORK, READING
    from engine.players.simulation import Simulation
    from engine.variants import ruleset

    rules = ruleset("thai_poker")
    for second in (READING, "careful"):
        Simulation(rules, [NETWORK, second]).play(1)


def load_scores() -> None:
    """Score hands of six cards and of seven, as `evaluate_many` does."""
    import numpy as np

    from engine.odds.showdown.evaluator import evaluate_many

    for cards in (6, 7):
        evaluate_many(np.arange(cards, dtype=np.uint8)[None])


if __name__ == "__main__":
    if sys.argv[1] == "players":
        load_players()
        load_simulations()
    else:
        load_kernels()
        load_scores()
