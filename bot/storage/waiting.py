"""A store that may have to be waited for: after a machine's start PostgreSQL may come later."""

from __future__ import annotations

import asyncio
from typing import Any, Final

import structlog

from bot.storage import NotAnswering
from bot.storage.store import SqlStore

log = structlog.get_logger(__name__)

WITHIN: Final = 120.0  # seconds
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 8.0  # between two tries


async def open_when_there(address: str, within: float = WITHIN, **how: Any) -> SqlStore:
    """`SqlStore.open`, tried again while PostgreSQL is not there yet. Raises `StorageError`.

    `how`: what else `SqlStore.open` is given. A machine on which the first try takes longer than
    `within` gets a second one.
    """
    loop = asyncio.get_running_loop()
    last = loop.time() + within
    pause, tries = FIRST_PAUSE, 0
    while True:
        try:
            return await SqlStore.open(address, **how)
        except NotAnswering as error:
            tries += 1
            if tries > 1 and loop.time() >= last:
                raise
            log.warning("database: not there, trying again", error=str(error), seconds=pause)
        await asyncio.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE)
