"""Where tables and matches are kept: `SqlStore` over SQLite or PostgreSQL.

What is where: docs/architecture.md. What can go wrong when a database is opened:

StorageError
├── DatabaseInUse    another process writes to this SQLite file
├── SchemaTooNew     the database was made by a newer Bluffhouse
├── DatabaseDamaged  SQLite's own check found the file broken
├── DatabaseLost     the file was deleted or replaced while it was open
└── NotReached       the database cannot be opened at all
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


class NotReached(StorageError):
    """The database cannot be opened."""
