"""Litestream, which copies a running bot's database, and `restore`, which restores the copy."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bot.storage.store import SqlStore
from tests.bot.storage.moves import move, playing, stored_match

CONFIG = Path(__file__).parents[3] / "deploy" / "litestream.yml"


@pytest.fixture
def litestream() -> str:
    """Return the path of litestream. Without it, skip the test, or fail if CI is set."""
    program = Path(sys.executable).with_name("litestream")
    binary = str(program) if program.exists() else shutil.which("litestream")
    if binary is None:
        assert not os.environ.get("CI"), "expected litestream, of requirements-dev.lock"
        pytest.skip("litestream isn't installed")
    return binary


async def test_a_lost_database_comes_back_from_litestream(
    litestream: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "bluffhouse.db"
    monkeypatch.setenv("BLUFFHOUSE_DATABASE__PATH", str(file))
    monkeypatch.setenv("BACKUP_URL", f"file://{tmp_path / 'elsewhere'}")

    def run(*command: str) -> None:
        words = [litestream, command[0], "-config", str(CONFIG), *command[1:]]
        process = subprocess.run(words, capture_output=True, text=True, check=False)
        assert process.returncode == 0, process.stdout + process.stderr

    address = f"sqlite:///{file}"
    store = await SqlStore.open(address)
    table = await playing(store)
    run("replicate", "-once")
    table = await store.tables.commit(move(table, 2))  # by the same bot, which goes on
    run("replicate", "-once")
    stored = await stored_match(store, table)
    await store.close()
    for lost in tmp_path.glob("bluffhouse.db*"):
        lost.unlink()
    run("restore", str(file))
    store = await SqlStore.open(address)
    try:
        assert await stored_match(store, table) == stored
        assert len(stored.actions) == 2
    finally:
        await store.close()
