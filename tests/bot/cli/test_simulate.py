"""`bluffhouse simulate`: its figures as text and JSON, and its refusals."""

from __future__ import annotations

import csv
import json
import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image

from bot.cli import app
from bot.cli.output import WIDTH, columns
from engine.players.kernels.network import WEIGHTS
from engine.players.networks import SETS, network_of
from tests.bot.cli.refused import one_sentence, refusal, run_and_print


def run(*words: str, game: str = "thai") -> str:
    return run_and_print("simulate", "--game", game, *words)


def refusal_of(*words: str, game: str = "thai") -> str:
    return refusal("simulate", "--game", game, *words)


def figures(*words: str, game: str = "thai") -> dict:
    document: dict = json.loads(run(*words, "--json", game=game))
    assert document.pop("matches_per_second") > 0
    return document


@pytest.mark.long
def test_json_has_every_figure_and_the_same_ones_for_the_same_seed() -> None:
    words = ("--players", "network,careful,careful", "--matches", "6", "--duplicate")
    document = figures(*words, "--seed", "5")
    assert list(document) == ["game", "matches", "seed", "duplicate", "players"]
    assert (document["game"], document["matches"], document["seed"]) == ("thai", 6, 5)
    assert document["duplicate"] is True
    network, careful = document["players"]
    assert list(network) == [
        *("name", "seats", "wins", "share", "low", "high", "fair", "bluffs", "challenges")
    ]
    assert (network["name"], network["seats"], careful["seats"]) == ("network", 1, 2)
    assert network["wins"] + careful["wins"] == 6
    assert network["share"] == pytest.approx(network["wins"] / 6)
    assert network["low"] <= network["share"] <= network["high"]
    assert network["fair"] == pytest.approx(1 / 3)
    assert figures(*words, "--seed", "5") == document
    assert figures(*words, "--seed", "6") != document


@pytest.mark.long
def test_whole_deals_are_played_and_the_output_says_so() -> None:
    command = "simulate --game thai --players careful,sly,wild --matches 10 --duplicate"
    result = CliRunner().invoke(app, command.split())
    assert result.exit_code == 0
    assert "12 matches: 2 deals, each in all 6 seatings" in result.stdout
    sentence = one_sentence(result.stderr)
    assert sentence == "bluffhouse: 12 matches were played, not 10: whole deals of 6 matches each."


@pytest.mark.thorough
def test_the_table_fits_a_terminal_and_says_how_it_was_played() -> None:
    names = "network,careful,sly,wild,truthful,hider,threshold,random"
    text = run("--players", names, "--matches", "32", "--duplicate", game="liars")
    assert all(columns(line) <= WIDTH for line in text.splitlines())
    assert "32 matches: 2 deals, each in 16 of 40,320 seatings" in " ".join(text.split())
    for name in names.split(","):
        assert re.search(rf"^{name} +1 +\d+ ", text, re.MULTILINE)
    alone = run("--players", "careful,sly", "--matches", "1")
    assert "1 match, each with a deal and an order of its own" in alone


def test_options_of_the_game_are_played() -> None:
    words = ("--players", "careful,hider", "--matches", "40", "--duplicate")
    usual = figures(*words, game="liars")
    others = figures(*words, "--option", "jokers=0", "--option", "middle-hand=yes", game="liars")
    assert usual["players"] != others["players"]


@pytest.mark.thorough
def test_csv_and_chart_are_written(tmp_path: Path) -> None:
    words = ("--players", "careful,hider,hider", "--matches", "9", "--duplicate", "--json")
    table, chart = tmp_path / "shares.csv", tmp_path / "shares.png"
    result = CliRunner().invoke(
        app, ["simulate", "--game", "thai", *words, "--csv", str(table), "--chart", str(chart)]
    )
    document = json.loads(result.stdout)
    assert result.stderr.splitlines() == [f"Wrote {table}", f"Wrote {chart}"]
    with table.open(newline="") as text:
        rows = list(csv.DictReader(text))
    for row, player in zip(rows, document["players"], strict=True):
        assert (row["name"], row["matches"], row["duplicate"]) == (player["name"], "9", "True")
        for key in ("wins", "share", "low", "high", "fair", "bluffs", "challenges"):
            assert float(row[key]) == player[key]
    with Image.open(chart) as picture:
        assert picture.size[0] == 1080
        assert len(picture.convert("RGB").getcolors(1 << 20) or ()) > 20


def test_another_network_takes_a_seat(tmp_path: Path) -> None:
    file = tmp_path / "mine.npy"
    np.save(file, network_of("thai_poker").weights)
    words = ("--matches", "20", "--duplicate")
    mine = figures("--players", "weights,careful", "--weights", str(file), *words)
    shipped = figures("--players", "network,careful", *words)
    assert mine["players"][0] | {"name": "network"} == shipped["players"][0]


def test_an_invalid_weights_file_is_refused(tmp_path: Path) -> None:
    words = ("--players", "weights,careful", "--weights")
    gone, text, wrong = (tmp_path / name for name in ("gone.npy", "text.npy", "wrong.npy"))
    text.write_text("not an array")
    np.save(wrong, np.zeros(WEIGHTS - 1, np.float32))
    assert "can't be read: No such file" in refusal_of(*words, str(gone))
    assert "isn't an .npy file. Example: --weights network.npy" in refusal_of(*words, str(text))
    assert f"expected {SETS * WEIGHTS} numbers" in refusal_of(*words, str(wrong))
    assert refusal_of("--players", "weights,careful").startswith(
        "weights plays by a file of its own"
    )
    assert refusal_of("--players", "sly,careful", "--weights", str(wrong)).startswith(
        "--weights needs the player weights at the table"
    )


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            "--players sharp,carefull",
            'there\'s no computer player "carefull"; did you mean careful? There are careful, sly,',
        ),
        ("--players sharp,,sly", "a name is empty; there are careful"),
        ("--players sharp", "2 to 10 can play, not 1. Example: --players careful,sly"),
        ("--players sharp,sly --matches 0", "--matches is 1 to 1,000,000,000, not 0. Example"),
        ("--players sharp,sly --seed -1", "--seed is 0 to 4,294,967,295, not -1. Example"),
        ("--players sharp,sly --option jokers=2", 'Thai Poker has no option "jokers"; it has two'),
        ("--players sharp,sly --option length=9", "option length is whole, one_more or first_out"),
    ],
)
def test_bad_options_are_refused_in_one_sentence(words: str, expected: str) -> None:
    assert refusal_of(*words.split()).startswith(expected)


def test_an_unknown_game_is_refused() -> None:
    assert refusal_of("--players", "sharp,sly", game="whist") == (
        '--game is liars or thai, not "whist". Example: --game liars'
    )


@pytest.mark.thorough
def test_ctrl_c_prints_the_results_so_far() -> None:
    """Press Ctrl+C once the progress bar has begun; it is drawn if standard error is a terminal."""
    ours, theirs = pty.openpty()
    command = "simulate --game thai --players careful,hider --matches 900000000 --duplicate --json"
    process = subprocess.Popen(
        [sys.executable, "-m", "bot", *command.split()],
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
        env=os.environ | {"TERM": "xterm", "COLUMNS": "100"},
    )
    os.close(theirs)
    terminal_bytes = b""
    while not re.search(rb"[1-9][\d,]* matches", terminal_bytes):
        terminal_bytes += os.read(ours, 4096)
    process.send_signal(signal.SIGINT)
    try:
        while chunk := os.read(ours, 4096):
            terminal_bytes += chunk
    except OSError:  # Linux says so when the other end is closed
        pass
    printed, _ = process.communicate()
    os.close(ours)
    assert process.returncode == 130
    document = json.loads(printed)
    assert 0 < document["matches"] < 900_000_000
    assert sum(player["wins"] for player in document["players"]) == document["matches"]
    assert b"stopped after " in terminal_bytes
