"""One match read from a database, beside a bot that may be running: nothing is changed.

For commands that look back. The database keeps the schema that it has: one that is older than this
code is refused in a sentence, since its columns are others.
"""

from __future__ import annotations

from bot.storage import NotReached
from bot.storage.database import Database, database_url
from bot.storage.history import History
from bot.storage.migrate import known_revisions, refuse_newer, stored_revision
from bot.storage.players import Players
from bot.tables.ports import StoreUnavailable
from bot.tables.records import KeptMatch, Player


class Looking(History, Players):
    """The parts of the store that look back, over a database opened to read."""

    def __init__(self, database: Database) -> None:
        self._database = database


async def kept_match(address: str, number: int) -> tuple[KeptMatch, dict[int, Player]] | None:
    """A match by its number, whether it is over or not, with who played; None if there is none.

    Raises `StorageError`.
    """
    database = Database(database_url(address))
    try:
        database.try_file(make=False)
        async with database.reading() as connection:
            stored, known = await stored_revision(connection), known_revisions()
        refuse_newer(stored, known)
        if stored != known[-1]:
            raise NotReached(
                "the database is not at this version's schema: run bluffhouse migrate first"
            )
        looking = Looking(database)
        kept = await looking.kept_match(number)
        return None if kept is None else (kept, await looking.players(kept.match.players))
    except StoreUnavailable as error:
        raise NotReached(f"the database cannot be read: {error}") from error
    finally:
        await database.close()
