"""What a move costs in the store: how long a commit takes, and how many there are a second.

    python -m benchmarks.storage                # a file in the folder for temporary files
    python -m benchmarks.storage --turns 5 --moves 1000

Each move is stored as the bot stores it: the table moved on, its log appended, the disk synced.
Printed are one writer alone, ten writers at ten tables, one writer beside an event loop that is
busy four milliseconds of seven, and the look at a table that comes before a move.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Final

from bot.storage.store import SqlStore
from bot.tables.model import Change, NewMatch, Status, StoredAction, Table
from engine.ruleset import OptionValue

WRITERS: Final = 10
BUSY, IDLE = 0.004, 0.003  # seconds of the busy loop
NOW: Final = 1_790_000_000_000
RULES: Final[dict[str, OptionValue]] = {"jokers": 2, "middle_hand": False, "challengers": "anyone"}


def moved(table: Table, number: int, interaction: int) -> Change:
    """A bid at a table, the `number`th of its log."""
    after = replace(table, version=table.version + 1, updated_at=table.updated_at + 1000)
    body = {"v": 1, "kind": "bid", "seat": number % 2, "bid": f"pair:{number}"}
    action = StoredAction(number, body, NOW + number, interaction)
    return Change(after, interaction, actions=(action,))


async def playing(store: SqlStore, channel: int) -> Table:
    """A table where two play, with a log of one action."""
    lobby = Table(
        id=0, guild_id=1, channel_id=channel, host_id=1, status=Status.LOBBY,
        variant="liars_poker", options=RULES, players=(1, 2), version=1,
        created_at=NOW, updated_at=NOW,
    )  # fmt: skip
    table = await store.tables.open(lobby, None)
    begun = replace(table, version=2, status=Status.PLAYING)
    first = moved(table, 1, channel).actions
    match = NewMatch("liars_poker", 1, RULES, table.players, None)
    return await store.tables.commit(Change(begun, None, match, first))


async def timed(store: SqlStore, channel: int, moves: int) -> list[float]:
    """How long each of so many moves at a table of its own takes, in milliseconds."""
    table = await playing(store, channel)
    took = []
    for number in range(2, moves + 2):
        began = time.perf_counter()
        table = await store.tables.commit(moved(table, number, channel * 1_000_000 + number))
        took.append((time.perf_counter() - began) * 1000)
    return took


async def looked(store: SqlStore, times: int) -> list[float]:
    """How long it takes to read a table with its log, in milliseconds."""
    table = await playing(store, 999)
    took = []
    for _ in range(times):
        began = time.perf_counter()
        await store.tables.snapshot(table.id)
        took.append((time.perf_counter() - began) * 1000)
    return took


async def keep_busy() -> None:
    """Have the loop do something else, over and over, until cancelled."""
    while True:
        until = time.perf_counter() + BUSY
        while time.perf_counter() < until:
            pass
        await asyncio.sleep(IDLE)


async def turn(folder: Path, moves: int) -> dict[str, float]:
    """Every figure, measured once over a new file."""
    store = await SqlStore.open(f"sqlite:///{folder / 'house.db'}")
    try:
        await timed(store, 1, 50)
        found: dict[str, float] = {}
        cpu, began = time.process_time(), time.perf_counter()
        alone = await timed(store, 2, moves)
        found["alone, a second"] = moves / (time.perf_counter() - began)
        found["processor, ms a move"] = (time.process_time() - cpu) * 1000 / moves
        found["alone, median ms"] = statistics.median(alone)
        each = max(moves // WRITERS, 1)
        began = time.perf_counter()
        await asyncio.gather(*(timed(store, 10 + one, each) for one in range(WRITERS)))
        found["ten writers, a second"] = each * WRITERS / (time.perf_counter() - began)
        found["a look, median ms"] = statistics.median(await looked(store, moves))
        task = asyncio.create_task(keep_busy())
        beside = sorted(await timed(store, 3, max(moves // 2, 1)))
        task.cancel()
        found["busy loop, median ms"] = statistics.median(beside)
        found["busy loop, p99 ms"] = beside[int(len(beside) * 0.99)]
        return found
    finally:
        await store.close()


async def main() -> None:
    """Measure, some turns, and print the medians."""
    parser = argparse.ArgumentParser(description="What a move costs in the store.")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--moves", type=int, default=600)
    chosen = parser.parse_args()
    turns = []
    for _ in range(chosen.turns):
        with tempfile.TemporaryDirectory() as folder:
            turns.append(await turn(Path(folder), chosen.moves))
    for what in turns[0]:
        values = sorted(one[what] for one in turns)
        print(f"{what:24} {statistics.median(values):9.2f}   ({values[0]:.2f} to {values[-1]:.2f})")


if __name__ == "__main__":
    asyncio.run(main())
