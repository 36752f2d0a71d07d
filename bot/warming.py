"""`python -m bot.warming`: compile the kernels of heavy odds into numba's cache.

A process of its own, because the compiler holds the interpreter's lock: in the bot's own process a
first start would answer moves slowly for a quarter of a minute. Afterwards the bot only loads what
lies in the cache.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
from typing import Final

# one question for each kind of kernel, and whether it is counted or sampled
QUESTIONS: Final = (
    ("AhKd vs QcQs", True),
    ("AhKd vs QcQs vs random", False),
    ("omaha AsAhKsKh vs random", False),
    ("draw AsAhKsKh vs 9c9d8h8s", True),
)
_SAMPLED: Final = 1500  # more than one block of deals: whole blocks and the rest differ in kernels


def load_kernels() -> None:
    """Ask one small question of each kind."""
    from engine.odds import Effort, parse_question, showdown_odds

    for text, exact in QUESTIONS:
        effort = Effort(exact=True) if exact else Effort(deals=_SAMPLED)
        showdown_odds(parse_question(text), effort)


async def compile_apart() -> bool:
    """Have another, less urgent process fill the cache. Whether it could."""
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "bot.warming",
        stdin=asyncio.subprocess.PIPE,  # its end tells the child that this process is gone
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        return await process.wait() == 0
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()


def _end_with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(1)


if __name__ == "__main__":
    threading.Thread(target=_end_with_parent, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(10)
    load_kernels()
    os._exit(0)  # without waiting for the thread that reads
