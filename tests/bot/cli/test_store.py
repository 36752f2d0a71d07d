"""`store migrate`, `backup` and `doctor`, `people export` and `delete`, as a host runs them."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import stat
import sys
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot.cli import app
from bot.stats.folding import Scope
from bot.storage.files import LockFile
from bot.storage.store import SqlStore
from bot.tables.model import Change, Ending, MatchStatus, Player, PlayerResult, Status
from tests.bot.cli.refused import one_sentence, refusal
from tests.bot.stats.seasons import Played, keep, simulate_matches
from tests.bot.storage.moves import GUILD, lobby, next_version, playing
from tests.bot.storage.persons import store_person
from tests.bot.storage.raw_bytes import texts_in_files

pytestmark = pytest.mark.usefixtures("workdir")


# -- people export and delete ----------------------------------------------------------------------

ANN, BOB = 81_384_788_765_712_384, 1_102_030_405_060_708_090
FILE = Path("data/bluffhouse.db")


def run(*arguments: str, code: int = 0, typed: str = "") -> str:
    result = CliRunner().invoke(app, arguments, input=typed)
    assert result.exit_code == code, result.output
    return result.output


async def fill_store(*, seated: bool = False) -> None:
    """Store a match that Ann lost to Bob; if `seated`, seat Ann in a lobby too."""
    FILE.parent.mkdir(exist_ok=True)
    store = await SqlStore.open(f"sqlite:///{FILE}")
    await store_person(store, Player(ANN, "Annabella"))
    table = await playing(store, players=(ANN, BOB), host_id=ANN)
    ending = Ending(MatchStatus.WON, (PlayerResult(BOB, 1, 1), PlayerResult(ANN, 2, 1)))
    await store.tables.commit(Change(next_version(table, status=Status.CLOSED), ending=ending))
    if seated:
        await store.tables.open(lobby(players=(ANN,), guild_id=7, channel_id=8), None)
    await store.close()


def test_everything_stored_of_a_person_is_printed_or_written() -> None:
    asyncio.run(fill_store())
    document = json.loads(run("people", "export", str(ANN)))
    assert (document["name"], len(document["matches"])) == ("Annabella", 1)
    output = run("people", "export", str(ANN), "ann.json")
    assert output.startswith(f"Everything stored about {ANN} is in ann.json (")
    assert json.loads(Path("ann.json").read_text()) == document
    assert "can't be written" in run("people", "export", str(ANN), "no/where.json", code=2)
    assert "can't be a file's name" in run("people", "export", str(ANN), "\ud800", code=2)


@pytest.mark.skipif(sys.platform == "win32", reason="other rights")
@pytest.mark.parametrize("exists", [False, True])
def test_an_export_is_readable_by_its_owner_only_also_over_an_open_file(
    exists: bool,
) -> None:
    asyncio.run(fill_store())
    file, before = Path("ann.json"), os.umask(0o022)
    try:
        if exists:
            file.write_text("of another day")
            file.chmod(0o644)
        run("people", "export", str(ANN), file.name)
    finally:
        os.umask(before)
    assert json.loads(file.read_text())["name"] == "Annabella"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_beside_a_running_bot_an_export_is_made_and_nothing_else_is_done() -> None:
    asyncio.run(fill_store())
    held = LockFile(FILE)
    held.take()
    assert json.loads(run("people", "export", str(BOB)))["id"] == str(BOB)
    for words in (
        ("people", "delete", str(ANN)),  # before it asks
        ("store", "migrate"),
        ("store", "rebuild"),
        ("store", "repair"),
    ):
        sentence = one_sentence(run(*words, code=75))
        assert f"in use by another Bluffhouse (process {os.getpid()})" in sentence
        assert "stop that one first" in sentence
    held.release()


def test_deletion_asks_first_and_leaves_nothing() -> None:
    asyncio.run(fill_store())
    assert "nothing was deleted" in run("people", "delete", str(ANN), code=1, typed="n\n")
    assert "text" in texts_in_files(FILE, ANN)
    output = run("people", "delete", str(ANN), typed="y\n")
    assert "Matches where a nameless player now has their place: 1;" in output
    assert "Backups made before this" in output
    assert texts_in_files(FILE, ANN, "Annabella") == set()
    assert run("people", "delete", str(ANN), "--yes") == f"Nothing is stored about {ANN}.\n"


def test_nobody_is_deleted_from_a_seat_at_a_live_table() -> None:
    asyncio.run(fill_store(seated=True))
    sentence = one_sentence(run("people", "delete", str(ANN), "--yes", code=75))
    assert "is playing at a live table in channel 8 of server 7" in sentence
    assert json.loads(run("people", "export", str(ANN)))["name"] == "Annabella"


@pytest.mark.parametrize("typed", ["Ann", "12", "1" * 25, "²" * 18])
def test_an_invalid_id_is_refused_with_an_example(typed: str) -> None:
    for command in ("export", "delete"):
        sentence = refusal("people", command, typed)
        assert "isn't a Discord id: expected the number from Copy User ID" in sentence
        assert "for example 81384788765712384" in sentence


def test_a_database_that_is_not_there_or_too_old_is_one_sentence() -> None:
    assert "there is no database" in run("people", "export", str(ANN), code=78)
    asyncio.run(fill_store())
    with closing(sqlite3.connect(FILE)) as file, file:
        file.execute("UPDATE alembic_version SET version_num = '0003'")
    assert "and run `bluffhouse store migrate`" in run("people", "export", str(ANN), code=78)


# -- store migrate, backup and doctor --------------------------------------------------------------


def test_migrate_makes_a_database_and_then_has_nothing_to_do(workdir: Path) -> None:
    assert run("store", "migrate").startswith("Created the database with schema 0")
    assert (workdir / "data" / "bluffhouse.db").is_file()
    assert "up to date" in run("store", "migrate")


@pytest.mark.thorough
def test_rebuild_says_how_many_matches_count(workdir: Path) -> None:
    matches = list(simulate_matches("by a command", 6))

    async def board(*played: Played) -> list[tuple[object, ...]]:
        store = await SqlStore.open("sqlite:///data/bluffhouse.db")
        for match in played:
            await keep(store, match)
        board_rows = await store.stats.leaderboard(GUILD, Scope(), 0, 99)
        await store.close()
        return [(row.player, row.matches, row.mu) for row in board_rows]

    before = asyncio.run(board(*matches))
    counted = sum(match.record() is not None for match in matches)
    with closing(sqlite3.connect(workdir / "data" / "bluffhouse.db")) as connection, connection:
        connection.execute("DELETE FROM person_records")
    output = " ".join(run("store", "rebuild").split())
    assert output == (f"Rebuilt the records of 1 server: of 6 finished matches {counted} count.")
    assert asyncio.run(board()) == before
    with closing(sqlite3.connect(workdir / "data" / "bluffhouse.db")) as connection, connection:
        connection.execute("UPDATE actions SET body = '[1' WHERE match_id = 2 AND seq = 1")
    output = run("store", "rebuild", code=1)
    assert "of 6 finished matches" in output
    assert "bluffhouse: 1 left out, as the log can't be read (number 2)\n" in output


def test_a_newer_schema_is_one_sentence(workdir: Path) -> None:
    run("store", "migrate")
    with closing(sqlite3.connect(workdir / "data" / "bluffhouse.db")) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    for command, code in (("migrate", 78), ("doctor", 1)):
        output = run("store", command, code=code)
        assert "the database has schema 9999" in output
        assert "Traceback" not in output


def test_a_backup_holds_every_table_also_while_the_bot_runs(workdir: Path) -> None:
    async def main() -> None:
        store = await SqlStore.open("sqlite:///data/bluffhouse.db")
        table_id = (await playing(store)).id
        output = await asyncio.to_thread(run, "store", "backup", "copies/today.db")
        assert output.startswith("data/bluffhouse.db was copied to copies/today.db (")
        copy = await SqlStore.open("sqlite:///copies/today.db")
        assert await copy.tables.snapshot(table_id) == await store.tables.snapshot(table_id)
        await copy.close()
        await store.close()

    asyncio.run(main())


def test_a_backup_that_cannot_be_made_is_one_sentence(
    workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "there is no database data/bluffhouse.db" in run("store", "backup", "x.db", code=78)
    run("store", "migrate")
    assert "is the database itself" in run("store", "backup", "data/bluffhouse.db", code=2)
    monkeypatch.setenv("BLUFFHOUSE_DATABASE__URL", "postgresql://ann@localhost/cards")
    monkeypatch.setenv("PATH", "")
    assert "pg_dump is not installed here" in run("store", "backup", "x.db", code=78)


def test_doctor_reports_its_findings_without_secrets(
    workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "not there yet" in run("store", "doctor")
    run("store", "migrate")
    (workdir / "config.toml").write_text("[tables]\nlobby_minutes = 5\n")
    monkeypatch.setenv("DISCORD_TOKEN", "MTIz.abc")
    monkeypatch.setenv("BLUFFHOUSE_LOGS__LEVEL", "debug")
    output = " ".join(run("store", "doctor").split())
    assert f"SQLite {sqlite3.sqlite_version}, quick check passed, schema 0" in output
    assert "from config.toml; from the environment: BLUFFHOUSE_LOGS__LEVEL" in output
    assert "found (not shown)" in output
    assert "MTIz" not in output
    assert "BAD" not in output


def test_doctor_reports_a_database_that_is_broken_or_out_of_reach(
    workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (workdir / "data").mkdir()
    (workdir / "data" / "bluffhouse.db").write_bytes(b"not a database " * 100)
    assert "BAD  database" in run("store", "doctor", code=1)
    monkeypatch.setenv("BLUFFHOUSE_DATABASE__URL", "postgresql://ann:sesame@127.0.0.1:1/cards")
    output = run("store", "doctor", code=1)
    assert "moves are refused" not in output  # nobody plays at a doctor's
    assert "postgresql+asyncpg://ann:***@127.0.0.1:1/cards" in output
    assert "sesame" not in output
    monkeypatch.setenv("BLUFFHOUSE_DATABASE__URL", "mysql://ann:sesame@localhost/cards")
    output = run("store", "doctor", code=1)
    assert "expected e.g. sqlite:///" in " ".join(output.split())
    assert "sesame" not in output


def test_doctor_names_the_proxy_and_an_unusable_one(
    workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("HTTPS_PROXY", "https_proxy", "all_proxy", "NO_PROXY", "no_proxy"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("ALL_PROXY", "socks5://ann:sesame@proxy.example:1080")
    output = " ".join(run("store", "doctor", code=1).split())
    assert "BAD proxy ALL_PROXY names a SOCKS proxy, which isn't supported: expected one" in output
    assert "sesame" not in output
    monkeypatch.setenv("HTTPS_PROXY", "http://ann:sesame@proxy.example:3128")
    output = run("store", "doctor")
    assert "Discord is asked by http://proxy.example:3128" in output
    assert "sesame" not in output


def test_doctor_reports_in_advance_that_backups_will_fail(
    workdir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "backups" not in run("store", "doctor")
    monkeypatch.setenv("BLUFFHOUSE_BACKUPS__EVERY_HOURS", "24")
    assert "every 24 hours, in data/backups" in run("store", "doctor")
    (workdir / "taken").touch()
    monkeypatch.setenv("BLUFFHOUSE_BACKUPS__FOLDER", "taken")
    assert "BAD  backups    taken cannot be written" in run("store", "doctor", code=1)
    monkeypatch.setenv("BLUFFHOUSE_DATABASE__URL", "postgresql://ann@127.0.0.1:1/cards")
    monkeypatch.setenv("PATH", "")
    assert "pg_dump isn't installed here" in run("store", "doctor", code=1)


def test_a_wrong_setting_is_one_sentence_and_exit_code_78(workdir: Path) -> None:
    (workdir / "config.toml").write_text("[tables]\nlobby_minute = 5\n")
    for words in (("store", "migrate"), ("store", "doctor"), ("store", "backup", "x.db"), ("run",)):
        assert refusal(*words, code=78) == (
            "config.toml: there is no setting tables.lobby_minute; "
            "did you mean tables.lobby_minutes?"
        )


def test_doctor_names_a_damaged_table_and_repair_rebuilds_it_after_a_copy(workdir: Path) -> None:
    file = workdir / "data" / "bluffhouse.db"

    async def play() -> None:
        store = await SqlStore.open("sqlite:///data/bluffhouse.db")
        await playing(store)
        await store.close()

    asyncio.run(play())
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE tables SET players = '[1'")
    output = " ".join(run("store", "doctor", code=1).split())
    assert "Damaged: table 1: cannot be read in its row: players" in output
    assert "Stop the bot, then `bluffhouse store repair`" in output
    output = run("store", "repair")
    assert "A copy from before is in data/bluffhouse.db.before-repair." in output
    assert "Table 1 was closed, without a winner: its log cannot be replayed" in output
    with closing(sqlite3.connect(workdir / "data" / "bluffhouse.db.before-repair")) as copy:
        assert copy.execute("SELECT players FROM tables").fetchone() == ("[1",)
    assert run("store", "repair") == "Nothing is damaged: 0 open tables read and replayed.\n"
    assert "no open table" in run("store", "doctor")
