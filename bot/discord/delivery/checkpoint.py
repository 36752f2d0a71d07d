"""Store which tables' messages are up to date, so that the next start needn't redraw them."""

from __future__ import annotations

import asyncio
from typing import Final

import structlog

from bot.storage.store import SqlStore
from bot.tables import errors

log = structlog.get_logger(__name__)

# seconds until a table is noted: longer than Discord waits for an answer
NOTE_SECONDS: Final = 10.0
ROWS_AT_ONCE: Final = 500  # tables noted in one transaction


class RenderCheckpoint:
    """Stores which tables' messages show their latest version."""

    def __init__(self, store: SqlStore) -> None:
        self._store = store
        self._fresh: dict[int, int] = {}  # version by table, of tables shown since the last check
        self._settled: dict[int, int] = {}  # the same, from before the last check
        self._timer: asyncio.TimerHandle | None = None
        self._noting: asyncio.Task[None] | None = None
        self._closed = False

    def note_current(self, table_id: int, version: int) -> None:
        """Remember that a table's message shows this version, or will once a press is answered."""
        self.note_stale(table_id)
        self._fresh[table_id] = version
        if self._timer is None and not self._closed:
            self._timer = asyncio.get_running_loop().call_later(NOTE_SECONDS, self._look)

    def note_stale(self, table_id: int) -> None:
        """Forget that a table's message was up to date."""
        self._fresh.pop(table_id, None)
        self._settled.pop(table_id, None)

    def _look(self) -> None:
        self._timer = None
        due, self._settled, self._fresh = self._settled, self._fresh, {}
        if due and (self._noting is None or self._noting.done()):
            self._noting = asyncio.create_task(self._note(due), name="checkpoint")
        if self._settled and not self._closed:
            self._timer = asyncio.get_running_loop().call_later(NOTE_SECONDS, self._look)

    async def _note(self, due: dict[int, int]) -> None:
        rows = list(due.items())
        try:
            for at in range(0, len(rows), ROWS_AT_ONCE):
                await self._store.tables.note_shown(rows[at : at + ROWS_AT_ONCE])
        except errors.StoreUnavailable as error:  # the next start redraws them
            log.info("checkpoint: what is shown could not be noted", reason=str(error))

    async def close(self) -> None:
        """Store which tables are up to date, if the store is up.

        Call it when all presses have been answered.
        """
        self._closed = True
        if self._timer is not None:
            self._timer.cancel()
        if self._noting is not None:
            await self._noting
        await self._note(self._settled | self._fresh)
