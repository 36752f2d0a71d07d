"""When a shard may identify: one at a time of those that Discord takes together, across processes.

Discord takes one identify in five seconds for each `shard_id % max_concurrency`; one that comes too
soon is refused, and costs one of the day's thousand all the same.
Source: https://discord.com/developers/docs/events/gateway#rate-limiting
"""

from __future__ import annotations

import asyncio
from typing import Final

from bot.settings.shards import Processes

IDENTIFY_SECONDS: Final = 5.25  # Discord's five, and what the way there may differ by
_LOCK: Final = "identify"


class Gate:
    """Lets shards identify. `max_concurrency` as `/gateway/bot` has it."""

    def __init__(self, processes: Processes) -> None:
        self._processes = processes
        self.max_concurrency = 1
        self._entered: set[int] = set()  # shards that hold their lock and have not identified
        self._resting: set[asyncio.Task[None]] = set()

    async def enter(self, shard: int) -> None:
        """Wait for the shard's turn; it keeps it until some seconds after it `passes`."""
        if shard not in self._entered:
            await self._processes.lock(_LOCK, shard % self.max_concurrency)
            self._entered.add(shard)

    async def passes(self, shard: int) -> None:
        """The shard identifies next; its turn lasts as long though this process may end."""
        if shard in self._entered:
            bucket = shard % self.max_concurrency
            await self._processes.outlast(_LOCK, bucket, IDENTIFY_SECONDS)
        self._rest_of(shard)

    def _rest_of(self, shard: int) -> None:
        if shard in self._entered:
            self._entered.discard(shard)
            task = asyncio.create_task(self._rest(shard), name=f"identify-{shard}")
            self._resting.add(task)
            task.add_done_callback(self._resting.discard)

    def gives_up(self, shard: int) -> None:
        """The shard could not be connected: if it has not identified, others may."""
        self._rest_of(shard)

    async def _rest(self, shard: int) -> None:
        try:
            await asyncio.sleep(IDENTIFY_SECONDS)
        finally:
            await self._processes.unlock(_LOCK, shard % self.max_concurrency)

    def close(self) -> None:
        """Wait no more; what is held ends with the session."""
        for task in list(self._resting):
            task.cancel()
