"""Letters: who is told daily where they are to act, and how often somebody was reminded lately."""

from __future__ import annotations

from dataclasses import asdict
from typing import Final

from sqlalchemy import bindparam, cast, delete, func, select, update
from sqlalchemy.engine import Connection

from bot.storage import schema
from bot.storage.part import Part, reads, upsert, upsert_many, writes
from bot.storage.rows import sound
from bot.tables.model import Digest

_D: Final = schema.digests.c
_R: Final = schema.reminder_letters.c
_OF: Final = select(schema.digests).where(_D.player == bindparam("who"))
_DUE: Final = select(schema.digests).where(_D.due_at <= bindparam("now")).order_by(_D.due_at)
_NEXT: Final = select(func.min(_D.due_at)).where(
    _D.due_at > bindparam("after"), _D.due_at == cast(_D.due_at, _D.due_at.type)
)
_PUT_OFF: Final = update(schema.digests).where(
    _D.player == bindparam("who"),
    _D.minute == bindparam("at"),
    _D.zone == bindparam("place"),
    _D.due_at == bindparam("before"),
)
_FORGET_OLD: Final = delete(schema.reminder_letters).where(
    _R.player == bindparam("who"), _R.sent_at <= bindparam("before")
)
_REMINDED: Final = select(_R.reminder).where(_R.player == bindparam("who"))


class SqlLetters(Part):
    """Direct messages nobody asks for at the moment: `bot.tables.ports.LetterStore`."""

    @reads
    def digest_of(self, c: Connection, player: int) -> Digest | None:
        rows = sound(c.execute(_OF, {"who": player}), self._set_aside, schema.digests)
        return Digest(**rows[0]._mapping) if rows else None

    @writes
    def keep_digest(self, c: Connection, player: int, digest: Digest | None) -> None:
        if digest is None:
            c.execute(delete(schema.digests).where(_D.player == player))
        else:
            upsert(c, schema.digests, asdict(digest))

    @writes
    def put_off(self, c: Connection, seen: Digest, until: int) -> None:
        which = {"who": seen.player, "at": seen.minute, "place": seen.zone, "before": seen.due_at}
        c.execute(_PUT_OFF.values(due_at=until), which)

    @reads
    def due(self, c: Connection, now: int) -> list[Digest]:
        rows = sound(c.execute(_DUE, {"now": now}), self._set_aside, schema.digests)
        return [Digest(**row._mapping) for row in rows]

    @reads
    def next_deadline(self, c: Connection, after: int) -> int | None:
        found: int | None = c.execute(_NEXT, {"after": after}).scalar_one()
        return found

    @writes
    def may_remind(
        self, c: Connection, player: int, which: str, now: int, most: int, gap: int
    ) -> bool:
        c.execute(_FORGET_OLD, {"who": player, "before": now - gap})
        sent = set(c.execute(_REMINDED, {"who": player}).scalars())
        if len(sent - {which}) >= most:
            return False
        row = {"player": player, "reminder": which, "sent_at": now}
        upsert_many(c, schema.reminder_letters, [row], stored="stays")
        return True
