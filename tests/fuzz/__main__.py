"""`python -m tests.fuzz [texts|payloads|house|all] ...`: the long form."""

from __future__ import annotations

import argparse
import sys
import time
from functools import partial
from typing import Final

import structlog

from tests.fuzz import house, post
from tests.fuzz.telling import JUDGES, run

ROOMS: Final = {room: partial(run, room) for room in JUDGES} | {
    "house": house.run,
    "postgres": house.run_on_postgres,
    "payloads": post.run,
}


def main() -> int:
    """Make and judge; 1 if something failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("room", nargs="?", default="all", choices=[*ROOMS, "all"])
    parser.add_argument("--seed", type=int, default=1, help="where all chance comes from (1)")
    parser.add_argument("--first", type=int, default=0, help="the first one's number (0)")
    for room in ROOMS:
        parser.add_argument(f"--{room}", type=int, default=0, help=f"how many {room}")
    chosen = parser.parse_args()
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
    failed = 0
    for room in ROOMS if chosen.room == "all" else (chosen.room,):
        many = getattr(chosen, room)
        if not many:
            continue
        used = time.process_time()
        verdict = ROOMS[room](chosen.seed, chosen.first, many, _print)
        failed += len(verdict.failures)
        print(
            f"{many} {room}: {dict(verdict.outcomes)}, {len(verdict.failures)} failed,"
            f" {time.process_time() - used:.0f} s of processor time",
            flush=True,
        )
    return 1 if failed else 0


def _print(failure: str) -> None:
    print(failure.encode("utf-8", "backslashreplace").decode(), flush=True)


if __name__ == "__main__":
    sys.exit(main())
