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
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage import schema
from bot.storage.database import Database

REWRITE: Final = "rewrite"
_C: Final = schema.chores.c
_DUE: Final = select(exists().where(_C.name == REWRITE))
_DONE: Final = delete(schema.chores).where(_C.name == REWRITE)


async def note_rewrite(connection: AsyncConnection) -> None:
    """Have the file rewritten some time after this transaction."""
    await connection.execute(_DONE)
    await connection.execute(insert(schema.chores).values(name=REWRITE))


class Rewriting:
    """The part of the store that rewrites its file."""

    _database: Database

    async def rewrite_if_due(self, largest: int | None = None) -> bool:
        """Rewrite the file if something was forgotten since; whether nothing is left to do.

        `largest`: a file of more bytes is left for another time.
        """
        async with self._database.reading() as connection:
            if not (await connection.execute(_DUE)).scalar_one():
                return True
        file = self._database.file
        if file is not None:
            if largest is not None and file.stat().st_size > largest:
                return False
            await self._database.alone("VACUUM")
        async with self._database.writing() as connection:
            await connection.execute(_DONE)
        if file is None:
            return True
        ((busy, *_),) = (await self._database.alone("PRAGMA wal_checkpoint(TRUNCATE)"))[0]
        if busy:  # somebody reads from the log, such as a backup
            async with self._database.writing() as connection:
                await note_rewrite(connection)
        return not busy
