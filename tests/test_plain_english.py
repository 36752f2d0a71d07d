"""Names and docstrings read as English: no function is a participle, no variable a pronoun.

Ruff checks that a docstring begins with an imperative sentence (D401). This checks what Ruff can't:
names that sound like a translation, docstrings that begin with a clause, and names in backticks
that no longer exist.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
PACKAGES: Final = ("bot", "engine", "benchmarks", "tests")
PRONOUNS: Final = frozenset(
    """
    one found asked said told given made there here kept shown wanted done seen own more rest other
    what who
    """.split()  # noqa: SIM905 - a list of them would take a page
)
PARTICIPLE: Final = re.compile(
    r"_*[a-z]+(?:ed|wn|pt|ought|aid|old|ept|eft|een|ade)"
    r"(?:_(?:in|of|by|to|for|on|at|up|down|out))?"
)
NO_PARTICIPLES: Final = frozenset(
    """
    accept adopt between bold breakdown countdown crown down dropdown embed exceed excerpt feed
    fold grade green hold hurried indeed installed interrupt known left load markdown need own
    prompt proceed raid screen script seed seen showdown shutdown speed teardown threshold trade
    unfold unhurried updated_at upload
    """.split()  # noqa: SIM905
)
# names of columns, and of fields in stored digests
STORED: Final = {("Mistake", "asked"), ("Pair", "other"), ("PairLine", "other"), ("Proof", "found")}
CLAUSE: Final = re.compile(
    r"(What|Who|Whom|Whose|Those|That|How|Where|By|Of|So|As|It|Them|The same)\b"
)
Def = ast.FunctionDef | ast.AsyncFunctionDef


@cache
def parse(package: str) -> dict[str, ast.Module]:
    """Return the syntax trees of a package's modules by their paths, sorted."""
    names = {path.relative_to(ROOT).as_posix(): path for path in (ROOT / package).rglob("*.py")}
    return {name: ast.parse(names[name].read_text("utf-8")) for name in sorted(names)}


def nodes(*packages: str) -> Iterator[tuple[str, ast.AST]]:
    """Yield every node with its module's path."""
    for package in packages:
        for name in parse(package):
            for node in walk(package, name):
                yield name, node


@cache
def walk(package: str, name: str) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(parse(package)[name]))


@cache
def known_names() -> frozenset[str]:
    """Return the built-in names, and every word of the repository's sources and paths.

    Leave out words that occur only in backticks.
    """
    words = set(dir(builtins))
    for room in ("bot", "engine", "tests", "benchmarks", "migrations"):
        for path in (ROOT / room).rglob("*"):
            if "__pycache__" in path.parts:
                continue
            words.update(re.findall(r"\w+", path.relative_to(ROOT).as_posix()))
            if path.suffix in (".py", ".toml", ".pyi"):
                text = re.sub(r"`[^`\n]*`", " ", path.read_text("utf-8"))
                words.update(re.findall(r"\w+", text))
    for name in ("pyproject.toml", "Makefile", "config.example.toml"):
        words.update(re.findall(r"\w+", (ROOT / name).read_text("utf-8")))
    return frozenset(words)


def docstrings() -> Iterator[tuple[str, ast.AST, str]]:
    for name, node in nodes(*PACKAGES):
        if isinstance(node, Def | ast.Module | ast.ClassDef):
            text = ast.get_docstring(node)
            if text:
                yield f"{name}:{getattr(node, 'lineno', 1)}", node, text


def test_no_function_is_named_by_a_participle() -> None:
    wrong = [
        f"{name}:{node.lineno} {node.name}"
        for name, node in nodes(*PACKAGES)
        if isinstance(node, Def)
        and PARTICIPLE.fullmatch(node.name)
        and node.name.strip("_") not in NO_PARTICIPLES
    ]
    assert wrong == [], "name what it does (a verb) or what it gives (a noun)"


def test_no_variable_is_a_pronoun() -> None:
    stored = {
        id(part.target)
        for _, node in nodes(*PACKAGES)
        if isinstance(node, ast.ClassDef)
        for part in node.body
        if isinstance(part, ast.AnnAssign)
        and isinstance(part.target, ast.Name)
        and (node.name, part.target.id) in STORED
    }
    wrong = [
        f"{name}:{node.lineno} {node.id}"
        for name, node in nodes(*PACKAGES)
        if isinstance(node, ast.Name)
        and isinstance(node.ctx, ast.Store)
        and node.id in PRONOUNS
        and id(node) not in stored
    ]
    assert wrong == [], f"name the thing; no name is one of: {', '.join(sorted(PRONOUNS))}"


def is_command(node: ast.AST) -> bool:
    """Return whether a function is one of Discord's commands, whose docstring people see."""
    return isinstance(node, Def) and any(
        "app_commands.command" in ast.unparse(decorator) for decorator in node.decorator_list
    )


def test_no_docstring_begins_with_a_clause() -> None:
    wrong = [
        f"{where} {text.splitlines()[0]}"
        for where, node, text in docstrings()
        if not isinstance(node, ast.Module) and not is_command(node) and CLAUSE.match(text)
    ]
    assert wrong == [], "begin with the verb, or the noun"


def test_names_in_backticks_exist() -> None:
    wrong = [
        f"{where} `{quoted}`"
        for where, _, text in docstrings()
        for quoted in re.findall(r"`([A-Za-z_][A-Za-z0-9_.]*)`", text)
        if not set(quoted.split(".")) <= known_names()
    ]
    assert wrong == [], "name what is there"
