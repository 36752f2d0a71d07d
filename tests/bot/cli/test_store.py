"""`store migrate`, `backup` and `doctor` as a host runs them."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot.cli import app
from bot.stats.folding import Scope
from bot.storage.files import LockFile
from bot.storage.store import SqlStore
from tests.bot.cli.refused import one_sentence
from tests.bot.stats.seasons import keep, simulated
from tests.bot.storage.moves import GUILD, playing

pytestmark = pytest.mark.usefixtures("here")


def run(*arguments: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == code, result.output
    return result.output


def test_migrate_makes_a_database_and_then_has_nothing_to_do(here: Path) -> None:
    assert run("store", "migrate").startswith("The database was made, with schema 0")
    assert (here / "data" / "bluffhouse.db").is_file()
    assert "nothing to do" in run("store", "migrate")


def test_migrate_beside_a_running_bot_is_refused(here: Path) -> None:
    held = LockFile(here / "data" / "bluffhouse.db")
    held.take()
    assert f"in use by another Bluffhouse (process {os.getpid()})" in run(
        "store", "migrate", code=75
    )
    held.release()


def test_rebuild_says_how_many_matches_count(here: Path) -> None:
    async def play() -> list[tuple[object, ...]]:
        store = await SqlStore.open("sqlite:///data/bluffhouse.db")
        for match in simulated("by a command", 6):
            await keep(store, match)
        board = await store.stats.leaderboard(GUILD, Scope(), 0, 99)
        await store.close()
        return [(row.player, row.matches, row.mu) for row in board]

    async def read() -> list[tuple[object, ...]]:
        store = await SqlStore.open("sqlite:///data/bluffhouse.db")
        board = await store.stats.leaderboard(GUILD, Scope(), 0, 99)
        await store.close()
        return [(row.player, row.matches, row.mu) for row in board]

    before = asyncio.run(play())
    counted = sum(match.record() is not None for match in simulated("by a command", 6))
    with closing(sqlite3.connect(here / "data" / "bluffhouse.db")) as connection, connection:
        connection.execute("DELETE FROM person_records")
    said = " ".join(run("store", "rebuild").split())
    assert said == (
        f"The records of 1 server were made anew: of 6 finished matches {counted} count."
    )
    assert asyncio.run(read()) == before


def test_rebuild_beside_a_running_bot_is_refused(here: Path) -> None:
    run("store", "migrate")
    held = LockFile(here / "data" / "bluffhouse.db")
    held.take()
    assert "stop that one first" in run("store", "rebuild", code=75)
    held.release()


def test_a_newer_schema_is_one_sentence(here: Path) -> None:
    run("store", "migrate")
    with closing(sqlite3.connect(here / "data" / "bluffhouse.db")) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    for command, code in (("migrate", 78), ("doctor", 1)):
        said = run("store", command, code=code)
        assert "the database has schema 9999" in said
        assert "Traceback" not in said


def test_a_backup_holds_every_table_also_while_the_bot_runs(here: Path) -> None:
    async def open_and_play() -> tuple[SqlStore, int]:
        store = await SqlStore.open("sqlite:///data/bluffhouse.db")
        return store, (await playing(store)).id

    async def main() -> None:
        store, table_id = await open_and_play()
        said = await asyncio.to_thread(run, "store", "backup", "copies/today.db")
        assert said.startswith("data/bluffhouse.db was copied to copies/today.db (")
        copy = await SqlStore.open("sqlite:///copies/today.db")
        assert await copy.tables.snapshot(table_id) == await store.tables.snapshot(table_id)
        await copy.close()
        await store.close()

    asyncio.run(main())


def test_a_backup_that_cannot_be_made_is_one_sentence(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "there is no database data/bluffhouse.db" in run("store", "backup", "x.db", code=78)
    run("store", "migrate")
    assert "is the database itself" in run("store", "backup", "data/bluffhouse.db", code=2)
    monkeypatch.setenv("BLUFFHOUSE_DATABASE__URL", "postgresql://ann@localhost/cards")
    monkeypatch.setenv("PATH", "")
    assert "pg_dump is not installed here" in run("store", "backup", "x.db", code=78)


def test_doctor_says_what_is_found_and_no_secret(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "not there yet" in run("store", "doctor")
    run("store", "migrate")
    (here / "config.toml").write_text("[tables]\nlobby_minutes = 5\n")
    monkeypatch.setenv("DISCORD_TOKEN", "MTIz.abc")
    monkeypatch.setenv("BLUFFHOUSE_LOGS__LEVEL", "debug")
    said = " ".join(run("store", "doctor").split())
    assert f"SQLite {sqlite3.sqlite_version}, quick check passed, schema 0" in said
    assert "from config.toml; from the environment: BLUFFHOUSE_LOGS__LEVEL" in said
    assert "found (not shown)" in said
    assert "MTIz" not in said
    assert "BAD" not in said


def test_doctor_reports_a_database_that_is_broken_or_out_of_reach(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "data").mkdir()
    (here / "data" / "bluffhouse.db").write_bytes(b"not a database " * 100)
    assert "BAD  database" in run("store", "doctor", code=1)
    monkeypatch.setenv("BLUFFHOUSE_DATABASE__URL", "postgresql://ann:sesame@127.0.0.1:1/cards")
    said = run("store", "doctor", code=1)
    assert "moves are refused" not in said  # nobody plays at a doctor's
    assert "postgresql+asyncpg://ann:***@127.0.0.1:1/cards" in said
    assert "sesame" not in said
    monkeypatch.setenv("BLUFFHOUSE_DATABASE__URL", "mysql://ann:sesame@localhost/cards")
    said = run("store", "doctor", code=1)
    assert "expected e.g. sqlite:///" in said
    assert "sesame" not in said


def test_doctor_says_beforehand_that_no_copy_can_be_made(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "backups" not in run("store", "doctor")
    monkeypatch.setenv("BLUFFHOUSE_BACKUPS__EVERY_HOURS", "24")
    assert "every 24 hours, in data/backups" in run("store", "doctor")
    (here / "taken").touch()
    monkeypatch.setenv("BLUFFHOUSE_BACKUPS__FOLDER", "taken")
    assert "BAD  backups    taken cannot be written" in run("store", "doctor", code=1)
    monkeypatch.setenv("BLUFFHOUSE_DATABASE__URL", "postgresql://ann@127.0.0.1:1/cards")
    monkeypatch.setenv("PATH", "")
    assert "pg_dump is not installed here" in run("store", "doctor", code=1)


@pytest.mark.parametrize(
    "command", [("store", "migrate"), ("store", "doctor"), ("store", "backup", "x.db"), ("run",)]
)
def test_a_wrong_setting_is_one_sentence_and_exit_code_78(
    command: tuple[str, ...], here: Path
) -> None:
    (here / "config.toml").write_text("[tables]\nlobby_minute = 5\n")
    said = run(*command, code=78)
    assert one_sentence(said) == (
        "bluffhouse: config.toml: there is no setting tables.lobby_minute; "
        "did you mean tables.lobby_minutes?"
    )


def test_a_missing_token_is_one_sentence_and_exit_code_78() -> None:
    assert "DISCORD_TOKEN_FILE" in run("run", code=78)


def test_doctor_names_a_damaged_table_and_repair_rebuilds_it_after_a_copy(here: Path) -> None:
    file = here / "data" / "bluffhouse.db"

    async def play() -> None:
        store = await SqlStore.open("sqlite:///data/bluffhouse.db")
        await playing(store)
        await store.close()

    asyncio.run(play())
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE tables SET players = '[1'")
    said = " ".join(run("store", "doctor", code=1).split())
    assert "Damaged: table 1: cannot be read in its row: players" in said
    assert "Stop the bot, then `bluffhouse store repair`" in said
    held = LockFile(file)
    held.take()
    assert "in use by another Bluffhouse" in run("store", "repair", code=75)
    held.release()
    said = run("store", "repair")
    assert "A copy of how it was before is kept in data/bluffhouse.db.before-repair." in said
    assert "Table 1 was closed, without a winner: its log cannot be replayed" in said
    with closing(sqlite3.connect(here / "data" / "bluffhouse.db.before-repair")) as copy:
        assert copy.execute("SELECT players FROM tables").fetchone() == ("[1",)
    assert run("store", "repair") == "Nothing is damaged: 0 open tables read and replayed.\n"
    assert "no open table" in run("store", "doctor")
