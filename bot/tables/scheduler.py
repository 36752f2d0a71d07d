"""A task that sleeps until the next deadline, and a measure of wall-clock jumps.

Deadlines are wall-clock times in the store. So they survive a restart, and any process may
serve them. The sleep itself uses the monotonic clock. Tables tell the alarm of changed
deadlines.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable, Sequence
from typing import Final, Generic, Protocol, TypeVar

import structlog

from bot.tables import errors
from engine.errors import RuleViolation

log = structlog.get_logger(__name__)

_LONGEST_SLEEP: Final = 60.0  # seconds; a jump of the wall clock is noticed within this time
# shorter where other processes may change a deadline, or stop while serving one
_LONGEST_AMONG_OTHERS: Final = 5.0
_NO_JUMP: Final = 5_000  # milliseconds
BEAT_SECONDS: Final = 2.0  # between two signs of life
_RETRY: Final = 5.0  # seconds until a failed deadline is tried again
# seconds of an even clock before game nights and digests trust it: their messages cannot be taken
# back, and a clock may be wrong for a moment
SETTLED_SECONDS: Final = 300.0


class Clock(Protocol):
    """The time, in wall-clock milliseconds: `WallClock`, or a clock that tests move."""

    def now(self) -> int:
        """Return milliseconds since 1970."""


class WallClock:
    """The system's time."""

    def now(self) -> int:
        """Return milliseconds since 1970."""
        return time.time_ns() // 1_000_000


class ClockSkew:
    """Measures how far the wall clock has jumped: the machine slept, or the clock was set.

    It compares the wall clock with `steady` (in seconds), which is never set and, on Linux and
    macOS, stops while the machine sleeps. Differences below `_NO_JUMP` don't count, as the system
    adjusts its clock now and then. While `beating` runs, the time for which the process was stopped
    or its container paused also counts as a jump.
    """

    def __init__(self, clock: Clock, steady: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._steady = steady
        self._ahead = self._now()
        self._total = 0
        self._jumped = float("-inf")  # steady seconds at the last jump noticed
        self._beat: float | None = None  # steady seconds of the last sign of life

    async def beating(self) -> None:
        """Check every `BEAT_SECONDS` whether the process stood still, until cancelled."""
        self._beat = self._steady()
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            self._stood_still()

    def _stood_still(self) -> None:
        if self._beat is None:
            return
        before, self._beat = self._beat, self._steady()
        late = round((self._beat - before - BEAT_SECONDS) * 1000)
        if late >= _NO_JUMP:
            self._total += late

    def _now(self) -> int:
        return self._clock.now() - round(self._steady() * 1000)

    def total(self) -> int:
        """Return the sum of all jumps since this object was made, in milliseconds.

        Positive means forwards. While `beating` runs, the time for which the process stood still is
        included.
        """
        self._stood_still()  # this call may come before the beating task runs again
        before, self._ahead = self._ahead, self._now()
        jumped = self._ahead - before
        if abs(jumped) >= _NO_JUMP:
            self._total += jumped
            self._jumped = self._steady()
        return self._total

    def is_settled(self) -> bool:
        """Return whether the wall clock has not jumped for at least `SETTLED_SECONDS`."""
        self.total()
        return self._steady() - self._jumped >= SETTLED_SECONDS


class Alarm:
    """Wakes one sleeper when some deadline comes earlier than the sleeper expects."""

    def __init__(self) -> None:
        self._rung = asyncio.Event()
        self._until: int | None = None  # wall-clock milliseconds; None while awake

    def deadline(self, at: int | None) -> None:
        """Ring if a changed deadline (`at`, wall-clock ms) comes before the sleeper would wake.

        While the sleeper is awake, ring for any deadline. Don't ring if `at` is None.
        """
        # while awake, every change counts: the next sleep must take it into account
        if at is not None and (self._until is None or at < self._until):
            self.ring()

    def ring(self) -> None:
        """Wake the sleeper now, or keep it from falling asleep."""
        self._rung.set()

    def awake(self) -> None:
        """Forget earlier rings: the sleeper looks at all deadlines from now on."""
        self._rung.clear()
        self._until = None

    async def sleep(self, seconds: float, *, until: int) -> None:
        """Sleep until the alarm rings, for `seconds` at most.

        `until`: the wall-clock time (ms) when `seconds` will have passed.
        """
        self._until = until
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._rung.wait(), timeout=seconds)


class Numbered(Protocol):
    """A thing with a deadline: a table, a game night, or a digest."""

    @property
    def id(self) -> int:
        """The number of the table or night, or the id of the digest's person."""

    @property
    def deadline_kind(self) -> object:
        """The event that the deadline triggers."""


D = TypeVar("D", bound=Numbered)
D_contra = TypeVar("D_contra", bound=Numbered, contravariant=True)
D_co = TypeVar("D_co", bound=Numbered, covariant=True)


class Deadlines(Protocol[D_contra]):
    """A service with deadlines: `Tables`, `NightHandlers` (nights), `TurnsHandlers` (digests)."""

    alarm: Alarm  # told of every changed deadline

    async def on_deadline(self, due: D_contra) -> None:
        """Act on the deadline of `due`, unless that deadline has changed."""

    async def give_back(self) -> None:
        """Move all deadlines by the time that the wall clock jumped.

        This isn't called for game nights and digests.
        """


class DueStore(Protocol[D_co]):
    """A store of things with deadlines: `SqlTables`, `SqlNights` and `SqlDirectMessages`.

    Each method may raise `StoreUnavailable`.
    """

    async def due(self, now: int) -> Sequence[D_co]:
        """Return the tables, nights or digests due at `now` (ms) that this process serves."""

    async def next_deadline(self, after: int) -> int | None:
        """Return the next deadline (ms) later than `after`; None if there is none."""


class DeadlineClock(Generic[D]):
    """Serves deadlines until stopped; the alarm of `served` reports every changed deadline.

    `jumps` measures jumps of the wall clock: before serving, move all deadlines by these jumps.
    `settles`: serve nothing while this clock has just jumped (for game nights and digests).
    `shared`: other processes may change the store.
    """

    def __init__(
        self,
        served: Deadlines[D],
        store: DueStore[D],
        clock: Clock,
        jumps: ClockSkew | None = None,
        *,
        settles: ClockSkew | None = None,
        shared: bool = False,
    ) -> None:
        self._jumps = jumps
        self._settles = settles
        self._in_doubt = False  # the clock has just jumped
        self._given = 0  # milliseconds of jumps already given back to everyone
        self._served = served
        self._store = store
        self._shared = shared
        self._clock = clock
        self._alarm = served.alarm
        self._task: asyncio.Task[None] | None = None
        self._stopping = False

    def start(self) -> None:
        """Begin serving, in a task of its own."""
        self._task = asyncio.create_task(self._run(), name="deadlines")

    async def stop(self, within: float | None = None) -> None:
        """Stop serving; leave later deadlines for the next start.

        Wait for the deadline being served, but at most `within` seconds.
        """
        self._stopping = True
        self._alarm.ring()
        if self._task is not None:
            # not cancelled: a query that is cut off loses its connection
            await asyncio.wait({self._task}, timeout=within)

    async def _run(self) -> None:
        while not self._stopping:
            self._alarm.awake()
            try:
                wait = await self._serve()
            except errors.StoreUnavailable as error:
                log.warning("deadlines: the database does not answer", error=str(error))
                wait = _RETRY
            except Exception:
                # one table may be damaged: the others must still be served
                log.exception("deadlines: could not be served, trying again")
                wait = _RETRY
            if self._stopping:  # set while a deadline was being served
                return
            await self._alarm.sleep(wait, until=self._clock.now() + int(wait * 1000))

    async def _serve(self) -> float:
        """Serve what is due and return how many seconds to sleep."""
        # checked again after each call: nothing may be served if the clock has jumped once more
        while self._jumps is not None and (jumped := self._jumps.total()) != self._given:
            ms = jumped - self._given
            log.warning("deadlines: the clock jumped, its time is given back", ms=ms)
            await self._served.give_back()
            self._given = jumped
        longest = _LONGEST_AMONG_OTHERS if self._shared else _LONGEST_SLEEP
        failed, now = False, self._clock.now()
        if self._is_in_doubt():
            return longest
        for due in await self._store.due(now):
            if self._stopping:
                return 0.0
            try:
                await self._served.on_deadline(due)
            except errors.Damaged:
                continue  # it is logged already, and only a restart can help
            except (errors.RefusedError, RuleViolation) as refusal:
                why = type(refusal).__name__
                log.info("deadline: table has moved on", table=due.id, refusal=why)
                failed = True
            except Exception:
                log.exception("deadline: failed", table=due.id, kind=due.deadline_kind)
                failed = True
        nearest = await self._store.next_deadline(after=now)
        wait = longest
        if nearest is not None:
            wait = max(0.0, (nearest - self._clock.now()) / 1000)
        return min(wait, _RETRY if failed else longest)

    def _is_in_doubt(self) -> bool:
        """Return whether the clock has jumped and may still be wrong; log this once."""
        doubted = self._settles is not None and not self._settles.is_settled()
        if doubted and not self._in_doubt:
            log.warning(
                "deadlines: the clock jumped, waiting whether it stays", seconds=SETTLED_SECONDS
            )
        self._in_doubt = doubted
        return doubted
