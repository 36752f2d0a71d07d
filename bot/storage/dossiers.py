"""What is stored of a person, to be shown to them; a part of their matches at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import and_, select

from bot.privacy.ports import Dossier, KeptOf
from bot.storage import schema
from bot.storage.database import Database
from bot.storage.matches import match_of
from bot.storage.mentions import NAMING, may_name, names
from bot.tables.records import Player

_T: Final = schema.tables.c
_M: Final = schema.matches.c
_R: Final = schema.results.c
# shown by themselves, or with their matches
_APART: Final = frozenset({"players", "matches", "results", "deliveries"})


class Dossiers:
    """The part of the store that shows people what is stored of them."""

    _database: Database

    async def dossier(self, player: int) -> Dossier:
        """What is stored of somebody."""
        rows: dict[str, list[dict[str, Any]]] = {}
        async with self._database.reading() as connection:
            known = select(schema.players).where(schema.players.c.id == player)
            row = (await connection.execute(known)).one_or_none()
            played = select(_M.id, _M.players).where(may_name("matches", player)).order_by(_M.id)
            matches = [
                one["id"]
                for one in (await connection.execute(played)).mappings()
                if names("matches", one, player)
            ]
            for table in NAMING:
                if table in _APART:
                    continue
                asked = select(schema.metadata.tables[table]).where(may_name(table, player))
                found = (await connection.execute(asked)).mappings()
                rows[table] = [dict(one) for one in found if names(table, one, player)]
        # how others did against them is the same seen from the other side, and theirs
        pairs = rows["pair_records"]
        rows["pair_records"] = [one for one in pairs if one["player"] == player]
        return Dossier(None if row is None else Player(**row._mapping), tuple(matches), rows)

    async def kept_of(self, player: int, matches: Sequence[int]) -> list[KeptOf]:
        """These of their matches, as far as they are stored, by number."""
        asked = (
            select(_M.id, _T.guild_id, _T.channel_id, _R.place, _R.rounds)
            .join(schema.tables, _T.id == _M.table_id)
            .outerjoin(schema.results, and_(_R.match_id == _M.id, _R.player == player))
            .where(_M.id.in_(list(matches)))
            .order_by(_M.id)
        )
        kept = []
        async with self._database.reading() as connection:
            for number, *rest in (await connection.execute(asked)).all():
                match = await match_of(connection, number)
                if match is not None and player in match.players:
                    kept.append(KeptOf(match, *rest))
        return kept
