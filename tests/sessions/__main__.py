"""`python -m tests.sessions [--sessions 1000] [--seed 1]`: play sessions, print those that fail."""

from __future__ import annotations

import argparse
import gc
import sys
import time

import structlog

from tests.sessions.run import play


def main() -> int:
    """Play the sessions; return 1 if one failed, else 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.sessions", description=__doc__)
    parser.add_argument("--sessions", type=int, default=1000, help="how many (1000)")
    parser.add_argument("--seed", type=int, default=1, help="the first one's seed (1)")
    parser.add_argument("--steps", action="store_true", help="print what was done")
    parser.add_argument("--first", action="store_true", help="stop at the first that fails")
    chosen = parser.parse_args()
    if not chosen.steps:
        structlog.configure(logger_factory=structlog.ReturnLoggerFactory())
    played, failed, acts, matches, restarts, faults = 0, [], 0, 0, 0, 0
    began, used = time.perf_counter(), time.process_time()
    gc.freeze()  # everything loaded so far stays, so collections can skip it
    for seed in range(chosen.seed, chosen.seed + chosen.sessions):
        verdict = play(seed)
        played += 1
        acts, matches = acts + verdict.acts, matches + verdict.matches
        restarts, faults = restarts + verdict.restarts, faults + verdict.faults
        if chosen.steps:
            print("\n".join(verdict.steps))
            print("digest", verdict.digest)
        if verdict.failure is not None:
            failed.append(seed)
            print(f"seed {seed}: {verdict.failure}", flush=True)
            if chosen.first:
                break
    print(
        f"{played} sessions, {acts} acts, {matches} matches, {faults} faults "
        f"({restarts} restarts), {time.perf_counter() - began:.1f} s, "
        f"{time.process_time() - used:.1f} s of processor time: {len(failed)} failed {failed[:20]}"
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
