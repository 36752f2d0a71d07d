"""Whether the two ways to PostgreSQL, a pooler's and the one past it, lead to one database.

Names would not tell, as a pooler may give a database another one. So the session takes a lock, and
the other way is asked whether it is there.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import text

from bot.storage import NotReached
from bot.storage.database import Database
from bot.storage.session import HERE, Session

_HELD: Final = text(
    "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND granted AND classid = :kind"
    f" AND objid = :number AND objsubid = 2 AND database = {HERE}"
)


async def meet(database: Database, session: Session) -> None:
    """See that locks and news can be had, and that they are this database's.

    A bot would find it out a minute later, or, with another database's, never. Raises
    `StorageError`, and what the driver raises.
    """
    async with session.meeting() as lock:
        async with database.writer.connect() as connection:
            found = (await connection.execute(_HELD, lock)).first()
        if found is None:
            raise NotReached(
                "database.url and database.direct_url lead to two databases; expected two ways to"
                " one"
            )
