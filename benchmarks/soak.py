"""Play many tables at the real bot, and measure how long people wait and what it costs.

    python -m benchmarks.soak [--tables 1000] [--minutes 10] [--curve 10,100,3000] [--rate 0]

The local Discord, the bot and the people are processes on this machine. First a bare discord.py bot
is measured. If it answers within 3 ms, people make 100 moves a second, otherwise 40 % of the
highest rate at which it answers, up to 100; --rate sets another rate. For each number of tables
Bluffhouse is restarted, played at, and stopped: --tables for --minutes, each number of --curve for
at most one minute. If a run takes twenty minutes or more, a line every ten minutes shows the
memory, files and tasks that Bluffhouse holds.

A wait is the time from sending a click to receiving its answer. It includes the work of the local
Discord and of this process, except for their garbage collectors (`steady_discord`). The lag is that
of the bot's event loop (`pulse`). At the end the database is compared with the acknowledged moves,
and every match is replayed. The exit code is 1 only if that finds a fault.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import math
import os
import platform
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from benchmarks.bare_rate import bare_rate
from benchmarks.crowd import (
    ROOM,
    Crowd,
    children,
    nobody_reminded,
    percentile,
    proc_seconds,
    resident_megabytes,
    spread,
)
from benchmarks.groups import Act
from benchmarks.moves import without_pictures
from benchmarks.pulse import lags, tasks
from benchmarks.setup import PATIENCE, Setup, open_setup
from benchmarks.steady_discord import SERVERS
from benchmarks.stored import faults
from bot.from_settings import TABLES_PER_GUILD

CHEAP: Final = 3.0  # milliseconds: if a bare bot takes no longer, people play at FULL
FULL: Final = 100.0  # moves a second
PART: Final = 0.4  # otherwise, the fraction of a bare bot's highest rate
LOOKS: Final = 10  # seconds between two looks at the memory
REPORT_EVERY: Final = 600  # seconds between two lines about what is held
MOST_TABLES: Final = SERVERS * TABLES_PER_GUILD
GOALS: Final = (
    ("99 of 100 moves answered within 100 ms", "p99", 100.0),
    ("99 of 100 lags of the bot's loop within 50 ms", "lag", 50.0),
    ("the bot's memory below 200 MB", "memory", 200.0),
    ("ready within 5 s of the start", "ready", 5.0),
)


@dataclass
class Load:
    """The result for one number of tables. Times are in seconds, memory in MB.

    `cpu` is the bot's processor time; `beside` is the local Discord's and this process's. All three
    are numbers of cores. `requests` is the mean number of the bot's requests per move. `skipped` is
    the number of moves not sent because all tables were busy. `odds` is the computing process's
    memory. `lags` are the lags of the bot's event loop, `ours` the lags of this process's loop.
    """

    tables: int
    ready: float = 0.0
    resumed: float = 0.0
    stop: float = 0.0
    moves: list[Act] = field(default_factory=list)
    seconds: float = 0.0
    skipped: int = 0
    requests: float = 0.0
    cpu: float = 0.0
    beside: tuple[float, float] = (0.0, 0.0)
    memory: list[float] = field(default_factory=list)
    odds: float = 0.0
    lags: list[float] = field(default_factory=list)
    ours: list[float] = field(default_factory=list)

    def figures(self) -> dict[str, float]:
        """Return the figures that `GOALS` names, in the units given there."""
        return {
            "p99": 1000 * percentile((move.seconds for move in self.moves), 99),
            "lag": 1000 * percentile(self.lags, 99),
            "memory": max(self.memory, default=float("nan")),
            "ready": self.ready,
        }


async def wait_until_resumed(setup: Setup) -> None:
    """Wait until the bot has brought every table's message up to date after its latest start."""
    log = setup.folder / f"bot-{setup.starts}.log"
    async with asyncio.timeout(PATIENCE):
        while "bot: all tables resumed" not in log.read_text():  # noqa: ASYNC110 - its only sign
            await asyncio.sleep(0.02)


async def measure_load(
    setup: Setup, crowd: Crowd, pulse: Path, rate: float, seconds: float
) -> Load:
    """Start the bot, play `rate` moves a second for `seconds`, and stop it; return the figures."""
    measured = Load(len(crowd.tables))
    begun = time.monotonic()
    measured.ready = await setup.start()
    await wait_until_resumed(setup)
    measured.resumed = time.monotonic() - begun
    assert setup.bot is not None
    process = setup.bot.pid
    others = (setup.discord.pid, os.getpid())
    requests, used, begun = await setup.world.mark(), proc_seconds(process), time.monotonic()
    theirs = [proc_seconds(process) for process in others]
    playing = asyncio.create_task(crowd.play(rate, seconds))
    report_at = begun if seconds >= 2 * REPORT_EVERY else math.inf
    while not playing.done():
        measured.memory.append(resident_megabytes(process))
        if (now := time.monotonic()) >= report_at:
            handles = sum(1 for _ in Path(f"/proc/{process}/fd").iterdir())
            print(
                f"  {(now - begun) / 60:4.0f} min: {measured.memory[-1]:.0f} MB, {handles} open"
                f" files, {tasks(pulse)} tasks, its processor {proc_seconds(process) - used:.0f} s",
                flush=True,
            )
            report_at += REPORT_EVERY
        await asyncio.wait({playing}, timeout=LOOKS)
    ended = time.monotonic()
    measured.moves, measured.skipped, measured.ours = await playing, crowd.skipped, crowd.lags
    measured.seconds = ended - begun
    measured.cpu = (proc_seconds(process) - used) / measured.seconds
    discord, people = (
        (proc_seconds(process) - before) / measured.seconds
        for process, before in zip(others, theirs, strict=True)
    )
    measured.beside = (discord, people)
    measured.requests = (await setup.world.mark() - requests) / max(len(measured.moves), 1)
    measured.odds = sum(map(resident_megabytes, children(process)))
    _, measured.stop = await setup.terminate()
    measured.lags = lags(pulse, begun, ended)
    return measured


def print_load(load: Load) -> None:
    moves = load.moves
    print(
        f"{load.tables} tables: ready {load.ready:.2f} s after the start, all shown again"
        f" {load.resumed:.2f} s; {load.stop:.2f} s from SIGTERM to the end"
    )
    print(f"  {len(moves)} moves in {load.seconds:.0f} s, {len(moves) / load.seconds:.1f} a second")
    for name, kind in (("bids", "bid"), ("checks", "Challenge"), ("deals", "Next round")):
        waits = [move.seconds for move in moves if move.kind == kind]
        print(f"    {name:7} {len(waits):6}  {spread(waits)}")
    print(f"    all     {len(moves):6}  {spread(move.seconds for move in moves)}")
    unanswered = sum(not move.answered for move in moves)
    late = sum(move.promised for move in moves)
    print(
        f"  not answered within 3 s: {unanswered}; promised an answer: {late}; not sent, all tables"
        f" busy: {load.skipped}"
    )
    print(f"  lag of the bot's loop: {spread(load.lags)}; of this process's: {spread(load.ours)}")
    memory = ", ".join(f"{megabytes:.0f}" for megabytes in _few(load.memory))
    print(
        f"  the bot: {100 * load.cpu:.0f} % of a core, {load.requests:.2f} requests a move,"
        f" memory {memory} MB; its computing process {load.odds:.0f} MB"
    )
    discord, people = load.beside
    print(
        f"  of a core, beside it: the local Discord {100 * discord:.0f} %, the people"
        f" {100 * people:.0f} %",
        flush=True,
    )


def _few(values: list[float]) -> list[float]:
    """Return at most six of the values, evenly spaced, the last one included."""
    step = max(1, -(-len(values) // 5))
    return [*values[:-1:step], *values[-1:]]


async def soak(folder: Path, options: argparse.Namespace) -> int:
    """Measure every number of tables, check the database, and return the exit code."""
    chance, moves, too_late = Random(options.seed), list[Act](), set[int]()
    ours, bare = folder / "ours", folder / "bare"
    ours.mkdir()
    bare.mkdir()
    pulse = ours / "pulse"
    async with open_setup(ours, 0, "benchmarks.steady_discord") as setup:
        setup.extra_settings, setup.module = ROOM, ("benchmarks.pulse", str(pulse), "bot", "run")
        await setup.start()
        await nobody_reminded(setup)
        crowd = Crowd([], chance)
        await crowd.grow(setup, 1)
        message = await crowd.tables[0].table_message()
        assert message is not None

        async def collect_moves() -> None:
            for table in crowd.tables:
                taken, refused = await table.take_moves()
                moves.extend(taken)
                too_late.update(refused)

        rate = options.rate
        if not rate:
            bare_bot = await bare_rate(
                bare, [without_pictures(part) for part in message.payload["components"]]
            )
            rate = FULL if bare_bot.wait <= CHEAP else min(FULL, PART * bare_bot.rate)
            print(
                f"a bare bot answers a click in {bare_bot.wait:.1f} ms (median),"
                f" {bare_bot.cpu:.1f} ms of the processor, and {bare_bot.rate:.0f} a second at most"
            )
        print(f"played at {rate:.1f} moves a second", flush=True)
        measured = {}
        for number in sorted({*options.curve, options.tables}):
            begun = time.monotonic()
            await crowd.grow(setup, number)
            print(f"{number} tables opened and dealt {time.monotonic() - begun:.0f} s later")
            await setup.terminate()
            await collect_moves()
            seconds = 60 * (
                options.minutes if number == options.tables else min(1.0, options.minutes)
            )
            measured[number] = await measure_load(setup, crowd, pulse, rate, seconds)
            print_load(measured[number])
            await setup.start()
        await setup.terminate()
        await collect_moves()
        for goal, name, most in GOALS:
            value = measured[options.tables].figures()[name]
            print(f"{'met' if value < most else 'NOT MET'}: {goal} (measured: {value:.1f})")
        wrong = faults(ours / "house.db", moves, too_late)
        print(
            f"stored: {len(moves)} moves that people made, but for {len(too_late)} of which they"
            f" were told that they came too late; {len(wrong)} faults",
            *wrong[:10],
            sep="\n",
        )
        return int(bool(wrong))


def _numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",") if part]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=1000, help="live tables")
    parser.add_argument("--minutes", type=float, default=10, help="how long they play")
    parser.add_argument("--curve", type=_numbers, default=[], help="other numbers of tables")
    parser.add_argument("--rate", type=float, default=0, help="moves a second; 0: by a bare bot's")
    parser.add_argument("--seed", type=int, default=1, help="of the moves")
    options = parser.parse_args()
    if min(options.tables, options.minutes, *options.curve) <= 0 or options.rate < 0:
        parser.error(
            "expected numbers above zero, such as --tables 1000 --minutes 10 --curve 10,100"
        )
    if max([options.tables, *options.curve]) > MOST_TABLES:
        parser.error(f"expected at most {MOST_TABLES} tables, such as --tables {MOST_TABLES}")
    load = os.getloadavg()
    print(
        f"Python {platform.python_version()}, {os.cpu_count()} cores, load {load[0]:.1f}",
        flush=True,
    )
    gc.disable()  # its pauses would delay the people's clicks
    with tempfile.TemporaryDirectory() as folder:
        code = asyncio.run(soak(Path(folder), options))
    print(f"load at the end {os.getloadavg()[0]:.1f}")
    return code


if __name__ == "__main__":
    sys.exit(main())
