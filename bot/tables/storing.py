"""Whether a change was stored is found out where the store did not say.

PostgreSQL may be cut off after it was told to commit and before it has answered. Then nobody knows
whether the change is there. It is given to the store once more, which stores an interaction once:
either it was, or it is now. Only where no answer comes for that either it stays unknown, and is
said to be.
"""

from __future__ import annotations

import asyncio
from typing import Final

import structlog

from bot.tables import errors, ports
from bot.tables.model import Change, Table

log = structlog.get_logger(__name__)
REMEMBERED: Final = 10_000  # interactions: more than are under way at any time
ASK_AGAIN: Final = (0.1, 0.5, 2.0)  # seconds before the store is asked once more


class StoredFor:
    """The interactions for which this process has stored something, the latest of them.

    What such a one reads or stores after that may fail; it is not to be called undone then.
    """

    def __init__(self) -> None:
        self._latest: dict[int, None] = {}  # in the order in which they came

    def note(self, interaction_id: int | None) -> None:
        """Something was stored for it; None: nobody asked."""
        if interaction_id is None:
            return
        self._latest[interaction_id] = None
        if len(self._latest) > REMEMBERED:
            del self._latest[next(iter(self._latest))]

    def __contains__(self, interaction_id: int) -> bool:
        return interaction_id in self._latest


async def stored(store: ports.Store, change: Change) -> Table | None:
    """Store a change; the table as it is stored then, or None if that is to be read.

    Raises as `Store.commit`.
    """
    try:
        return await store.commit(change)
    except errors.MaybeStored:
        log.warning("store: no answer to a commit, asking again", table=change.table.id)
    for wait in ASK_AGAIN:
        await asyncio.sleep(wait)
        try:
            return await store.commit(change)
        except errors.StoreUnavailable:
            continue
        except errors.Repeated:
            return None
        except errors.Stale:
            if await _is_there(store, change):
                return None
            raise
    raise errors.MaybeStored


async def _is_there(store: ports.Store, change: Change) -> bool:
    """Whether a change that nobody asked for, as a clock's, is what the table's version is."""
    found = await store.snapshot(change.table.id)
    return found is not None and (found.table.version, found.table.updated_at) == (
        change.table.version,
        change.table.updated_at,
    )
