"""First come, first served: who may have one of a few connections."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turns:
    """As many at a time as there are `connections`; others wait, `busy_ms` at most.

    A pool alone would give a connection that is put back to whoever comes by, and send whoever was
    told of it to the end: where moves follow one another closely, some waited for seconds while the
    connections were mostly idle.
    """

    def __init__(self, connections: int, busy_ms: int) -> None:
        self._free = asyncio.Semaphore(connections)
        self._patience = max(busy_ms / 1000, 1)  # seconds

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a turn, and have it until the block ends. Raises TimeoutError."""
        if self._free.locked():  # else no timer is needed: nobody waits
            try:
                async with asyncio.timeout(self._patience):
                    await self._free.acquire()
            except TimeoutError:
                raise TimeoutError(f"no connection was free for {self._patience:g} s") from None
        else:
            await self._free.acquire()
        try:
            yield
        finally:
            self._free.release()
