"""People: what is remembered of them."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from sqlalchemy import bindparam, select
from sqlalchemy.engine import Row

from bot.storage import schema
from bot.storage.telling import Telling
from bot.storage.upsert import upsert
from bot.tables.records import Player

_PLAYERS: Final = select(schema.players).where(
    schema.players.c.id.in_(bindparam("ids", expanding=True))
)


class Players(Telling):
    """The part of the store that is about people."""

    async def player(self, player_id: int) -> Player:
        """What is remembered of a person; a blank record for a stranger."""
        return (await self.players((player_id,)))[player_id]

    async def players(self, ids: tuple[int, ...]) -> dict[int, Player]:
        """The same for several, in the order asked."""
        async with self._database.reading(brief=True) as connection:
            rows = await connection.execute(_PLAYERS, {"ids": list(ids)})
            known = {row.id: _player(row) for row in rows}
        return {player_id: known.get(player_id, Player(player_id)) for player_id in ids}

    async def note_player(self, player: Player) -> None:
        """Remember a person, in place of what was remembered."""
        async with self._database.writing(gathers=True) as connection:
            await upsert(connection, schema.players, asdict(player))
            await self._tell_of_person(connection, player.id)


def _player(row: Row[Any]) -> Player:
    """A row of `players`; choices that cannot be read are as if none had been made."""
    choices = row.choices if isinstance(row.choices, dict) else {}
    return Player(**{**row._mapping, "choices": choices})
