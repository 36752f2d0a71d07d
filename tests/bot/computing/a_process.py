# ruff: noqa: ASYNC110 - other processes tell by what can be seen; starting one is quick
"""A computing process for a test, and ways to observe it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.computing.process import Computing


@asynccontextmanager
async def computing(**kwargs: object) -> AsyncIterator[Computing]:
    running = Computing(**kwargs)  # type: ignore[arg-type]
    try:
        yield running
    finally:
        await running.close()


async def appears(path: Path, lines: int = 0) -> list[str]:
    """Wait until a file exists and has at least this many lines; return its lines."""
    while not path.exists() or len(path.read_text().splitlines()) < lines:
        await asyncio.sleep(0.005)
    return path.read_text().splitlines()


def gone(pid: int) -> bool:
    """Return whether a process has ended; a zombie counts as ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True
