"""Migrations make the schema that the code expects, on both engines, completely or not at all."""

from __future__ import annotations

import asyncio
import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError

from bot.storage import SchemaTooNew, StorageError, migrate, schema
from bot.storage.addresses import database_url
from bot.storage.database import Database
from bot.storage.store import SqlStore
from tests.bot.storage.asking import transaction
from tests.bot.storage.conftest import both, on_postgres, wipe
from tests.bot.storage.moves import CHANNEL, playing

NEXT = '''"""Give tables a motto, so that this test has a newer schema."""

import sqlalchemy as sa
from alembic import op

revision = "9999"
down_revision = "{head}"


def upgrade() -> None:
    with op.batch_alter_table("tables") as batch:
        batch.add_column(sa.Column("motto", sa.Text()))
        batch.alter_column("host_id", new_column_name="keeper")
    op.execute("UPDATE tables SET motto = 'always bluff'")
    {last}
'''


@pytest.fixture
async def database(address: str, file: Path) -> AsyncIterator[Database]:
    """Yield an SQLite or PostgreSQL database without a schema."""
    if address.startswith("postgresql"):
        await wipe(address)
    file.unlink(missing_ok=True)
    fresh = Database(database_url(address))
    yield fresh
    await fresh.close()


@pytest.fixture
def newer(tmp_path: Path) -> Path:
    """Return a folder with the migrations and a newer migration."""
    return with_next(tmp_path, "")


def with_next(tmp_path: Path, last: str) -> Path:
    scripts = tmp_path / "100% new" / "migrations"
    shutil.copytree(migrate.SCRIPTS, scripts)
    head = migrate.known_revisions()[-1]
    (scripts / "versions" / "9999_motto.py").write_text(NEXT.format(head=head, last=last))
    return scripts


async def differences(database: Database) -> list[object]:
    def compare(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), schema.metadata))

    return await database.read(compare)


@both
async def test_migrations_make_exactly_the_schema_of_the_code(database: Database) -> None:
    migration = await migrate.migrate(database)
    assert (migration.before, migration.after, migration.backup) == (
        None,
        migrate.known_revisions()[-1],
        None,
    )
    assert await differences(database) == []


async def test_the_comparison_finds_what_is_missing(database: Database) -> None:
    await migrate.migrate(database)
    async with transaction(database) as connection:
        await connection.execute(text("DROP INDEX one_live_table_per_channel"))
        await connection.execute(text("ALTER TABLE players ADD COLUMN shoe_size INTEGER"))
    assert len(await differences(database)) == 2


@both
async def test_the_partial_index_holds_only_live_tables(database: Database) -> None:
    await migrate.migrate(database)

    def options(connection: Connection) -> dict[str, object]:
        indexes = inspect(connection).get_indexes("tables")
        (live,) = [index for index in indexes if index["name"] == "one_live_table_per_channel"]
        return dict(live["dialect_options"])

    index_options = await database.read(options)
    (where,) = [str(value) for name, value in index_options.items() if name.endswith("_where")]
    assert "lobby" in where
    assert "playing" in where


def test_the_newest_revision_is_alembics_head() -> None:
    config = Config()
    config.set_main_option("script_location", str(migrate.SCRIPTS))
    script = ScriptDirectory.from_config(config)
    known = [walk_revision.revision for walk_revision in script.walk_revisions()]
    assert migrate.known_revisions() == known[::-1]
    assert script.get_heads() == [migrate.known_revisions()[-1]]


def test_every_migration_says_why_on_its_first_line() -> None:
    for path in (migrate.SCRIPTS / "versions").glob("[0-9]*.py"):
        first = path.read_text().splitlines()[0]
        assert first.startswith('"""'), f"{path.name}: begin with a docstring"
        assert "so that" in first, f'{path.name}: write "..., so that ..." in the first line'


@both
async def test_a_newer_schema_is_refused_and_left_alone(address: str, database: Database) -> None:
    await migrate.migrate(database)
    async with transaction(database) as connection:
        await connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(SchemaTooNew, match=r"schema 9999, but .* up to 0\d\d\d: install"):
        await SqlStore.open(address)
    async with transaction(database) as connection:
        revision_rows = await connection.execute(text("SELECT version_num FROM alembic_version"))
        assert revision_rows.scalar_one() == "9999"
    await wipe(address) if address.startswith("postgresql") else None


@both
async def test_an_upgrade_keeps_every_row(address: str, database: Database, newer: Path) -> None:
    store = await SqlStore.open(address)
    table = await playing(store)
    await store.close()
    migration = await migrate.migrate(database, newer)
    assert (migration.before, migration.after) == (migrate.known_revisions()[-1], "9999")
    async with transaction(database) as connection:
        rows = await connection.execute(text("SELECT id, channel_id, motto, keeper FROM tables"))
        assert [tuple(row) for row in rows] == [(table.id, CHANNEL, "always bluff", table.host_id)]
        assert (await connection.execute(text("SELECT count(*) FROM actions"))).scalar_one() == 1
    assert await migrate.migrate(database, newer) == migrate.Migrated("9999", "9999")
    with pytest.raises(SchemaTooNew):
        await migrate.migrate(database)
    await wipe(address) if address.startswith("postgresql") else None


@pytest.mark.thorough
@both
async def test_a_migration_that_fails_at_its_end_leaves_everything_as_it_was(
    address: str, database: Database, tmp_path: Path
) -> None:
    store = await SqlStore.open(address)
    table = await playing(store)
    before = await store.tables.snapshot(table.id)
    await store.close()
    failing = with_next(tmp_path, 'op.execute("INSERT INTO nowhere VALUES (1)")')
    with pytest.raises(DBAPIError):
        await migrate.migrate(database, failing)
    assert await differences(database) == []
    again = await SqlStore.open(address)
    assert await again.tables.snapshot(table.id) == before
    await again.close()


async def test_the_file_is_kept_as_it_was_before_an_upgrade(
    address: str, database: Database, newer: Path
) -> None:
    store = await SqlStore.open(address)
    table = await playing(store)
    before = await store.tables.snapshot(table.id)
    assert store.migrated.backup is None  # there was nothing to keep
    await store.close()
    migration = await migrate.migrate(database, newer)
    assert migration.backup is not None
    assert migration.backup.name == "bluffhouse.db.before-9999"
    with closing(sqlite3.connect(migration.backup)) as copy:
        assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    old_store = await SqlStore.open(f"sqlite:///{migration.backup}")
    assert await old_store.tables.snapshot(table.id) == before
    await old_store.close()


async def test_a_migration_may_not_leave_rows_without_their_table(
    address: str, database: Database, tmp_path: Path
) -> None:
    store = await SqlStore.open(address)
    await playing(store)
    await store.close()
    careless = with_next(tmp_path, 'op.execute("DELETE FROM tables")')
    with pytest.raises(StorageError, match="without their table"):
        await migrate.migrate(database, careless)
    assert await differences(database) == []


@pytest.mark.thorough
@on_postgres
async def test_processes_that_start_at_once_migrate_once(address: str, database: Database) -> None:
    stores = await asyncio.gather(*(SqlStore.open(address) for _ in range(4)))
    assert sorted(str(store.migrated.before) for store in stores)[-1] == "None"
    assert sum(store.migrated.before is None for store in stores) == 1
    for store in stores:
        await store.close()
    assert await differences(database) == []


@on_postgres
async def test_a_migration_elsewhere_is_waited_for_but_not_for_ever(
    address: str, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(migrate, "LOCK_WAIT_S", 0.3)
    async with transaction(database) as holder:
        await holder.execute(text("SELECT pg_advisory_lock(:k)"), {"k": migrate.ADVISORY_KEY})
        with pytest.raises(StorageError, match="another process has been migrating"):
            await SqlStore.open(address)
        await holder.execute(text("SELECT pg_advisory_unlock(:k)"), {"k": migrate.ADVISORY_KEY})
    store = await SqlStore.open(address)
    assert store.migrated.before is None
    await store.close()
