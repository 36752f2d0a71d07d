"""Matches: read back with their logs; their secret seeds; the deliveries of hole cards."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import and_, bindparam, select, update
from sqlalchemy.engine import Connection, Row

from bot.storage import schema
from bot.storage.part import Part, reads, writes
from bot.storage.rows import table_from
from bot.storage.soundness import sound, unsound
from bot.tables.errors import Damaged
from bot.tables.live import LiveTable, chosen_ruleset, revive
from bot.tables.model import (
    Delivery,
    HoleCards,
    MatchStatus,
    PastMatch,
    Snapshot,
    Status,
    StoredAction,
    StoredMatch,
)
from bot.tables.quarantine import Quarantine

_A: Final = schema.actions.c
_D: Final = schema.deliveries.c

_TABLE: Final = select(schema.tables).where(schema.tables.c.id == bindparam("table"))
_MATCH: Final = select(schema.matches).where(schema.matches.c.id == bindparam("match"))
_LOG: Final = (
    select(_A.seq, _A.body, _A.at, _A.interaction_id, _A.by_house)
    .where(_A.match_id == bindparam("match"))
    .order_by(_A.seq)
)
_SEEDS: Final = (
    select(schema.round_seeds)
    .where(schema.round_seeds.c.match_id == bindparam("match"))
    .order_by(schema.round_seeds.c.round)
)
_M: Final = schema.matches.c
_THIS_TABLE: Final = schema.tables.alias("this_table")
_THIS_MATCH: Final = schema.matches.alias("this_match")
_PLAYED: Final = (
    select(_M.id, _M.started_at, _M.ended_at, schema.results.c.player.label("winner"))
    .join(schema.tables, schema.tables.c.id == _M.table_id)
    .outerjoin(
        schema.results,
        and_(schema.results.c.match_id == _M.id, schema.results.c.place == 1),
    )
    .where(
        schema.tables.c.channel_id
        == select(_THIS_TABLE.c.channel_id)
        .join(_THIS_MATCH, _THIS_MATCH.c.table_id == _THIS_TABLE.c.id)
        .where(_THIS_MATCH.c.id == bindparam("match"))
        .scalar_subquery(),
        _M.id <= bindparam("match"),
        _M.ended_at.is_not(None),
    )
    .order_by(_M.id.desc())
    .limit(bindparam("most"))
)
_ROUND: Final = (
    select(schema.deliveries)
    .where(_D.match_id == bindparam("match"), _D.round == bindparam("number"))
    .order_by(_D.seat)
)
_NOTE_DELIVERY: Final = (
    update(schema.deliveries)
    .where(
        _D.match_id == bindparam("match"),
        _D.round == bindparam("number"),
        _D.seat == bindparam("place"),
    )
    .values(state=bindparam("became"))
)


class Matches(Part):
    """The part of the store that is about matches."""

    @reads
    def played(self, c: Connection, match_id: int, most: int) -> list[PastMatch]:
        """A match and those before it in its channel, the latest first, as far as they are over."""
        rows = c.execute(_PLAYED, {"match": match_id, "most": most})
        ended = sound(rows, self._set_aside, schema.matches)
        return [
            PastMatch(
                row.started_at,
                row.ended_at,
                row.winner if type(row.winner) is int else None,  # or it cannot be read
            )
            for row in ended
        ]

    @reads
    def deliveries(self, c: Connection, match_id: int, round_number: int) -> list[HoleCards]:
        """The delivery rows of a round, by seat."""
        rows = c.execute(_ROUND, {"match": match_id, "number": round_number})
        return [_hole_cards(row) for row in sound(rows, self._set_aside, schema.deliveries)]

    @writes
    def note_delivery(self, c: Connection, cards: HoleCards, state: Delivery) -> None:
        """Remember what became of a delivery."""
        which = {"match": cards.match_id, "number": cards.round, "place": cards.seat}
        c.execute(_NOTE_DELIVERY, {**which, "became": state.value})


def match_of(
    c: Connection, match_id: int, unread: list[Damaged] | None = None
) -> StoredMatch | None:
    """A match with its log; None if it is not stored. Raises `Damaged`.

    `unread` takes what is wrong with lines of the log that cannot be read, which are left out then.
    """
    row = c.execute(_MATCH, {"match": match_id}).one_or_none()
    if row is None:
        return None
    values = dict(row._mapping)
    bad = unsound(values, schema.matches)
    if bad:
        raise _damaged(row, f"cannot be read in the row of its match {match_id}: {', '.join(bad)}")
    lines = []
    for line in c.execute(_LOG, {"match": match_id}):
        bad = unsound(line._mapping, schema.actions)
        if not bad:
            lines.append(StoredAction(*line))
            continue
        found = _damaged(
            row,
            f"its log cannot be replayed: line {line.seq!r:.20} of match {match_id} cannot be read"
            f" ({', '.join(bad)})",
        )
        if unread is None:
            raise found
        unread.append(found)
    values["players"] = tuple(values["players"])
    values["status"] = MatchStatus(values["status"])
    return StoredMatch(**values, actions=tuple(lines))


def _damaged(match: Row[Any], reason: str) -> Damaged:
    """What is wrong with a match, by the number of its table, if that can be read."""
    if type(match.table_id) is int:
        return Damaged(reason, table=match.table_id)
    return Damaged(reason, match=match.id)


def seeds_of(c: Connection, match_id: int, aside: Quarantine) -> dict[int, bytes]:
    """The secret seeds of a match, by round. The deal of one that is damaged cannot be checked."""
    rows = c.execute(_SEEDS, {"match": match_id})
    return {row.round: row.seed for row in sound(rows, aside, schema.round_seeds)}


def _hole_cards(row: Row[Any]) -> HoleCards:
    values = dict(row._mapping)
    values["state"] = Delivery(values["state"])
    return HoleCards(**values)


def replayed(c: Connection, table_id: int) -> LiveTable | None:
    """The table with its match; None if there is none. Raises `Damaged`."""
    row = c.execute(_TABLE, {"table": table_id}).one_or_none()
    if row is None:
        return None
    table = table_from(row)
    match = None if table.match_id is None else match_of(c, table.match_id)
    try:
        live = revive(Snapshot(table, match))
        if table.status is Status.LOBBY:
            chosen_ruleset(table)
    except Exception as error:  # a log that is none may raise whatever it likes
        reason = f"its log cannot be replayed ({type(error).__name__})"
        raise Damaged(reason, table=table_id) from error
    if live.match is None and table.status is Status.PLAYING:
        raise Damaged("it is in play, and has no match", table=table_id)
    return live
