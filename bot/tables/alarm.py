"""The alarm between tables, whose deadlines change, and the clock that sleeps until the next."""

from __future__ import annotations

import asyncio
import contextlib


class Alarm:
    """Wakes one sleeper when a deadline comes before the one slept for."""

    def __init__(self) -> None:
        self._rung = asyncio.Event()
        self._until: int | None = None  # wall-clock milliseconds; None while awake

    def deadline(self, at: int | None) -> None:
        """A table's deadline is now `at` (wall-clock milliseconds, None: it has none)."""
        # while awake, whatever changes must be looked at before the next sleep
        if at is not None and (self._until is None or at < self._until):
            self.ring()

    def ring(self) -> None:
        """Wake the sleeper now, or keep it from falling asleep."""
        self._rung.set()

    def awake(self) -> None:
        """The sleeper looks at all deadlines from now on; earlier rings are served by that."""
        self._rung.clear()
        self._until = None

    async def sleep(self, seconds: float, *, until: int) -> None:
        """Sleep until the alarm rings, at most `seconds`: until the wall clock says `until`."""
        self._until = until
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._rung.wait(), timeout=seconds)
