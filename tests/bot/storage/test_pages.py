"""Paging through a table: every row is read once, however damaged its key is."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.storage import repair, schema
from bot.storage.addresses import database_url
from bot.storage.database import Database
from bot.storage.store import SqlStore

TEXTS = "CAST(x'fffe7b' AS TEXT)", "CAST(x'fffe7c' AS TEXT)", "CAST(x'80' AS TEXT)"


@pytest.mark.parametrize("at_once", [1, 2, 500])
async def test_rows_whose_key_is_no_text_are_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    """Try keys that SQLite doesn't return as stored: they used to make paging endless."""
    file = tmp_path / "house.db"
    store = await SqlStore.open(f"sqlite:///{file}", busy_ms=1000)
    await store.close()
    names = "'a'", *TEXTS[:2], "'z'", TEXTS[2], "'ä'", "x'ff00'"
    with closing(sqlite3.connect(file)) as raw, raw:
        raw.execute("DELETE FROM chores")
        for name in names:
            raw.execute(f"INSERT INTO chores (name) VALUES ({name})")
    monkeypatch.setattr(repair, "AT_ONCE", at_once)
    database = Database(database_url(f"sqlite:///{file}"))
    pages = []
    async for rows in repair.pages(database.read, schema.chores):
        assert len(rows) <= at_once
        pages += [row["name"] for row in rows]
        assert len(pages) <= len(names)
    await database.close()
    assert sorted(map(repr, pages)) == sorted(
        map(repr, ["a", "\ufffd\ufffd{", "\ufffd\ufffd|", "z", "\ufffd", "ä", b"\xff\x00"])
    )
