"""Every query of tables finds its rows by an index: none reads all tables there ever were."""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Select, Update, event
from sqlalchemy.dialects import sqlite
from sqlalchemy.engine import Engine

from bot.storage import claims, commits, matches, players, server_options, tables
from bot.storage.store import SqlStore

ROOMS = (claims, commits, matches, players, server_options, tables)
MANY = 100_000
ANN = 81_384_788_765_712_384
ONCE_A_START = {"bot.storage.tables._UNTOLD"}
DIALECT = sqlite.dialect()
FILL = """
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < :many)
INSERT INTO tables (guild_id, channel_id, host_id, status, variant, options, players, version,
  created_at, updated_at, announced_seq, deadline)
SELECT i % 50, i, i, iif(i % 1000, 'closed', 'playing'), 'thai_poker', '{}', '[]', 1, i, i, 0,
  iif(i % 1000, NULL, i) FROM n
"""


def statements() -> dict[str, Select[Any] | Update]:
    """Every statement that the store keeps to look something up, by room and name."""
    found = {
        f"{room.__name__}.{name}": value
        for room in ROOMS
        for name, value in vars(room).items()
        if isinstance(value, Select | Update)
    }
    assert len(found) > 15
    return found


@pytest.fixture
async def filled(tmp_path: Path) -> Path:
    file = tmp_path / "house.db"
    await (await SqlStore.open(f"sqlite:///{file}")).close()
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute(FILL, {"many": MANY})
    return file


async def test_no_query_reads_a_whole_table(filled: Path) -> None:
    whole = {}
    with closing(sqlite3.connect(filled)) as connection:
        for name, statement in statements().items():
            # a list of ids is written in when it is known; one stands for all here
            sql = re.sub(
                r"\(__\[POSTCOMPILE_\w+\]\)", "(?)", str(statement.compile(dialect=DIALECT))
            )
            rows = connection.execute(f"EXPLAIN QUERY PLAN {sql}", (1,) * sql.count("?"))
            plan = [row[-1] for row in rows]
            scans = [step for step in plan if re.match(r"SCAN (?!CONSTANT)", step)]
            scans = [step for step in scans if "live_table" not in step]  # of live ones alone
            if scans and name not in ONCE_A_START:
                whole[name] = scans
    assert whole == {}


async def test_what_is_due_is_found_by_its_deadline(filled: Path) -> None:
    with closing(sqlite3.connect(filled)) as connection:
        for name in ("_DUE", "_NEXT_DEADLINE", "_LIVE_IN_GUILD"):
            sql = str((vars(claims) | vars(tables))[name].compile(dialect=DIALECT))
            plan = connection.execute(f"EXPLAIN QUERY PLAN {sql}", (1,)).fetchall()[0][-1]
            assert re.match(r"SEARCH tables USING (COVERING )?INDEX live_tables_by_\w+ \(", plan), (
                name,
                plan,
            )


async def test_the_transaction_that_forgets_somebody_reads_no_whole_table(filled: Path) -> None:
    store = await SqlStore.open(f"sqlite:///{filled}")
    asked: list[tuple[str, Any]] = []

    def note(_: Any, __: Any, sql: str, given: Any, *___: Any) -> None:
        asked.append((sql, given))

    event.listen(Engine, "before_cursor_execute", note)
    await store.servers.note_listener(1, ANN, listens=True)
    asked.clear()
    assert await store.privacy.forget(ANN) is not None
    event.remove(Engine, "before_cursor_execute", note)
    await store.close()
    reads = [(sql, given) for sql, given in asked if sql.startswith(("SELECT", "UPDATE"))]
    assert len(reads) > 8
    whole = {}
    with closing(sqlite3.connect(filled)) as connection:
        for sql, given in reads:
            plan = [row[-1] for row in connection.execute(f"EXPLAIN QUERY PLAN {sql}", given)]
            if any(re.match(r"SCAN (tables|matches|actions)(?!.*live_table)", one) for one in plan):
                whole[sql] = plan
    assert whole == {}
