"""Drawing aside: what nobody has pressed for is drawn in the gaps between the presses.

A move is answered by one drawing; whoever else looks on, in seats or at the table, is shown it by
others. All of them take the same processor. Where many tables move at once, the drawings for those
who watch would come as a heap that the next press has to wait behind. Here one of them at a time
waits for a gap; on a machine that is kept busy it waits no longer than nobody minds, and shows what
is then the latest: two moves in a row cost one drawing.

How long they waited of late says how `busy` the machine is, and what can wait longer then should.
"""

from __future__ import annotations

import asyncio
from typing import Final

CALM: Final = 0.001  # seconds: a loop that has gone round sooner than that has little to do
LONGEST: Final = 1.0  # seconds that a drawing waits for a gap
BUSY: Final = 0.03  # seconds that the latest drawings waited for a gap, on average
LATEST: Final = 8  # how many of them that average is of, the later the more


class Aside:
    """Gives out turns on one event loop, in the order in which they are asked for."""

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._waited = 0.0  # seconds, by and large

    @property
    def busy(self) -> bool:
        """Whether drawings have to wait for their gaps."""
        return self._waited > BUSY

    async def turn(self) -> None:
        """Wait for a gap, after every earlier asker; what is done next is drawn in it.

        A gap is there when nothing else kept the loop busy of late, and in any case after LONGEST.
        """
        loop = asyncio.get_running_loop()
        asked = loop.time()
        async with self._lock:
            now = loop.time()
            while True:
                await asyncio.sleep(0)
                before, now = now, loop.time()
                if now - before < CALM or now - asked > LONGEST:
                    self._waited += (now - asked - self._waited) / LATEST
                    return
