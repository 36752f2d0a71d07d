"""Privacy as a service: shows or deletes a person's data on request.

Matches are read a few at a time, so that nothing else waits. A person at a live table can't be
forgotten, as cards would change owner during the round. A match that they are already out of goes
on with a nameless player in their seat. Their practice is ended. A lobby where they were only
invited or queued goes on without them.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any, Final

import structlog

from bot.privacy.export import match_json, person_json, to_bytes
from bot.privacy.results import DataSummary, Forgotten
from bot.services.tables import Tables
from bot.storage.privacy import SqlPrivacy
from bot.tables import errors, moderation
from bot.tables.preferences import SEEN
from bot.tables.requests import Ask

log = structlog.get_logger(__name__)

AT_ONCE: Final = 20  # matches read at a time
REWRITTEN_AT_ONCE: Final = 64 * 1024 * 1024  # bytes; larger databases are not rewritten during play


class Privacy:
    """Shows people their stored data, and forgets people.

    `drop_cached` drops a person from all caches; `rewriting_due` schedules a rewrite of the
    database's file, to remove traces of deleted data.
    """

    def __init__(
        self,
        store: SqlPrivacy,
        tables: Tables,
        drop_cached: Callable[[int], None],
        rewriting_due: Callable[[], None] = lambda: None,
    ) -> None:
        self._store = store
        self._tables = tables
        self._drop_cached = drop_cached
        self._busy: set[int] = set()
        self._rewriting_due = rewriting_due

    async def summary(self, player: int) -> DataSummary:
        """Return a summary of a person's stored data. Raises `StoreUnavailable`."""
        dossier = await self._store.dossier(player)
        known = dossier.player
        numbers = {table: len(rows) for table, rows in dossier.rows.items() if rows}
        return DataSummary(
            known.name if known else None,
            known.hidden if known else False,
            len(dossier.matches),
            numbers.get("listeners", 0),
            "digests" in numbers,
            numbers.get("night_comers", 0),
            numbers.get("named_ranges", 0),
            known=bool(known or dossier.matches or numbers),
            preferences=bool(known and (known.choices.keys() - {SEEN} or known.hidden)),
            language=bool(known and SEEN in known.choices),
            direct_messages=known is not None and known.dm_open is not None,
            tables=numbers.get("tables", 0),
            stats="person_records" in numbers or "pair_records" in numbers,
            daily_results="daily_results" in numbers,
            quiz="mistakes" in numbers,
            planned_nights=numbers.get("nights", 0),
            reminders="reminder_letters" in numbers,
        )

    async def export(self, player: int) -> bytes:
        """Return a person's stored data as JSON.

        Raises `StoreUnavailable`, and `Repeated` while an earlier export for the person runs.
        """
        if player in self._busy:
            raise errors.Repeated
        self._busy.add(player)
        try:
            return await export(self._store, player)
        finally:
            self._busy.discard(player)

    async def forget(self, player: int) -> Forgotten | None:
        """End a person's practice and delete their data; return what was deleted, or None.

        None means that nothing was stored. Raises `StillSeated` if they play at a live table (their
        practice then goes on), and `StoreUnavailable`.
        """
        with contextlib.suppress(errors.NoTable, errors.Damaged):
            practice = await self._tables.in_channel(-player)
            seated = await self._store.live_seat(player)
            if practice.table.status.live and seated is None:
                await self._tables.change(practice.table.id, Ask(player, None), moderation.end)
        try:
            forgotten = await self._store.forget(player)
        except errors.MaybeStored:  # drop the caches in any case: they are read again
            self._drop(player, deleted=True)
            raise
        self._drop(player, deleted=forgotten is not None)
        for table_id in forgotten.to_redraw if forgotten is not None else ():
            await self._redraw(table_id)
        return forgotten

    def _drop(self, player: int, *, deleted: bool) -> None:
        """Drop a person from caches; if data was `deleted`, schedule a database file rewrite."""
        self._drop_cached(player)
        if deleted:
            self._rewriting_due()

    async def _redraw(self, table_id: int) -> None:
        """Redraw a table without the forgotten person, unless the table can't be read."""
        try:
            await self._tables.runtime.reload(table_id)
        except (errors.NoTable, errors.Damaged):
            pass  # the table can't be shown
        except errors.StoreUnavailable:
            log.warning("privacy: a table could not be read anew", table=table_id)


async def export(store: SqlPrivacy, player: int) -> bytes:
    """Return a person's stored data as JSON. Raises `StoreUnavailable`."""
    dossier = await store.dossier(player)
    matches: list[dict[str, Any]] = []
    for at in range(0, len(dossier.matches), AT_ONCE):
        for match in await store.personal_matches(player, dossier.matches[at : at + AT_ONCE]):
            matches.append(match_json(player, match))
            await asyncio.sleep(
                0
            )  # replaying takes a few milliseconds: let interactions come in between
    document = person_json(player, dossier, matches)
    return await asyncio.to_thread(to_bytes, document)
