"""Tables and matches in a database: `SqlStore` over SQLite or PostgreSQL.

docs/architecture.md says how a move is stored. This module has the errors of opening a database.
"""


class StorageError(Exception):
    """The database cannot be used. The text is one sentence for the host."""


class DatabaseInUse(StorageError):
    """Another process is writing to this SQLite file."""


class SchemaTooNew(StorageError):
    """This code does not know the database's schema."""


class DatabaseDamaged(StorageError):
    """The database, or a copy just made of it, is damaged, or isn't an SQLite database at all."""


class DatabaseLost(StorageError):
    """The SQLite file was deleted or replaced."""


class NoSuchCopy(StorageError):
    """The path for the copy holds something else, which was left untouched."""


class ShardsTaken(StorageError):
    """Another process has these shards, or uses another shard count."""


class NotReached(StorageError):
    """The database cannot be opened."""


class NoRoom(NotReached):
    """The database's disk is full. There may be room at a later start."""


class NotAnswering(NotReached):
    """PostgreSQL does not answer, is starting, or has no free connection. A retry may help."""
