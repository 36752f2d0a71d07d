"""Compile kernels once for all processes of the tests: `python -m tests.kernels players|odds`.

These are the kernels that a bot loads, and some that no bot needs.
"""

from __future__ import annotations

import sys

from bot.computing.warming import load_kernels, load_players


def load_simulation() -> None:
    """Play a match in the compiled loop."""
    from engine.players.simulation import Simulation
    from engine.variants import ruleset

    Simulation(ruleset("thai_poker"), ["careful", "sly"]).play(1)


def load_scores() -> None:
    """Score hands of six cards and of seven, as `evaluate_many` does."""
    import numpy as np

    from engine.odds.showdown.evaluator import evaluate_many

    for cards in (6, 7):
        evaluate_many(np.arange(cards, dtype=np.uint8)[None])


if __name__ == "__main__":
    if sys.argv[1] == "players":
        load_players()
        load_simulation()
    else:
        load_kernels()
        load_scores()
