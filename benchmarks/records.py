"""How long questions about people take with 100,000 matches stored, and what a match's end costs.

    python -m benchmarks.records            # 100,000 matches of 400 people in one server; minutes
    python -m benchmarks.records --matches 5000

The matches are drawn, not played: their figures are random, their number is what is measured. Every
question is asked of SQLite on the disk 300 times, of random people.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

from sqlalchemy import insert
from sqlalchemy.engine import Connection

from bot.stats import VERSION
from bot.stats.folding import Book, Scope
from bot.stats.match_record import Feat, MatchRecord, PairLine, PersonLine
from bot.storage import schema
from bot.storage.stats import pair_values, person_values, record_match, write_all
from bot.storage.store import SqlStore

GUILD: Final = 1
TIMES: Final = 300
GAMES: Final = ("liars_poker", "thai_poker")
SEASONS: Final = 10
NOW: Final = 1_790_000_000_000


def drawn(number: int, people: int, chance: random.Random) -> MatchRecord:
    """A match of two to six with random figures."""
    players = chance.sample(range(1, people + 1), chance.randint(2, 6))
    lines = tuple(
        PersonLine(
            player,
            place,
            *(20, 5, 40, 20 * 10**12, 30, 10, 6, 12, 7),
            Feat(number, 3, "pair:9", chance.randrange(10**12)),
            Feat(number, 4, "pair:A", chance.randrange(10**12)),
        )
        for place, player in enumerate(players, start=1)
    )
    pairs = tuple(
        PairLine(one.player, other.player, one.place < other.place, one.place > other.place, 1, 1)
        for one in lines
        for other in lines
        if one is not other
    )
    return MatchRecord(number, chance.choice(GAMES), lines, pairs)


async def fill(store: SqlStore, records: list[MatchRecord], people: int) -> None:
    """Store the rows of these matches at once, and the matches without their logs."""
    each = max(1, len(records) // SEASONS)
    placed = [(record, min(SEASONS, 1 + at // each)) for at, record in enumerate(records)]
    book = await asyncio.to_thread(Book.of, placed)
    table = {
        "guild_id": GUILD,
        "channel_id": 1,
        "host_id": 1,
        "status": "closed",
        "variant": GAMES[0],
        "options": {},
        "players": [],
        "version": 1,
        "created_at": NOW,
        "updated_at": NOW,
        "announced_seq": 0,
    }

    def write(c: Connection) -> None:
        c.execute(insert(schema.tables), table)
        match = {
            "table_id": 1,
            "variant_version": 1,
            "options": {},
            "players": [],
            "status": "won",
            "started_at": NOW,
            "ended_at": NOW,
        }
        stored = (match | {"id": one.match_id, "variant": one.game} for one in records)
        write_all(c, schema.matches, stored)
        done = {"season": SEASONS, "recorded": len(records), "version": VERSION}
        c.execute(insert(schema.record_books), {"guild_id": GUILD} | done)
        seasons = (
            {
                "guild_id": GUILD,
                "number": n,
                "name": f"Season {n}",
                "started_at": NOW,
                "matches": each,
            }
            for n in range(1, SEASONS + 1)
        )
        write_all(c, schema.seasons, seasons)
        order = (
            {"guild_id": GUILD, "number": one.match_id, "match_id": one.match_id, "season": season}
            for one, season in placed
        )
        write_all(c, schema.recorded_matches, order)
        rows = (
            person_values(GUILD, scope, row)
            for scope, found in book.people.items()
            for row in found.values()
        )
        write_all(c, schema.person_records, rows)
        beside = (
            pair_values(GUILD, scope, row)
            for scope, found in book.pairs.items()
            for row in found.values()
        )
        write_all(c, schema.pair_records, beside)

    await store.database.write(write)


async def timed(name: str, ask: Callable[[], Awaitable[Any]], times: int = TIMES) -> None:
    """Ask so often; print the median, the 99th of a hundred, and the longest in milliseconds."""
    took = []
    for _ in range(times):
        begun = time.perf_counter()
        await ask()
        took.append(1000 * (time.perf_counter() - begun))
    took.sort()
    print(
        f"{name:34} {took[len(took) // 2]:7.2f} {took[len(took) * 99 // 100]:7.2f} {took[-1]:7.2f}"
    )


async def measure(matches: int, people: int, folder: Path) -> None:
    chance = random.Random(7)
    begun = time.perf_counter()
    records = [drawn(number, people, chance) for number in range(1, matches + 1)]
    store = await SqlStore.open(f"sqlite:///{folder / 'records.db'}")
    await fill(store, records, people)
    print(f"{matches:,} matches of {people} people: {time.perf_counter() - begun:.0f} s to make")
    print(f"{'milliseconds':34} {'median':>7} {'99 %':>7} {'most':>7}")
    everything = Scope()
    row = (await store.stats.leaderboard(GUILD, everything, people // 2, 1))[0]

    def who() -> int:
        return chance.randint(1, people)

    await timed("/records: somebody's row", lambda: store.stats.person(GUILD, everything, who()))
    await timed("/records: their place", lambda: store.stats.rank(GUILD, everything, row))
    await timed("/records: rivals", lambda: store.stats.rivals(GUILD, everything, who()))
    told = (chance.randint(1, matches), chance.randint(1, matches))
    await timed("/records: rules of two matches", lambda: store.stats.rules_of(told))
    await timed(
        "leaderboard: first page", lambda: store.stats.leaderboard(GUILD, everything, 0, 10)
    )
    last = max(0, people - 10)
    await timed(
        "leaderboard: last page", lambda: store.stats.leaderboard(GUILD, everything, last, 10)
    )
    await timed("leaderboard: how many", lambda: store.stats.on_leaderboard(GUILD, everything))
    await timed("seasons", lambda: store.stats.seasons(GUILD))

    async def one_more() -> None:
        record = drawn(0, people, chance)

        def write(c: Connection) -> None:
            table = {"table_id": 1, "variant": record.game, "variant_version": 1, "options": {}}
            added = table | {"players": [], "status": "won", "started_at": NOW, "ended_at": NOW}
            made = insert(schema.matches).values(added).returning(schema.matches.c.id)
            number = c.execute(made).scalar_one()
            of = MatchRecord(number, record.game, record.people, record.pairs)
            record_match(c, GUILD, of, NOW)

        await store.database.write(write)

    await timed("recording a match that ends", one_more, 100)
    await store.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--matches", type=int, default=100_000)
    parser.add_argument("--people", type=int, default=400)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(chosen.matches, chosen.people, Path(folder)))


if __name__ == "__main__":
    main()
