"""Every row of every table looked at, for `bluffhouse doctor`: which of them cannot be read."""

from __future__ import annotations

from dataclasses import dataclass

from bot.storage import schema
from bot.storage.database import Database
from bot.storage.pages import as_stored, pages
from bot.storage.soundness import unsound


@dataclass(frozen=True, slots=True)
class UnsoundRow:
    """A row by its table and primary key, and the columns that cannot be read."""

    table: str
    key: tuple[object, ...]
    columns: tuple[str, ...]

    def __str__(self) -> str:
        key = ", ".join(f"{one!r:.40}" for one in self.key)
        return f"{self.table} {key} ({', '.join(self.columns)})"


async def unsound_rows(database: Database) -> list[UnsoundRow]:
    """The rows that cannot be read. Raises `StoreUnavailable`."""
    found = []
    for table in schema.metadata.sorted_tables:
        keys = [one.name for one in table.primary_key]
        async with database.reading() as connection:
            async for rows in pages(connection, table):
                for row in rows:
                    bad = unsound(as_stored(table, row), table)
                    if bad:
                        key = tuple(row[name] for name in keys)
                        found.append(UnsoundRow(table.name, key, bad))
    return found
