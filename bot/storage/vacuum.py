"""Rewriting an SQLite file, so that no page of it keeps what was deleted or overwritten.

`secure_delete` overwrites what is deleted, but a row that moved between pages may leave a copy in
the unused part of one, and the write-ahead log keeps pages as they were. VACUUM writes every page
anew, and a truncating checkpoint empties the log. While that goes on, moves wait: so a large file
is rewritten when it is next opened, before anybody plays. PostgreSQL does such things itself, in
its own time (docs/privacy.md).
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import delete, exists, insert, select
from sqlalchemy.engine import Connection

from bot.storage import schema
from bot.storage.part import Part

REWRITE: Final = "rewrite"
_C: Final = schema.chores.c


def note_rewrite(c: Connection) -> None:
    """Have the file rewritten some time after this transaction."""
    _note_done(c)
    c.execute(insert(schema.chores).values(name=REWRITE))


class Rewriting(Part):
    """The part of the store that rewrites its file."""

    async def rewrite_if_due(self, largest: int | None = None) -> bool:
        """Rewrite the file if something was forgotten since; whether nothing is left to do.

        `largest`: a file of more bytes is left for another time.
        """
        if not await self._database.read(_is_due):
            return True
        file = self._database.file
        if file is not None:
            if largest is not None and file.stat().st_size > largest:
                return False
            await self._database.alone("VACUUM")
        await self._database.write(_note_done)
        if file is None:
            return True
        ((busy, *_),) = await self._database.alone("PRAGMA wal_checkpoint(TRUNCATE)")
        if busy:  # somebody reads from the log, such as a backup
            await self._database.write(note_rewrite)
        return not busy


def _is_due(c: Connection) -> bool:
    return bool(c.execute(select(exists().where(_C.name == REWRITE))).scalar_one())


def _note_done(c: Connection) -> None:
    c.execute(delete(schema.chores).where(_C.name == REWRITE))
