"""A further game is a file of its own: nothing else knows the two there are."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from engine.variants import VARIANTS

ROOT = Path(__file__).parents[2]
WORD = re.compile(
    "|".join([*VARIANTS, *(v.title for v in VARIANTS.values()), "liars?'?_?poker", "thai", "liar"]),
    re.IGNORECASE,
)
# entry points of the odds take a game's name from the command line
SPARED = ("engine/variants/", "engine/odds/")
SOURCES = [
    path
    for package in ("engine", "bot/tables")
    for path in sorted((ROOT / package).rglob("*.py"))
    if not path.relative_to(ROOT).as_posix().startswith(SPARED)
]
ALLOWED = {"engine", "numba", "numpy"} | {
    *("__future__", "collections", "dataclasses", "difflib", "enum", "functools", "hashlib"),
    *("hmac", "importlib", "itertools", "json", "math", "re", "string", "typing", "unicodedata"),
}


def name(path):
    return path.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_nothing_but_its_own_file_names_a_variant(path):
    found = WORD.findall(path.read_text(encoding="utf-8"))
    assert found == [], f"{name(path)} names {found}"


def test_there_are_sources_to_look_at():
    assert {"engine/play.py", "engine/wording.py", "bot/tables/ports.py"} <= set(map(name, SOURCES))
    assert WORD.search("if key == 'thai_poker'")


@pytest.mark.parametrize(
    "path", [path for path in SOURCES if name(path).startswith("engine/")], ids=name
)
def test_the_engine_imports_only_itself_and_what_needs_no_machine(path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imported = {
        alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    } | {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {module.partition(".")[0] for module in imported} <= ALLOWED
    assert "bot" not in imported


@pytest.mark.parametrize("path", [p for p in SOURCES if name(p).startswith("engine/")], ids=name)
def test_only_the_variants_and_those_who_are_asked_know_of_variants(path):
    assert "engine.variants" not in path.read_text(encoding="utf-8")
