"""Solve small rounds and ship them: `python -m benchmarks.solve_exact thai 1-1 1-2 2-1 --save`.

Prints the value to the opener and the exploitability, both in rounds won less lost a round, as
exactly computed from what would be stored. Without --save nothing is written. No chance is
involved, so the same files come out each time.
"""

from __future__ import annotations

import argparse
import time
from io import BytesIO
from pathlib import Path

import engine.players
from engine.players.exact.response import worth
from engine.players.exact.small_round import small_round
from engine.players.exact.solving import Solver
from engine.players.exact.strategy import shipped_name
from engine.variants import by_short

WEIGHTS = Path(engine.players.__file__).parent / "weights"


def main() -> None:
    """Read the arguments; solve, measure and save one round after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", help="short name, such as thai")
    parser.add_argument(
        "cards", nargs="+", help="cards of the opener and of the other, such as 1-2"
    )
    parser.add_argument("--iterations", type=int, default=2000)
    parser.add_argument("--save", action="store_true", help="write the files that are shipped")
    asked = parser.parse_args()
    rules = by_short(asked.game).ruleset()
    for text in asked.cards:
        opener, _, other = text.partition("-")
        small = small_round(rules, (int(opener), int(other)))
        if small is None:
            parser.error(f"{text} is too large to be solved; 1-2, for example, is not")
        solver = Solver(small)
        solver.iterate(1)  # compiles
        begin = time.process_time()
        solver.iterate(asked.iterations - 1)
        used = time.process_time() - begin
        strategy = solver.average()
        told = worth(strategy)
        packed = BytesIO()
        strategy.write(packed)
        print(
            f"{asked.game} {text}: {len(small.bids)} bids, {solver.nodes} nodes,"
            f" {asked.iterations} iterations in {used:.1f} s; value {told.value:+.5f},"
            f" exploitability {told.exploitability:.7f}, {len(packed.getvalue())} bytes",
            flush=True,
        )
        if asked.save:
            (WEIGHTS / shipped_name(rules, small.cards)).write_bytes(packed.getvalue())


if __name__ == "__main__":
    main()
