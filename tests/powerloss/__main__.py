"""`python -m tests.powerloss [--cuts 500]`: cut the bot's power, look for what is lost."""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path
from random import Random

from tests.powerloss.lives import Lives, cuts_by, live

MOST = 20  # faults of one folder that are printed
FEW = 20  # cuts in one folder: a run that is cut short has told of the others


def main() -> int:
    """Run it, and print what was found; 1 if anything was lost."""
    parser = argparse.ArgumentParser(prog="python -m tests.powerloss", description=__doc__)
    parser.add_argument("--cuts", type=int, default=500, help="how often the power is cut (500)")
    parser.add_argument("--explored", type=int, default=10, help="other steps looked at a cut (10)")
    parser.add_argument("--seed", type=int, default=1, help="of the moves and the moments (1)")
    given = parser.parse_args()
    if given.cuts < 1 or given.explored < 0:
        parser.error("expected at least one cut, such as --cuts 50 --explored 10")
    begun, left, seed, faults = time.monotonic(), given.cuts, given.seed, []
    cut = looked = told = 0
    while left:
        number = min(left, FEW)
        with tempfile.TemporaryDirectory() as folder:
            chance = Random(seed)
            cuts = cuts_by(chance, number)
            run = live(Path(folder), cuts, chance, explored=given.explored)
            found: Lives = asyncio.run(run)
        left, seed = left - number, seed + 1
        lives = min(found.life, number)  # fewer where the bot did not start any more
        cut, looked = cut + lives, looked + found.ledger.examined
        told += len(found.ledger.told)
        new = [*found.ledger.faults, *["the shim missed a write"] * found.unwatched]
        faults += new
        for fault in new[:MOST]:
            print(f"  {fault}")
        print(
            f"{cut:6,} cuts, {looked:,} disks looked at, {told:,} moves answered: "
            f"{len(faults)} faults; {time.monotonic() - begun:.0f} s",
            flush=True,
        )
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
