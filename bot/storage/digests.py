"""Unprompted direct messages: daily digests, and a limit on reminders."""

from __future__ import annotations

from dataclasses import asdict
from typing import Final

from sqlalchemy import cast, delete, func, select, update
from sqlalchemy.engine import Connection

from bot.storage import schema
from bot.storage.part import Part, reads, upsert, writes
from bot.storage.rows import sound
from bot.tables.model import Digest

_D: Final = schema.digests.c
_R: Final = schema.reminder_letters.c


class SqlDirectMessages(Part):
    """Stores daily digests, and limits reminders by direct message."""

    @reads
    def digest_of(self, c: Connection, player: int) -> Digest | None:
        """Return when a person wants their daily digest; None if they want none."""
        result = c.execute(select(schema.digests).where(_D.player == player))
        rows = sound(result, self._set_aside, schema.digests)
        return Digest(**rows[0]._mapping) if rows else None

    @writes
    def keep_digest(self, c: Connection, player: int, digest: Digest | None) -> None:
        """Store when a person wants their daily digest; None deletes the stored time."""
        if digest is None:
            c.execute(delete(schema.digests).where(_D.player == player))
        else:
            upsert(c, schema.digests, [asdict(digest)])

    @writes
    def put_off(self, c: Connection, seen: Digest, until: int) -> None:
        """Postpone the digest `seen` to `until` (ms), unless the stored one has changed since."""
        unchanged = [_D[name] == value for name, value in asdict(seen).items()]
        c.execute(update(schema.digests).where(*unchanged).values(due_at=until))

    @reads
    def due(self, c: Connection, now: int) -> list[Digest]:
        """Return digests that are due at or before `now` (ms), earliest first."""
        rows = c.execute(select(schema.digests).where(_D.due_at <= now).order_by(_D.due_at))
        return [Digest(**row._mapping) for row in sound(rows, self._set_aside, schema.digests)]

    @reads
    def next_deadline(self, c: Connection, after: int) -> int | None:
        """Return the time (ms) of the first digest that is due later than `after`, or None."""
        whole = _D.due_at == cast(_D.due_at, _D.due_at.type)  # false if the value is damaged
        query = select(func.min(_D.due_at)).where(_D.due_at > after, whole)
        deadline: int | None = c.execute(query).scalar_one()
        return deadline

    @writes
    def may_remind(
        self, c: Connection, player: int, which: str, now: int, most: int, gap: int
    ) -> bool:
        """Return whether reminder `which` may be sent to a person at `now` (ms); if so, count it.

        At most `most` reminders may be sent in `gap` ms. A repeated reminder counts once.
        """
        theirs = _R.player == player
        c.execute(delete(schema.reminder_letters).where(theirs, _R.sent_at <= now - gap))
        sent = set(c.execute(select(_R.reminder).where(theirs)).scalars())
        if len(sent - {which}) >= most:
            return False
        row = {"player": player, "reminder": which, "sent_at": now}
        upsert(c, schema.reminder_letters, [row], on_conflict="keep")
        return True
