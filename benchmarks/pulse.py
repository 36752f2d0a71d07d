"""Runs a module as `python -m` does, and notes how late its event loop is.

    python -m benchmarks.pulse FILE MODULE [ARGUMENTS]

A callback is due every 20 ms; by how much it comes later is what any other would have waited at
that moment. One that comes so late that others would have been due meanwhile stands for them too,
or a long standstill would count as little as a short one. Three doubles each go to FILE: when it
was due (the system's monotonic clock, the same for every process), the lag, in seconds, and how
many tasks the loop had, counted every ten seconds. The module knows nothing of it.
"""

from __future__ import annotations

import asyncio
import runpy
import struct
import sys
from array import array
from pathlib import Path
from typing import BinaryIO, Final

TICK: Final = 0.02  # seconds
TASKS: Final = 10.0  # seconds between two counts of tasks
_ENTRY: Final = struct.Struct("ddd")


class Pulse:
    """Beats in a loop for as long as that runs."""

    def __init__(self, loop: asyncio.AbstractEventLoop, file: BinaryIO) -> None:
        self._loop = loop
        self._file = file
        self._tasks, self._counted = 0, -TASKS
        self._next: asyncio.Handle = loop.call_soon(self._beat, loop.time())

    def stop(self) -> None:
        """Beat no more; else it does for as long as its loop runs."""
        self._next.cancel()

    def _beat(self, due: float) -> None:
        now, late = self._loop.time(), []
        if now >= self._counted + TASKS:
            self._tasks, self._counted = len(asyncio.all_tasks(self._loop)), now
        while due <= now:
            late.append(_ENTRY.pack(due, now - due, self._tasks))
            due += TICK
        self._file.write(b"".join(late))
        self._next = self._loop.call_at(due, self._beat, due)


def lags(file: Path, since: float, until: float) -> list[float]:
    """The lags of that time (`time.monotonic`), in seconds."""
    numbers = _numbers(file.read_bytes())
    return [
        lag for due, lag in zip(numbers[::3], numbers[1::3], strict=True) if since <= due < until
    ]


def tasks(file: Path) -> int:
    """How many tasks the loop had when they were counted last; 0 before it ran."""
    with file.open("rb") as content:
        whole = content.seek(0, 2) // _ENTRY.size * _ENTRY.size
        content.seek(max(0, whole - _ENTRY.size))
        numbers = _numbers(content.read(min(whole, _ENTRY.size)))
    return int(numbers[2]) if numbers else 0


def _numbers(content: bytes) -> array[float]:
    return array("d", content[: len(content) - len(content) % _ENTRY.size])


def main() -> None:
    """Run the module, with the arguments after it, in this process."""
    file, module, *arguments = sys.argv[1:]
    # unbuffered: a process that ends at once, or is killed, leaves what was noted
    noted = Path(file).open("ab", buffering=0)  # noqa: SIM115 - until the process ends
    make = asyncio.events.new_event_loop

    def beating() -> asyncio.AbstractEventLoop:
        loop = make()
        Pulse(loop, noted)
        return loop

    asyncio.events.new_event_loop = beating  # what `asyncio.run` asks for a loop
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
