"""Ends a process whose event loop hangs, so that its supervisor restarts it.

A process whose event loop hangs answers nobody and handles no signal. This happens when memory is
short: starting a thread may then wait for ever, and the client library starts one in the event loop
when it reconnects. Ending the process loses nothing, as acknowledged moves are committed.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import FrameType
from typing import Final

STOOD_STILL: Final = 75  # EX_TEMPFAIL: makes the supervisor restart the process
BEAT: Final = 1.0  # seconds
# Missed beats before the end. The watcher counts its own beats, so time when the whole process was
# paused, or the machine asleep, does not count.
MISSED: Final = 60


class Watchdog:
    """Counts a loop's missed beats in a separate thread, and calls `end` after too many."""

    def __init__(self, end: Callable[[str], object], *, beat: float, missed: int) -> None:
        self._end, self._beat, self._most = end, beat, missed
        self._silent, self._over = 0, False
        self._of = threading.get_ident()

    async def beating(self) -> None:
        """Reset the count of missed beats, once a beat on the event loop, until cancelled."""
        while True:
            self._silent = 0
            await asyncio.sleep(self._beat)

    def watch(self) -> None:
        """Count missed beats until `stop`; after too many, call `end`. Run this in a thread.

        A MemoryError doesn't stop the count, as memory may be short.
        """
        while not self._over:
            with contextlib.suppress(MemoryError):
                time.sleep(self._beat)
                self._silent += 1
                if self._silent > self._most and not self._over:
                    self._end(self._place())
                    self._over = True

    def _place(self) -> str:
        try:
            return where(sys._current_frames().get(self._of))
        except MemoryError:
            return "a place that is not known"

    def stop(self) -> None:
        """Stop watching."""
        self._over = True


def where(frame: FrameType | None) -> str:
    """Return a frame's innermost places in the code, such as `scheduler.py:51 < app.py:341`."""
    places: list[str] = []
    while frame is not None and len(places) < 8:
        places.append(f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}")
        frame = frame.f_back
    return " < ".join(places)


def end_process(place: str) -> None:
    """Print the place and exit at once, without logging: the log's lock may be what hangs."""
    try:
        message = (
            f"bluffhouse: nothing moved for {MISSED} seconds at {place}; please start it again\n"
        )
        os.write(2, message.encode())
    finally:
        os._exit(STOOD_STILL)


@asynccontextmanager
async def run_watchdog(
    end: Callable[[str], object] = end_process, *, beat: float = BEAT, missed: int = MISSED
) -> AsyncIterator[None]:
    """Watch the running event loop during the block.

    If the loop hangs, call `end` once, with the place in the code where it hangs.
    """
    dog = Watchdog(end, beat=beat, missed=missed)
    beating = asyncio.create_task(dog.beating(), name="watchdog")
    threading.Thread(target=dog.watch, name="watchdog", daemon=True).start()
    try:
        yield
    finally:
        dog.stop()
        beating.cancel()
