"""First come, first served: who may have one of a pool's connections."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sqlalchemy.ext.asyncio import AsyncConnection


class Turns:
    """As many at a time as there are `connections`; others wait, `patience` seconds at most.

    The pool alone would give a connection that is put back to whoever comes by, and send whoever
    was told of it to the end: where moves follow one another closely, some waited for seconds
    while the connections were mostly idle.
    """

    def __init__(self, connections: int, patience: float) -> None:
        self._free = asyncio.Semaphore(connections)
        self._patience = patience
        self._wanted = 0

    @property
    def wanted(self) -> bool:
        """Whether somebody has a connection, or waits for one."""
        return bool(self._wanted)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait for a turn, and have it until the block ends. Raises TimeoutError."""
        self._wanted += 1
        try:
            try:
                async with asyncio.timeout(self._patience):
                    await self._free.acquire()
            except TimeoutError:
                raise TimeoutError(f"no connection was free for {self._patience:g} s") from None
            try:
                yield
            finally:
                self._free.release()
        finally:
            self._wanted -= 1


@asynccontextmanager
async def closed_after(connection: AsyncConnection, *, at_once: bool) -> AsyncIterator[None]:
    """Give a connection back at the end of the block, whoever is cancelled meanwhile.

    A task of its own is safe from that. Where to give back takes no time (`at_once`), as with an
    SQLite transaction that is committed, or was on the loop, there is none: it would be waited for
    behind whatever else the loop has to do.
    """
    failed = True
    try:
        yield
        failed = False
    finally:
        if at_once and not failed:
            await connection.close()
        else:
            await asyncio.shield(asyncio.create_task(connection.close()))
