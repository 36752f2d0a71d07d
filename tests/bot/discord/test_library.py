"""What is used of discord.py beyond what it promises: all there, and all in one list."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.discord.library import LINES, UNPROMISED

BOT = Path(__file__).parents[3] / "bot"
FILES = sorted([BOT / "app.py", *(BOT / "discord").rglob("*.py")])
# modules of the library that its documentation does not know
INNER = {f"discord.{name}" for name in ("http", "gateway", "shard", "state", "webhook", "backoff")}
LISTED = {name.rpartition(".")[2] for name in UNPROMISED}


def is_there(name: str) -> bool:
    """Whether the installed library has this, as an attribute or as what an object is given."""
    parts = name.split(".")
    for size in range(len(parts) - 1, 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:size]))
        except ModuleNotFoundError:
            continue
        *path, last = parts[size:]
        for part in path:
            found = getattr(found, part)
        return hasattr(found, last) or f"self.{last}" in inspect.getsource(found)
    return False


@pytest.mark.parametrize("name", UNPROMISED)
def test_the_installed_library_has_what_is_used_of_it(name: str) -> None:
    assert is_there(name)


def test_a_name_that_is_not_there_is_missed() -> None:
    assert not is_there("discord.http.Route.BASIS")
    assert not is_there("discord.state.ConnectionState._renamed")


@pytest.mark.parametrize("logger", LINES)
def test_the_library_still_says_what_is_said_otherwise_here(logger: str) -> None:
    source = inspect.getsource(importlib.import_module(logger))
    assert [line for line in LINES[logger] if line not in source] == []


def unpromised(tree: ast.Module) -> Iterator[str]:
    """Names of the library's own that a module uses."""
    ours = own_names(tree).union(*map(own_names, parents_of(tree)))
    for one in ast.walk(tree):
        if isinstance(one, ast.ImportFrom) and one.module in INNER:
            yield from (name.name for name in one.names if name.name[0].isupper())
        if not isinstance(one, ast.Attribute):
            continue
        inner = isinstance(one.value, ast.Attribute) and one.value.attr == "http"
        private = one.attr.startswith("_") and not one.attr.startswith("__")
        own = ast.unparse(one.value) in ("self", "cls", "super()")
        if inner or (private and not (own and one.attr in ours)):
            yield one.attr


def own_names(tree: ast.Module) -> set[str]:
    """What a module's classes give themselves: attributes and methods."""
    return {
        one.attr for one in ast.walk(tree) if isinstance(one, ast.Attribute) and is_stored(one)
    } | {
        one.name
        for one in ast.walk(tree)
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def parents_of(tree: ast.Module) -> Iterator[ast.Module]:
    """Our own modules from which a module has the base of a class."""
    bases = {
        base.id
        for one in ast.walk(tree)
        if isinstance(one, ast.ClassDef)
        for base in one.bases
        if isinstance(base, ast.Name)
    }
    for one in ast.walk(tree):
        if isinstance(one, ast.ImportFrom) and (one.module or "").startswith("bot."):
            file = BOT.parent.joinpath(*str(one.module).split(".")).with_suffix(".py")
            if bases & {name.name for name in one.names} and file.exists():
                yield ast.parse(file.read_text(encoding="utf-8"))


def is_stored(one: ast.Attribute) -> bool:
    """Whether this gives one of its object's own attributes a value."""
    return (
        isinstance(one.ctx, ast.Store)
        and isinstance(one.value, ast.Name)
        and one.value.id == "self"
    )


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(BOT)))
def test_nothing_else_of_it_is_used(file: Path) -> None:
    used = set(unpromised(ast.parse(file.read_text(encoding="utf-8"))))
    used -= {"Route", "DiscordWebSocket"}  # of which attributes are listed
    assert used <= LISTED


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(BOT)))
def test_every_select_of_a_form_says_whether_it_is_required(file: Path) -> None:
    """The library and Discord have different defaults, and the next version another one."""
    for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        name = call.func.attr if is_call_of_ui(call) else ""  # type: ignore[attr-defined]
        if name.endswith("Select") or name in ("RadioGroup", "CheckboxGroup", "FileUpload"):
            assert "required" in {one.arg for one in call.keywords}, call.lineno  # type: ignore[attr-defined]


def is_call_of_ui(one: ast.AST) -> bool:
    """Whether this makes a part of a form or message."""
    func = one.func if isinstance(one, ast.Call) else None
    return isinstance(func, ast.Attribute) and ast.unparse(func.value) in ("ui", "discord.ui")
