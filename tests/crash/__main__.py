"""`python -m tests.crash [--kills 1000] [--seed 1]`: kill the real bot while people play.

Exit code 1 if a violation was found. Ctrl-C and SIGTERM end a run early; what was played until then
is judged and printed. docs/reliability.md explains the counts.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import signal
import sys
import tempfile
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF
from typing import Final

from tests.crash.judge import VIOLATIONS, Case
from tests.crash.points import POINTS
from tests.crash.run import TABLES, Plan, Verdict, run
from tests.crash.seams import point_name

SENTENCES: Final = 5  # printed of each count


def report(verdict: Verdict) -> str:
    """Return the verdict as lines of text: first the figures, then `counts`."""
    figures = verdict.case.figures
    middle = sorted(verdict.starts)[len(verdict.starts) // 2] if verdict.starts else 0.0
    at_points = sum(verdict.reached.values())
    short = f"; {verdict.planned} were planned" if verdict.kills < verdict.planned else ""
    lines = [
        f"{verdict.kills} kills in {verdict.seconds:.0f} s, {at_points} of them at "
        f"{len(verdict.reached)} of {len(POINTS)} named points{short}; "
        f"start to ready, median {middle:.2f} s",
        f"{figures['matches']:8,} matches, {figures['won']:,} of them won; "
        f"{figures['rounds']:,} rounds",
        f"{figures['presses']:8,} presses, {figures['unanswered']:,} met a kill, "
        f"{figures['unanswered_stored']:,} of these are stored all the same",
        f"{figures['acknowledged']:8,} moves acknowledged, {figures['deferred']:,} of them late",
        f"{figures['looks']:8,} looks at one's cards,"
        f" {figures['letters']:,} direct messages with cards",
        f"{figures['seals']:8,} published seals, {figures['screens']:,} screens read",
        f"{figures['redelivered']:8,} interactions delivered again",
        f"{figures['orphans']:8,} reminders stay, as a kill met their note and the turn passed on",
        f"{figures['latest_ms']:8,} ms the latest that a deadline was due at a kill",
    ]
    return "\n".join([*lines, *counts(verdict.case)])


def counts(case: Case) -> list[str]:
    """Return a line for each kind of violation found, each followed by up to `SENTENCES` examples.

    If there are no violations, return a line with 0 for every kind.
    """
    if case.clean:
        return [f"       0 {meaning}" for meaning in VIOLATIONS.values()]
    lines = []
    for name, meaning in VIOLATIONS.items():
        if sentences := case.violations.get(name):
            lines.append(f"WRONG {len(sentences):2,} {meaning} ({name})")
            lines += [f"           {sentence[:600]}" for sentence in sentences[:SENTENCES]]
    return lines


async def _run(folder: Path, plan: Plan) -> Verdict:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, plan.stop.set)
    return await run(folder, plan)


def processor_seconds() -> float:
    """Return the processor time of this process and its ended children."""
    this, children = (resource.getrusage(of) for of in (RUSAGE_SELF, RUSAGE_CHILDREN))
    return this.ru_utime + this.ru_stime + children.ru_utime + children.ru_stime


def main() -> int:
    """Play and kill as the command line says, and print the verdict.

    Return 1 if a violation was found, else 0. `--points` only lists the named points.
    """
    parser = argparse.ArgumentParser(prog="python -m tests.crash", description=__doc__)
    parser.add_argument("--kills", type=int, default=1000, help="how often the bot is killed")
    parser.add_argument("--seed", type=int, default=1, help="of the moves and the moments")
    parser.add_argument(
        "--point",
        type=point_name,
        action="append",
        default=[],
        help="have all kills at such points",
    )
    parser.add_argument("--tables", type=int, default=len(TABLES), help="play at so many of them")
    parser.add_argument("--points", action="store_true", help="list the named points")
    parser.add_argument("--keep", type=Path, help="a folder that keeps logs and files")
    options = parser.parse_args()
    if options.points:
        print("\n".join(f"{point.name:24} {point.meaning}" for point in POINTS))
        return 0
    if options.kills < 1:
        parser.error("expected at least one kill, such as --kills 20")
    if not 1 <= options.tables <= len(TABLES):
        parser.error(f"expected 1 to {len(TABLES)} tables, such as --tables 2")
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        plan = Plan(options.kills, options.seed, options.point, TABLES[: options.tables])
        verdict = asyncio.run(_run(folder.resolve(), plan))
    print(report(verdict))
    print(f"{processor_seconds():8,.0f} s of processor time", flush=True)
    return 0 if verdict.case.clean else 1


if __name__ == "__main__":
    sys.exit(main())
