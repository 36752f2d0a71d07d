"""The errors of an unusable database: each says what to do; its class says if a retry may help."""

from __future__ import annotations

import errno
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.engine import make_url

from bot.settings.config import Settings
from bot.storage import DatabaseInUse, NoRoom, NotAnswering, NotReached, StorageError
from bot.storage.addresses import database_url, storage_error
from bot.storage.database import Database
from bot.storage.doctor import examine
from bot.storage.migrate import known_revisions
from bot.storage.store import SqlStore
from tests.bot.storage.asking import transaction
from tests.bot.storage.conftest import both


async def why(address: str, direct_url: str | None = None, busy_ms: int = 1_000) -> StorageError:
    with pytest.raises(StorageError) as refused:
        await (await SqlStore.open(address, busy_ms=busy_ms, direct_url=direct_url)).close()
    assert "\n" not in str(refused.value)
    return refused.value


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EDQUOT])
def test_a_full_disk_is_a_temporary_error(number: int) -> None:
    error = storage_error("x.db", OSError(number, "No space left on device"), server=False)
    assert isinstance(error, NoRoom)
    assert str(error).endswith("free some room on its disk")


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (OSError(errno.EACCES, "Permission denied"), "must be able to write it and its folder"),
        (sqlite3.OperationalError("attempt to write a readonly database"), "to write it and its"),
        (OSError(errno.EISDIR, "Is a directory"), "expected a file, e.g. x.db/bluffhouse.db"),
        (sqlite3.OperationalError("unable to open database file"), "look at database.path"),
    ],
)
def test_each_fault_of_a_file_says_what_to_do(error: Exception, says: str) -> None:
    translated = storage_error("x.db", error, server=False)
    assert type(translated) is NotReached
    assert says in str(translated)


async def test_a_file_of_another_program_is_left_alone(tmp_path: Path) -> None:
    file = tmp_path / "other.db"
    with closing(sqlite3.connect(file)) as program, program:
        program.execute("CREATE TABLE tables (legs)")
    assert "already holds other tables" in str(await why(f"sqlite:///{file}"))
    with closing(sqlite3.connect(file)) as program:
        assert program.execute("SELECT name FROM sqlite_master").fetchall() == [("tables",)]


async def test_a_file_locked_by_another_program_is_a_temporary_error(tmp_path: Path) -> None:
    file = tmp_path / "house.db"
    await (await SqlStore.open(f"sqlite:///{file}")).close()
    with closing(sqlite3.connect(file, isolation_level=None)) as program:
        program.execute("BEGIN IMMEDIATE")
        error = await why(f"sqlite:///{file}", busy_ms=50)
    assert isinstance(error, DatabaseInUse)
    assert "by another program" in str(error)


@pytest.mark.postgres
async def test_each_refusal_of_postgresql_says_what_to_do(postgres: str) -> None:
    error = await why(postgres.replace("/postgres?", "/nowhere?"))
    assert "create that database first (createdb)" in str(error)
    error = await why(postgres.replace("bluffhouse@", "nobody@"))
    assert "check the user and password" in str(error)
    assert not isinstance(error, NotAnswering)
    error = await why("postgresql://ann:sesame@127.0.0.1:1/cards")
    assert isinstance(error, NotAnswering)
    assert "check that PostgreSQL is running" in str(error)
    assert "sesame" not in str(error)


@pytest.mark.postgres
async def test_a_user_without_permissions_reads_which_are_missing(postgres: str) -> None:
    database = Database(database_url(postgres))
    async with transaction(database) as connection:
        await connection.execute(text("DROP SCHEMA public CASCADE"))
        await connection.execute(text("CREATE SCHEMA public"))
        await connection.execute(text("DROP ROLE IF EXISTS poor"))
        await connection.execute(text("CREATE ROLE poor LOGIN"))
        await connection.execute(text("GRANT USAGE ON SCHEMA public TO poor"))
    try:
        error = await why(postgres.replace("bluffhouse@", "poor@"))
        assert "make its user the owner of the database" in str(error)
    finally:
        async with transaction(database) as connection:
            await connection.execute(text("DROP OWNED BY poor"))
            await connection.execute(text("DROP ROLE poor"))
        await database.close()


@pytest.mark.postgres
async def test_the_direct_url_must_lead_to_the_same_database(postgres: str) -> None:
    await (await SqlStore.open(postgres, direct_url=postgres)).close()
    assert "direct_url is an SQLite file" in str(await why(postgres, direct_url="sqlite:///x.db"))
    second_database = str(make_url(postgres).set(database="template1"))
    assert "lead to different databases" in str(await why(postgres, direct_url=second_database))
    # said at once, and not a minute later when the shards are to be taken
    error = await why(postgres, direct_url=postgres.replace("bluffhouse@", "nobody@"))
    assert "check the user and password" in str(error)


@both
async def test_a_database_in_use_is_sound_and_named_by_engine_and_schema(
    address: str, store: SqlStore
) -> None:
    findings = await examine(Settings.model_validate({"database": {"url": address}}), None)
    (finding,) = [each for each in findings if each.subject == "database"]
    assert finding.well
    assert ("PostgreSQL 1" in finding.text) is address.startswith("postgresql")
    assert f"schema {known_revisions()[-1]} (the newest)" in finding.text
