"""`bluffhouse odds history`, which reads files of hands: its tables, JSON and refusals."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot.cli import app
from tests.bot.cli.refused import json_of, refusal, run_and_print
from tests.engine.odds.showdown.test_hand_history import HOLDEM, OMAHA, PHH

run, answer = partial(run_and_print, "odds", "history"), partial(json_of, "odds", "history")
refused = partial(refusal, "odds", "history")


@pytest.fixture
def hands(tmp_path: Path) -> Path:
    file = tmp_path / "hands.txt"
    file.write_text(f"\N{ZERO WIDTH NO-BREAK SPACE}{HOLDEM}", encoding="utf-8")
    return file


def test_a_hand_is_shown_street_by_street(hands: Path) -> None:
    lines = run(str(hands)).splitlines()
    assert lines[0] == "Hand 243490149326, Hold'em"
    assert "Dead cards: 2d 2c" in lines
    assert [line.split()[0] for line in lines[-4:]] == ["Preflop", "Flop", "Turn", "River"]
    document = answer(str(hands))
    (hand,) = document["hands"]
    assert hand["game"] == "holdem"
    assert [street["street"] for street in hand["streets"]] == ["preflop", "flop", "turn", "river"]
    assert sorted(hand["streets"][-1]["values"]) == [0, 1]


def test_hands_that_cannot_be_used_are_left_out_and_counted(hands: Path) -> None:
    hands.write_text(f"{HOLDEM}\n\n{OMAHA}\nPokerStars Hand #3: Razz Limit\n", encoding="utf-8")
    result = CliRunner().invoke(app, ["odds", "history", str(hands)])
    assert result.exit_code == 0
    assert result.stdout.count("Street by street") == 2
    assert "1 of 3 hands left out" in result.stderr


def test_a_file_of_several_hands_in_phh_is_read(hands: Path) -> None:
    hands.write_text(f"[1]\n{PHH}\n[2]\nvariant = 'FB'\n[3]\n{PHH}", encoding="utf-8")
    result = CliRunner().invoke(app, ["odds", "history", str(hands)])
    assert [line for line in result.stdout.splitlines() if line.startswith("Hand ")] == [
        "Hand 1, Hold'em",
        "Hand 3, Hold'em",
    ]
    assert "1 of 3 hands left out" in result.stderr
    document = answer(str(hands))
    hands.write_text(HOLDEM, encoding="utf-8")
    (same,) = answer(str(hands))["hands"]
    assert document["hands"][0]["streets"] == same["streets"]


def test_hands_come_from_standard_input_too() -> None:
    result = CliRunner().invoke(app, ["odds", "history", "-"], input=HOLDEM)
    assert "Hand 243490149326" in result.stdout


def test_a_file_without_hands_is_refused_in_one_sentence(hands: Path, tmp_path: Path) -> None:
    assert "can't be read" in refused(str(tmp_path / "missing.txt"))
    hands.write_text("nothing", encoding="utf-8")
    assert "has no hand in PokerStars' text or in PHH" in refused(str(hands))
    hands.write_text(PHH.replace("NT", "FB"), encoding="utf-8")
    assert 'not of "FB". Example: variant = "NT"' in refused(str(hands))
    hands.write_text("PokerStars Hand #1: Razz\nPokerStars Hand #2: Razz\n", encoding="utf-8")
    assert "none of the 2 hands" in refused(str(hands))
    hands.write_text("PokerStars Hand #1: Razz", encoding="utf-8")
    assert "not of other games" in refused(str(hands))
