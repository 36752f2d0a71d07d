"""Runs a module as `python -m` does, and notes how late its event loop is.

    python -m benchmarks.pulse FILE MODULE [ARGUMENTS]

A callback is due every 20 ms; by how much it comes later is what any other would have waited at
that moment. One that comes so late that others would have been due meanwhile stands for them too,
or a long standstill would count as little as a short one. Two doubles each go to FILE: when it was
due (the system's monotonic clock, the same for every process), and the lag, in seconds. The module
knows nothing of it.
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
_ENTRY: Final = struct.Struct("dd")


class Pulse:
    """Beats in a loop for as long as that runs."""

    def __init__(self, loop: asyncio.AbstractEventLoop, file: BinaryIO) -> None:
        self._loop = loop
        self._file = file
        loop.call_soon(self._beat, loop.time())

    def _beat(self, due: float) -> None:
        now, late = self._loop.time(), []
        while due <= now:
            late.append(_ENTRY.pack(due, now - due))
            due += TICK
        self._file.write(b"".join(late))
        self._loop.call_at(due, self._beat, due)


def lags(file: Path, since: float, until: float) -> list[float]:
    """The lags of that time (`time.monotonic`), in seconds."""
    content = file.read_bytes()
    numbers = array("d", content[: len(content) - len(content) % _ENTRY.size])
    return [
        lag for due, lag in zip(numbers[::2], numbers[1::2], strict=True) if since <= due < until
    ]


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
