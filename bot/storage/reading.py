"""The database opened to read only, beside a running bot: for what is shown on the command line."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.storage import NotReached, StorageError
from bot.storage.database import Database, database_url
from bot.storage.dossiers import Dossiers
from bot.storage.migrate import known_revisions, refuse_newer, stored_revision
from bot.tables.ports import StoreError


class ReadingStore(Dossiers):
    """The part of the store that shows people what is stored of them."""

    def __init__(self, database: Database) -> None:
        self._database = database


@asynccontextmanager
async def opened_to_read(url: str) -> AsyncIterator[ReadingStore]:
    """The database at `url`, which must have the newest schema. Raises `StorageError`."""
    database = Database(database_url(url))
    if database.file is not None and not database.file.exists():
        raise NotReached(f"there is no database {database.file}")
    try:
        database.try_file(make=False)
        async with database.reading() as connection:
            stored, known = await stored_revision(connection), known_revisions()
        refuse_newer(stored, known)
        if stored != known[-1]:
            raise StorageError(
                f"the database has schema {stored or 'none'}, and {known[-1]} is needed:"
                " `bluffhouse migrate` brings it there"
            )
        yield ReadingStore(database)
    except StoreError as error:
        raise NotReached(f"the database cannot be read: {error}") from error
    finally:
        await database.close()
