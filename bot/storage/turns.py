"""Fair turns for a few connections: first come, first served."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turns:
    """Lets at most `connections` callers work at a time.

    Others wait up to `busy_ms` or one second, whichever is longer. With a plain pool, which doesn't
    serve callers in their order, some moves waited for seconds under heavy load.
    """

    def __init__(self, connections: int, busy_ms: int) -> None:
        self._free = asyncio.Semaphore(connections)
        self._patience = max(busy_ms / 1000, 1)  # seconds

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a turn and hold it until the block ends. Raises TimeoutError if none comes."""
        if self._free.locked():  # otherwise no timer is needed
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
