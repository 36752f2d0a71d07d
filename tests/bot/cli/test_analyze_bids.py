"""`bluffhouse analyze liars` and `bluffhouse analyze thai`."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image

from bot.cli import app
from bot.cli.reports.kind_tables import KindTable, verdicts
from engine.cards import Cards
from engine.odds import bid_chance, holdings, kind_table
from engine.variants import ruleset
from tests.bot.cli.refused import one_sentence

runner = CliRunner()
DECKS = {54: ruleset("liars_poker"), 52: ruleset("liars_poker", {"jokers": 0})}
THAI = ruleset("thai_poker")
HANDS = [
    "A. High Card",
    "B. Pair",
    "C. Two Pair",
    "D. Three of a Kind",
    "E. Flush",
    "F. Straight",
    "G. Full House",
    "H. Four of a Kind",
    "I. Straight Flush",
    "J. Five of a Kind",
]


def run(*words: str) -> str:
    result = runner.invoke(app, ["analyze", *words])
    assert result.exit_code == 0, result.output
    return result.stdout


def refusal(*words: str) -> str:
    result = runner.invoke(app, ["analyze", *words])
    assert (result.exit_code, result.stdout) == (2, "")
    return one_sentence(result.stderr).removeprefix("bluffhouse: ")


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(newline="") as text:
        return list(csv.DictReader(text))


def test_the_csv_is_the_articles(tmp_path: Path) -> None:
    file = tmp_path / "odds.csv"
    run("liars", "--csv", str(file))
    assert file.read_text().splitlines()[0] == "Deck,CardsPerGame,Hand,Probability"
    found = rows(file)
    assert len(found) == 2 * 30 * 10
    assert [row["Deck"] for row in found] == ["54-card deck"] * 300 + ["52-card deck"] * 300
    assert [row["Hand"] for row in found[:10]] == HANDS
    assert [int(row["CardsPerGame"]) for row in found[:300:10]] == list(range(6, 36))
    known = {(row["Deck"], row["CardsPerGame"], row["Hand"]): row for row in found}
    pair = float(known["52-card deck", "6", "B. Pair"]["Probability"])
    assert pair == pytest.approx(0.655, abs=5e-4)
    three = float(known["54-card deck", "10", "D. Three of a Kind"]["Probability"])
    assert three == pytest.approx(0.4825, abs=5e-5)
    assert float(known["52-card deck", "35", "J. Five of a Kind"]["Probability"]) == 0


@pytest.mark.parametrize(
    ("words", "fewest", "most"),
    [
        ("liars", 6, 35),
        ("liars --players 6 --middle-hands 1", 6, 35),
        ("liars --players 4 --middle-hands 0", 4, 20),
        ("liars --players 10 --middle-hands 0", 4, 50),
        ("liars --min 8 --max 12", 8, 12),
        ("liars --max 9", 6, 9),
        ("thai", 2, 20),
        ("thai --players 3", 4, 18),
        ("thai --min 5 --max 24", 5, 24),
    ],
)
def test_the_cards_in_play_come_from_the_players_or_are_given(
    words: str, fewest: int, most: int, tmp_path: Path
) -> None:
    file = tmp_path / "odds.csv"
    run(*words.split(), "--csv", str(file))
    numbers = sorted({int(row["CardsPerGame"]) for row in rows(file)})
    assert (numbers[0], numbers[-1]) == (fewest, most)


def test_thai_poker_has_its_own_deck_and_kinds(tmp_path: Path) -> None:
    file = tmp_path / "odds.csv"
    run("thai", "--csv", str(file))
    found = rows(file)
    assert {row["Deck"] for row in found} == {"24-card deck"}
    assert [row["Hand"] for row in found[:9]] == [
        "A. High Card",
        "B. Pair",
        "C. Straight",
        "D. Three of a Kind",
        "E. Full House",
        "F. Flush",
        "G. Four of a Kind",
        "H. Straight Flush",
        "I. Royal Flush",
    ]


def test_the_four_claims_are_judged_for_both_decks() -> None:
    tables = [
        KindTable(size, kind_table(DECKS[54].ladder.kinds, rules.deck, range(6, 36)), {})
        for size, rules in DECKS.items()
    ]
    found = [[finding.split(".")[0] for finding in v.findings] for v in verdicts(tables)]
    judged = [["does not hold" not in finding for finding in findings] for findings in found]
    assert judged == [[False, True], [False, True], [True, True], [False, False]]


def test_the_claims_are_put_in_words() -> None:
    shown = " ".join(run("liars", "--min", "6", "--max", "7").split())
    assert "54-card deck: does not hold. At 10 they are still flush 35.1%" in shown
    assert "they are closest at 12: three of a kind 63.8%, straight 64.9%" in shown
    assert "52-card deck: holds. They are closest at 10: flush 22.7%" in shown
    assert "a full house is likelier than a flush with 6 to 9 cards" in shown
    assert "52-card deck: holds, with 12 to 35 cards; from 17 on a flush is certain." in shown
    assert "It is 65.5% at 6, and 95.0% are first passed at 10 (98.1%)." in shown
    assert "It is 72.8% at 6" in shown


def test_a_sample_stands_beside_the_exact_figures_and_depends_on_its_seed() -> None:
    words = ("thai", "--min", "6", "--max", "7", "--samples", "4000")
    first = run(*words, "--seed", "3")
    lines = first.splitlines()
    heads = [" ".join(line.split()[:2]) for line in lines[3:9]]
    assert heads == ["6 exact", "sampled 100.00", "± s.e.", "7 exact", "sampled 100.00", "± s.e."]
    (summary,) = [line for line in lines if line.startswith("Largest deviation")]
    assert float(summary.split()[2]) < 4
    assert run(*words, "--seed", "3") == first
    assert run(*words, "--seed", "4") != first


@pytest.mark.parametrize(("game", "width"), [("liars", 1500), ("thai", 900)])
def test_the_chart_is_a_small_picture(game: str, width: int, tmp_path: Path) -> None:
    file = tmp_path / "odds.png"
    shown = run(game, "--min", "6", "--max", "12", "--samples", "200", "--chart", str(file))
    assert f"Wrote {file}" in shown
    with Image.open(file) as image:
        assert image.size == (width, 1100)
        colours = image.convert("RGB").getcolors(1 << 20)
        assert colours is not None
        assert len(colours) > 20  # something is drawn
    assert file.stat().st_size < 200_000


def test_every_answer_can_be_written_as_one_array(tmp_path: Path) -> None:
    file = tmp_path / "answers.npy"
    shown = run("thai", "--max", "3", "--answers", str(file), "--holding", "2")
    said = "68 bids × 301 holdings × 0 to 24 in play, from 135,000 bytes of tables"
    assert said in " ".join(shown.split())  # where the line breaks, the folder's name decides
    answers = np.load(file)
    assert (answers.shape, answers.dtype) == ((68, 301, 25), np.dtype(np.int32))
    known = holdings(THAI.deck, 2)
    for number, place, in_play in ((11, 0, 8), (11, 24, 8), (13, 200, 12), (67, 300, 20)):
        bid = list(THAI.ladder)[number]
        chance = bid_chance(bid, THAI.deck, in_play, Cards(int(known[place])))
        assert answers[number, place, in_play] == chance.favourable


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("liars --players x", '--players is a whole number, not "x". Example: --players 6'),
        ("liars --players 11", "2 to 10 can play, not 11. Example: --players 6"),
        ("liars --middle-hands -1", "0 to 9 middle hands, not -1. Example: --middle-hands 1"),
        (
            "liars --players 10 --middle-hands 1",
            "55 cards can be in play with 10 players and --middle-hands 1, but a deck has 52. "
            "Example: --players 6",
        ),
        ("liars --players=", '--players is a whole number, not "". Example: --players 6'),
        ("liars --seed x", '--seed is a whole number, not "x". Example: --seed 7'),
        ("liars --max 53", "6 to 53 cards in play do not fit 1 to 52. Example: --min 6 --m"),
        ("thai --middle-hands 1", 'no such option "--middle-hands"'),
        (f"thai --csv {'x' * 5000}/odds.csv", f'there is no folder "{"x" * 40}…". Example: '),
        ("liars --players 6 --min 6", "give either the players or the numbers of cards. Example: "),
        ("liars --min 9 --max 6", "9 to 6 cards in play do not fit 1 to 52. Example: --min 6 --m"),
        ("thai --min 0", "0 to 20 cards in play do not fit 1 to 24. Example: --min 6 --max 24"),
        ("thai --samples 0", "1 to 1,000,000,000 deals can be sampled, not 0. Example: 10000"),
        ("thai --samples few", '--samples is a whole number, not "few". Example: --samples 10000'),
        ("thai --samples 10 --seed -4", "a seed is 0 to 18446744073709551615, not -4. Example: 7"),
        ("thai --chart odds.bmp", '"odds.bmp" does not end in .png. Example: odds.png'),
        ("thai --holding 24", "a holding has 0 to 7 cards, not 24. Example: 6"),
        ("thai --answers odds.txt", '"odds.txt" does not end in .npy. Example: odds.npy'),
        ("thai --csv nowhere/odds.csv", 'there is no folder "nowhere". Example: odds.csv'),
    ],
)
def test_bad_input_is_refused_in_one_sentence(words: str, sentence: str) -> None:
    assert refusal(*words.split()).startswith(sentence)


def test_a_file_that_cannot_be_written_is_said_so(tmp_path: Path) -> None:
    folder = tmp_path / "folder.csv"
    folder.mkdir()
    kept = tmp_path / "folder.npy"
    kept.mkdir()
    for option, path in (("--csv", folder), ("--answers", kept)):
        result = runner.invoke(app, ["analyze", "thai", option, str(path)])
        assert result.exit_code == 2
        assert "cannot be written: Is a directory" in one_sentence(result.stderr)
