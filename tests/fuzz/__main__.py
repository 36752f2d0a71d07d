"""`python -m tests.fuzz [texts|payloads|house|...|all] ...`: make and judge random input."""

from __future__ import annotations

import argparse
import sys
import time
from functools import partial
from typing import Final

import structlog

from tests.fuzz import interactions, machine
from tests.fuzz.kinds import JUDGES, run

KINDS: Final = {kind: partial(run, kind) for kind in JUDGES} | {
    "house": machine.run,
    "postgres": machine.run_on_postgres,
    "payloads": interactions.run,
}


def main() -> int:
    """Make and judge the inputs asked for; return 1 if something failed, else 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("kind", nargs="?", default="all", choices=[*KINDS, "all"])
    parser.add_argument("--seed", type=int, default=1, help="where all chance comes from (1)")
    parser.add_argument("--first", type=int, default=0, help="the first one's number (0)")
    for kind in KINDS:
        parser.add_argument(f"--{kind}", type=int, default=0, help=f"how many {kind}")
    chosen = parser.parse_args()
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
    failed = 0
    for kind in KINDS if chosen.kind == "all" else (chosen.kind,):
        many = getattr(chosen, kind)
        if not many:
            continue
        used = time.process_time()
        verdict = KINDS[kind](chosen.seed, chosen.first, many, _print)
        failed += len(verdict.failures)
        print(
            f"{many} {kind}: {dict(verdict.outcomes)}, {len(verdict.failures)} failed,"
            f" {time.process_time() - used:.0f} s of processor time",
            flush=True,
        )
    return 1 if failed else 0


def _print(failure: str) -> None:
    print(failure.encode("utf-8", "backslashreplace").decode(), flush=True)


if __name__ == "__main__":
    sys.exit(main())
