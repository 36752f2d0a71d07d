"""Matches that are over: one by its number, a channel's latest, and those of a person."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import bindparam, select
from sqlalchemy.engine import Connection, Row

from bot.storage import schema
from bot.storage.matches import Matches, match_of, seeds_of
from bot.storage.part import reads
from bot.storage.soundness import damaged, sound, unsound
from bot.tables.errors import Damaged
from bot.tables.model import HistoryLine, KeptMatch, MatchStatus

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

_OF_PRACTICES: Final = (
    select(schema.round_seeds.c.round)
    .join(schema.matches, _M.id == schema.round_seeds.c.match_id)
    .join(schema.tables, _T.id == _M.table_id)
    .where(_T.channel_id == bindparam("practice"), _M.id < bindparam("before"))
    .where(_M.status != MatchStatus.WON.value)  # such a one has results
    .limit(bindparam("most"))
)
_OF_MATCHES: Final = (
    select(_R.match_id, _R.player, _R.rounds)
    .where(_R.player == bindparam("player"), _R.match_id < bindparam("before"))
    .limit(bindparam("most"))
)


class History(Matches):
    """The part of the store that looks back."""

    @reads
    def kept(self, c: Connection, match_id: int) -> KeptMatch | None:
        """A match by its number with its log and seeds, all of one moment."""
        place = c.execute(_PLACE, {"match": match_id}).one_or_none()
        try:
            match = match_of(c, match_id)
            if place is None or match is None:
                return None
            bad = unsound(place._mapping)
            if bad:
                raise damaged({"match_id": match_id}, schema.tables, bad)
        except Damaged as found:
            self._set_aside.name(found)
            raise
        seeds = seeds_of(c, match_id, self._set_aside)
        return KeptMatch(match, seeds, place.guild_id, place.channel_id)

    @reads
    def last_ended(self, c: Connection, channel_id: int) -> int | None:
        """The number of the latest match of a channel that is over."""
        found = c.execute(_LAST_ENDED, {"channel": channel_id})
        number: int | None = found.scalar_one_or_none()
        return number

    @reads
    def history(
        self, c: Connection, player: int, before: int | None, most: int
    ) -> list[HistoryLine]:
        """The matches that somebody played to the end, the latest first; before that number."""
        at = _LATEST if before is None else before
        lines: list[HistoryLine] = []
        while len(lines) < most:  # a damaged one has the next in its place
            which = {"player": player, "before": at, "most": most}
            rows = c.execute(_HISTORY, which).all()
            of = (schema.matches, schema.results, schema.tables)
            lines += [_line(row) for row in sound(rows, self._set_aside, *of, **_LABELS)]
            if len(rows) < most:
                break
            at = rows[-1].match_id
        return lines[:most]

    @reads
    def rounds_dealt(self, c: Connection, player: int, before: int | None, most: int) -> int:
        """How many rounds somebody was dealt before a match, counted up to `most`.

        Of matches that were played to the end, each of one round at least, and of every practice.
        """
        at = _LATEST if before is None else before
        of_person = {"player": player, "before": at, "most": most}
        rows = c.execute(_OF_MATCHES, of_person).all()
        dealt: int = sum(row.rounds for row in sound(rows, self._set_aside, schema.results))
        if dealt < most:
            alone = {"practice": -player, "before": at, "most": most}
            dealt += len(c.execute(_OF_PRACTICES, alone).all())
        return min(dealt, most)


def _line(row: Row[Any]) -> HistoryLine:
    values = {**row._mapping, "players": tuple(row.players)}
    del values["status"]
    return HistoryLine(**values)
