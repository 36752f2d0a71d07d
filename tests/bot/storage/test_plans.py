"""The store's queries, which find their rows by an index, however many rows there are."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event
from sqlalchemy.engine import Engine

from bot.storage.store import SqlStore
from tests.bot.storage.homes import Home, furnish
from tests.bot.storage.test_damage_everywhere import ASKED, CALLS

# a look at every live table, or at every server, is not one at every table or match there ever was
SMALL = re.compile(
    r"live_table|departed_guilds|digests|nights|record_books|alembic_version|chores|CONSTANT|anon_1"
)
# what the house asks by itself now and then, and a person of all that is stored of them
RARE = {
    "tables.to_announce",
    "privacy.dossier",
    "privacy.personal_matches",
    "privacy.forget",
    "retention.stored_guilds",
    "retention.purge_old",
    "retention.purge_guild",
    "retention.rewrite_if_due",
    "rebuilding.servers_with_matches",
    "rebuilding.rebuild",
    "export",
}
Said = tuple[str, Any]  # a statement with its values


@contextmanager
def record_statements() -> Iterator[list[Said]]:
    """Record every statement that is executed until the block ends, as SQL and parameters."""
    statements: list[Said] = []

    def note(_: object, __: object, sql: str, parameters: Any, ___: object, many: bool) -> None:
        statements.append((sql, parameters[0] if many else parameters))

    event.listen(Engine, "before_cursor_execute", note)
    try:
        yield statements
    finally:
        event.remove(Engine, "before_cursor_execute", note)


@dataclass
class Filled:
    """A store with data of two servers; `home` is the first server."""

    file: Path
    store: SqlStore
    home: Home

    def plan(self, statement: Said) -> list[str]:
        """Return the steps of SQLite's query plan for a statement."""
        with closing(sqlite3.connect(self.file)) as connection:
            return [
                str(row[-1])
                for row in connection.execute(f"EXPLAIN QUERY PLAN {statement[0]}", statement[1])
            ]

    def full_scans(self, statements: list[Said]) -> dict[str, list[str]]:
        """Return the statements that read a whole large table, with the steps that do so."""
        looked = [
            statement
            for statement in statements
            if statement[0].split()[0] in {"SELECT", "UPDATE", "DELETE"}
        ]
        plans = {statement[0]: self.plan(statement) for statement in looked}
        scans = {
            sql: [step for step in steps if step.startswith("SCAN") and not SMALL.search(step)]
            for sql, steps in plans.items()
        }
        return {sql: steps for sql, steps in scans.items() if steps}


@pytest.fixture
async def full_store(tmp_path: Path) -> AsyncIterator[Filled]:
    file = tmp_path / "house.db"
    store = await SqlStore.open(f"sqlite:///{file}")
    home, _ = await furnish(store)
    yield Filled(file, store, home)
    await store.close()


async def test_no_call_reads_a_whole_table(full_store: Filled) -> None:
    """Check every call in `ASKED`. Those in `RARE`, and their statements, may read whole tables."""
    whole: dict[str, dict[str, list[str]]] = {}
    rare: set[str] = set()
    for name, call in ASKED.items():
        with record_statements() as statements:
            await call(full_store.store, full_store.home)
        scans = full_store.full_scans(statements)
        if name in RARE:
            rare |= scans.keys()
        elif scans.keys() - rare:
            whole[name] = scans
    assert whole == {}


@pytest.mark.parametrize(
    ("call", "index"),
    [
        ("tables.due", "live_tables_by_deadline"),
        ("tables.next_deadline", "live_tables_by_deadline"),
        ("tables.live_in_guild", "live_tables_by_guild"),
        ("stats.person", "PRIMARY KEY|autoindex_person_records"),
        ("stats.rank", "leaderboards|autoindex_person_records"),
        ("stats.leaderboard", "leaderboards"),
        ("stats.on_leaderboard", "leaderboards|autoindex_person_records"),
        ("matches.history", "ix_results_player"),
        ("stats.seasons", "PRIMARY KEY"),
        ("stats.rivals", "PRIMARY KEY"),
    ],
)
async def test_a_query_is_an_index_lookup(full_store: Filled, call: str, index: str) -> None:
    with record_statements() as statements:
        await CALLS[call](full_store.store, full_store.home)
    assert statements
    for statement in statements:
        steps = full_store.plan(statement)
        assert re.match(f"SEARCH .*({index})", steps[0]), steps
        if call != "stats.rivals":  # one person's are few
            assert not any("TEMP B-TREE" in step for step in steps), steps


async def test_the_transaction_that_forgets_somebody_reads_no_whole_table(
    full_store: Filled, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check the transaction only, because moves wait for it; look-ups before it may take time."""
    write = full_store.store.database.write
    noted: list[Said] = []

    async def noting(*args: Any, **kwargs: Any) -> Any:
        with record_statements() as statements:
            answer = await write(*args, **kwargs)
        noted.extend(statements)
        return answer

    monkeypatch.setattr(full_store.store.database, "write", noting)
    assert await full_store.store.privacy.forget(full_store.home.people[0]) is not None
    scans = full_store.full_scans(noted)
    of_logs = [step for steps in scans.values() for step in steps]
    assert len(noted) > 8
    assert not any(re.match("SCAN (tables|matches|actions)", of_log) for of_log in of_logs), scans
