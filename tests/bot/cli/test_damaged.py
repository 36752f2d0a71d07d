"""Beside damaged rows every command about the rest does its work; none ends in a traceback."""

from __future__ import annotations

import asyncio
import re
import shutil
from pathlib import Path
from typing import Final

import pytest
from sqlalchemy import Table as SqlTable
from typer.testing import CliRunner

from bot.cli import Commands, app
from bot.storage import schema
from bot.storage.store import SqlStore
from tests.bot.storage.damages import damaged_meanwhile, victims, ways
from tests.bot.storage.homes import Home, furnished

FILE: Final = Path("data/bluffhouse.db")
# with the arguments that ask about the sound home, in an order in which they may follow
ASKED: Final[dict[str, tuple[str, ...]]] = {
    "migrate": (),
    "export-user": ("{person}",),
    "replay": ("{match}",),
    "verify": ("{match}",),
    "backup": ("copy.db",),
    "migrate-store": (str(FILE), "moved.db"),
    "doctor": (),
    "rebuild-records": (),
    "delete-user": ("{person}", "--yes"),
    "repair": (),
}
# these may find something, and say so by their exit code
FINDS: Final = {"migrate-store": (0, 78), "doctor": (0, 1), "rebuild-records": (0, 78)}
NO_DATABASE: Final = {
    *("odds", "analyze", "play", "simulate"),
    *("run", "sandbox"),  # as the house of tests runs them: tests/bot/test_damage_seen.py
}


def test_every_command_is_asked() -> None:
    there = {*Commands.homes, *(group.name for group in app.registered_groups)}
    assert there == {*ASKED, *NO_DATABASE}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, tuple[Home, Home]]:
    file = tmp_path_factory.mktemp("house") / "house.db"

    async def fill() -> tuple[Home, Home]:
        store = await SqlStore.open(f"sqlite:///{file}")
        homes = await furnished(store)
        await store.close()
        return homes

    return file, asyncio.run(fill())


def said_by(command: str, home: Home) -> tuple[int, str, BaseException | None]:
    """Its exit code, what it prints without what is of the other home, and what it raises."""
    given = {"person": home.people[0], "match": home.matches[0]}
    arguments = [one.format(**given) for one in ASKED[command]]
    done = CliRunner().invoke(app, [command, *arguments])
    return done.exit_code, done.output, done.exception


@pytest.mark.parametrize("table", schema.metadata.sorted_tables, ids=lambda table: table.name)
def test_beside_damaged_rows_commands_do_their_work(
    here: Path, house: tuple[Path, tuple[Home, Home]], table: SqlTable
) -> None:
    whole, (home, other) = house
    FILE.parent.mkdir()
    expected = {}
    for name in ("export-user", "replay", "verify"):
        shutil.copy(whole, FILE)
        expected[name] = said_by(name, home)[:2]
    shutil.copy(whole, FILE)

    async def keys() -> list[dict[str, object]]:
        store = await SqlStore.open(f"sqlite:///{FILE}")
        found = await victims(store.database, table, other)
        await store.close()
        return found

    found = asyncio.run(keys())
    seen = {one.name for one in table.c if next(ways(one, sqlite=True)).seen}
    with damaged_meanwhile(FILE, table, found) as columns:
        looked = said_by("doctor", home)
        assert looked[0] == (1 if seen & {*columns} else 0), looked
        if looked[0]:
            assert re.search(rf"{table.name} |Damaged: table \d", " ".join(looked[1].split()))
        for name in ASKED:
            code, output, raised = said_by(name, home)
            assert raised is None or isinstance(raised, SystemExit), (name, repr(raised))
            assert code in FINDS.get(name, (0,)), (name, code, output)
            if name in expected:
                assert (code, output) == expected[name]
