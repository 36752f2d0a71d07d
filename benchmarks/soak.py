"""Many live tables against the real bot: how long people wait for an answer, and what it costs.

    python -m benchmarks.soak [--tables 1000] [--minutes 10] [--curve 10,100,3000] [--rate 0]

The local Discord, the bot and the people are processes on this machine. First a bare discord.py
bot is clicked at: where it answers within 3 ms people make 100 moves a second, elsewhere 40 % of
the highest rate at which it answers (--rate says another). For each number of tables the bot is
started anew, played at, and stopped; at --tables for --minutes, elsewhere for one at most. From
twenty minutes on a line is printed every ten: what the bot holds by then.

A wait is from sending a click to having its answer, so the local Discord's and this process's own
work is in it, but for what their garbage collectors would add (`steady_discord`). The lag is that
of the bot's own event loop (`pulse`). At the end the file is read, held against what people were
told, and every match replayed: only that makes the exit code 1.
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
from benchmarks.groups import Act, refused_moves
from benchmarks.moves import without_pictures
from benchmarks.pulse import lags, tasks
from benchmarks.setup import PATIENCE, Setup, open_setup
from benchmarks.steady_discord import SERVERS
from benchmarks.stored import faults
from bot.from_settings import TABLES_PER_GUILD

CHEAP: Final = 3.0  # milliseconds of waiting for a bare bot up to which people play at FULL
FULL: Final = 100.0  # moves a second
PART: Final = 0.4  # of a bare bot's highest rate, elsewhere
LOOKS: Final = 10  # seconds between two looks at the memory
TOLD: Final = 600  # seconds between two lines about what is held
MOST_TABLES: Final = SERVERS * TABLES_PER_GUILD
GOALS: Final = (
    ("99 of 100 moves answered within 100 ms", "p99", 100.0),
    ("99 of 100 lags of the bot's loop within 50 ms", "lag", 50.0),
    ("the bot's memory below 200 MB", "memory", 200.0),
    ("ready within 5 s of the start", "ready", 5.0),
)


@dataclass
class Held:
    """What was measured at a number of tables; milliseconds, seconds or megabytes, as in GOALS.

    `cpu` is the bot's, `beside` the local Discord's and the people's, all in cores.
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
        """What the goals are about."""
        return {
            "p99": 1000 * percentile((move.seconds for move in self.moves), 99),
            "lag": 1000 * percentile(self.lags, 99),
            "memory": max(self.memory, default=float("nan")),
            "ready": self.ready,
        }


async def resumed(here: Setup) -> None:
    """Wait until the bot that was started last shows every table again."""
    log = here.folder / f"bot-{here.starts}.log"
    async with asyncio.timeout(PATIENCE):
        while "bot: all tables resumed" not in log.read_text():  # noqa: ASYNC110 - its only sign
            await asyncio.sleep(0.02)


async def held(here: Setup, crowd: Crowd, pulse: Path, rate: float, seconds: float) -> Held:
    """Start the bot with the crowd's tables, play, stop it."""
    found = Held(len(crowd.tables))
    begun = time.monotonic()
    found.ready = await here.start()
    await resumed(here)
    found.resumed = time.monotonic() - begun
    assert here.bot is not None
    process = here.bot.pid
    others = (here.discord.pid, os.getpid())
    asked, used, begun = await here.world.mark(), proc_seconds(process), time.monotonic()
    theirs = [proc_seconds(one) for one in others]
    playing = asyncio.create_task(crowd.play(rate, seconds))
    tell = begun if seconds >= 2 * TOLD else math.inf
    while not playing.done():
        found.memory.append(resident_megabytes(process))
        if (now := time.monotonic()) >= tell:
            handles = sum(1 for _ in Path(f"/proc/{process}/fd").iterdir())
            print(
                f"  {(now - begun) / 60:4.0f} min: {found.memory[-1]:.0f} MB, {handles} open"
                f" files, {tasks(pulse)} tasks, its processor {proc_seconds(process) - used:.0f} s",
                flush=True,
            )
            tell += TOLD
        await asyncio.wait({playing}, timeout=LOOKS)
    ended = time.monotonic()
    found.moves, found.skipped, found.ours = await playing, crowd.skipped, crowd.lags
    found.seconds = ended - begun
    found.cpu = (proc_seconds(process) - used) / found.seconds
    discord, people = (
        (proc_seconds(one) - before) / found.seconds
        for one, before in zip(others, theirs, strict=True)
    )
    found.beside = (discord, people)
    found.requests = (await here.world.mark() - asked) / max(len(found.moves), 1)
    found.odds = sum(map(resident_megabytes, children(process)))
    _, found.stop = await here.terminate()
    found.lags = lags(pulse, begun, ended)
    return found


def told(found: Held) -> None:
    """Print what was measured at a number of tables."""
    moves = found.moves
    print(
        f"{found.tables} tables: ready {found.ready:.2f} s after the start, all shown again"
        f" {found.resumed:.2f} s; {found.stop:.2f} s from SIGTERM to the end"
    )
    print(
        f"  {len(moves)} moves in {found.seconds:.0f} s, {len(moves) / found.seconds:.1f} a second"
    )
    for name, kind in (("bids", "bid"), ("checks", "Challenge"), ("deals", "Next round")):
        waits = [move.seconds for move in moves if move.kind == kind]
        print(f"    {name:7} {len(waits):6}  {spread(waits)}")
    print(f"    all     {len(moves):6}  {spread(move.seconds for move in moves)}")
    unanswered = sum(not move.answered for move in moves)
    late = sum(move.promised for move in moves)
    print(
        f"  not answered within 3 s: {unanswered}; promised an answer: {late}; not sent, all tables"
        f" busy: {found.skipped}"
    )
    print(f"  lag of the bot's loop: {spread(found.lags)}; of this process's: {spread(found.ours)}")
    memory = ", ".join(f"{one:.0f}" for one in _few(found.memory))
    print(
        f"  the bot: {100 * found.cpu:.0f} % of a core, {found.requests:.2f} requests a move,"
        f" memory {memory} MB; its computing process {found.odds:.0f} MB"
    )
    discord, people = found.beside
    print(
        f"  of a core, beside it: the local Discord {100 * discord:.0f} %, the people"
        f" {100 * people:.0f} %",
        flush=True,
    )


def _few(values: list[float]) -> list[float]:
    """At most six of them, evenly spread, the last one included."""
    step = max(1, -(-len(values) // 5))
    return [*values[:-1:step], *values[-1:]]


async def soak(folder: Path, given: argparse.Namespace) -> int:
    """Everything, in `folder`; the exit code."""
    chance, moves, told_late = Random(given.seed), list[Act](), set[int]()
    ours, bare = folder / "ours", folder / "bare"
    ours.mkdir()
    bare.mkdir()
    pulse = ours / "pulse"
    async with open_setup(ours, 0, "benchmarks.steady_discord") as here:
        here.more, here.module = ROOM, ("benchmarks.pulse", str(pulse), "bot", "run")
        await here.start()
        await nobody_reminded(here)
        crowd = Crowd([], chance)
        await crowd.grow(here, 1)
        message = await crowd.tables[0].shown()
        assert message is not None
        rate = given.rate
        if not rate:
            found = await bare_rate(
                bare, [without_pictures(part) for part in message.payload["components"]]
            )
            rate = FULL if found.wait <= CHEAP else min(FULL, PART * found.rate)
            print(
                f"a bare bot answers a click in {found.wait:.1f} ms (median), {found.cpu:.1f} ms of"
                f" the processor, and {found.rate:.0f} a second at most"
            )
        print(f"played at {rate:.1f} moves a second", flush=True)
        measured = {}
        for number in sorted({*given.curve, given.tables}):
            begun = time.monotonic()
            await crowd.grow(here, number)
            print(f"{number} tables opened and dealt {time.monotonic() - begun:.0f} s later")
            await here.terminate()
            moves += [move for table in crowd.tables for move in table.moves]
            told_late |= await refused_moves(crowd.tables)
            for table in crowd.tables:
                table.moves.clear()
            seconds = 60 * (given.minutes if number == given.tables else min(1.0, given.minutes))
            measured[number] = await held(here, crowd, pulse, rate, seconds)
            told(measured[number])
            await here.start()
        await here.terminate()
        moves += [move for table in crowd.tables for move in table.moves]
        told_late |= await refused_moves(crowd.tables)
        for goal, name, most in GOALS:
            value = measured[given.tables].figures()[name]
            print(f"{'met' if value < most else 'NOT MET'}: {goal} (measured: {value:.1f})")
        wrong = faults(ours / "house.db", moves, told_late)
        print(
            f"stored: {len(moves)} moves that people made, but for {len(told_late)} of which they"
            f" were told that they came too late; {len(wrong)} faults",
            *wrong[:10],
            sep="\n",
        )
        return int(bool(wrong))


def _numbers(text: str) -> list[int]:
    return [int(one) for one in text.split(",") if one]


def main() -> int:
    """Run it and print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=1000, help="live tables")
    parser.add_argument("--minutes", type=float, default=10, help="how long they play")
    parser.add_argument("--curve", type=_numbers, default=[], help="other numbers of tables")
    parser.add_argument("--rate", type=float, default=0, help="moves a second; 0: by a bare bot's")
    parser.add_argument("--seed", type=int, default=1, help="of the moves")
    given = parser.parse_args()
    if min(given.tables, given.minutes, *given.curve) <= 0 or given.rate < 0:
        parser.error(
            "expected numbers above zero, such as --tables 1000 --minutes 10 --curve 10,100"
        )
    if max([given.tables, *given.curve]) > MOST_TABLES:
        parser.error(f"expected at most {MOST_TABLES} tables, such as --tables {MOST_TABLES}")
    load = os.getloadavg()
    print(
        f"Python {platform.python_version()}, {os.cpu_count()} cores, load {load[0]:.1f}",
        flush=True,
    )
    gc.disable()  # the people's hands do not stand still
    with tempfile.TemporaryDirectory() as folder:
        code = asyncio.run(soak(Path(folder), given))
    print(f"load at the end {os.getloadavg()[0]:.1f}")
    return code


if __name__ == "__main__":
    sys.exit(main())
