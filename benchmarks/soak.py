"""Many live tables against the real bot: how long people wait for an answer, and what it costs.

    python benchmarks/soak.py [--tables 200] [--moves 20] [--seconds 40]  (`make soak TABLES=200`)

The local Discord, the bot and the people are three processes on this machine. Moves are sent at
their times, whether or not earlier ones are answered; a wait is from sending a click to having its
answer, so the local Discord's and this process's own work is in it. What is printed, and the
figures measured: docs/reliability.md.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.played import Move, PlayedTable, table_in_thread
from benchmarks.premises import Premises, premises

SEATS = 2
TABLES_EACH = 4  # at how many tables a person sits
OPENED_AT_ONCE = 4
WAITS = 10.0  # seconds of play looked at just after a start
LATER = 15.0  # and again so many seconds after it
SLOW_MOVES = 10.0  # moves a second in that comparison
TICK = 0.05  # seconds between two looks at the clock that measure this process's own lag


def proc_seconds(process: int) -> float:
    """Seconds of processor time that a process has used (Linux)."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_megabytes(process: int) -> float:
    """What a process holds in memory, in MB (Linux)."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1000


def spread(seconds: Iterable[float]) -> str:
    """The median and the upper end, in milliseconds."""
    waits = sorted(seconds)
    if len(waits) < 2:
        return "not enough moves"
    parts = statistics.quantiles(waits, n=100, method="inclusive")
    shown = (("median", parts[49]), ("p90", parts[89]), ("p99", parts[98]), ("most", waits[-1]))
    return ", ".join(f"{name} {1000 * value:.0f}" for name, value in shown) + " ms"


@dataclass
class Crowd:
    """The tables, and the moves they made while they were watched."""

    tables: list[PlayedTable]
    chance: Random
    moves: list[Move] = field(default_factory=list)
    busy: set[int] = field(default_factory=set)
    skipped: int = 0
    lags: list[float] = field(default_factory=list)

    async def play(self, moves_a_second: float, seconds: float) -> list[Move]:
        """Have random tables make moves at this rate; what was answered how."""
        self.moves, self.skipped, self.lags = [], 0, []
        lag = asyncio.create_task(self._watch())
        begun, running = time.perf_counter(), []
        for number in range(int(moves_a_second * seconds)):
            wait = begun + number / moves_a_second - time.perf_counter()
            await asyncio.sleep(max(wait, 0))
            free = [n for n in range(len(self.tables)) if n not in self.busy]
            if free:
                running.append(asyncio.create_task(self._step(self.chance.choice(free))))
            else:
                self.skipped += 1
        await asyncio.gather(*running)
        lag.cancel()
        return self.moves

    async def _step(self, number: int) -> None:
        self.busy.add(number)
        try:
            move = await self.tables[number].step()
        finally:
            self.busy.discard(number)
        if move is not None:
            self.moves.append(move)

    async def _watch(self) -> None:
        while True:
            due = time.perf_counter() + TICK
            await asyncio.sleep(TICK)
            self.lags.append(time.perf_counter() - due)


async def opened(here: Premises, number: int, chance: Random) -> list[PlayedTable]:
    """So many tables, each with a match under way."""
    count = max(SEATS, number * SEATS // TABLES_EACH)
    people = [await here.world.person(f"Player {one}") for one in range(count)]
    tables = []
    for one in range(number):
        seated = [people[(one * SEATS + seat) % count] for seat in range(SEATS)]
        tables.append(await table_in_thread(here.world, seated, f"Table {one}", chance))
    gate = asyncio.Semaphore(OPENED_AT_ONCE)

    async def begin(table: PlayedTable) -> None:
        async with gate:
            await table.begin()

    await asyncio.gather(*(begin(table) for table in tables))
    return tables


async def soak(here: Premises, given: argparse.Namespace, cache: Path) -> None:
    """A first start that compiles, a start with many tables, then play at a steady rate."""
    chance = Random(given.seed)
    print(f"first start to ready, an empty database: {await here.start():.2f} s")
    begun = time.monotonic()
    crowd = Crowd(await opened(here, given.tables, chance), chance)
    print(f"{given.tables} tables opened, filled and dealt in {time.monotonic() - begun:.0f} s")
    for empty in (True, False):
        _, seconds = await here.terminate()
        print(f"SIGTERM to exit: {seconds:.2f} s")
        if empty:
            shutil.rmtree(cache)
            cache.mkdir()
        of = "no compiled kernels" if empty else "compiled kernels"
        print(f"start to ready, {given.tables} live tables, {of}: {await here.start():.2f} s")
        await after_start(crowd, cache)
    await steady(here, crowd, given)


async def steady(here: Premises, crowd: Crowd, given: argparse.Namespace) -> None:
    """The main figures."""
    assert here.bot is not None
    process = here.bot.pid
    used, begun = proc_seconds(process), time.monotonic()
    moves = await crowd.play(given.moves, given.seconds)
    took = time.monotonic() - begun
    busy = proc_seconds(process) - used
    print(f"{len(moves)} moves in {took:.0f} s, {len(moves) / took:.1f} a second:")
    for name, kinds in (("bids", ("bid",)), ("checks", ("Check",)), ("deals", ("Next round",))):
        waits = [move.seconds for move in moves if move.kind in kinds]
        print(f"  {name:7} {len(waits):5}  {spread(waits)}")
    print(f"  all     {len(moves):5}  {spread(move.seconds for move in moves)}")
    unanswered = sum(not move.answered for move in moves)
    print(f"  not answered within 3 s: {unanswered}; not sent, all tables busy: {crowd.skipped}")
    print(f"  the bot's processor time: {100 * busy / took:.0f} % of a core")
    print(f"  the bot's resident memory: {resident_megabytes(process):.0f} MB")
    print(f"  lag of this process's own loop: {spread(crowd.lags)}")


async def after_start(crowd: Crowd, cache: Path) -> None:
    """Bids just after a start and some time later; call it when the bot is ready."""
    ready = time.monotonic()
    for name in ("at once", f"{LATER:.0f} s later"):
        moves = await crowd.play(SLOW_MOVES, WAITS)
        bids = [move.seconds for move in moves if move.kind == "bid"]
        compiled = sum(1 for _ in cache.rglob("*.nbc"))
        print(f"  bids {name:10} {len(bids):4}  {spread(bids)}; {compiled} kernels compiled")
        await asyncio.sleep(max(0.0, ready + LATER - time.monotonic()))


async def run(folder: Path, given: argparse.Namespace) -> None:
    """Everything, in `folder`."""
    cache = folder / "kernels"
    cache.mkdir()
    async with premises(folder, 0) as here:
        most = {"BLUFFHOUSE_TABLES__MOST_TABLES_PER_GUILD": "100000"}
        here.more = most | {"NUMBA_CACHE_DIR": str(cache)}
        await soak(here, given, cache)


def main() -> int:
    """Run it and print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=200, help="live tables")
    parser.add_argument("--moves", type=float, default=20, help="moves a second")
    parser.add_argument("--seconds", type=float, default=40, help="how long they play")
    parser.add_argument("--seed", type=int, default=1, help="of the moves")
    given = parser.parse_args()
    if given.tables < 1 or given.moves <= 0 or given.seconds <= 0:
        parser.error("expected numbers above zero, such as --tables 200 --moves 20 --seconds 40")
    print(
        f"Python {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
    )
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(Path(folder), given))
    return 0


if __name__ == "__main__":
    sys.exit(main())
