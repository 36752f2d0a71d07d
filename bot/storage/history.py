"""Matches that are over: one by its number, a channel's latest, and those of a person."""

from __future__ import annotations

from typing import Final

from sqlalchemy import bindparam, select

from bot.storage import schema
from bot.storage.database import Database
from bot.storage.matches import match_of, seeds_of
from bot.tables.records import HistoryLine, KeptMatch

_M: Final = schema.matches.c
_T: Final = schema.tables.c
_R: Final = schema.results.c
_LATEST: Final = 2**62  # above every number of a match

_PLACE: Final = (
    select(_T.guild_id, _T.channel_id)
    .join(schema.matches, _M.table_id == _T.id)
    .where(_M.id == bindparam("match"))
)
_LAST_ENDED: Final = (
    select(_M.id)
    .join(schema.tables, _T.id == _M.table_id)
    .where(_T.channel_id == bindparam("channel"), _M.ended_at.is_not(None))
    .order_by(_M.id.desc())
    .limit(1)
)
# by the index on results.player, which holds the numbers of their matches in order
_HISTORY: Final = (
    select(
        _M.id.label("match_id"),
        _M.table_id,
        _T.guild_id,
        _T.channel_id,
        _M.variant,
        _M.players,
        _M.ended_at,
        _R.place,
        _R.rounds,
    )
    .select_from(schema.results)
    .join(schema.matches, _M.id == _R.match_id)
    .join(schema.tables, _T.id == _M.table_id)
    .where(_R.player == bindparam("player"), _R.match_id < bindparam("before"))
    .order_by(_R.match_id.desc())
    .limit(bindparam("most"))
)


class History:
    """The part of the store that looks back."""

    _database: Database

    async def kept_match(self, match_id: int) -> KeptMatch | None:
        """A match by its number with its log and seeds, all of one moment."""
        async with self._database.reading() as connection:
            place = (await connection.execute(_PLACE, {"match": match_id})).one_or_none()
            match = await match_of(connection, match_id)
            if place is None or match is None:
                return None
            seeds = await seeds_of(connection, match_id)
            return KeptMatch(match, seeds, place.guild_id, place.channel_id)

    async def last_ended(self, channel_id: int) -> int | None:
        """The number of the latest match of a channel that is over."""
        async with self._database.reading() as connection:
            found = await connection.execute(_LAST_ENDED, {"channel": channel_id})
            number: int | None = found.scalar_one_or_none()
            return number

    async def history(self, player: int, before: int | None, most: int) -> list[HistoryLine]:
        """The matches that somebody played to the end, the latest first; before that number."""
        which = {
            "player": player,
            "before": _LATEST if before is None else before,
            "most": most,
        }
        async with self._database.reading() as connection:
            rows = await connection.execute(_HISTORY, which)
            return [HistoryLine(**{**row._mapping, "players": tuple(row.players)}) for row in rows]
