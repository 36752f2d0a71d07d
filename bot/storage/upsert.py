"""INSERT ... ON CONFLICT DO UPDATE, which SQLAlchemy spells by dialect."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Table
from sqlalchemy.ext.asyncio import AsyncConnection


async def upsert(connection: AsyncConnection, table: Table, values: dict[str, Any]) -> None:
    """Insert the row, or overwrite the one with the same primary key."""
    keys = [column.name for column in table.primary_key]
    changed = {name: value for name, value in values.items() if name not in keys}
    if connection.dialect.name == "sqlite":
        from sqlalchemy.dialects.sqlite import insert as sqlite_insert

        in_sqlite = sqlite_insert(table).values(values)
        await connection.execute(in_sqlite.on_conflict_do_update(index_elements=keys, set_=changed))
    else:
        from sqlalchemy.dialects.postgresql import insert as postgres_insert

        there = postgres_insert(table).values(values)
        await connection.execute(there.on_conflict_do_update(index_elements=keys, set_=changed))
