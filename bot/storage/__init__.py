"""Where tables and matches are kept: `SqlStore` over SQLite or PostgreSQL.

How a move is stored: docs/architecture.md. What can go wrong when a database is opened:

StorageError
├── DatabaseInUse    another process writes to this SQLite file
├── SchemaTooNew     the database was made by a newer Bluffhouse
├── DatabaseDamaged  SQLite's own check found the file broken
├── DatabaseLost     the file was deleted or replaced while it was open
├── NoSuchCopy       a copy cannot have the name that it was to have
├── ShardsTaken      another process serves these shards, or as many as another number of them
└── NotReached       the database cannot be opened at all
    ├── NoRoom           the disk is full: starting again may help
    └── NotAnswering     PostgreSQL is not there, or not yet: trying again may help
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
    """Another process of the same database has shards that this one is to serve."""


class NotReached(StorageError):
    """The database cannot be opened."""


class NoRoom(NotReached):
    """The disk that the database is on is full."""


class NotAnswering(NotReached):
    """PostgreSQL does not answer, is starting, or has no connection left."""
