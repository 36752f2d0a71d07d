"""Measure moves a second with 1, 2 and 4 processes on one PostgreSQL, and compare with SQLite.

    python -m benchmarks.processes [--processes 1,2,4] [--tables 16] [--seconds 8] [--turns 3]
        [--apart]

Each process has a store and the tables of its own shard. It judges and stores moves as the
bot does, without Discord. At each table two people move without a pause; measuring begins
when the process is warm. All processes and PostgreSQL share this machine; `--apart` gives
PostgreSQL a core of its own. Both engines sync each commit to disk: SQLite with
synchronous=FULL, PostgreSQL with fsync. The arrangements are measured by turns; a figure is
the median of the turns, with the minimum and maximum in brackets.

The storage for a thousand moves is the growth over the whole run: of SQLite's file after a
checkpoint, and of PostgreSQL's tables with their indexes.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import logging
import os
import platform
import random
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import asyncpg
import structlog

from benchmarks.crowd import percentile
from benchmarks.setup import environment
from bot.services.tables import Tables
from bot.settings.shards import Shards
from bot.storage.store import SqlStore
from bot.tables import plans
from bot.tables.changes import Changes
from bot.tables.model import Status
from bot.tables.requests import Ask, Limits
from bot.tables.scheduler import WallClock
from engine.play import legal
from engine.state import Phase
from tests.bot.storage.conftest import programs, running_cluster

GAMES: Final = ("thai_poker", "liars_poker")
DOUBTS: Final = 0.35  # how often a bid is challenged: about five moves a round
LIMITS: Final = Limits(next_round=3_600_000, lobby=None, turn_seconds=0, tables_per_guild=10_000)
WARM_MOVES: Final = 400  # after which connections are open, and statements compiled and prepared
_TICKS: Final = os.sysconf("SC_CLK_TCK")


# -- a process that plays --------------------------------------------------------------------------


@dataclass
class Player:
    """Plays for all people at the tables of one process.

    `waits` has the seconds that each move took. If `over` is set, `play` ends after its current
    move.
    """

    tables: Tables
    guild: int
    chance: random.Random
    waits: list[float] = field(default_factory=list)
    over: bool = False

    def __post_init__(self) -> None:
        self._interactions = itertools.count(secrets.randbits(40) << 20)

    def _ask(self, player: int) -> Ask:
        return Ask(player, next(self._interactions))

    async def play(self, channel: int) -> None:
        """Play one match after another in a channel until `over` is set."""
        people = (channel * 10 + 1, channel * 10 + 2)
        while not self.over:
            number = await self.begin(channel, people)
            while not self.over and await self.make_move(number):
                pass

    async def begin(self, channel: int, people: Sequence[int]) -> int:
        """Start a match in a new table; return the table's number."""
        host, *others = people
        game = self.chance.choice(GAMES)
        number = (await self.tables.open(self._ask(host), self.guild, channel, game)).table.id
        for guest in others:
            await self.tables.change(number, self._ask(guest), plans.join)
        await self.tables.change(number, self._ask(host), plans.choose, {"pings": "never"})
        await self.tables.change(number, self._ask(host), plans.start)
        return number

    async def make_move(self, number: int) -> bool:
        """Make one move or deal, and return True; return False if the match has ended."""
        live = await self.tables.see(number)
        match = live.match
        if live.table.status is not Status.PLAYING or match is None:
            return False
        begun = time.perf_counter()
        if match.phase is Phase.BIDDING and match.round is not None:
            player = self._ask(match.seats[match.round.turn].player)
            rungs = legal(match).rungs
            if match.round.standing and (not rungs or self.chance.random() < DOUBTS):
                await self.tables.change(number, player, plans.challenge)
            else:
                await self.tables.change(
                    number, player, plans.bid, self.chance.choice(rungs[:8])[0].key
                )
        else:
            await self.tables.change(
                number, self._ask(match.seats[match.live[0]].player), plans.next_round
            )
        self.waits.append(time.perf_counter() - begun)
        return True


def quieten() -> None:
    """Log only warnings and errors, on standard error."""
    quiet = structlog.make_filtering_bound_logger(logging.WARNING)
    factory = structlog.PrintLoggerFactory(sys.stderr)
    structlog.configure(wrapper_class=quiet, logger_factory=factory)


async def work(url: str, number: int, of: int, tables: int) -> None:
    """Play at new tables in shard `number` (from 0) of `of` shards; print "ready" once warm.

    Then read a number of seconds from standard input, measure for that long, and print the
    figures as a line of JSON.
    """
    quieten()
    store = await SqlStore.open(url, shards=Shards(of, (number,)))
    draw = lambda: secrets.token_bytes(32)  # noqa: E731
    player = Player(
        Tables(store, WallClock(), Changes(), LIMITS, draw), (of + number) << 22, random.Random(1)
    )
    first = 1 + int(time.time()) * 1_000 + number * tables  # nobody has played there
    playing = [asyncio.create_task(player.play(first + number)) for number in range(tables)]
    while len(player.waits) < WARM_MOVES:  # noqa: ASYNC110 - a move signals nobody
        await asyncio.sleep(0.05)
    print("ready", flush=True)
    seconds = float(await asyncio.to_thread(sys.stdin.readline))
    before, used, begun = len(player.waits), time.process_time(), time.perf_counter()
    await asyncio.sleep(seconds)
    took, used = time.perf_counter() - begun, time.process_time() - used
    waits = player.waits[before:]
    player.over = True
    await asyncio.gather(*playing)
    result = {"moves": len(waits), "stored": len(player.waits), "seconds": took, "processor": used}
    print(json.dumps(result | {"waits": waits}), flush=True)
    await store.close()


# -- the run ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Measurement:
    """One measurement of one arrangement. Times are in seconds."""

    rate: float  # moves a second
    median: float  # wait of a move
    slow: float  # 99th percentile of the waits
    ours: float  # processor time of the processes, a move
    theirs: float  # of PostgreSQL
    stored: int  # moves, with those outside the measured time


def server_seconds(cluster: str) -> float:
    """Return the processor seconds of a PostgreSQL server and its children, ended ones included."""
    used: dict[int, tuple[int, float, float]] = {}
    for path in Path("/proc").glob("[0-9]*"):
        try:
            fields = (path / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        alive, ended = (sum(map(int, fields[at : at + 2])) / _TICKS for at in (11, 13))
        used[int(path.name)] = (int(fields[1]), alive, ended)
    (first,) = [int(line) for line in (Path(cluster) / "postmaster.pid").read_text().split()[:1]]
    children = [number for number, facts in used.items() if facts[0] == first]
    return sum(used[number][1] for number in [first, *children]) + used[first][2]


def measure(url: str, count: int, tables: int, seconds: float, cluster: str | None) -> Measurement:
    """Play with `count` processes on one database for `seconds`; return the measurement.

    Each process has `tables` tables. `cluster` is the folder of the PostgreSQL server; None for
    SQLite.
    """
    with ExitStack() as stack:
        started = []
        for number in range(count):
            command = ["-m", "benchmarks.processes", "--work", url, str(number), str(count)]
            process = subprocess.Popen(
                [sys.executable, *command, "--tables", str(tables)],
                env=environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            started.append(stack.enter_context(process))
        for process in started:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n", "a process did not come up"
        before = server_seconds(cluster) if cluster else 0.0
        for process in started:
            assert process.stdin is not None
            process.stdin.write(f"{seconds}\n")
            process.stdin.flush()
        results = [
            json.loads(process.stdout.readline())
            for process in started
            if process.stdout is not None
        ]
        theirs = server_seconds(cluster) - before if cluster else 0.0
    moves = sum(result["moves"] for result in results)
    waits = sorted(wait for result in results for wait in result["waits"])
    return Measurement(
        rate=sum(result["moves"] / result["seconds"] for result in results),
        median=percentile(waits, 50),
        slow=percentile(waits, 99),
        ours=sum(result["processor"] for result in results) / moves,
        theirs=theirs / moves,
        stored=sum(result["stored"] for result in results),
    )


async def size(url: str) -> int:
    """Return the size of PostgreSQL's tables and indexes, in bytes."""
    connection = await asyncpg.connect(url)
    try:
        bytes_stored: int = await connection.fetchval(
            "select sum(pg_total_relation_size(c.oid))::bigint from pg_class c"
            " join pg_namespace n on n.oid = c.relnamespace"
            " where n.nspname = 'public' and c.relkind = 'r'"
        )
        return bytes_stored
    finally:
        await connection.close()


def spread(values: Sequence[float], scale: float = 1.0, digits: int = 1) -> str:
    """Return the median, minimum and maximum as text, each multiplied by `scale`."""
    ends = [f"{scale * value:,.{digits}f}" for value in (min(values), max(values))]
    return f"{scale * statistics.median(values):,.{digits}f} ({ends[0]} to {ends[1]})"


def run(options: argparse.Namespace, folder: Path, postgres: str) -> None:
    """Measure each arrangement in turn, `options.turns` times, and print a table of the results."""
    cluster = f"{postgres.rpartition('host=')[2]}/cluster"
    arrangements = [("SQLite", 1, 1), ("PostgreSQL", 1, 1), ("SQLite", 1, options.tables)]
    arrangements += [("PostgreSQL", count, options.tables) for count in options.processes]
    measurements: dict[tuple[str, int, int], list[Measurement]] = defaultdict(list)
    file = folder / "house.db"
    asyncio.run(make_tables(f"sqlite:///{file}"))
    asyncio.run(make_tables(postgres))
    empty = {"SQLite": file.stat().st_size, "PostgreSQL": asyncio.run(size(postgres))}
    for _ in range(options.turns):
        for engine, count, tables in arrangements:
            on_server = engine == "PostgreSQL"
            measurement = measure(
                postgres if on_server else f"sqlite:///{file}",
                count,
                tables,
                options.seconds,
                cluster if on_server else None,
            )
            measurements[engine, count, tables].append(measurement)
    print("| | processes | tables of each | moves a second | wait, median | 99 of 100 |", end="")
    print(" processor time a move: the bot's | PostgreSQL's |")
    print("|---|---|---|---|---|---|---|---|")
    for (engine, count, tables), turns in measurements.items():
        cells = [
            spread([turn.rate for turn in turns], digits=0),
            spread([turn.median for turn in turns], 1000) + " ms",
            spread([turn.slow for turn in turns], 1000) + " ms",
            spread([turn.ours for turn in turns], 1000, 2) + " ms",
            spread([turn.theirs for turn in turns], 1000, 2) + " ms"
            if engine == "PostgreSQL"
            else "",
        ]
        print(f"| {engine} | {count} | {tables} | {' | '.join(cells)} |")
    grown = {"SQLite": file.stat().st_size, "PostgreSQL": asyncio.run(size(postgres))}
    for engine, at_first in empty.items():
        stored = sum(
            t.stored for key, turns in measurements.items() if key[0] == engine for t in turns
        )
        each = (grown[engine] - at_first) / stored
        print(f"{engine}: {stored:,} moves, {each:,.0f} kB for each thousand")


async def make_tables(url: str) -> None:
    """Create a database's tables; close the database, which checkpoints an SQLite file."""
    await (await SqlStore.open(url)).close()


def numbers(text: str) -> list[int]:
    """Parse whole numbers separated by commas."""
    return [int(part) for part in text.split(",")]


def main() -> None:
    """Measure and print; with `--work`, run as one of the measured processes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--processes", type=numbers, default=[1, 2, 4])
    parser.add_argument("--tables", type=int, default=16, help="at which one process plays at once")
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--apart", action="store_true", help="PostgreSQL has a core of its own")
    parser.add_argument("--work", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        url, number, of = options.work
        asyncio.run(work(url, int(number), int(of), options.tables))
        return
    binaries = programs()
    if binaries is None:
        parser.error("expected a PostgreSQL server, for example apt-get install postgresql")
    load = os.getloadavg()[0]
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, load {load:.1f}")
    cores = sorted(os.sched_getaffinity(0))
    if options.apart:
        os.sched_setaffinity(0, cores[-1:])
    with (
        tempfile.TemporaryDirectory() as folder,
        running_cluster(binaries, "-c fsync=on") as postgres,
    ):
        if options.apart:
            os.sched_setaffinity(0, cores[:-1])
        run(options, Path(folder), postgres)


if __name__ == "__main__":
    main()
