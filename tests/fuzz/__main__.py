"""`python -m tests.fuzz [texts|payloads|house|all] ...`: the long form."""

from __future__ import annotations

import argparse
import importlib
import sys
import time
from typing import Final

import structlog

ROOMS: Final = {
    "texts": ("wording", "typed bids"),
    "house": ("house", "runs of tables"),
    "postgres": ("house_on_postgres", "runs of tables on PostgreSQL"),
    "payloads": ("post", "interactions"),
    "settings": ("configuration", "heaps of settings"),
    "commands": ("commands", "command lines"),
    "files": ("match_files", "files of matches"),
    "questions": ("questions", "questions of odds"),
    "names": ("names", "boards of odd names"),
}


def main() -> int:
    """Make and judge; 1 if something failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("room", nargs="?", default="all", choices=[*ROOMS, "all"])
    parser.add_argument("--seed", type=int, default=1, help="where all chance comes from (1)")
    parser.add_argument("--first", type=int, default=0, help="the first one's number (0)")
    for room, (_, what) in ROOMS.items():
        parser.add_argument(f"--{room}", type=int, default=0, help=f"how many {what}")
    chosen = parser.parse_args()
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
    failed = 0
    for room in ROOMS if chosen.room == "all" else (chosen.room,):
        many = getattr(chosen, room)
        if not many:
            continue
        used = time.process_time()
        module = importlib.import_module(f"tests.fuzz.{ROOMS[room][0]}")
        told = module.run(chosen.seed, chosen.first, many, _tell)
        failed += len(told.failures)
        print(
            f"{many} {ROOMS[room][1]}: {dict(told.became)}, {len(told.failures)} failed,"
            f" {time.process_time() - used:.0f} s of processor time",
            flush=True,
        )
    return 1 if failed else 0


def _tell(failure: str) -> None:
    print(failure.encode("utf-8", "backslashreplace").decode(), flush=True)


if __name__ == "__main__":
    sys.exit(main())
