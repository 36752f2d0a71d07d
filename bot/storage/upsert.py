"""INSERT ... ON CONFLICT, which SQLAlchemy spells by dialect."""

from __future__ import annotations

from typing import Any, Literal

from sqlalchemy import Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection


async def upsert(connection: AsyncConnection, table: Table, values: dict[str, Any]) -> None:
    """Insert the row, or overwrite the one with the same primary key."""
    await upsert_many(connection, table, [values])


async def upsert_many(
    connection: AsyncConnection,
    table: Table,
    rows: list[dict[str, Any]],
    *,
    stored: Literal["goes", "grows", "stays"] = "goes",
) -> None:
    """Insert rows that have the same columns.

    What becomes of a `stored` one with the same primary key: it is overwritten, its other columns
    (all numbers) grow by the row's, or it stays as it is.
    """
    if not rows:
        return
    keys = [column.name for column in table.primary_key]
    others = [name for name in rows[0] if name not in keys]
    here = sqlite if connection.dialect.name == "sqlite" else postgresql
    inserted: Any = here.insert(table)
    if stored == "stays":
        await connection.execute(inserted.on_conflict_do_nothing(index_elements=keys), rows)
        return
    new = inserted.excluded
    changed = {
        name: new[name] if stored == "goes" else table.c[name] + new[name] for name in others
    }
    await connection.execute(
        inserted.on_conflict_do_update(index_elements=keys, set_=changed), rows
    )
