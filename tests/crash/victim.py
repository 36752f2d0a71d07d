"""`python -m tests.crash.victim`: `bluffhouse run`, which kills itself at a named point.

With `--point NAME --passing N`, the process kills itself with SIGKILL when it reaches the
point for the N-th time. Before, it writes the point's name to the file `--report`. Without
a point the bot runs on. The functions of all points are always wrapped, so a start fails if
one of them was renamed.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import signal
import sys
from collections import Counter
from pathlib import Path
from typing import Final

from tests.crash import seams

GRACE_MS: Final = 400  # what a start gives back to whoever is to act; 20 s otherwise
SLOW_MS: Final = 500  # after which somebody is reminded; 20 s otherwise
BOT_MOVE_MS: Final = 200  # between two moves for absent players; 2 s otherwise
SEAM_GONE: Final = 70
PR_SET_PDEATHSIG: Final = 1


class Trap:
    """Kills this process at the n-th passing of a point."""

    def __init__(self, point: str | None, passing: int, report: Path) -> None:
        self._point = point
        self._passing = passing
        self._report = report
        self._passings: Counter[str] = Counter()

    def pass_point(self, point: str) -> None:
        """Count a passing of `point`; kill this process if this is the chosen passing."""
        self._passings[point] += 1
        if point == self._point and self._passings[point] == self._passing:
            self._report.write_text(point)
            os.kill(os.getpid(), signal.SIGKILL)
            signal.pause()  # until the signal arrives, nothing more may happen


def end_with_parent() -> None:
    """Have the kernel kill this process when its parent process ends. Linux only."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def main(arguments: list[str] | None = None) -> int:
    """Wrap the functions of all points, run the bot and return the exit code.

    If such a function is missing, return `SEAM_GONE` without running the bot. `arguments` replace
    the command line.
    """
    parser = argparse.ArgumentParser(prog="python -m tests.crash.victim", description=__doc__)
    parser.add_argument("--point", type=seams.point_name)
    parser.add_argument("--passing", type=int, default=1)
    parser.add_argument("--report", type=Path, required=True)
    parser.add_argument("--identify", type=float, help="seconds between two identifies")
    parser.add_argument("--unhurried", type=float, help="seconds for which processes wait")
    options = parser.parse_args(arguments)
    end_with_parent()
    trap = Trap(options.point, options.passing, options.report)
    try:
        seams.install(trap.pass_point)
        seams.shorten_pauses(GRACE_MS, SLOW_MS, BOT_MOVE_MS)
        if options.identify is not None:
            seams.pace_identifies(options.identify)
        if options.unhurried is not None:
            seams.wait_patiently(options.unhurried)
    except seams.SeamGone as gone:
        sys.stderr.write(f"tests.crash: {gone}\n")
        return SEAM_GONE
    from bot.__main__ import main as bluffhouse

    sys.argv = ["bluffhouse", "run"]
    bluffhouse()
    return 0


if __name__ == "__main__":
    sys.exit(main())
