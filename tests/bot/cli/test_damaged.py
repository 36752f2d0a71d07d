"""Commands on a database with damaged rows: each works on the sound rows, without a traceback."""

from __future__ import annotations

import asyncio
import re
import shutil
from contextlib import ExitStack, chdir
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click
import pytest
from click.testing import CliRunner

from bot.cli import app
from bot.storage import schema
from bot.storage.store import SqlStore
from tests.bot.cli.every_command import every_command
from tests.bot.storage.damages import damaged_meanwhile, victims, ways
from tests.bot.storage.homes import Home, furnish

FILE: Final = Path("data/bluffhouse.db")
# with the arguments that ask about the sound home, in an order in which they may follow
ASKED: Final[dict[str, tuple[str, ...]]] = {
    "store migrate": (),
    "people export": ("{person}",),
    "replay": ("{match}",),
    "verify": ("{match}",),
    "store backup": ("copy.db",),
    "store move": (str(FILE), "moved.db"),
    "store doctor": (),
    "store rebuild": (),
    "people delete": ("{person}", "--yes"),
    "store repair": (),
}
# these may find something, and say so by their exit code
# 78: another database takes no such row
FINDS: Final = {"store move": (0, 1, 78), "store doctor": (0, 1), "store rebuild": (0, 1)}
NO_DATABASE: Final = {
    *("odds", "analyze", "play", "simulate"),
    "setup",
    *("run", "sandbox"),  # as the house of tests runs them: tests/bot/test_damage_seen.py
}

# every tenth table is damaged at once: those are far from each other, unlike a match's parts
TOGETHER: Final = 10


def test_every_command_is_asked() -> None:
    leaves = {
        " ".join(words)
        for words, command in every_command()
        if words[:1] not in [("odds",), ("analyze",)] and not isinstance(command, click.Group)
    }
    assert leaves | {"odds", "analyze"} == {*ASKED, *NO_DATABASE}


@dataclass(frozen=True)
class StoreFile:
    """A database file with the data of two servers.

    `sound`: the exit code and output of each command about the first server, before any damage.
    """

    file: Path
    homes: tuple[Home, Home]
    sound: dict[str, tuple[int, str]]


@pytest.fixture(scope="module")
def store_file(tmp_path_factory: pytest.TempPathFactory) -> StoreFile:
    folder = tmp_path_factory.mktemp("house")
    (folder / FILE.parent).mkdir()

    async def fill() -> tuple[Home, Home]:
        store = await SqlStore.open(f"sqlite:///{folder / FILE}")
        homes = await furnish(store)
        await store.close()
        return homes

    homes = asyncio.run(fill())
    with chdir(folder):
        sound = {
            name: run_command(name, homes[0])[:2] for name in ("people export", "replay", "verify")
        }
    return StoreFile(folder / FILE, homes, sound)


def run_command(command: str, home: Home) -> tuple[int, str, BaseException | None]:
    """Run a command about a server; return its exit code, its output and its exception, if any."""
    ids = {"person": home.people[0], "match": home.matches[0]}
    arguments = [part.format(**ids) for part in ASKED[command]]
    process = CliRunner().invoke(app, [*command.split(), *arguments])
    return process.exit_code, process.output, process.exception


@pytest.mark.long
@pytest.mark.parametrize("first", range(TOGETHER))
def test_beside_damaged_rows_commands_do_their_work(
    workdir: Path, store_file: StoreFile, first: int
) -> None:
    home, damaged_home = store_file.homes
    FILE.parent.mkdir()
    shutil.copy(store_file.file, FILE)
    tables = schema.metadata.sorted_tables[first::TOGETHER]

    async def keys() -> list[list[dict[str, object]]]:
        store = await SqlStore.open(f"sqlite:///{FILE}")
        rows_hit = [await victims(store.database, table, damaged_home) for table in tables]
        await store.close()
        return rows_hit

    with ExitStack() as damages:
        named = []
        for table, rows in zip(tables, asyncio.run(keys()), strict=True):
            columns = damages.enter_context(damaged_meanwhile(FILE, table, rows))
            if {column.name for column in table.c if next(ways(column, sqlite=True)).is_noticed} & {
                *columns
            }:
                named.append(table.name)
        looked = run_command("store doctor", home)
        assert looked[0] == (1 if named else 0), looked
        for name in named:
            assert re.search(rf"{name} |Damaged: table \d", " ".join(looked[1].split()))
        for name in ASKED:
            code, output, raised = run_command(name, home)
            assert raised is None or isinstance(raised, SystemExit), (name, repr(raised))
            assert code in FINDS.get(name, (0,)), (name, code, output)
            assert (code == 78) == ("nothing was moved" in output), (name, output)
            assert (code, output) == store_file.sound.get(name, (code, output))
