"""Which of somebody's decisions are asked again and when, and which matches were looked through."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Final

from sqlalchemy import bindparam, desc, exists, func, select, update
from sqlalchemy.engine import Connection

from bot.storage import schema
from bot.storage.part import Part, reads, upsert_many, writes
from bot.storage.rows import sound
from bot.tables.model import Mistake

_X: Final = schema.mistakes.c
_R: Final = schema.results.c
_D: Final = schema.daily_results.c
_LOOKED: Final = 0  # stands for a match that was looked through, where a decision's number does
_DUE: Final = (
    select(schema.mistakes)
    .where(_X.player == bindparam("player"), _X.due_at <= bindparam("now"))
    .order_by(_X.due_at, _X.match_id.desc(), _X.seq)
    .limit(1)
)
_ONE: Final = select(schema.mistakes).where(
    _X.player == bindparam("player"), _X.match_id == bindparam("match"), _X.seq == bindparam("seq")
)
_NEXT: Final = select(func.min(_X.due_at)).where(_X.player == bindparam("player"))
_ANSWERED: Final = update(schema.mistakes).where(
    _X.player == bindparam("of"),
    _X.match_id == bindparam("match"),
    _X.seq == bindparam("number"),
    _X.asked == bindparam("before"),
)
_LATEST: Final = (
    select(_R.match_id)
    .where(_R.player == bindparam("player"))
    .union(  # a deal of the day is over when its person is out, with no result of all
        select(_D.match_id)
        .join(schema.matches, schema.matches.c.id == _D.match_id)
        .where(_D.player == bindparam("player"), _D.place.is_not(None))
    )
    .order_by(desc("match_id"))
    .limit(bindparam("most"))
    .subquery()
)
_UNSEEN: Final = (
    select(_LATEST.c.match_id)
    .where(
        ~exists().where(
            _X.player == bindparam("player"),
            _X.match_id == _LATEST.c.match_id,
            _X.seq == _LOOKED,
        )
    )
    .order_by(_LATEST.c.match_id.desc())
)


class SqlMistakes(Part):
    """Decisions to be asked again: `bot.tables.ports.MistakeStore`."""

    @reads
    def due(self, c: Connection, player: int, now: int) -> Mistake | None:
        found = sound(
            c.execute(_DUE, {"player": player, "now": now}), self._set_aside, schema.mistakes
        )
        return Mistake(**found[0]._mapping) if found else None

    @reads
    def find(self, c: Connection, player: int, match_id: int, seq: int) -> Mistake | None:
        which = {"player": player, "match": match_id, "seq": seq}
        found = sound(c.execute(_ONE, which), self._set_aside, schema.mistakes)
        return Mistake(**found[0]._mapping) if found and seq != _LOOKED else None

    @reads
    def next_at(self, c: Connection, player: int) -> int | None:
        found: int | None = c.execute(_NEXT, {"player": player}).scalar_one()
        return found

    @reads
    def not_looked_through(self, c: Connection, player: int, most: int) -> list[int]:
        return list(c.execute(_UNSEEN, {"player": player, "most": most}).scalars())

    @writes
    def note_looked_through(
        self, c: Connection, player: int, match_id: int, seqs: Sequence[int], now: int
    ) -> None:
        rows = [Mistake(player, match_id, _LOOKED, 0, 0, None)]
        rows += [Mistake(player, match_id, seq, 0, 0, now) for seq in seqs]
        upsert_many(c, schema.mistakes, [asdict(row) for row in rows], stored="stays")

    @writes
    def note_answered(self, c: Connection, before: Mistake, after: Mistake) -> bool:
        which = {
            "of": after.player,
            "match": after.match_id,
            "number": after.seq,
            "before": before.asked,
        }
        told = {"asked": after.asked, "right": after.right, "due_at": after.due_at}
        return c.execute(_ANSWERED.values(told), which).rowcount == 1
