"""`bluffhouse odds showdown` with --hits, --keep, --curve, --grid of ranges, --pot and --call."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import pytest

from tests.bot.cli.refused import one_sentence
from tests.bot.cli.test_odds_showdown import answer, run

FLOP = ("--game", "holdem", "-p", "9h 5h 2c")
TURN = ("--game", "holdem", "-p", "9h 5h 2c 2d")


def found(*arguments: str) -> Any:
    return answer(*arguments)


def heading(*arguments: str) -> str:
    """What is said of the players before the answer, in one line."""
    return " ".join(run(*arguments).stdout.split("Exact")[0].replace("\u00a0", " ").split()) + " "


def test_hits_tell_what_a_range_has_made_and_draws_to() -> None:
    (told,) = found(*FLOP, "AhKd", "QQ+, QJs, 99", "--hits")["hits"]
    assert (told["player"], told["hands"]) == (2, 19)
    assert told["made"]["overpair"] == {"hands": 12, "share": pytest.approx(12 / 19)}
    assert told["made"]["set"]["hands"] == 3
    assert told["draws"]["flush_draw"]["hands"] == 1
    shown = run(*FLOP, "AhKd", "QQ+, QJs, 99", "--hits").stdout
    assert "What player 2 has made on 9h 5h 2c, of 19 hands" in shown
    rows = [line.split()[:-1] for line in shown.splitlines() if line.startswith(("over", "gut"))]
    assert rows == [["overpair", "12", "63.2"], ["overcards", "4", "21.1"]]
    assert "straight flush  " not in shown.split("What player 2")[1]  # which nobody has


def test_of_unknown_cards_every_hand_is_told() -> None:
    told = found(*TURN, "AhKd", "", "KcKs", "--hits")["hits"]
    assert [(one["player"], one["hands"]) for one in told] == [(2, 44 * 43 // 2)]


def test_keep_narrows_the_last_range_and_says_it_as_it_would_be_typed() -> None:
    hands = (*TURN, "AhKd", "22+, A2s+, KTs+, AJo+")
    kept = run(*hands, "--keep", "two pair+, flush draw").stdout
    said = heading(*hands, "--keep", "two pair+, flush draw")
    text = said.split("Player 2: ")[1].split(" (")[0]
    again = run(*TURN, "AhKd", text).stdout
    assert again.split("Exact")[1] == kept.split("Exact")[1]
    whole = found(*hands, "--hits")["hits"][0]
    (told,) = found(*hands, "--keep", "full houses", "--hits")["hits"]
    assert told["hands"] == whole["made"]["full_house"]["hands"] > 0


def test_keep_is_about_a_range_that_was_typed_before_anybody_unknown() -> None:
    alone = heading(*TURN, "22+", "--keep", "two pair+")
    assert "Player 1: 99, 55, 22" in alone
    assert "Player 2: unknown" in alone
    assert "Player 2: 99, 92s, 55" in heading(*TURN, "AhKd", "", "--keep", "full house")


def test_how_a_range_was_understood_takes_a_few_lines_at_most() -> None:
    said = heading(*TURN, "AhKd", "", "--keep", "top pair+")
    meant = said.rpartition(" hands): ")[2]
    assert meant.endswith("… ")
    assert len(meant) < 170


def test_a_call_is_told_in_one_line() -> None:
    hands = (*TURN, "AhKh", "QcQd")
    told = found(*hands, "--pot", "60", "--call", "20")
    held = told["players"][0]["value"]
    assert told["call"] == {
        "pot": 60,
        "call": 20,
        "needed": 0.25,
        "held": held,
        "worth": pytest.approx(80 * held - 20),
    }
    (line,) = (
        line
        for line in run(*hands, "--pot", "7.5", "--call", "2.5").stdout.splitlines()
        if line.startswith("To call")
    )
    assert line.startswith("To call 2.5 into 7.5: needs 25.0%, has ")
    behind = run(*TURN, "7c7d", "QcQd", "--pot", "10", "--call", "10").stdout
    assert "worth −9.09" in behind
    sampled = run(*hands, "--pot", "60", "--call", "20", "-i", "1000").stdout
    assert " ± " in next(line for line in sampled.splitlines() if line.startswith("To call"))


def test_a_grid_of_two_ranges_has_the_kinds_of_the_first() -> None:
    hands = (*TURN, "QQ+, AKs", "88, AKo", "--grid")
    grid = found(*hands)["grid"]
    assert [one["hand"] for one in grid] == ["AA", "AKs", "KK", "QQ"]
    assert "in % of each hand of player 1" in run(*hands).stdout
    assert "in % against each hand" in run(*TURN, "QcQd", "88", "--grid").stdout


def test_an_equity_curve_is_a_table_json_and_a_picture(tmp_path: Path) -> None:
    hands = (*TURN, "AhKd", "QQ, 7c6c, AcQc", "--curve")
    curve = found(*hands)["curve"]
    assert (curve["player"], curve["of_own_hands"]) == (1, False)
    values, parts = zip(*curve["points"], strict=True)
    assert list(values) == sorted(values, reverse=True)
    assert parts[-1] == 1
    lines = run(*hands).stdout.split("by part of the hands they meet\n")[1].splitlines()
    assert [line.split()[0] for line in lines] == [f"{step}%" for step in range(10, 101, 10)]
    own = run(*TURN, "AA, 72o", "KK", "--curve").stdout
    assert "Player 1 has at least so much of the pot, by part of their own hands" in own
    heights = []
    for name, more in (("without", ()), ("with", ("--curve",))):
        file = tmp_path / f"{name}.png"
        assert run(*hands[:-1], *more, "--chart", str(file)).exit_code == 0
        heights.append(struct.unpack(">II", file.read_bytes()[16:24])[1])
    assert heights[1] > heights[0] + 300


def test_a_split_pot_says_how_often_one_is_quartered() -> None:
    hands = ("--game", "omaha8", "-p", "4c 5d 8s", "AsAh2s3h", "Ad2cKdKc")
    one, other = found(*hands)["players"]
    assert one["quartered"] == other["three_quarters"] > 0
    assert other["quartered"] == one["three_quarters"] > one["quartered"]
    shown = run(*hands).stdout
    assert "\nThree quarters     61.3    15.6\nQuartered          15.6    61.3\n" in shown


def test_eight_players_of_stud_are_told_that_they_share_a_card() -> None:
    shown = run("--game", "stud", "AsAhKd", *[""] * 7, "-i", "100").stdout
    assert "Public cards: 1 (1 usable): the last card is everybody's" in shown
    assert "everybody's" not in run("--game", "stud", "AsAhKd", *[""] * 6, "-i", "100").stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--game", "holdem", "AhKd", "QQ", "--hits"], "on a flop or turn of hold'em"),
        ([*FLOP, "AhKd", "QcQd", "--hits"], "no range and no unknown hand"),
        ([*FLOP, "AhKd", "QcQd", "--keep", "set"], "no range and no unknown hand"),
        ([*FLOP, "AhKd", "QQ", "--keep", "sett"], '"sett" is nothing that a hand makes'),
        ([*FLOP, "AhKd", "QQ", "--keep", "air"], '"air" leaves no hand of the range'),
        ([*FLOP, "AhKd", "QQ", "--pot", "60"], "give both as numbers"),
        ([*FLOP, "AhKd", "QQ", "--pot", "nan", "--call", "1"], "give both as numbers"),
        ([*FLOP, "AhKd", "QQ", "--pot", "60", "--call", "0"], "a call of more than 0"),
        ([*FLOP, "AhKd", "QcQd", "--curve"], "an equity curve is for two players"),
    ],
)
def test_what_cannot_be_told_is_one_sentence_with_an_example(
    arguments: list[str], sentence: str
) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    said = one_sentence(result.stderr)
    assert sentence in said
    assert "Example: " in said
