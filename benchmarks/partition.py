"""Simulate how long moves wait if Discord servers are divided among several databases.

    python -m benchmarks.partition [--moves 690,1500,3000] [--databases 1,2,4] [--cores 1]

All tables of a Discord server are in one database, chosen by the server's id, as for shards.
Servers differ in size: a server has t or more tables in play with a chance of t**-1.2, up to 200.
Moves are made equally often at every table.

A database's work for a match of two is counted in round trips (`TRIPS`). A trip keeps a core busy
for an exponentially distributed time; the mean follows from PostgreSQL's processor time per move
(`PROCESSOR`), which `benchmarks.processes` measured. Requests are served whole, first come, first
served. Syncing to disk is left out: requests that wait share one sync, so it delays no others.
"""

from __future__ import annotations

import argparse
import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from benchmarks.crowd import percentile
from benchmarks.scaling import numbers

TABLES: Final = 10_000
UNEVEN: Final = 1.2
MOST: Final = 200  # tables of a server
PROCESSOR: Final = 0.9  # PostgreSQL's milliseconds a move, of one process with 16 tables
MOVES: Final = 26  # of a match of two
# (round trips of a request, requests like this in a match): open a table, join and choose settings,
# start, make a move after a look at the table, end
TRIPS: Final = ((9, 1), (1, 2), (8, 1), (2, 25), (21, 1))
SECONDS: Final = 60.0


@dataclass(frozen=True)
class Found:
    """The result for one number of databases."""

    waits: list[float]  # milliseconds that requests waited for a core, ascending
    busy: list[float]  # of each database's cores, from 0 to 1; above that it falls behind
    tables: list[int]  # of each database

    @property
    def uneven(self) -> float:
        """The largest number of tables in a database, divided by the mean number."""
        return max(self.tables) * len(self.tables) / sum(self.tables)


def dealt_out(tables: int, databases: int, chance: Random) -> list[int]:
    """Spread tables over databases at random; return each database's number of tables.

    All tables of a Discord server go to the same database.
    """
    sizes = [0] * databases
    while (left := tables - sum(sizes)) > 0:
        server = chance.getrandbits(42)  # the id without the bits that tell no servers apart
        size = min(int(chance.paretovariate(UNEVEN)), MOST, left)
        sizes[server % databases] += size
    return sizes


def queue_waits(arrivals: Sequence[tuple[float, float]], cores: int) -> list[float]:
    """Return how long each request waits for a core, first come, first served.

    `arrivals` are (time of arrival, time of service), in the order of arrival. All times are in the
    same unit.
    """
    free = [0.0] * cores
    waits = []
    for at, takes in arrivals:
        begun = max(at, free[0])
        heapq.heapreplace(free, begun + takes)
        waits.append(begun - at)
    return waits


def simulate(
    moves: float,
    databases: int,
    *,
    cores: int = 1,
    processor: float = PROCESSOR,
    seed: int = 1,
    seconds: float = SECONDS,
) -> Found:
    """Simulate `moves` moves a second at `TABLES` tables, on databases with `cores` cores each.

    `processor` is a database's milliseconds of processor time per move.
    """
    chance = Random(seed)
    tables = dealt_out(TABLES, databases, chance)
    trips, times = zip(*TRIPS, strict=True)
    a_trip = processor * MOVES / sum(share * often for share, often in TRIPS)
    rate = moves * sum(times) / MOVES / 1000  # requests a millisecond
    coming: list[list[tuple[float, float]]] = [[] for _ in tables]
    at = 0.0
    while (at := at + chance.expovariate(rate)) < 1000 * seconds:
        (kind,) = chance.choices(trips, times)
        (where,) = chance.choices(range(databases), tables)
        coming[where].append((at, chance.gammavariate(kind, a_trip)))
    waits = sorted(wait for arrivals in coming for wait in queue_waits(arrivals, cores))
    busy = [sum(takes for _, takes in queue) / (1000 * seconds * cores) for queue in coming]
    return Found(waits, busy, tables)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.partition", description=__doc__)
    parser.add_argument("--moves", type=numbers, default=(690, 1_500, 3_000), help="a second")
    parser.add_argument("--databases", type=numbers, default=(1, 2, 4))
    parser.add_argument("--cores", type=int, default=1, help="of each database")
    parser.add_argument("--processor", type=float, default=PROCESSOR, help="milliseconds a move")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print("| moves a second | databases | most tables of one, to an even share ", end="")
    print("| its cores busy | wait for a core, median | 99 of 100 |")
    print("|---|---|---|---|---|---|")
    for moves in options.moves:
        for databases in options.databases:
            result = simulate(
                moves,
                databases,
                cores=options.cores,
                processor=options.processor,
                seed=options.seed,
            )
            waits = [f"{percentile(result.waits, share):,.1f} ms" for share in (50, 99)]
            print(
                f"| {moves:,} | {databases} | {result.uneven:.2f} | {max(result.busy):.0%}"
                f" | {' | '.join(waits)} |"
            )


if __name__ == "__main__":
    main()
