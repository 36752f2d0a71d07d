"""INSERT ... ON CONFLICT, which SQLAlchemy spells by dialect."""

from __future__ import annotations

from typing import Any, Literal

from sqlalchemy import Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection


def upsert(c: Connection, table: Table, values: dict[str, Any]) -> None:
    """Insert the row, or overwrite the one with the same primary key."""
    upsert_many(c, table, [values])


def upsert_many(
    c: Connection,
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
    here = sqlite if c.dialect.name == "sqlite" else postgresql
    inserted: Any = here.insert(table)
    if stored == "stays":
        c.execute(inserted.on_conflict_do_nothing(index_elements=keys), rows)
        return
    new = inserted.excluded
    changed = {
        name: new[name] if stored == "goes" else table.c[name] + new[name] for name in others
    }
    c.execute(inserted.on_conflict_do_update(index_elements=keys, set_=changed), rows)
