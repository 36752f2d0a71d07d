"""The public names of the odds: one list, loaded when first used, known to type checkers."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import engine.odds
from engine.odds import three_card
from engine.odds.loading import names_when_used

NAMES: list[str] = engine.odds.__all__  # type: ignore[attr-defined]
ROOT = Path(__file__).parents[3]
USES_EVERY_WAY = """
import engine.odds
from engine.odds import Chance, bid_chance, bids, house_edge, showdown, three_card
from engine.odds.bids.exact import bid_chance as same

chance: Chance = engine.odds.Chance(1, 2)
wrong: str = engine.odds.Chance(1, 2)
engine.odds.no_such_name
"""


@pytest.mark.parametrize(
    ("package", "name"),
    [(package, name) for package in (engine.odds, three_card) for name in package.__all__],
)
def test_each_name_is_the_object_its_module_defines(package: ModuleType, name: str) -> None:
    found = getattr(package, name)
    assert name in dir(package)
    home = getattr(found, "__module__", None)
    if home and home.startswith("engine.odds"):
        assert getattr(import_module(home), name) is found


def test_the_names_are_those_of_the_readme_and_of_the_pages() -> None:
    assert len(NAMES) == len(set(NAMES)) >= 40
    assert {"bid_chance", "bid_table", "showdown_odds", "house_edge"} <= set(NAMES)
    assert sorted(NAMES) == NAMES


def test_a_name_that_is_not_listed_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match=r"'engine\.odds' has no attribute 'guess'"):
        engine.odds.guess  # type: ignore[attr-defined]  # noqa: B018


@pytest.mark.parametrize("room", ["bids", "showdown", "three_card"])
def test_the_rooms_can_be_imported_from_the_package(room: str) -> None:
    done = python(f"from engine.odds import {room}; print({room}.__name__)")
    assert (done.stdout.strip(), done.stderr) == (f"engine.odds.{room}", "")


def test_nothing_is_compiled_before_a_name_needs_it() -> None:
    done = python(
        "import sys, engine.odds; engine.odds.bid_chance; dir(engine.odds);"
        "print(sorted({'numba', 'numpy'} & set(sys.modules)))"
    )
    assert (done.stdout.strip(), done.stderr) == ("[]", "")


@pytest.mark.long
def test_type_checkers_know_the_names_from_the_same_list(tmp_path: Path) -> None:
    asking = tmp_path / "asking.py"
    asking.write_text(USES_EVERY_WAY, encoding="utf-8")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "mypy", "--strict", "--no-error-summary"),
            *("--config-file", str(ROOT / "pyproject.toml"), "--follow-imports=silent"),
            *("--cache-dir", str(tmp_path / "cache"), str(asking)),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    problems = [line.split(": ", 1)[1] for line in done.stdout.splitlines()]
    assert [problem.split("  [")[0] for problem in problems] == [
        'error: Incompatible types in assignment (expression has type "Chance",'
        ' variable has type "str")',
        'error: Module has no attribute "no_such_name"',
    ]


@pytest.mark.parametrize(
    "line",
    [
        "from engine.cards import Card",
        "from engine.cards import Card as Kart",
        "from engine.cards import Card as Card, Cards as Cards",
        "from .cards import Card as Card",
        "import engine.cards",
        "Card: int",
    ],
)
def test_a_stub_with_anything_else_is_refused(monkeypatch: pytest.MonkeyPatch, line: str) -> None:
    stub = f'"""Names."""\n\nfrom engine.cards import DeckSpec as DeckSpec\n{line}\n'
    monkeypatch.setattr("engine.odds.loading.get_data", lambda *of: stub.encode())
    with pytest.raises(ImportError, match="expected one name a line, such as `from engine"):
        names_when_used("engine")


def test_a_package_whose_stub_was_left_behind_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.odds.loading.get_data", lambda *of: None)
    with pytest.raises(ImportError, match="engine is not whole"):
        names_when_used("engine")


def python(program: str) -> subprocess.CompletedProcess[str]:
    """A program in a process of its own, where nothing is imported yet."""
    return subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
