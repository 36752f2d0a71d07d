"""Run a bot whose store fails on demand."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from bot.tables.errors import StoreUnavailable
from bot.tables.scheduler import Clock
from tests.bot.harness import Table, running_bot, settings
from tests.bot.stores import Between, Call


async def another_move(at: Table) -> None:
    """Bid as the player in turn; assert that the turn passes on."""
    person = at.turn()
    assert (await at.call(person)).kind == "update"
    assert at.turn() is not person


class Troubled(Between):
    """The real store, but commits wait for `may_commit`, and the calls in `failing` fail.

    `failing`: names of calls; "*" stands for all.
    """

    def __init__(self, store: Any) -> None:
        super().__init__(store)
        self.may_commit = asyncio.Event()
        self.may_commit.set()
        self.failing: set[str] = set()
        self.done: Counter[str] = Counter()  # what has succeeded how often

    async def call(self, name: str, method: Call, *args: Any) -> Any:
        if name in self.failing or "*" in self.failing:
            raise StoreUnavailable("disk full")
        if name == "commit":
            await self.may_commit.wait()
        answer = await method(*args)
        self.done[name] += 1
        return answer


class Late(Between):
    """A store whose first read of a table returns only when `let` is set."""

    def __init__(self, store: Any) -> None:
        super().__init__(store)
        self.read = asyncio.Event()
        self.let = asyncio.Event()

    async def call(self, name: str, method: Call, *args: Any) -> Any:
        answer = await method(*args)
        if name == "snapshot" and not self.read.is_set():
            self.read.set()
            await self.let.wait()
        return answer


@asynccontextmanager
async def run_with_troubled_store(
    at: Table, folder: Path, failing: Iterable[str] = (), clock: Clock | None = None
) -> AsyncIterator[Troubled]:
    """Run a bot whose store fails in the calls named in `failing`; yield the store."""
    stores: list[Troubled] = []

    def through(store: Any) -> Any:
        stores.append(Troubled(store))
        stores[0].failing = set(failing)
        return stores[0]

    async with running_bot(at.world, settings(folder), through=through, clock=clock) as bot:
        at.bot = bot
        yield stores[0]
