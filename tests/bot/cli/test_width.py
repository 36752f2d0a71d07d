"""Everything on the command line reads well in a terminal of 80 columns."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from bot.cli import app
from bot.cli.output import columns, paragraph
from tests.bot.cli.every_command import every_command
from tests.bot.cli.refused import one_sentence

ROOT = Path(__file__).parents[3]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
COMMAND = re.compile(r"(?:^|`)\s*bluffhouse ((?:odds|analyze) [^`\n]*)", re.MULTILINE)
TOO_LONG = "--exact -t 2"  # the page says that it takes eleven seconds
PAIRS = ", ".join(rank * 2 for rank in "23456789TJQKA")
MORE = (
    'odds liars --in-play 20 --known "2c 3c 4c 5c 7c"',
    "odds liars --in-play 27 --bid 'queen high diamond straight flush'",
    "odds liars --in-play 40 --known 2c3c4c5c6c7c8c9cTcJcQcKcAc2d3d4d5d6d7d8d9dTd",
    "odds liars --in-play 12 --kinds",
    "odds thai --in-play 9",
    "odds thai --in-play 5 --kinds",
    "odds three-card",
    "odds three-card --seats 6 --seat 2",
    "odds three-card --hand '6s 6d 6c' --play-from Q64",
    "odds showdown --game holdem -i 100 '' '' '' '' '' '' '' '' '' ''",
    f"odds showdown --game holdem -i 100 AhKh '{PAIRS}, AKs, AQs, AJs, ATs, A9s'",
    "analyze liars --min 6 --max 8 --samples 100",
    "analyze thai --max 24 --samples 100",
    "analyze three-card --seat 2 --mini-royal 50 --mini-royal-bonus 5",
)


def written() -> list[str]:
    """Every question of the odds in the README and the docs, without its remark."""
    found = [line for page in PAGES for line in COMMAND.findall(page.read_text())]
    plain = [re.split(r"\s{2,}|  #", line)[0].strip() for line in found]
    asked = {line for line in plain if len(line.split()) > 2 or line.endswith("three-card")}
    left_out = ("|", "FILE", "--json", TOO_LONG)
    return sorted(line for line in asked if not any(part in line for part in left_out))


def shown(*words: str) -> list[str]:
    result = CliRunner().invoke(app, words, env={"COLUMNS": "80"}, prog_name="bluffhouse")
    assert result.exit_code == 0, result.output
    assert result.stdout.strip()
    return result.stdout.splitlines()


def test_the_pages_have_questions_to_ask() -> None:
    assert len(written()) > 8


@pytest.mark.parametrize("question", [*written(), *MORE])
@pytest.mark.usefixtures("here")  # some questions write files
def test_no_answer_is_wider_than_80_columns(question: str) -> None:
    for line in shown(*shlex.split(question)):
        assert columns(line) <= 80, line


@pytest.mark.parametrize(
    "path", [words for words, _ in every_command()], ids=lambda path: " ".join(path) or "bluffhouse"
)
def test_help_is_whole_and_80_columns_wide(path: tuple[str, ...]) -> None:
    lines = shown(*path, "--help")
    for line in lines:
        assert columns(line) <= 80, line
        assert not re.search(r"[a-z,](\.\.\.|…)$", line), f"{line} is cut off"


def test_help_is_whole_in_a_terminal_too() -> None:
    """The runner above is a little wider than a terminal of 80 columns gives the command."""
    done = subprocess.run(
        [sys.executable, "-m", "bot", "--help"],
        cwd=ROOT,
        env=os.environ | {"COLUMNS": "80"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=True,
    )
    assert "sandbox" in done.stdout
    for line in done.stdout.splitlines():
        assert columns(line) <= 80, line
        assert not re.search(r"[a-z,](\.\.\.|…)$", line), f"{line} is cut off"


REFUSED = (
    "odds liars --in-play 99",
    "odds liars --in-play 12 --bid 'a bid that is not in this game at all'",
    "odds liars --in-play 12 --known 'Ah Zz'",
    "odds liars --in-play 12 --bid 33 --kinds",
    "odds thai --in-play 9 --known '*'",
    "odds showdown --game holdem AhKh AhQd",
    "odds three-card --hand 'Qs 6h'",
    "analyze liars --min 30 --max 2",
    "odds nothing",
    "nothing",
)


@pytest.mark.parametrize("question", REFUSED)
@pytest.mark.usefixtures("here")
def test_no_refusal_is_wider_than_80_columns(question: str) -> None:
    result = CliRunner().invoke(app, shlex.split(question), prog_name="bluffhouse")
    assert result.exit_code == 2
    assert one_sentence(result.stderr)
    assert all(columns(line) <= 80 for line in result.stderr.splitlines())


def test_the_example_after_too_many_cards_in_play_can_be_typed() -> None:
    command = ["odds", "liars", "--in-play"]
    refused = one_sentence(CliRunner().invoke(app, [*command, "99"]).stderr)
    example = refused.rpartition("Example: ")[2]
    assert CliRunner().invoke(app, [*command, example]).exit_code == 0


def test_a_paragraph_is_wrapped_and_keeps_figures_whole() -> None:
    lines = paragraph("word " * 15 + "95.0% and more", indent="- ", hanging="  ").splitlines()
    assert [line[:2] for line in lines] == ["- ", "  "]
    assert lines[1].strip() == "95.0% and more"


def test_wide_and_combining_characters_are_counted_as_they_are_shown() -> None:
    assert columns("ab█♠") == 4
    assert columns("张伟") == 4
    assert columns("e\u0301") == 1
