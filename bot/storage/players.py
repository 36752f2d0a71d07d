"""People: what is remembered of them."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from sqlalchemy import bindparam, select
from sqlalchemy.engine import Connection, Row

from bot.storage import schema
from bot.storage.part import Part, reads, writes
from bot.storage.soundness import is_sound, unsound
from bot.storage.upsert import upsert, upsert_many
from bot.tables.model import Player
from bot.tables.ports import Changed
from bot.tables.quarantine import Quarantine

_PLAYERS: Final = select(schema.players).where(
    schema.players.c.id.in_(bindparam("ids", expanding=True))
)
_LOCK: Final = (
    select(schema.players).where(schema.players.c.id == bindparam("id")).with_for_update()
)


class People(Part):
    """The part of the store that is about people."""

    async def player(self, player_id: int) -> Player:
        """What is remembered of a person; a blank record for a stranger."""
        return (await self.players((player_id,)))[player_id]

    @reads
    def players(self, c: Connection, ids: tuple[int, ...]) -> dict[int, Player]:
        """What is remembered of several people, in the order asked; blank records for strangers."""
        rows = c.execute(_PLAYERS, {"ids": list(ids)})
        known = {row.id: player_of(row, self._set_aside) for row in rows}
        return {player_id: known.get(player_id, Player(player_id)) for player_id in ids}

    @writes
    def change(self, c: Connection, player_id: int, change: Changed) -> Player:
        """Change what is remembered of a person, however that stands by then; what holds now."""
        stored = self._locked(c, player_id)
        before = stored or Player(player_id)
        now = change(before)
        if now == before:
            return now
        if stored is None:
            # of two who are the first to know of somebody, one waits here for the other
            upsert_many(c, schema.players, [asdict(before)], stored="stays")
            now = change(self._locked(c, player_id) or before)
        upsert(c, schema.players, asdict(now))
        self._tell_of_person(c, player_id)
        return now

    def _locked(self, c: Connection, player_id: int) -> Player | None:
        """A person as stored, whom nobody else changes until the transaction ends."""
        row = c.execute(_LOCK, {"id": player_id}).one_or_none()
        return None if row is None else player_of(row, self._set_aside)


def player_of(row: Row[Any], aside: Quarantine) -> Player:
    """A row of `players`; what cannot be read in it is named, and is as if it were not known."""
    known = dict(row._mapping)
    if not is_sound(known, aside, schema.players):
        for name in unsound(known, schema.players):
            del known[name]
    return Player(**known)
