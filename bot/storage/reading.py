"""The database opened to read only, beside a bot that may be running: for the command line.

The database keeps the schema that it has: one that is older than this code is refused in a
sentence, since its columns are others.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.storage import NotReached, StorageError
from bot.storage.addresses import database_url
from bot.storage.database import Database
from bot.storage.history import History
from bot.storage.migrate import known_revisions, refuse_newer, stored_revision
from bot.storage.person_export import Dossiers
from bot.storage.players import People
from bot.tables.errors import Damaged, RefusedError
from bot.tables.model import KeptMatch, Player
from bot.tables.quarantine import Quarantine


class ReadingStore:
    """The parts of the store that show people what is stored, and look back on matches."""

    def __init__(self, database: Database) -> None:
        set_aside = Quarantine(quiet=True)  # what is asked for says so itself
        self.matches = History(database, set_aside)
        self.people = People(database, set_aside)
        self.privacy = Dossiers(database, set_aside)


@asynccontextmanager
async def opened_to_read(url: str) -> AsyncIterator[ReadingStore]:
    """The database at `url`, which must have the newest schema. Raises `StorageError`."""
    database = Database(database_url(url))
    if database.file is not None and not database.file.exists():
        raise NotReached(f"there is no database {database.file}")
    try:
        database.try_file(make=False)
        with database.explained():
            stored, known = await database.read(stored_revision), known_revisions()
        refuse_newer(stored, known)
        if stored != known[-1]:
            raise StorageError(
                f"the database has schema {stored or 'none'}, and {known[-1]} is needed:"
                " `bluffhouse store migrate` brings it there"
            )
        yield ReadingStore(database)
    except Damaged:
        raise
    except RefusedError as error:
        raise NotReached(f"the database cannot be read: {error}") from error
    finally:
        await database.close()


async def kept_match(address: str, number: int) -> tuple[KeptMatch, dict[int, Player]] | None:
    """A match by its number, whether it is over or not, with who played; None if there is none.

    Raises `StorageError`, and `Damaged` for one that cannot be read.
    """
    async with opened_to_read(address) as store:
        kept = await store.matches.kept(number)
        return None if kept is None else (kept, await store.people.players(kept.match.players))
