"""Fair turns for a few connections: first come, first served."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turns:
    """Lets at most `connections` callers work at a time.

    Others wait for `busy_ms` at most, or for one second if `busy_ms` is less. A plain pool gives a
    returned connection to whoever asks next, and sends the notified waiter to the end of the queue.
    With such a pool, some moves waited for seconds under heavy load, while the connections were
    mostly idle.
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
