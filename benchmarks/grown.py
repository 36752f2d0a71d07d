"""Measure how the bot starts and answers with 10,000 and 100,000 stored matches.

    python -m benchmarks.grown [--matches 10000,100000] [--engines sqlite,postgresql]

Two hundred matches of two to four people are played through the bot's own tables. They are copied
under new numbers, with their logs, seeds, direct messages, results and records, until there are
--matches of them. Their tables' last changes are spread over the past year. This prints:

- the seconds from the real bot's start to ready at a local Discord (three starts);
- the milliseconds of each query that people or the bot make (median and 99th percentile of 300);
- the size on the disk;
- with at most --rebuilt matches, the seconds to rebuild their records (`bluffhouse store rebuild`).

PostgreSQL is a fresh, untuned server with fsync; its tables were analyzed.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import platform
import random
import secrets
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import asyncpg
from sqlalchemy import text

from benchmarks.crowd import percentile
from benchmarks.processes import LIMITS, Player, numbers, quieten, size
from benchmarks.setup import open_setup
from bot.services.tables import Tables
from bot.stats.folding import Scope
from bot.storage.store import SqlStore
from bot.tables.changes import Changes
from bot.tables.scheduler import WallClock
from tests.bot.storage.asking import transaction
from tests.bot.storage.conftest import programs, running_cluster

PLAYED: Final = 200
PEOPLE: Final = 60
STARTS: Final = 3
TIMES: Final = 300  # how often to make each query
GUILD: Final = 1 << 22
DAY: Final = 86_400_000  # milliseconds

# the columns of a copy of the matches 1 to `each`, and of their tables
_COPIES: Final = {
    "tables": "id + :to, guild_id, channel_id + :to, host_id, status, variant, options, players,"
    " version, created_at, updated_at, match_id + :to, message_id, announced_seq, deadline,"
    " deadline_kind, last_winner, cuts",
    "matches": "id + :to, table_id + :to, variant, variant_version, options, players, opener,"
    " status, started_at, ended_at",
    "actions": "match_id + :to, seq, schema, body, at, interaction_id + :far, by_house",
    "round_seeds": "match_id + :to, round, seed",
    "deliveries": "match_id + :to, round, seat, player, state",
    "results": "match_id + :to, player, place, rounds",
    "recorded_matches": "guild_id, number + :to, match_id + :to, season",
}
# as on a real host: their winners were shown, and they ended over the past year. If a table's end
# was never shown, a start would read the table to show it
_SHOWN: Final = text(
    "update tables set updated_at = updated_at - :day * (id % 365), announced_seq ="
    " (select max(seq) from actions where actions.match_id = tables.match_id)"
)
_OF_TABLE: Final = {"tables": "id <= :each", "matches": "id <= :each"}


async def play_matches(url: str) -> None:
    """Play `PLAYED` matches to copy, each at its own table."""
    store = await SqlStore.open(url)
    chance = random.Random(5)
    player = Player(tables_of(store), GUILD, chance)
    for channel in range(1, PLAYED + 1):
        people = chance.sample(range(1, PEOPLE + 1), chance.randint(2, 4))
        number = await player.begin(channel, people)
        while await player.make_move(number):
            pass
    await store.close()


async def copy_matches(url: str, matches: int) -> None:
    """Copy all the played matches again and again, until there are at least `matches`."""
    store = await SqlStore.open(url)
    for number in range(1, -(-matches // PLAYED)):
        moved = {"each": PLAYED, "to": number * PLAYED, "far": number << 32}
        async with transaction(store.database) as connection:
            for table, columns in _COPIES.items():
                names = ", ".join(column.split(" ")[0] for column in columns.split(", "))
                which = _OF_TABLE.get(table, "match_id <= :each")
                copy = f"insert into {table} ({names}) select {columns} from {table} where {which}"
                values = {key: moved[key] for key in moved if f":{key}" in copy}
                await connection.execute(text(copy), values)
    async with transaction(store.database) as connection:
        await connection.execute(
            text("update record_books set recorded = recorded * :times"),
            {"times": -(-matches // PLAYED)},
        )
    async with transaction(store.database) as connection:
        await connection.execute(_SHOWN, {"day": DAY})
    if store.database.file is None:
        async with transaction(store.database) as connection:
            for table in ("tables", "matches"):
                last = f"(select max(id) from {table})"
                await connection.execute(
                    text(f"select setval(pg_get_serial_sequence('{table}', 'id'), {last})")
                )
    await store.close()
    if store.database.file is None:
        await analyze(url)


async def analyze(url: str) -> None:
    """Analyze the tables, as PostgreSQL itself does some time after many inserts."""
    connection = await asyncpg.connect(url)
    await connection.execute("analyze")
    await connection.close()


async def time_query(name: str, ask: Callable[[], Awaitable[Any]]) -> None:
    """Make a query `TIMES` times, and `show` its times."""
    took = []
    for _ in range(TIMES):
        begun = time.perf_counter()
        await ask()
        took.append(time.perf_counter() - begun)
    show(name, took)


def show(name: str, took: Sequence[float]) -> None:
    """Print the median, 99th percentile and maximum of `took` (seconds), in milliseconds."""
    of = [percentile(took, 50), percentile(took, 99), max(took)]
    print(f"{name:34} {' '.join(f'{1000 * seconds:7.2f}' for seconds in of)}")


async def time_queries(url: str, matches: int) -> None:
    """Time the queries that the bot and its people make, and the moves of twenty matches."""
    chance = random.Random(7)
    store = await SqlStore.open(url)
    everything = Scope()
    row = (await store.stats.leaderboard(GUILD, everything, PEOPLE // 2, 1))[0]

    def random_player() -> int:
        return chance.randint(1, PEOPLE)

    def number() -> int:
        return chance.randint(1, matches)

    print(f"{'milliseconds':34} {'median':>7} {'99 %':>7} {'most':>7}")
    await time_query(
        "/history: the latest ten", lambda: store.matches.history(random_player(), None, 10)
    )
    await time_query(
        "/history: ten of long ago",
        lambda: store.matches.history(random_player(), matches // 10, 10),
    )
    await time_query("replay: a match with its log", lambda: store.matches.load(number()))
    await time_query("the channel's latest match", lambda: store.matches.last_ended(number()))
    await time_query(
        "/records: somebody's row", lambda: store.stats.person(GUILD, everything, random_player())
    )
    await time_query("/records: their place", lambda: store.stats.rank(GUILD, everything, row))
    await time_query(
        "leaderboard: first page", lambda: store.stats.leaderboard(GUILD, everything, 0, 10)
    )
    await time_query("where somebody sits", lambda: store.tables.seats_of(random_player()))
    await time_query("a table that is over, with its log", lambda: store.tables.snapshot(number()))
    await time_query("clocks that are due", lambda: store.tables.due(WallClock().now()))
    await time_query("a start: tables in play", store.tables.live)
    await time_query("a start: records to be renewed", store.rebuilding.outdated_guilds)
    player = Player(tables_of(store), GUILD, chance)
    for channel in range(1 << 40, (1 << 40) + 20):
        table = await player.begin(channel, (1, 2))
        while await player.make_move(table):
            pass
    show(f"a move ({len(player.waits)} of them)", player.waits)
    await store.close()


def tables_of(store: SqlStore) -> Tables:
    """Return the service for the tables in `store`; no Discord shows them."""
    return Tables(store, WallClock(), Changes(), LIMITS, lambda: secrets.token_bytes(32))


async def start_times(url: str, folder: Path) -> list[float]:
    """Start the real bot `STARTS` times; return the seconds from each start to ready."""
    async with open_setup(folder, 0) as setup:
        if url.startswith("postgresql"):
            setup.extra_settings = {"BLUFFHOUSE_DATABASE__URL": url}
        else:
            setup.extra_settings = {"BLUFFHOUSE_DATABASE__PATH": url.removeprefix("sqlite:///")}
        waits = []
        for _ in range(STARTS):
            waits.append(await setup.start())
            await setup.terminate()
    return waits


async def measure(url: str, matches: int, folder: Path, rebuilt: int) -> None:
    """Fill a database and print all figures.

    Rebuilding the records is timed only if `matches` is at most `rebuilt`.
    """
    begun = time.perf_counter()
    await play_matches(url)
    await copy_matches(url, matches)
    filled = time.perf_counter() - begun
    store = await SqlStore.open(url)
    async with transaction(store.database) as connection:
        actions = (await connection.execute(text("select count(*) from actions"))).scalar_one()
    file = store.database.file
    await store.close()
    held = await size(url) if file is None else file.stat().st_size
    print(
        f"{actions:,} moves; made in {filled:.0f} s; {held / 1e6:,.0f} MB on the disk", flush=True
    )
    ready = await start_times(url, folder)
    print(f"from a start to ready: {statistics.median(ready):.2f} s ({min(ready):.2f} to", end="")
    print(f" {max(ready):.2f})", flush=True)
    await time_queries(url, matches)
    if matches <= rebuilt:
        store = await SqlStore.open(url)
        begun, used = time.perf_counter(), time.process_time()
        result = await store.rebuilding.rebuild([GUILD])
        took, used = time.perf_counter() - begun, time.process_time() - used
        print(
            f"records of {result.won:,} matches made anew in {took:.0f} s ({used:.0f} s of it ours)"
        )
        await store.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--matches", type=numbers, default=[10_000, 100_000])
    parser.add_argument("--engines", default="sqlite,postgresql")
    parser.add_argument("--rebuilt", type=int, default=10_000, help="0: nobody's records are")
    options = parser.parse_args()
    binaries = programs()
    if binaries is None and "postgresql" in options.engines:
        parser.error("expected a PostgreSQL server, for example apt-get install postgresql")
    quieten()
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores", flush=True)
    for engine, matches in itertools.product(options.engines.split(","), options.matches):
        print(f"\n{engine}, {matches:,} matches", flush=True)
        with tempfile.TemporaryDirectory() as temporary, ExitStack() as stack:
            folder = Path(temporary)
            url = f"sqlite:///{folder / 'house.db'}"
            if engine == "postgresql" and binaries is not None:
                url = stack.enter_context(running_cluster(binaries, "-c fsync=on"))
            asyncio.run(measure(url, matches, folder, options.rebuilt))


if __name__ == "__main__":
    main()
