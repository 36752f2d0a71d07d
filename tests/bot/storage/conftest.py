"""Fixtures: a store in a new SQLite file, and on PostgreSQL too for tests decorated with `both`."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import text

from bot.storage import schema
from bot.storage.addresses import database_url
from bot.storage.database import Database
from bot.storage.store import SqlStore
from tests.bot.harness import new_database
from tests.bot.storage.asking import transaction

ENGINES = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]
# of a test whose statements, or what guards them, are not alike on both
both = pytest.mark.parametrize("address", ENGINES, indirect=True)
on_postgres = pytest.mark.parametrize("address", ENGINES[1:], indirect=True)
BUSY_MS = 120_000  # fifty moves at once stand in a queue, and a busy machine serves it slowly
# what counts by itself
NUMBERED = ("tables_id", "matches_id", "nights_id", "nameless_players_number")
SETUP = {"LC_ALL": "C", "PATH": os.environ.get("PATH", "")}


def programs() -> Path | None:
    """Return the folder of the newest PostgreSQL server's programs, or None if there is none."""
    programs_there = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return programs_there[-1].parent if programs_there else None


@contextmanager
def running_cluster(programs: Path, extra_options: str = "") -> Iterator[str]:
    """Run a PostgreSQL with a socket in a temporary folder; yield its address.

    `extra_options`: options for the server.
    """
    # PostgreSQL refuses to run as root; its package brings a user for that
    user = pwd.getpwnam("postgres") if os.getuid() == 0 else None
    folder = Path(tempfile.mkdtemp(prefix="bluffhouse-pg-"))  # short: a socket's path is limited
    if user is not None:
        os.chown(folder, user.pw_uid, user.pw_gid)

    def run(program: str, *arguments: str) -> None:
        log = folder / "setup.log"
        with log.open("ab") as output:
            subprocess.run(
                [programs / program, "-D", str(folder / "cluster"), *arguments],
                check=True,
                stdout=output,
                stderr=output,
                env=SETUP,
                cwd=folder,
                user=None if user is None else user.pw_uid,
                group=None if user is None else user.pw_gid,
            )

    try:
        run("initdb", "--auth=trust", "--username=bluffhouse", "--encoding=UTF8", "--no-sync")
        listening = f"-c listen_addresses='' -c unix_socket_directories='{folder}'"
        options = f"{listening} -c fsync=off {extra_options}"
        run("pg_ctl", "-w", "-o", options, "start")
        try:
            yield f"postgresql://bluffhouse@/postgres?host={folder}"
        finally:
            run("pg_ctl", "-w", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """Yield the address of a temporary PostgreSQL database.

    Without a PostgreSQL server, skip the test, or fail it if CI is set.
    """
    binaries = programs()
    if binaries is None:
        reason = "no PostgreSQL server in /usr/lib/postgresql: apt-get install postgresql"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    with running_cluster(binaries) as address:
        yield address


async def wipe(address: str) -> None:
    """Drop every table, as if the database were new."""
    database = Database(database_url(address))
    async with transaction(database) as connection:
        await connection.execute(text("DROP SCHEMA public CASCADE"))
        await connection.execute(text("CREATE SCHEMA public"))
    await database.close()


async def empty(address: str) -> None:
    """Delete every row and restart the ids; keep the schema.

    For so few rows DELETE takes a fraction of TRUNCATE's time.
    """
    emptied = [f"DELETE FROM {table.name};" for table in reversed(schema.metadata.sorted_tables)]
    begun = [f"ALTER SEQUENCE {name}_seq RESTART;" for name in NUMBERED]
    database = Database(database_url(address))
    async with transaction(database) as connection:
        if (await connection.execute(text("SELECT to_regclass('tables')"))).scalar_one():
            await connection.exec_driver_sql(f"DO $$ BEGIN {' '.join(emptied + begun)} END $$")
    await database.close()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "bluffhouse.db"


@pytest.fixture
async def address(request: pytest.FixtureRequest, file: Path) -> str:
    """Return the address of a database with the schema but no rows: SQLite or PostgreSQL."""
    if getattr(request, "param", "sqlite") == "sqlite":
        await new_database(file)
        return f"sqlite:///{file}"
    server: str = request.getfixturevalue("postgres")
    await empty(server)
    return server


@pytest.fixture
async def store(address: str) -> AsyncIterator[SqlStore]:
    """Yield an empty store at `address`."""
    opened = await SqlStore.open(address, busy_ms=BUSY_MS)
    yield opened
    await opened.close()
