"""Commands imported when asked for: none is missing, and a wrong name is compared with all."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import bot.cli
from bot.cli import app
from bot.cli.groups import LazyGroup
from tests.bot.cli.every_command import every_command


def test_every_command_that_a_module_has_is_called_by_some_words() -> None:
    made = {
        (path.stem, name)
        for path in Path(bot.cli.__path__[0]).glob("*.py")
        for name, value in vars(import_module(f"bot.cli.{path.stem}")).items()
        if isinstance(value, click.Command) and path.stem != "__init__"
    }
    listed = {
        tuple(home.split("."))
        for _, group in every_command()
        if isinstance(group, LazyGroup)
        for home in group.homes.values()
    }
    of_groups = {
        (group.name, command.name)
        for _, group in every_command()
        if isinstance(group, click.Group) and not isinstance(group, LazyGroup)
        for command in group.commands.values()
    }
    assert made == listed | of_groups
    assert ("store", "doctor") in of_groups
    assert ("odds_showdown", "showdown") in listed


def test_a_group_lists_and_explains_commands_that_are_not_imported() -> None:
    shown = CliRunner().invoke(app, ["--help"]).stdout
    lines = [line.split()[0] for line in shown.splitlines() if line.startswith("  ")]
    assert [name for name in lines if name in app.homes] == [*app.homes]
    assert "Serve a real Discord server." in shown


@pytest.mark.parametrize(
    ("typed", "meant"),
    [(["rnu"], "run"), (["odds", "showdwon"], "showdown"), (["odds", "thia"], "thai")],
)
def test_a_command_that_is_no_command_is_compared_with_all(typed: list[str], meant: str) -> None:
    said = CliRunner().invoke(app, typed).stderr
    assert f'no such command "{typed[-1]}". Did you mean "{meant}"?' in " ".join(said.split())


def test_a_group_without_a_command_shows_its_help() -> None:
    done = CliRunner().invoke(app, ["store"])
    assert done.exit_code == 2
    assert done.stderr == CliRunner().invoke(app, ["store", "--help"]).stdout


@pytest.mark.parametrize(
    ("arguments", "absent"),
    [
        (["odds", "liars", "--in-play", "12", "--known", "Ah Kd"], "numpy"),
        (["odds", "thai", "--in-play", "9", "--bid", "big straight", "--json"], "numpy"),
        (["odds", "showdown", "--game", "holdem", "-n", "2", "--seed", "1", "AhAd"], "matplotlib"),
        (["odds", "showdown", "--game", "holdem", "-p", "2c3d4h", "AdAc", "KhKs"], "numba"),
    ],
)
def test_an_answer_waits_for_no_machinery(arguments: list[str], absent: str) -> None:
    heavy = {"pydantic", "structlog", "rich", "asyncio", "discord", "sqlalchemy", absent}
    program = f"""
import sys
from bot.__main__ import main
sys.argv = ["bluffhouse", *{arguments!r}]
try:
    main()
finally:
    found = {heavy!r} & set(sys.modules)
    print(found, file=sys.stderr)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stderr.decode().strip() == "set()"
