"""`bluffhouse analyze preflop`: grids, the CSV file, the chart and the refusals."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from PIL import Image

from bot.cli import app
from tests.bot.cli.refused import one_sentence


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["analyze", "preflop", *arguments])


def test_without_wishes_every_hand_is_shown_against_a_random_one() -> None:
    shown = run().stdout
    lines = shown.splitlines()
    assert lines[1].split() == list("AKQJT98765432")
    assert lines[2].split()[:3] == ["A", "85", "67"]  # aces 85.20%, AKs 67.04%
    assert "Most: AA 85.20, KK 82.40, QQ 79.93" in shown
    assert shown.rstrip().endswith("32o 32.30")
    assert all(len(line) <= 80 for line in lines)


@pytest.mark.parametrize("typed", ["AKs", "kas", "AKS"])
def test_one_hand_is_shown_against_each(typed: str) -> None:
    lines = run("--hand", typed).stdout.splitlines()
    assert lines[0].startswith("Share of the pot in % of AKs against each hand")
    assert lines[2].split()[:2] == ["A", "12"]  # against aces
    assert run("--hand", "1010").stdout.startswith("Share of the pot in % of TT")


def test_the_csv_file_has_every_two_kinds(tmp_path: Path) -> None:
    file = tmp_path / "preflop.csv"
    assert run("--csv", str(file)).exit_code == 0
    lines = file.read_text("utf-8").splitlines()
    assert lines[0] == "hand,against,pairs,win,tie,value"
    assert len(lines) == 1 + 169 * 169
    rows = {tuple(line.split(",")[:2]): line.split(",")[2:] for line in lines[1:]}
    pairs, win, tie, value = rows["AA", "KK"]
    assert int(pairs) == 36
    assert float(value) == pytest.approx((int(win) + int(tie) / 2) / 36 / 1_712_304)
    assert float(value) + float(rows["KK", "AA"][3]) == pytest.approx(1)


def test_the_chart_has_a_cell_for_every_two_kinds(tmp_path: Path) -> None:
    file = tmp_path / "preflop.png"
    assert run("--chart", str(file)).exit_code == 0
    with Image.open(file) as picture:
        assert min(picture.size) > 169 * 8
        red, _, blue = picture.convert("RGB").getpixel((66 + 8 * 150 + 4, 130 + 4))  # type: ignore[misc]
        assert blue > red  # aces against a weak hand
        red, _, blue = picture.convert("RGB").getpixel((66 + 4, 130 + 8 * 150 + 4))  # type: ignore[misc]
        assert red > blue


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--hand", "AAs"], "is not one of the 169 kinds"),
        (["--hand", "AK"], "is not one of the 169 kinds"),
        (["--csv", "x.txt"], "does not end in .csv"),
        (["--chart", "x.jpg"], "does not end in .png"),
    ],
)
def test_bad_input_is_one_sentence_with_an_example(arguments: list[str], sentence: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    said = one_sentence(result.stderr)
    assert sentence in said
    assert "Example: " in said
