"""Drawing aside: what nobody has pressed for is drawn piece by piece, between the presses.

A move is answered by one drawing; whoever else looks on, in seats or at the table, is shown it by
others. All of them take the same processor. Where several tables move at once, the drawings for
those who watch would come as one heap that the next press has to wait behind; here that is one of
them at most. On a machine that cannot keep up the watchers' drawings fall behind, each of which
shows what is then the latest, and the presses do not.
"""

from __future__ import annotations

import asyncio


class Aside:
    """Gives out turns on one event loop, in the order in which they are asked for."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()

    async def turn(self) -> None:
        """Wait until whatever else is ready has gone on, and every earlier asker has.

        What is done next, until it waits for something, is the piece.
        """
        async with self._lock:
            await asyncio.sleep(0)
