"""Store tables and matches in SQLite or PostgreSQL. This module defines the errors.

docs/architecture.md describes how a move is stored.
"""


class StorageError(Exception):
    """The database cannot be used. The text is one sentence for the host."""


class DatabaseInUse(StorageError):
    """Another process is using this SQLite file."""


class SchemaTooNew(StorageError):
    """The database has a newer schema than this code knows."""


class DatabaseDamaged(StorageError):
    """The database or a new copy of it is damaged, or the file isn't an SQLite database."""


class DatabaseLost(StorageError):
    """The SQLite file was deleted or replaced."""


class NoSuchCopy(StorageError):
    """The path for a copy is a folder, the database itself, or a file of another format."""


class ShardsTaken(StorageError):
    """Another process has some of these shards, or uses a different shard count."""


class NotReached(StorageError):
    """The database cannot be opened."""


class NoRoom(NotReached):
    """The database's disk is full or failing. A later start may succeed."""


class NotAnswering(NotReached):
    """PostgreSQL does not answer, is starting, or has no free connection. A retry may help."""
