"""Read mutants, apply them to a copy of the tree, and judge them by what their catchers print.

A mutant names a file and a function, and quotes the lines that it replaces. So it still applies
when something else in the file changes.
"""

from __future__ import annotations

import ast
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[2]
MUTANTS: Final = Path(__file__).parent / "mutants.toml"
TREE: Final = (
    *("bot", "engine", "migrations", "tests", "benchmarks"),
    *("docs", "pyproject.toml", "config.example.toml"),
)
TESTS_FAILED: Final = 1  # exit code of pytest, sessions and crash
PATIENCE: Final = 1200.0  # seconds for one command, on a machine that is busy
_HEAD: Final = {"breaks", "caught_by", "says", "changes"}
_KINDS: Final = {
    "pytest": ("pytest", "-x", "--no-header", "--tb=short"),
    "sessions": ("tests.sessions",),
    "crash": ("tests.crash",),
}


class Unfit(Exception):
    """A mutant can't be used; the text says why."""


@dataclass(frozen=True)
class Catcher:
    """A command that must fail: a module and its arguments."""

    kind: str
    arguments: tuple[str, ...]

    @property
    def command(self) -> tuple[str, ...]:
        """The module and arguments for `python -m`."""
        return (*_KINDS[self.kind], *self.arguments)

    def __str__(self) -> str:
        return " ".join((self.kind, *self.arguments))

    def evidence(self, output: str) -> str:
        """Return the part of `output` that says what is wrong: assertions, seeds or counts.

        Return "" if there is none or, for pytest, if no named test failed: failing in another place
        is no evidence.
        """
        if self.kind == "sessions":
            return "\n".join(re.findall(r"^seed \d+: .*$", output, re.MULTILINE))
        if self.kind == "crash":
            return "\n".join(re.findall(r"^WRONG .*$(?:\n {11}.*$)*", output, re.MULTILINE))
        if not any(f"FAILED {test}" in output for test in self.arguments):
            return ""
        return "\n".join(re.findall(r"^E  .*$", output, re.MULTILINE))


@dataclass(frozen=True)
class Change:
    """A replacement of the lines `old` by the lines `new` in `file`.

    `old` must occur exactly once in the file, or in its function or class `within` if set.
    """

    file: str
    old: str
    new: str
    within: str = ""

    def apply_to(self, text: str) -> str:
        """Return the file's text with the change.

        Raises ValueError if `within` is gone or the old lines don't occur exactly once.
        """
        first, end = _lines_of(text, self.within)
        lines = text.splitlines(keepends=True)
        part = "".join(lines[first:end])
        if (times := part.count(self.old)) != 1:
            raise ValueError(f"its old lines stand {times} times in {self.within or 'the file'}")
        return "".join((*lines[:first], part.replace(self.old, self.new), *lines[end:]))


@dataclass(frozen=True)
class Mutant:
    """A mutant: what it breaks, the commands that must catch it, what they must print, its changes.

    `says` is a regular expression. A `quick` mutant is judged by a test of `make test`.
    """

    name: str
    breaks: str
    catchers: tuple[Catcher, ...]
    says: str
    changes: tuple[Change, ...]
    quick: bool


def _lines_of(text: str, within: str) -> tuple[int, int]:
    """Return the lines of the definition `within`, or of the whole file if `within` is empty.

    The result is the first line's index, from 0, and the index after the last line. Raises
    ValueError if there is no such definition.
    """
    node: ast.AST = ast.parse(text)
    for name in within.split(".") if within else ():
        named = (
            part
            for part in ast.walk(node)
            if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
            and part is not node
            and part.name == name
        )
        definition = next(named, None)
        if definition is None:
            raise ValueError(f"there is no {within}")
        node = definition
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return node.lineno - 1, node.end_lineno or node.lineno
    return 0, len(text.splitlines())


def _read(name: str, fields: dict[str, Any]) -> Mutant:
    """Read a mutant from its table in the file.

    Raises `Unfit` if the table lacks a field or has a catcher of an unknown form.
    """
    if missing := _HEAD - fields.keys():
        raise Unfit(f"{name}: {', '.join(sorted(missing))} is missing")
    catchers = []
    for caught_by in fields["caught_by"]:
        kind, *arguments = shlex.split(caught_by)
        if kind not in _KINDS or not arguments:
            raise Unfit(f"{name}: expected e.g. caught_by = ['pytest tests/x.py::test_y']")
        catchers.append(Catcher(kind, tuple(arguments)))
    changes = tuple(Change(**change) for change in fields["changes"])
    quick = fields.get("quick", False)
    return Mutant(name, fields["breaks"], tuple(catchers), fields["says"], changes, quick)


def all_mutants() -> list[Mutant]:
    """Read every mutant. Raises what `_read` raises."""
    return [_read(name, fields) for name, fields in tomllib.loads(MUTANTS.read_text()).items()]


def copy_tree(to: Path) -> Path:
    """Copy to the folder `to` what the catchers need, and return `to`.

    Python's bytecode caches are copied too; they stay valid, since the files keep their times.
    """
    ignored = shutil.ignore_patterns("*.nbi", "*.nbc", "images", "node_modules")
    for name in TREE:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, to / name, ignore=ignored)
        else:
            to.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, to / name)
    return to


def apply(mutant: Mutant, tree: Path) -> None:
    """Apply a mutant to a tree. Raises `Unfit` if one of its changes doesn't fit any more."""
    for change in mutant.changes:
        file = tree / change.file
        try:
            file.write_text(change.apply_to(file.read_text()))
        except (OSError, ValueError) as error:
            reason = f"{mutant.name} does not apply any more: {change.file}: {error}"
            raise Unfit(reason) from None


def undo(mutant: Mutant, tree: Path) -> None:
    """Restore a mutant's files with their times, so that Python's bytecode caches are valid."""
    for change in mutant.changes:
        shutil.copy2(ROOT / change.file, tree / change.file)


def run(command: tuple[str, ...], tree: Path) -> tuple[int | None, str]:
    """Run a module with its arguments in a tree, importing nothing from another tree.

    Return its exit code (None: it took too long) and its whole output.
    """
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    ran = subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=tree,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        output, _ = ran.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        os.killpg(ran.pid, signal.SIGKILL)
        output, _ = ran.communicate()
        return None, output.decode(errors="replace")
    return ran.returncode, output.decode(errors="replace")


def not_caught(mutant: Mutant, tree: Path) -> list[str]:
    """Return a sentence for each catcher that did not notice the mutant in `tree`."""
    missed = []
    for catcher in mutant.catchers:
        code, output = run(catcher.command, tree)
        if code == 0:
            missed.append(f"{catcher}: it found nothing")
        elif code != TESTS_FAILED:
            missed.append(f"{catcher}: it ended with {code}:\n{output[-2000:]}")
        elif re.search(mutant.says, catcher.evidence(output)) is None:
            missed.append(f"{catcher}: it did not say {mutant.says!r}:\n{output[-2000:]}")
    return missed


def is_sound(catcher: Catcher, tree: Path) -> str | None:
    """Return None if a catcher passes in `tree` without sabotage, else the end of its output."""
    code, output = run(catcher.command, tree)
    return None if code == 0 else f"{catcher}: without sabotage, too:\n{output[-2000:]}"
