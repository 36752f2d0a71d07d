"""The emulator's time, and ids that contain time.

The clock is injected, so that limits of 3 s and 15 min can be tested. Discord's ids hold
milliseconds since 2015 in the upper 42 bits, and a sequence number below. Source:
https://discord.com/developers/docs/reference#snowflakes
"""

import asyncio
import heapq
import itertools
import time
from datetime import UTC, datetime
from typing import Protocol

EPOCH_MS = 1_420_070_400_000


class SandboxClock(Protocol):
    """Seconds since the Unix epoch, and a way to wait: `SystemClock`, or `ManualClock` in tests."""

    def now(self) -> float:
        """Return seconds since the Unix epoch."""

    async def sleep(self, seconds: float) -> None:
        """Return once `seconds` have passed on this clock."""


class SystemClock:
    """The machine's own clock."""

    def now(self) -> float:
        """Return the current time."""
        return time.time()

    async def sleep(self, seconds: float) -> None:
        """Wait in real time."""
        await asyncio.sleep(seconds)


class ManualClock:
    """A clock that moves only by `advance`, which wakes the sleepers whose time has come."""

    def __init__(self, start: float = 1_767_225_600.0) -> None:
        self._now = start
        self._order = itertools.count()
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []
        self._slept_on = asyncio.Event()

    def now(self) -> float:
        """Return the time to which the clock was last moved."""
        return self._now

    async def sleep(self, seconds: float) -> None:
        """Wait until `advance` has moved the clock by `seconds` in all."""
        woken = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self._now + seconds, next(self._order), woken))
        self._slept_on.set()
        await woken

    async def until_asleep(self, sleepers: int = 1) -> None:
        """Wait until this many tasks sleep on the clock, so that it isn't moved too early."""
        while sum(not woken.done() for _, _, woken in self._sleepers) < sleepers:
            self._slept_on.clear()
            await self._slept_on.wait()

    def advance(self, seconds: float) -> None:
        """Move the clock by `seconds` and wake the sleepers whose time has come."""
        self._now += seconds
        while self._sleepers and self._sleepers[0][0] <= self._now:
            woken = heapq.heappop(self._sleepers)[2]
            if not woken.done():
                woken.set_result(None)


def iso(seconds: float) -> str:
    """Return a time as ISO 8601 in UTC, as Discord writes times."""
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="microseconds")


class Snowflakes:
    """Creates unique ids that increase with time."""

    def __init__(self, clock: SandboxClock, last: int = 0) -> None:
        self._clock = clock
        self.last = last

    def next(self) -> str:
        """Return a new id above all earlier ones, even if the clock stands still or goes back."""
        stamped = (int(self._clock.now() * 1000) - EPOCH_MS) << 22
        self.last = max(stamped, self.last + 1)
        return str(self.last)


def seconds_of(snowflake: str) -> float:
    """Return when an id was created, in Unix seconds."""
    return ((int(snowflake) >> 22) + EPOCH_MS) / 1000


def shard_of(guild_id: str | None, shard_count: int) -> int:
    """Return the shard of a guild; everything without a guild goes to shard 0."""
    return 0 if guild_id is None else (int(guild_id) >> 22) % shard_count
