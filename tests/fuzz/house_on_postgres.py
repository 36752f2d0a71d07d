"""The same tables by chance on PostgreSQL: two processes, each with a store of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from bot.storage.store import SqlStore
from tests.bot.storage.conftest import empty, programs, running_cluster
from tests.fuzz import house
from tests.fuzz.house import House
from tests.fuzz.processes import Told


class HouseOnPostgres(House):
    """One database, two processes that may both serve every table."""

    address: ClassVar[str]

    async def opened(self, folder: Path) -> tuple[SqlStore, SqlStore]:
        """The database, emptied, as each process has it."""
        await empty(self.address)
        return await SqlStore.open(self.address), await SqlStore.open(self.address)


def run_at(address: str, number: int, first: int, runs: int, tell: Callable[[str], None]) -> Told:
    """So many runs on the database at `address`, of which nothing stays."""
    HouseOnPostgres.address = address
    asyncio.run(_made(address))
    return house.run(number, first, runs, tell, HouseOnPostgres, "postgres")


async def _made(address: str) -> None:
    await (await SqlStore.open(address)).close()


def run(number: int, first: int, runs: int, tell: Callable[[str], None]) -> Told:
    """The same on a server of their own."""
    found = programs()
    if found is None:
        raise SystemExit("no PostgreSQL server in /usr/lib/postgresql: apt-get install postgresql")
    with running_cluster(found) as address:
        return run_at(address, number, first, runs, tell)
