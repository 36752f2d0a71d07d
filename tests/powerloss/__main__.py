"""`python -m tests.powerloss [--cuts 500]`: cut the bot's power and look for lost moves."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from tests.powerloss.run import Run, plan_cuts, run

MOST = 20  # faults to print for each folder
FEW = 20  # cuts in one folder, printed before the next, in case the run is interrupted


def main() -> int:
    """Cut the power as often as the command line says; return 1 if a fault was found, else 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.powerloss", description=__doc__)
    parser.add_argument("--cuts", type=int, default=500, help="how often the power is cut (500)")
    parser.add_argument("--explored", type=int, default=10, help="other steps looked at a cut (10)")
    parser.add_argument("--seed", type=int, default=1, help="of the moves and the moments (1)")
    options = parser.parse_args()
    if options.cuts < 1 or options.explored < 0:
        parser.error("expected at least one cut, such as --cuts 50 --explored 10")
    begun, remaining, seed, violations = time.monotonic(), options.cuts, options.seed, []
    cut = looked = acknowledged = 0
    while remaining:
        number = min(remaining, FEW)
        with tempfile.TemporaryDirectory() as folder:
            chance = Random(seed)
            cuts = plan_cuts(chance, number)
            verdict: Run = asyncio.run(run(Path(folder), cuts, chance, explored=options.explored))
        remaining, seed = remaining - number, seed + 1
        lived = min(verdict.life, number)  # fewer if the bot didn't start any more
        cut, looked = cut + lived, looked + verdict.ledger.examined
        acknowledged += len(verdict.ledger.acknowledged)
        new = [*verdict.ledger.violations, *["the shim missed a write"] * verdict.unwatched]
        violations += new
        for violation in new[:MOST]:
            print(f"  {violation}")
        print(
            f"{cut:6,} cuts, {looked:,} disks looked at, {acknowledged:,} moves answered: "
            f"{len(violations)} faults; {time.monotonic() - begun:.0f} s",
            flush=True,
        )
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
