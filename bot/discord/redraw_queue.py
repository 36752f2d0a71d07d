"""Draw unprompted updates in the gaps between presses.

A move is answered by one drawing; other drawings show it to onlookers, in seats or at the table.
All of them need the same processor. If many tables change at once, the next press would have to
wait for all their drawings. So one of them at a time waits for a gap, and then draws the latest
state: two moves in a row cost one drawing.

There are three lines. A table's own message comes first, as everybody sees it. A message is
`pressing` if its reader must act now, or if it shows cards that are no longer theirs. Messages for
onlookers give way to all of these, and leave more of the processor free. No line waits for ever: on
a machine without gaps, drawings come one by one at a steady, slow rate, and every fourth is for an
onlooker who has waited long.
"""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Final

CALM: Final = 0.001  # seconds; a loop whose last round took less has little to do
LONGEST: Final = 0.1  # seconds for which the first in line waits for a gap
PATIENCE: Final = 10.0  # seconds after which an onlooker has waited for long
TURNS: Final = 4  # one in this many is for an onlooker who has waited for long
# The load, as a share of one core, below which the loop has a gap, by line. Above it, presses would
# wait longer and longer.
PRESSING: Final = 0.9
LOOKING_ON: Final = 0.65
WINDOW: Final = 0.2  # seconds between two measurements of the load
SHARE: Final = 0.2  # weight of the latest measurement in the average load
LOOK: Final = 0.01  # seconds until the load is checked again


@dataclass(slots=True, eq=False)
class _Waiting:
    """A place in a line, and the future that is set when the place becomes the first."""

    since: float
    pressing: bool
    everybody: bool
    first: asyncio.Future[None] = field(init=False)


class RedrawQueue:
    """Gives turns to draw, on one event loop. Each line is first come, first served."""

    def __init__(self) -> None:
        self._taken = False  # whether somebody has the turn and waits for a gap
        self._first: tuple[Hashable, _Waiting] | None = None
        self._everybody: OrderedDict[Hashable, _Waiting] = OrderedDict()
        self._pressing: OrderedDict[Hashable, _Waiting] = OrderedDict()
        self._looking_on: OrderedDict[Hashable, _Waiting] = OrderedDict()
        self._turns = 0
        self._load = _Load()

    async def turn(self, key: Hashable, *, pressing: bool = True, everybody: bool = False) -> None:
        """Wait in line for an idle moment to draw. `key` must not be in a line already.

        `everybody`: the drawing is for a table's own message. `pressing`: the message's reader must
        act now, or the message shows cards that are no longer theirs.
        """
        waiting = _Waiting(asyncio.get_running_loop().time(), pressing, everybody)
        if self._taken:
            await self._stand(key, waiting)
        self._taken = True
        while True:
            self._first = key, waiting
            try:
                has_gap = await self._gap(waiting)
            except BaseException:
                self._call_next()
                raise
            if has_gap:
                break
            await self._stand(key, waiting, gives_way=True)
        self._turns += 1
        self._call_next()

    def hurry(self, key: Hashable) -> None:
        """Make the drawing of `key` pressing if it is waiting; otherwise, do nothing."""
        waiting = self._looking_on.pop(key, None)
        if waiting is not None:
            waiting.pressing = True
            self._pressing[key] = waiting
        elif self._first is not None and self._first[0] == key:
            self._first[1].pressing = True

    async def _stand(self, key: Hashable, waiting: _Waiting, *, gives_way: bool = False) -> None:
        """Wait in line until `key` is first.

        `gives_way`: give the turn to a more urgent line, and join at the front of the key's own
        line.
        """
        waiting.first = asyncio.get_running_loop().create_future()
        line = self._pressing if waiting.pressing else self._looking_on
        line = self._everybody if waiting.everybody else line
        line[key] = waiting
        if gives_way:
            line.move_to_end(key, last=False)
            self._call_next()
        try:
            await waiting.first
        except asyncio.CancelledError:
            if waiting.first.cancelled():
                for queue in (self._everybody, self._pressing, self._looking_on):
                    if queue.get(key) is waiting:
                        del queue[key]
            else:  # it had become the first, so the next one must be called
                self._call_next()
            raise

    def _call_next(self) -> None:
        """Give the turn to the next in line."""
        self._taken, self._first = False, None
        while line := self._next_line():
            key, waiting = line.popitem(last=False)
            # otherwise it was cancelled, and its task hasn't run since
            if not waiting.first.done():
                self._taken = True  # set now, so that a newcomer can't overtake it
                self._first = key, waiting  # `hurry` may be called before its task runs
                waiting.first.set_result(None)
                return

    def _next_line(self) -> OrderedDict[Hashable, _Waiting]:
        if self._turns % TURNS == 0 and self._looking_on:
            oldest = next(iter(self._looking_on.values()))
            if asyncio.get_running_loop().time() - oldest.since > PATIENCE:
                return self._looking_on
        return self._everybody or self._pressing or self._looking_on

    async def _gap(self, waiting: _Waiting) -> bool:
        """Wait until nothing else has kept the loop busy recently, or for `LONGEST` seconds.

        Return False if a more urgent drawing is waiting and this one is for an onlooker who hasn't
        waited for long.
        """
        loop = asyncio.get_running_loop()
        now = began = loop.time()
        long = now - waiting.since > PATIENCE
        while now - began <= LONGEST:
            before = now
            await asyncio.sleep(0)
            now = loop.time()
            pressing = waiting.pressing or long
            if not pressing and (self._everybody or self._pressing):
                return False
            if now - before >= CALM:
                continue
            if self._load.recent_share(now) <= (PRESSING if pressing else LOOKING_ON):
                break
            await asyncio.sleep(LOOK)
            now = loop.time()
        return True


class _Load:
    """The share of a core that the loop's thread takes."""

    def __init__(self) -> None:
        self._since, self._used, self._share = 0.0, 0.0, 0.0

    def recent_share(self, now: float) -> float:
        """Return the moving average of the thread's share of a core, from 0 to 1."""
        passed = now - self._since
        if passed >= WINDOW:
            used = time.thread_time()
            weight = 1 - (1 - SHARE) ** (passed / WINDOW)
            self._share += weight * ((used - self._used) / passed - self._share)
            self._since, self._used = now, used
        return self._share
