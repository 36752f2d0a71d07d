"""`people export` and `people delete` as a host runs them."""

from __future__ import annotations

import asyncio
import json
import os
import stat
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot.cli import app
from bot.storage.files import LockFile
from bot.storage.store import SqlStore
from bot.tables.model import Change, Ending, MatchStatus, Player, PlayerResult, Status
from tests.bot.cli.refused import one_sentence
from tests.bot.storage.moves import lobby, next_version, playing
from tests.bot.storage.persons import noted
from tests.bot.storage.raw_bytes import found

pytestmark = pytest.mark.usefixtures("here")
ANN, BOB = 81_384_788_765_712_384, 1_102_030_405_060_708_090
FILE = Path("data/bluffhouse.db")


def run(*arguments: str, code: int = 0, typed: str = "") -> str:
    result = CliRunner().invoke(app, arguments, input=typed)
    assert result.exit_code == code, result.output
    return result.output


async def house(*, seated: bool = False) -> None:
    """A match that Ann lost to Bob; `seated`: she sits in a lobby, too."""
    FILE.parent.mkdir(exist_ok=True)
    store = await SqlStore.open(f"sqlite:///{FILE}")
    await noted(store, Player(ANN, "Annabella"))
    table = await playing(store, players=(ANN, BOB), host_id=ANN)
    done = Ending(MatchStatus.WON, (PlayerResult(BOB, 1, 1), PlayerResult(ANN, 2, 1)))
    await store.tables.commit(Change(next_version(table, status=Status.CLOSED), ending=done))
    if seated:
        await store.tables.open(lobby(players=(ANN,), guild_id=7, channel_id=8), None)
    await store.close()


def test_everything_stored_of_a_person_is_printed_or_written() -> None:
    asyncio.run(house())
    document = json.loads(run("people", "export", str(ANN)))
    assert (document["name"], len(document["matches"])) == ("Annabella", 1)
    said = run("people", "export", str(ANN), "ann.json")
    assert said.startswith(f"Everything stored of {ANN} is in ann.json (")
    assert json.loads(Path("ann.json").read_text()) == document
    assert "cannot be written" in run("people", "export", str(ANN), "no/where.json", code=2)


@pytest.mark.skipif(sys.platform == "win32", reason="other rights")
@pytest.mark.parametrize("there", [False, True])
def test_an_export_is_for_whoever_made_it_alone_also_over_a_file_that_others_could_read(
    there: bool,
) -> None:
    asyncio.run(house())
    file, before = Path("ann.json"), os.umask(0o022)
    try:
        if there:
            file.write_text("of another day")
            file.chmod(0o644)
        run("people", "export", str(ANN), file.name)
    finally:
        os.umask(before)
    assert json.loads(file.read_text())["name"] == "Annabella"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_an_export_beside_a_running_bot_is_made() -> None:
    asyncio.run(house())
    held = LockFile(FILE)
    held.take()
    assert json.loads(run("people", "export", str(BOB)))["id"] == str(BOB)
    held.release()


def test_deletion_asks_first_and_leaves_nothing() -> None:
    asyncio.run(house())
    assert "nothing was deleted" in run("people", "delete", str(ANN), code=1, typed="n\n")
    assert "text" in found(FILE, ANN)
    said = run("people", "delete", str(ANN), typed="y\n")
    assert "Matches in which a nameless player has their place now: 1;" in said
    assert "Backups made before this" in said
    assert found(FILE, ANN, "Annabella") == set()
    assert run("people", "delete", str(ANN), "--yes") == f"Nothing is stored of {ANN}.\n"


def test_nobody_is_deleted_from_a_seat_at_a_live_table() -> None:
    asyncio.run(house(seated=True))
    said = one_sentence(run("people", "delete", str(ANN), "--yes", code=75))
    assert "plays at a live table in channel 8 of server 7" in said
    assert json.loads(run("people", "export", str(ANN)))["name"] == "Annabella"


def test_deletion_beside_a_running_bot_is_refused() -> None:
    asyncio.run(house())
    held = LockFile(FILE)
    held.take()
    said = one_sentence(run("people", "delete", str(ANN), code=75))  # before it asks
    assert f"in use by another Bluffhouse (process {os.getpid()})" in said
    held.release()


@pytest.mark.parametrize("typed", ["Ann", "12", "0", "1" * 25, "²" * 18, "<@81384788765712384>"])
@pytest.mark.parametrize("command", ["export", "delete"])
def test_what_is_no_id_is_one_sentence_with_an_example(command: str, typed: str) -> None:
    said = one_sentence(run("people", command, typed, code=2))
    assert "is no Discord id: expected the number that Copy User ID gives" in said
    assert "for example 81384788765712384" in said


def test_a_database_that_is_not_there_or_too_old_is_one_sentence() -> None:
    assert "there is no database" in run("people", "export", str(ANN), code=78)
    import sqlite3
    from contextlib import closing

    asyncio.run(house())
    with closing(sqlite3.connect(FILE)) as file, file:
        file.execute("UPDATE alembic_version SET version_num = '0003'")
    assert "`bluffhouse store migrate` brings it there" in run(
        "people", "export", str(ANN), code=78
    )
