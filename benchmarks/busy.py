"""Run a command while other processes keep the machine busy, to find tests that depend on luck.

    python benchmarks/busy.py --load 20 -- python -m pytest tests/bot       (or `make test-busy`)

`--load` is the number of busy processes. They run at the command's priority and end with it. The
exit code is the command's.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time

COUNTING = """
import os, sys
while os.getppid() == int(sys.argv[1]):
    sum(range(1_000_000))
"""


def main() -> int:
    """Run the command under load, print the seconds it took, and return its exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--load", type=int, default=20, help="how many processes count")
    parser.add_argument("command", nargs="+", help="what to run, after --")
    options = parser.parse_args()
    if options.load < 1:
        parser.error("expected at least one busy process, such as --load 20")
    counting = [sys.executable, "-c", COUNTING, str(os.getpid())]
    load = [subprocess.Popen(counting) for _ in range(options.load)]
    begun = time.monotonic()
    try:
        code = subprocess.run(options.command, check=False).returncode
    finally:
        for process in load:
            process.kill()
            process.wait()
    print(
        f"{time.monotonic() - begun:.0f} s beside {options.load} busy processes; exit code {code}"
    )
    return code


if __name__ == "__main__":
    sys.exit(main())
