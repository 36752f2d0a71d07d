"""Run a module as `python -m` does, and record how late its event loop is.

    python -m benchmarks.pulse FILE MODULE [ARGUMENTS]

A callback is due every 20 ms; its lag is how much later it runs. If it runs so late that the next
callbacks were due meanwhile, their lags are recorded too, so that a long standstill counts for more
than a short one. FILE gets three doubles per callback: when it was due (the system's monotonic
clock, the same in every process) and its lag, both in seconds, and the loop's number of tasks,
counted every ten seconds. The module needs no change.
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
    """A callback that records its lag in `file` every `TICK` seconds while the loop runs."""

    def __init__(self, loop: asyncio.AbstractEventLoop, file: BinaryIO) -> None:
        self._loop = loop
        self._file = file
        self._tasks, self._counted = 0, -TASKS
        self._next: asyncio.Handle = loop.call_soon(self._beat, loop.time())

    def stop(self) -> None:
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
    """Return the lags, in seconds, of callbacks due between two times (`time.monotonic`)."""
    numbers = _numbers(file.read_bytes())
    return [
        lag for due, lag in zip(numbers[::3], numbers[1::3], strict=True) if since <= due < until
    ]


def tasks(file: Path) -> int:
    """Return how many tasks the loop had at the latest count; 0 before the loop ran."""
    with file.open("rb") as content:
        whole = content.seek(0, 2) // _ENTRY.size * _ENTRY.size
        content.seek(max(0, whole - _ENTRY.size))
        numbers = _numbers(content.read(min(whole, _ENTRY.size)))
    return int(numbers[2]) if numbers else 0


def _numbers(content: bytes) -> array[float]:
    return array("d", content[: len(content) - len(content) % _ENTRY.size])


def main() -> None:
    """Run the module named on the command line in this process, and record its loop's lags."""
    file, module, *arguments = sys.argv[1:]
    # unbuffered, so that a process that is killed leaves its records
    noted = Path(file).open("ab", buffering=0)  # noqa: SIM115 - until the process ends
    make = asyncio.events.new_event_loop

    def beating() -> asyncio.AbstractEventLoop:
        loop = make()
        Pulse(loop, noted)
        return loop

    asyncio.events.new_event_loop = beating  # `asyncio.run` calls it
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
