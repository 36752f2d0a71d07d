"""Privacy as a service: what a person is shown, hidden or forgotten when they ask for it.

Reading goes some matches at a time, so that nothing else waits. A person who is forgotten must not
play at a live table, as other people's cards would change owner under their eyes; a match that they
are out of goes on with their seat, a practice of theirs is ended, and a lobby that only asked them
or had them waiting goes on without them.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol

import structlog

from bot.privacy.export import match_json, person_json, written
from bot.privacy.ports import DossierStore, Forgotten, PrivacyStore
from bot.tables import errors, moderation
from bot.tables.requests import Ask
from bot.tables.service import Tables

log = structlog.get_logger(__name__)

AT_ONCE: Final = 20  # matches read at a time
REWRITTEN_AT_ONCE: Final = 64 * 1024 * 1024  # bytes of a database that is rewritten beside matches


class Acquaintance(Protocol):
    """Who remembers people in memory."""

    async def hide(self, player_id: int, *, hidden: bool) -> None:
        """Remember that somebody wants to be on no leaderboard, or on it again."""

    def forget(self, player_id: int) -> None:
        """Forget somebody; what is stored of them is read anew."""


@dataclass(frozen=True, slots=True)
class Kept:
    """In short what is stored of somebody."""

    name: str | None
    hidden: bool
    matches: int
    listens: int  # channels whose new tables they are told of
    digest: bool = False
    nights: int = 0  # game nights to which they come


class Privacy:
    """Shows, hides and forgets people. `people` remembers them in memory.

    `forgotten` has whatever else may name somebody dropped; `rewriting_due` asks that what was
    deleted leave the database's file too.
    """

    def __init__(
        self,
        store: PrivacyStore,
        tables: Tables,
        people: Acquaintance,
        forgotten: Callable[[], None] = lambda: None,
        rewriting_due: Callable[[], None] = lambda: None,
    ) -> None:
        self._store = store
        self._tables = tables
        self._people = people
        self._busy: set[int] = set()
        self._forgotten = forgotten
        self._rewriting_due = rewriting_due

    async def kept(self, player: int) -> Kept:
        """In short what is stored of somebody. Raises `StoreUnavailable`."""
        found = await self._store.dossier(player)
        known = found.player
        return Kept(
            known.name if known else None,
            known.hidden if known else False,
            len(found.matches),
            len(found.rows.get("listeners", ())),
            bool(found.rows.get("digests")),
            len(found.rows.get("night_comers", ())),
        )

    async def export(self, player: int) -> bytes:
        """Everything stored of somebody, as JSON. Raises `Repeated` while it is being made."""
        if player in self._busy:
            raise errors.Repeated
        self._busy.add(player)
        try:
            return await export(self._store, player)
        finally:
            self._busy.discard(player)

    async def hide(self, player: int, *, hidden: bool) -> None:
        """Show somebody on no leaderboard, or again. Raises `StoreUnavailable`."""
        await self._people.hide(player, hidden=hidden)

    async def forget(self, player: int) -> Forgotten | None:
        """Forget somebody; None if nothing is stored of them.

        Raises `StillSeated`, `StoreUnavailable`.
        """
        with contextlib.suppress(errors.NoTable, errors.Damaged):
            practice = await self._tables.in_channel(-player)
            seated = await self._store.live_seat(player)
            if practice.table.status.live and seated is None:
                await self._tables.change(practice.table.id, Ask(player, None), moderation.end)
        try:
            done = await self._store.forget(player)
        except errors.MaybeStored:  # then nothing may be remembered of them: it is read anew
            self._drop(player, deleted=True)
            raise
        self._drop(player, deleted=done is not None)
        for table_id in done.shown if done is not None else ():
            await self._show_anew(table_id)
        return done

    def _drop(self, player: int, *, deleted: bool) -> None:
        """Remember nothing of somebody, and have what was deleted leave the file too."""
        self._people.forget(player)
        self._forgotten()
        if deleted:
            self._rewriting_due()

    async def _show_anew(self, table_id: int) -> None:
        """Have a table shown without who was forgotten: that is done, whatever becomes of this."""
        try:
            await self._tables.runtime.read_anew(table_id)
        except (errors.NoTable, errors.Damaged):
            pass  # nobody can be shown it
        except errors.StoreUnavailable:
            log.warning("privacy: a table could not be read anew", table=table_id)


async def export(store: DossierStore, player: int) -> bytes:
    """Everything stored of somebody, as JSON. Raises `StoreUnavailable`."""
    dossier = await store.dossier(player)
    matches: list[dict[str, Any]] = []
    for at in range(0, len(dossier.matches), AT_ONCE):
        for kept in await store.personal_matches(player, dossier.matches[at : at + AT_ONCE]):
            matches.append(match_json(player, kept))
            await asyncio.sleep(0)  # replaying takes a few milliseconds: presses come in between
    document = person_json(player, dossier, matches)
    return await asyncio.to_thread(written, document)
