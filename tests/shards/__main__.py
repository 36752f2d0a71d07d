"""`python -m tests.shards [--matches 300] [--seed 1]`: faults in processes on one PostgreSQL.

Exit code 1 if a violation was found or, in a run with only updates, if a press was answered late,
refused by a restart or not answered. docs/reliability.md explains the counts.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from benchmarks.crowd import spread
from tests.crash.__main__ import counts, processor_seconds
from tests.shards.run import PAUSE_SECONDS, PROCESSES, Plan, Verdict, run
from tests.shards.setup import EACH


def report(verdict: Verdict) -> str:
    """Return the verdict as lines of text: first the figures, then the counts of violations."""
    figures = verdict.case.figures
    lines = [
        f"{PROCESSES} processes, {PROCESSES * EACH} shards, {verdict.won_matches:,} matches won in"
        f" {verdict.seconds:.0f} s; {verdict.faults['kill']} kills, {verdict.faults['pause']}"
        f" pauses, {verdict.faults['cut']} cuts, {verdict.faults['update']} rolling updates,"
        f" {verdict.faults['strike']} struck, {verdict.faults['sever']} severed",
        f"{len(verdict.waits):8,} answers, {spread(verdict.waits)}; {verdict.unanswered:,} not"
        f" answered, {verdict.turned_away:,} refused by a restart",
        f"{len(verdict.late):8,} of them after more than Discord's 3 s beside a bare answer's",
        f"{figures['presses']:8,} presses, {figures['unanswered']:,} unanswered,"
        f" {figures['unanswered_stored']:,} of these are stored all the same",
        f"{figures['acknowledged']:8,} moves acknowledged; {verdict.by_clock:,} made by a clock",
        f"{figures['rounds']:8,} rounds, {figures['letters']:,} direct messages with cards,"
        f" {figures['screens']:,} screens read",
        f"{verdict.hops:8,} places in which practices went on, direct messages among them",
        f"{figures['rows_moved']:8,} rows moved to SQLite and compared",
        f"{verdict.identifies_refused:8,} identifies came too soon",
    ]
    return "\n".join([*lines, *counts(verdict.case)])


def main() -> int:
    """Play as the command line says, print the verdict and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.shards", description=__doc__)
    parser.add_argument("--matches", type=int, default=300, help="so many are played to their end")
    parser.add_argument("--seed", type=int, default=1, help="of the moves and the moments")
    parser.add_argument("--pause", type=float, default=75.0, help="seconds that a pause lasts")
    parser.add_argument("--thinking", type=float, default=PAUSE_SECONDS, help="seconds at most")
    parser.add_argument("--keep", type=Path, help="a folder that keeps logs and files")
    parser.add_argument("--updates", type=int, help="so many rolling updates, and no other faults")
    parser.add_argument("--struck", type=int, help="as often one is killed in an update")
    parser.add_argument("--severed", type=int, help="as often both are cut off in an update")
    options = parser.parse_args()
    if options.matches < 1:
        parser.error("expected at least one match, such as --matches 30")
    tenth, thirtieth = -(-options.matches // 10), -(-options.matches // 30)
    plan = Plan(options.matches, options.seed, tenth, thirtieth, thirtieth, options.pause)
    plan = replace(plan, thinking=options.thinking)
    if (options.updates, options.struck, options.severed) != (None, None, None):
        plan = replace(
            plan,
            kills=0,
            pauses=0,
            cuts=0,
            practices=0,
            updates=options.updates or 0,
            struck=options.struck or 0,
            severed=options.severed or 0,
        )
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        verdict = asyncio.run(run(folder.resolve(), plan))
    print(report(verdict))
    print(f"{processor_seconds():8,.0f} s of processor time", flush=True)
    # a process that was killed, paused or cut off answers late, or never
    calm = set(verdict.faults) == {"update"}
    late = calm and (verdict.late or verdict.unanswered or verdict.turned_away)
    return 0 if verdict.case.clean and not late else 1


if __name__ == "__main__":
    sys.exit(main())
