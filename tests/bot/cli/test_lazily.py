"""Commands imported when asked for: none is missing, and none says anything else for it."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib import import_module, metadata
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer
from packaging.requirements import Requirement
from packaging.version import Version
from typer.core import TyperCommand
from typer.testing import CliRunner

import bot.cli
from bot.cli import Analyses, Commands, Odds, app
from bot.cli.lazily import QuickCommand

ROOT = Path(__file__).parents[3]
GROUPS = (Commands, Odds, Analyses)


@pytest.mark.parametrize("group", GROUPS)
def test_every_command_that_a_module_adds_is_listed_with_its_module(group: Any) -> None:
    folder = Path(bot.cli.__path__[0])
    for module in folder.glob("*.py"):
        import_module(f"bot.cli.{module.stem}" if module.stem != "__init__" else "bot.cli")
    added = {
        info.name or typer.main.get_command_name(info.callback.__name__): info.callback.__module__
        for info in group.typer_of().registered_commands
        if info.callback is not None
    }
    assert added == {name: f"bot.cli.{home}" for name, home in group.homes.items()}


def test_a_group_lists_and_explains_commands_that_are_not_imported() -> None:
    shown = CliRunner().invoke(app, ["--help"]).stdout
    lines = [line.split()[0] for line in shown.splitlines() if line.startswith("  ")]
    assert [name for name in lines if name in Commands.homes] == [*Commands.homes]
    assert "Serve a real Discord server." in shown


def test_a_command_that_is_no_command_is_compared_with_all() -> None:
    said = CliRunner().invoke(app, ["rnu"]).stderr
    assert 'no such command "rnu". Did you mean "run"?' in " ".join(said.split())


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


def test_no_other_typer_is_installed_than_one_whose_inner_parts_are_known() -> None:
    """`lazily` replaces what typer does not document; with another name there it would do nothing.

    Who raises the bound looks at `bot/cli/lazily.py`, and at what a first answer takes.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    (wanted,) = (one for one in map(Requirement, project["dependencies"]) if one.name == "typer")
    installed = Version(metadata.version("typer"))
    assert wanted.specifier.contains(installed)
    following = f"{installed.major}.{installed.minor + 1}"
    assert not wanted.specifier.contains(following), f"typer {following} may have other inner parts"
    alone = typer.Typer(add_completion=False)
    alone.command("some", cls=QuickCommand)(_some)
    command: Any = typer.main.get_command(alone)
    parameters: list[Any] = TyperCommand.get_params(command, typer.Context(command))
    for parameter in parameters:
        assert callable(type(parameter).process_value)
        assert callable(parameter.value_is_missing)
        assert {"required", "multiple", "nargs", "callback"} <= set(dir(parameter))
        if parameter.name != "help":
            told = parameter.type_descriptor
            assert told.annotation is not None
            assert {"min", "max", "parser"} <= set(dir(told.parameter_info))
    (info,) = alone.registered_commands
    assert {"name", "callback", "cls"} <= set(dir(info))
    assert callable(typer.main.get_command_name)


def _outcome(kind: type[TyperCommand], function: Any, line: tuple[str, ...]) -> Any:
    """What a command of that kind calls `function` with, or what it says instead."""
    calls: list[dict[str, Any]] = []
    function.__globals__["_calls"] = calls
    alone = typer.Typer(add_completion=False, rich_markup_mode=None)
    alone.command("some", cls=kind)(function)
    result = CliRunner().invoke(alone, line)
    return calls[0] if calls else result.output


def _some(
    words: Annotated[list[str] | None, typer.Argument()] = None,
    whole: Annotated[int | None, typer.Option()] = None,
    within: Annotated[int, typer.Option(min=1, max=9)] = 3,
    part: Annotated[float, typer.Option()] = 0.5,
    file: Annotated[Path | None, typer.Option()] = None,
    yes: Annotated[bool, typer.Option("--yes/--no")] = False,
    many: Annotated[list[str] | None, typer.Option()] = None,
    loud: Annotated[str, typer.Option(callback=lambda text: text.upper())] = "as it is",
    parsed: Annotated[str, typer.Option(parser=lambda text: text[::-1])] = "abc",
) -> None:
    _calls.append(dict(locals()))  # type: ignore[name-defined]  # noqa: F821


def _wanted(word: Annotated[str, typer.Argument()], number: Annotated[int, typer.Option()]) -> None:
    _calls.append(dict(locals()))  # type: ignore[name-defined]  # noqa: F821


LINES = (
    (), ("a", "b"), ("--whole", "7"), ("--whole", "-7"), ("--whole", " 7"), ("--whole", "7.0"),
    ("--whole", "7.5"), ("--whole", "seven"), ("--whole", ""), ("--whole", "9" * 30),
    ("--within", "9"), ("--within", "10"), ("--part", "1.25"), ("--part", "1e-3"),
    ("--part", "nan"), ("--part", "x"), ("--file", "a.csv"), ("--yes",), ("--no",),
    ("--many", "x", "--many", "y"), ("--loud", "hey"), ("--parsed", "xyz"), ("--loud", ""),
    ("", "--whole", "+5"), ("--whole", "007"), ("--part", "٣"), ("--whole", "٣"),
)  # fmt: skip


@pytest.mark.parametrize("line", LINES)
def test_a_value_is_what_typer_makes_of_it(line: tuple[str, ...]) -> None:
    assert repr(_outcome(QuickCommand, _some, line)) == repr(_outcome(TyperCommand, _some, line))


@pytest.mark.parametrize("line", [(), ("a",), ("--number", "1"), ("a", "--number", "1")])
def test_what_is_missing_is_said_as_typer_says_it(line: tuple[str, ...]) -> None:
    assert _outcome(QuickCommand, _wanted, line) == _outcome(TyperCommand, _wanted, line)
