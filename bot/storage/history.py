"""Matches that are over: one by its number, a channel's latest, and those of a person."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import bindparam, select
from sqlalchemy.engine import Row

from bot.storage import schema
from bot.storage.database import Database
from bot.storage.matches import match_of, seeds_of
from bot.storage.soundness import damaged, sound, unsound
from bot.tables.damage import SetAside
from bot.tables.ports import Damaged
from bot.tables.records import HistoryLine, KeptMatch

_M: Final = schema.matches.c
_T: Final = schema.tables.c
_R: Final = schema.results.c
_LABELS: Final = {"match_id": _M.id, "status": _M.status}
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
        _M.status,
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
    _set_aside: SetAside

    async def kept_match(self, match_id: int) -> KeptMatch | None:
        """A match by its number with its log and seeds, all of one moment."""
        async with self._database.reading() as connection:
            place = (await connection.execute(_PLACE, {"match": match_id})).one_or_none()
            try:
                match = await match_of(connection, match_id)
                if place is None or match is None:
                    return None
                bad = unsound(place._mapping)
                if bad:
                    raise damaged({"match_id": match_id}, schema.tables, bad)
            except Damaged as found:
                self._set_aside.name(found)
                raise
            seeds = await seeds_of(connection, match_id, self._set_aside)
            return KeptMatch(match, seeds, place.guild_id, place.channel_id)

    async def last_ended(self, channel_id: int) -> int | None:
        """The number of the latest match of a channel that is over."""
        async with self._database.reading() as connection:
            found = await connection.execute(_LAST_ENDED, {"channel": channel_id})
            number: int | None = found.scalar_one_or_none()
            return number

    async def history(self, player: int, before: int | None, most: int) -> list[HistoryLine]:
        """The matches that somebody played to the end, the latest first; before that number."""
        at = _LATEST if before is None else before
        lines: list[HistoryLine] = []
        async with self._database.reading() as connection:
            while len(lines) < most:  # a damaged one has the next in its place
                which = {"player": player, "before": at, "most": most}
                rows = (await connection.execute(_HISTORY, which)).all()
                of = (schema.matches, schema.results, schema.tables)
                lines += [_line(row) for row in sound(rows, self._set_aside, *of, **_LABELS)]
                if len(rows) < most:
                    break
                at = rows[-1].match_id
        return lines[:most]


def _line(row: Row[Any]) -> HistoryLine:
    values = {**row._mapping, "players": tuple(row.players)}
    del values["status"]
    return HistoryLine(**values)
