"""The store behind PgBouncer in transaction mode: each transaction may have another session."""

from __future__ import annotations

import asyncio
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from sqlalchemy.engine import make_url

from bot.settings.config import Settings
from bot.settings.shards import Shards
from bot.storage import NotAnswering, NotReached
from bot.storage.doctor import examine
from bot.storage.store import SqlStore
from bot.tables.model import Change
from tests.bot.storage.conftest import BUSY_MS, wipe
from tests.bot.storage.moves import lobby, next_version
from tests.people import PATIENCE

PGBOUNCER = shutil.which("pgbouncer") or "/usr/sbin/pgbouncer"
pytestmark = [
    pytest.mark.thorough,
    pytest.mark.postgres,
    pytest.mark.skipif(
        not Path(PGBOUNCER).is_file() and not os.environ.get("CI"),
        reason="no PgBouncer is installed",
    ),
]
SETTINGS = """
[databases]
* = host={server} user=bluffhouse
[pgbouncer]
listen_addr =
unix_socket_dir = {folder}
listen_port = 6432
auth_type = any
pool_mode = transaction
default_pool_size = 2
max_client_conn = 100
logfile = {folder}/pgbouncer.log
"""


@pytest.fixture
def pooler(postgres: str) -> Iterator[str]:
    """Yield the address of the database through a PgBouncer with two sessions."""
    folder = Path(tempfile.mkdtemp(prefix="bluffhouse-pb-"))
    user = pwd.getpwnam("postgres") if os.getuid() == 0 else None
    server = postgres.partition("host=")[2]
    (folder / "settings.ini").write_text(SETTINGS.format(server=server, folder=folder))
    if user is not None:
        os.chown(folder, user.pw_uid, user.pw_gid)
    process = subprocess.Popen(
        [PGBOUNCER, "-q", folder / "settings.ini"],
        user=None if user is None else user.pw_uid,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield f"postgresql://bluffhouse@/postgres?host={folder}&port=6432"
    finally:
        process.terminate()
        process.wait(PATIENCE)
        shutil.rmtree(folder, ignore_errors=True)


async def open_store(pooler: str, postgres: str, shards: Shards) -> SqlStore:
    """Open a store through the pooler, once the pooler listens."""
    async with asyncio.timeout(PATIENCE):
        while True:
            with suppress(NotAnswering):
                return await SqlStore.open(
                    pooler, busy_ms=BUSY_MS, direct_url=postgres, pool_size=4, shards=shards
                )
            await asyncio.sleep(0.05)


async def test_a_pooler_without_a_direct_url_is_reported_at_once(
    pooler: str, postgres: str
) -> None:
    await (await open_store(pooler, postgres, Shards())).close()
    with pytest.raises(NotReached, match=r"also set database\.direct_url"):
        await SqlStore.open(pooler)


async def test_the_doctor_looks_past_the_pooler_and_at_it(pooler: str, postgres: str) -> None:
    await wipe(postgres)  # what other tests have left damaged is no pooler's fault
    await (await open_store(pooler, postgres, Shards())).close()
    chosen = {"database": {"url": pooler, "direct_url": postgres}}
    findings = {
        finding.subject: finding for finding in await examine(Settings.model_validate(chosen), None)
    }
    assert (findings["database"].well, findings["pooler"].well) == (True, True)
    second_database = str(make_url(postgres).set(database="template1"))
    chosen["database"]["url"] = second_database
    findings = {
        finding.subject: finding for finding in await examine(Settings.model_validate(chosen), None)
    }
    assert "lead to different databases" in findings["pooler"].text
    chosen = {"database": {"url": pooler}}
    findings = {
        finding.subject: finding for finding in await examine(Settings.model_validate(chosen), None)
    }
    (wrong,) = [value.text for value in findings.values() if not value.well]
    assert "database.direct_url" in wrong


async def test_many_at_once_through_two_sessions_lose_nothing_and_hear_of_each_other(
    pooler: str, postgres: str
) -> None:
    await wipe(postgres)
    first, second = Shards(2, (0,)), Shards(2, (1,))
    first_store = await open_store(pooler, postgres, first)  # which migrates past the pooler
    second_store = await open_store(pooler, postgres, second)
    heard = asyncio.Event()

    async def hear(kind: str, number: int, guild: int) -> None:
        heard.set()

    async def nothing() -> None: ...

    try:
        for store, shards in ((first_store, first), (second_store, second)):
            await store.processes.take(shards)
        await second_store.processes.listen(hear, nothing)

        async def play(store: SqlStore, channel: int) -> int:
            table = await store.tables.open(lobby(channel_id=channel), None)
            for _ in range(10):
                table = await store.tables.commit(Change(next_version(table), None))
                assert await store.tables.version_of(table.id) == table.version
            return table.version

        stores = (first_store, second_store)
        played = await asyncio.gather(*(play(stores[n % 2], n) for n in range(1, 21)))
        assert set(played) == {11}
        async with asyncio.timeout(PATIENCE):
            await first_store.tables.notify(1, 0)
            await heard.wait()
        assert len(await first_store.tables.due(1)) == 0
    finally:
        await first_store.close()
        await second_store.close()
