"""Patches read, applied to a copy of the tree, and judged by what their catchers say."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tests.sabotage import nursery

ROOT: Final = Path(__file__).resolve().parents[2]
PATCHES: Final = Path(__file__).parent / "patches"
TREE: Final = (*nursery.HOUSE, "docs", "pyproject.toml", "config.example.toml")
TESTS_FAILED: Final = 1  # pytest's exit code, and that of evenings and of crash
_FIELD: Final = re.compile(r"^(Breaks|Caught by|Says|Quick): (.+)$")
_KINDS: Final = {
    "pytest": ("pytest", "-x", "--no-header", "--tb=short"),
    "evenings": ("tests.evenings",),
    "crash": ("tests.crash",),
}


class Unfit(Exception):
    """A patch that cannot be used, and why."""


@dataclass(frozen=True)
class Catcher:
    """A command that must fail: a module and its arguments."""

    kind: str
    arguments: tuple[str, ...]

    @property
    def command(self) -> tuple[str, ...]:
        """What is run."""
        return (*_KINDS[self.kind], *self.arguments)

    def __str__(self) -> str:
        return " ".join((self.kind, *self.arguments))

    def evidence(self, said: str) -> str:
        """The part of what it said that tells what was found: failed assertions, by test or seed,
        or what a run with kills counts as wrong.

        Empty unless the very test that is named has failed: other trouble is no evidence.
        """
        if self.kind == "evenings":
            return "\n".join(re.findall(r"^seed \d+: .*$", said, re.MULTILINE))
        if self.kind == "crash":
            return "\n".join(re.findall(r"^WRONG .*$(?:\n {11}.*$)*", said, re.MULTILINE))
        if not any(f"FAILED {one}" in said for one in self.arguments):
            return ""
        return "\n".join(re.findall(r"^E  .*$", said, re.MULTILINE))


@dataclass(frozen=True)
class Sabotage:
    """One patch: what it breaks, who must catch it, and what they must say (an expression).

    `quick` ones are part of `make test`.
    """

    name: str
    file: Path
    breaks: str
    catchers: tuple[Catcher, ...]
    says: str
    quick: bool


def read(file: Path) -> Sabotage:
    """A patch's head. Raises `Unfit`."""
    fields: dict[str, list[str]] = {}
    for line in file.read_text().splitlines():
        if line.startswith(("diff ", "--- ")):
            break
        if found := _FIELD.match(line):
            fields.setdefault(found[1], []).append(found[2])
    for wanted in ("Breaks", "Caught by", "Says"):
        if wanted not in fields:
            raise Unfit(f"{file.name}: its head has no line such as '{wanted}: ...'")
    catchers = []
    for said in fields["Caught by"]:
        kind, *arguments = shlex.split(said)
        if kind not in _KINDS or not arguments:
            raise Unfit(f"{file.name}: expected e.g. 'Caught by: pytest tests/x.py::test_y'")
        catchers.append(Catcher(kind, tuple(arguments)))
    (breaks, *_), (says, *_) = fields["Breaks"], fields["Says"]
    return Sabotage(file.stem, file, breaks, tuple(catchers), says, "Quick" in fields)


def all_patches() -> list[Sabotage]:
    """Every patch there is, by name."""
    return [read(file) for file in sorted(PATCHES.glob("*.patch"))]


def copy_tree(to: Path) -> Path:
    """What the catchers need of the tree; with Python's own caches, which go by a file's time."""
    ignored = shutil.ignore_patterns("*.nbi", "*.nbc", "images", "node_modules")
    for name in TREE:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, to / name, ignore=ignored)
        else:
            to.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, to / name)
    return to


def apply(sabotage: Sabotage, tree: Path, *, check: bool = False) -> None:
    """Apply a patch to a tree (`check`: only see whether it could be). Raises `Unfit`."""
    # git would take a repository around the tree for the one that is meant
    environment = {"GIT_CEILING_DIRECTORIES": str(tree.parent), "PATH": _path()}
    said = subprocess.run(
        ["git", "apply", *(["--check"] if check else []), str(sabotage.file)],
        cwd=tree, env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if said.returncode:
        raise Unfit(f"{sabotage.name} does not apply any more: {said.stderr.strip()}")


def _path() -> str:
    git = shutil.which("git")
    if git is None:
        raise Unfit("patches are applied by git, and it is not on the path")
    return str(Path(git).parent)


def not_caught(sabotage: Sabotage, tree: Path, folder: Path) -> list[str]:
    """Which catchers did not find what is wrong with `tree`, the sabotaged one, and why."""
    missed = []
    for nth, catcher in enumerate(sabotage.catchers):
        ran = nursery.run(tree, catcher.command, folder / f"{sabotage.name}.{nth}.log")
        if ran.code == 0:
            missed.append(f"{catcher}: it found nothing")
        elif ran.code != TESTS_FAILED:
            missed.append(f"{catcher}: it ended with {ran.code}:\n{ran.said[-2000:]}")
        elif re.search(sabotage.says, catcher.evidence(ran.said)) is None:
            missed.append(f"{catcher}: it did not say {sabotage.says!r}:\n{ran.said[-2000:]}")
    return missed


def is_sound(catcher: Catcher, tree: Path, log: Path) -> str | None:
    """None if a catcher passes in `tree`, where nothing is sabotaged; else what it said."""
    ran = nursery.run(tree, catcher.command, log)
    return None if ran.code == 0 else f"{catcher}: without sabotage, too:\n{ran.said[-2000:]}"
