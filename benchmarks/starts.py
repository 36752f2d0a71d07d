"""The first ten seconds after a start against later ones, on a machine that is busy with else.

    python -m benchmarks.starts [--tables 40] [--starts 3] [--busy 2]

The local Discord, the bot and people at many tables run as processes, and beside them --busy
others that do nothing but count. Each start is played at for ten seconds from the moment the bot
is ready: while it shows its tables again and its computing process loads what heavy odds need, or
compiles it where nothing is compiled (an empty folder as NUMBA_CACHE_DIR). Later, when the tables
are shown and nothing is loaded any more, the same bot is played at for ten seconds again. What is
told are the waits for bids, and the ratio of the first to the later ones by start.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Final

from benchmarks.busy import COUNTING
from benchmarks.crowd import ROOM, Crowd, bids, nobody_reminded, percentile, spread
from benchmarks.premises import PATIENCE, Premises, premises

SECONDS: Final = 10.0
RATE: Final = 5.0  # moves a second
NAMES: Final = {True: "everything compiled", False: "nothing compiled"}


@contextmanager
def busy(count: int) -> Iterator[None]:
    """So many processes that count, as urgent as all else."""
    counting = [sys.executable, "-c", COUNTING, str(os.getpid())]
    load = [subprocess.Popen(counting) for _ in range(count)]
    try:
        yield
    finally:
        for one in load:
            one.kill()
            one.wait()


async def said(here: Premises, line: str) -> None:
    """Wait until the bot that was started last has logged a line."""
    log = here.folder / f"bot-{here.starts}.log"
    async with asyncio.timeout(10 * PATIENCE):  # compiling takes minutes, on a busy machine many
        while line not in log.read_text():  # noqa: ASYNC110 - another process tells by its log
            await asyncio.sleep(0.05)


async def waits(
    here: Premises, crowd: Crowd, beside: int, *, compiled: bool
) -> tuple[list[float], list[float]]:
    """One start: how long bids were waited for at first, and later."""
    with tempfile.TemporaryDirectory() as cache:
        here.more = ROOM if compiled else ROOM | {"NUMBA_CACHE_DIR": cache}
        with busy(beside):
            await here.start()
            first = bids(await crowd.play(RATE, SECONDS))
        await said(here, "bot: all tables resumed")
        if compiled:
            await said(here, "computing: warm")
        else:  # compiling takes minutes: later is with what is compiled
            await here.terminate()
            here.more = ROOM
            await here.start()
            await said(here, "computing: warm")
        with busy(beside):
            later = bids(await crowd.play(RATE, SECONDS))
        await here.terminate()
    return first, later


async def measure(folder: Path, given: argparse.Namespace) -> None:
    """Open the tables, then start as often as is asked, in turns."""
    async with premises(folder, 0, "benchmarks.steady_discord") as here:
        here.more = ROOM
        await here.start()
        await nobody_reminded(here)
        crowd = Crowd([], Random(1))
        await crowd.grow(here, given.tables)
        await said(here, "computing: warm")  # whatever was to be compiled is
        await here.terminate()
        found: dict[bool, list[tuple[list[float], list[float]]]] = {True: [], False: []}
        for _ in range(given.starts):
            for compiled in found:
                found[compiled].append(await waits(here, crowd, given.busy, compiled=compiled))
        for compiled, starts in found.items():
            print(NAMES[compiled])
            for name, which in (("first 10 s", 0), ("later", 1)):
                every = [wait for start in starts for wait in start[which]]
                print(f"  {name:10} {len(every):4} bids  {spread(every)}")
            for of in (50, 90):
                ratios = [
                    percentile(at_first, of) / percentile(then, of) for at_first, then in starts
                ]
                told = ", ".join(f"{one:.2f}" for one in ratios)
                print(f"  ratio of the p{of}: {statistics.median(ratios):.2f} ({told})")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=40, help="live tables")
    parser.add_argument("--starts", type=int, default=3, help="starts of each kind")
    parser.add_argument("--busy", type=int, default=2, help="processes that count beside it")
    given = parser.parse_args()
    if given.tables < 1 or given.starts < 1 or given.busy < 0:
        parser.error("expected numbers such as --tables 40 --starts 3 --busy 2")
    load = os.getloadavg()[0]
    print(
        f"Python {platform.python_version()}, {os.cpu_count()} cores, load {load:.1f}", flush=True
    )
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(Path(folder), given))


if __name__ == "__main__":
    main()
