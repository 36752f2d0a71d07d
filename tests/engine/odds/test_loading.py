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

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("package", [engine.odds, three_card])
def test_each_name_is_the_object_its_module_defines(package: ModuleType) -> None:
    assert len(package.__all__) > 20
    for name in package.__all__:
        value = getattr(package, name)
        assert name in dir(package)
        home = getattr(value, "__module__", None)
        if home and home.startswith("engine.odds"):
            assert getattr(import_module(home), name) is value


def test_a_name_that_is_not_listed_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match=r"'engine\.odds' has no attribute 'guess'"):
        engine.odds.guess  # type: ignore[attr-defined]  # noqa: B018


BIDS = """
from engine.odds import advise, bid_chance, bids, kind_chances, ladder_chances, showdown, three_card
from engine.variants import ruleset
rules = ruleset("liars_poker")
bid_chance(rules.ladder.bid("pair:3"), rules.deck, 12)
ladder_chances(rules.ladder, rules.deck, 12)
kind_chances(rules.ladder.kinds, rules.deck, 12)
advise(rules, 12)
print(bids.__name__, showdown.__name__, *sorted({"numba", "numpy"} & set(sys.modules)))
"""
SHOWDOWNS = """
from engine.cards import Cards
from engine.odds import matchup, parse_scenario, showdown_odds
print(matchup(Cards.parse("AdAc"), Cards.parse("KhKs")).win)
asked = ["AdAc", "KhKs"], ["AhKh", ""], ["AhKh", "QQ+, AKs@50"], ["AA,KK,AKs", "22+"]
print(*(showdown_odds(parse_scenario(one)).exact for one in asked), "numba" in sys.modules)
"""


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("program", "output"),
    [
        (BIDS, "engine.odds.bids engine.odds.showdown"),
        (SHOWDOWNS, "1388072\nTrue True True True False"),
    ],
)
def test_what_needs_no_compiler_waits_for_none(program: str, output: str) -> None:
    """Run each program in a process of its own, where nothing has been imported."""
    ended = subprocess.run(
        [sys.executable, "-c", f"import sys, engine.odds; dir(engine.odds){program}"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.stdout.strip(), ended.stderr) == (output, "")


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
