"""Play at many tables over the local Discord, at a steady rate of moves."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import statistics
import time
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from benchmarks.groups import Act, Group
from benchmarks.reading import TURN
from benchmarks.setup import Setup
from benchmarks.steady_discord import hall
from bot.sandbox.screen import SeenMessage

SEATS: Final = 2
TABLES_EACH: Final = 4  # at how many tables a person sits
OPENED_AT_ONCE: Final = 4
TICK: Final = 0.05  # seconds between two looks at the clock that measure this process's own lag
ROOM: Final = {"BLUFFHOUSE_TABLES__TURN_MINUTES": "0"}


def proc_seconds(process: int) -> float:
    """Return the seconds of processor time that a process has used (Linux)."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident_megabytes(process: int) -> float:
    """Return a process's resident memory in MB (Linux)."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1000


def children(process: int) -> list[int]:
    """Return the ids of a process's children (Linux)."""
    listings = [path.read_text() for path in Path(f"/proc/{process}/task").glob("*/children")]
    return [int(child) for text in listings for child in text.split()]


def percentile(seconds: Iterable[float], of: int) -> float:
    """Return percentile `of` (1 to 99) of the values; nan if there are fewer than two."""
    sample = list(seconds)
    if len(sample) < 2:
        return float("nan")
    return statistics.quantiles(sample, n=100, method="inclusive")[of - 1]


def spread(seconds: Iterable[float]) -> str:
    """Return the median, the 90th and 99th percentiles and the maximum as text, in milliseconds.

    With fewer than two values, the text is "not enough moves".
    """
    sample = list(seconds)
    if len(sample) < 2:
        return "not enough moves"
    parts = [(name, percentile(sample, of)) for name, of in (("median", 50), ("p90", 90))]
    parts += [("p99", percentile(sample, 99)), ("most", max(sample))]
    return ", ".join(f"{name} {1000 * value:.0f}" for name, value in parts) + " ms"


@dataclass
class WatchedTable(Group):
    """A table whose people read its state from the latest answer.

    If the answer doesn't show whose turn it is, they look at the channel's messages.
    """

    async def table_message(self) -> SeenMessage | None:
        """Return the table's message; None before the first `/play`."""
        last = self.answer.message if self.answer is not None else None
        if last is not None and not last.ephemeral and TURN.search(last.text):
            return last
        return await super().table_message()


@dataclass
class Crowd:
    """Tables, and the moves made at them in the latest `play`.

    `busy` has the indexes of tables with a move in flight. `skipped` is the number of moves not
    made because all tables were busy. `lags` are the event loop's delays in seconds.
    """

    tables: list[WatchedTable]
    chance: Random
    moves: list[Act] = field(default_factory=list)
    busy: set[int] = field(default_factory=set)
    skipped: int = 0
    lags: list[float] = field(default_factory=list)

    async def play(self, moves_a_second: float, seconds: float) -> list[Act]:
        """Make moves at random tables, `moves_a_second` for `seconds`; return the moves made.

        Each move is sent when it is due, even if moves at other tables have no answer yet. If all
        tables are busy, it is skipped. At the end, wait for all answers.
        """
        self.moves, self.skipped, self.lags = [], 0, []
        lag = asyncio.create_task(self._watch())
        begun, running = time.perf_counter(), set[asyncio.Task[None]]()
        for number in range(int(moves_a_second * seconds)):
            wait = begun + number / moves_a_second - time.perf_counter()
            await asyncio.sleep(max(wait, 0))
            free = self._free()
            if free is None:
                self.skipped += 1
                continue
            task = asyncio.create_task(self._step(free))
            running.add(task)
            task.add_done_callback(running.discard)
        if running:
            await asyncio.gather(*running)
        lag.cancel()
        return self.moves

    def _free(self) -> int | None:
        """Mark a random free table as busy and return its index; None if all are busy."""
        if len(self.busy) == len(self.tables):
            return None
        while (number := self.chance.randrange(len(self.tables))) in self.busy:
            pass
        self.busy.add(number)
        return number

    async def _step(self, number: int) -> None:
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

    async def grow(self, setup: Setup, number: int) -> None:
        """Open tables until there are `number`; start a match at each, in its own thread."""
        before = len(self.tables)
        people = [
            await setup.world.person(f"Player {player}")
            for player in range(max(SEATS, number * SEATS // TABLES_EACH))
        ]
        seated = [
            [people[(table * SEATS + seat) % len(people)] for seat in range(SEATS)]
            for table in range(before, number)
        ]
        channel_ids = await setup.world.channels()
        for index, people_there in enumerate(seated, before):
            await people_there[0].open_thread(channel_ids[hall(index)], f"Table {index}")
        channels = await setup.world.channels()
        fresh = [
            WatchedTable(channels[f"Table {number}"], people_there, self.chance)
            for number, people_there in enumerate(seated, before)
        ]
        gate = asyncio.Semaphore(OPENED_AT_ONCE)

        async def begin(table: Group) -> None:
            async with gate:
                await table.begin()

        await asyncio.gather(*map(begin, fresh))
        self.tables += fresh


async def nobody_reminded(setup: Setup) -> None:
    """Turn off turn reminders at new Thai Poker tables: with many tables, every player is slow."""
    first = (await setup.world.ask("GET", "/page/people"))["people"][0]["id"]
    guilds = (await setup.world.ask("GET", "/page/view", query={"as": first}))["guilds"]
    options = json.dumps({"pings": "never"}, separators=(",", ":"))
    with closing(sqlite3.connect(setup.folder / "house.db", timeout=60)) as file, file:
        file.executemany(
            "INSERT INTO guild_settings (guild_id, game, options) VALUES (?, 'thai_poker', ?)",
            [(int(guild["id"]), options) for guild in guilds],
        )
