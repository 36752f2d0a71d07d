"""A process whose event loop stands still is ended, so that it is started again.

Nobody is answered by it any more, and no signal is heard. It has been seen where memory is short:
a thread that cannot begin is waited for without end by whoever starts it, which in the client
library's reconnecting is the loop itself. Ending costs nothing: what was acknowledged is committed.
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

STOOD_STILL: Final = 75  # EX_TEMPFAIL: whoever supervises the process starts it again
BEAT: Final = 1.0  # seconds
# Beats that are missed. The watcher counts its own, so time in which the whole process stood still,
# paused or on a machine that slept, is none of them.
MISSED: Final = 60


class Watchdog:
    """Counts the beats that a loop misses, in a thread of its own; `end` is called at too many."""

    def __init__(self, end: Callable[[str], object], *, beat: float, missed: int) -> None:
        self._end, self._beat, self._most = end, beat, missed
        self._silent, self._over = 0, False
        self._of = threading.get_ident()

    async def beating(self) -> None:
        """The loop's part: say that it is alive, until cancelled."""
        while True:
            self._silent = 0
            await asyncio.sleep(self._beat)

    def watch(self) -> None:
        """The thread's part. Memory may be what is missing: then it tries again."""
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
        """Watch no more."""
        self._over = True


def where(frame: FrameType | None) -> str:
    """The innermost places in the code, such as `life.py:51 < app.py:341`; no value of anything."""
    places: list[str] = []
    while frame is not None and len(places) < 8:
        places.append(f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno}")
        frame = frame.f_back
    return " < ".join(places)


def end_process(place: str) -> None:
    """Say where it stood, and end at once: the log's lock may be what is waited for."""
    try:
        said = f"bluffhouse: nothing moved for {MISSED} seconds at {place}; please start it again\n"
        os.write(2, said.encode())
    finally:
        os._exit(STOOD_STILL)


@asynccontextmanager
async def watched(
    end: Callable[[str], object] = end_process, *, beat: float = BEAT, missed: int = MISSED
) -> AsyncIterator[None]:
    """Watch the running loop meanwhile; call `end` with the place, once, if it stands still."""
    dog = Watchdog(end, beat=beat, missed=missed)
    beating = asyncio.create_task(dog.beating(), name="watchdog")
    threading.Thread(target=dog.watch, name="watchdog", daemon=True).start()
    try:
        yield
    finally:
        dog.stop()
        beating.cancel()
