"""Where tables and matches are kept: `SqlStore` over SQLite or PostgreSQL.

How a move is stored: docs/architecture.md. Here is what can go wrong when a database is opened.
"""


class StorageError(Exception):
    """The database cannot be used; the text is one sentence for the host."""


class DatabaseInUse(StorageError):
    """Another process writes to this SQLite file."""


class SchemaTooNew(StorageError):
    """The schema is one this code does not know."""


class DatabaseDamaged(StorageError):
    """The file is not a sound SQLite database."""


class DatabaseLost(StorageError):
    """The SQLite file was deleted, or another is in its place."""


class NoSuchCopy(StorageError):
    """Something else is where a copy was to be made, and is left as it is."""


class ShardsTaken(StorageError):
    """Another process has these shards, or as many as another number of them."""


class NotReached(StorageError):
    """The database cannot be opened."""


class NoRoom(NotReached):
    """The disk that the database is on is full: starting again may help."""


class NotAnswering(NotReached):
    """PostgreSQL does not answer, is starting, or has no connection left: trying again may help."""
