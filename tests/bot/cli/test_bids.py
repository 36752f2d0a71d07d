"""`bluffhouse odds` and `bluffhouse analyze` of bids, for both games."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image

from bot.cli import app
from bot.cli.reports.bid_ladder import ladder_lines, runs
from bot.cli.reports.kind_tables import KindTable, verdicts
from bot.language.words import percent
from engine.bids import Kind
from engine.cards import Cards
from engine.odds import bid_chance, holdings, kind_chances, kind_table, seat_odds
from engine.variants import ruleset
from tests.bot.cli.refused import one_sentence

# -- odds ------------------------------------------------------------------------------------------

runner = CliRunner()
LIARS = ruleset("liars_poker")
THAI = ruleset("thai_poker")


def run(*words: str) -> str:
    result = runner.invoke(app, ["odds", *words])
    assert result.exit_code == 0, result.output
    return result.stdout


def run_json(*words: str) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(run(*words, "--json"))
    return answer


def refusal(*words: str) -> str:
    """The one sentence in which a bad question is refused, with exit code 2."""
    result = runner.invoke(app, ["odds", *words])
    assert (result.exit_code, result.stdout) == (2, "")
    return one_sentence(result.stderr).removeprefix("bluffhouse: ")


def test_the_json_of_a_ladder_has_every_bid_weakest_first() -> None:
    answer = run_json("liars", "--in-play", "12", "--known", "Ah Kd *")
    assert list(answer) == ["game", "deck", "in_play", "known", "bids"]
    assert answer["game"] == "liars"
    assert (answer["deck"], answer["in_play"], answer["known"]) == (54, 12, ["Ah", "Kd", "*"])
    assert [bid["key"] for bid in answer["bids"]] == [bid.key for bid in LIARS.ladder]
    rungs = [bid["rung"] for bid in answer["bids"]]
    assert rungs == sorted(rungs)
    assert sorted(set(rungs)) == list(range(1, 329))
    for entry, bid in list(zip(answer["bids"], LIARS.ladder, strict=True))[::50]:
        chance = bid_chance(bid, LIARS.deck, 12, Cards.parse("Ah Kd *"))
        assert entry == {
            "rung": LIARS.ladder.number(bid),
            "kind": str(bid.kind),
            "key": bid.key,
            "text": LIARS.wording.say(bid),
            "favourable": chance.favourable,
            "total": chance.total,
            "probability": chance.probability,
        }


def test_bids_of_equal_strength_share_a_rung_in_the_json() -> None:
    bids = run_json("liars", "--in-play", "9")["bids"]
    flushes = [bid["rung"] for bid in bids if bid["key"].startswith("flush:8")]
    assert len(flushes) == 4
    assert len(set(flushes)) == 1


@pytest.mark.parametrize(
    ("words", "deck", "bids"),
    [
        (("liars",), 54, 385),
        (("liars", "--jokers", "2"), 54, 385),
        (("liars", "--jokers", "0"), 52, 372),
        (("liars", "--jokers", "0", "--flush-card", "highest"), 52, 372),
        (("thai",), 24, 68),
    ],
)
def test_the_json_names_the_deck_and_has_all_its_bids(
    words: tuple[str, ...], deck: int, bids: int
) -> None:
    answer = run_json(*words, "--in-play", "9")
    assert (answer["deck"], len(answer["bids"])) == (deck, bids)
    assert answer["known"] == []


def test_one_bid_is_one_entry() -> None:
    answer = run_json("thai", "--in-play", "8", "--bid", "big straight")
    assert [(bid["key"], bid["favourable"], bid["total"]) for bid in answer["bids"]] == [
        ("straight:A", 229_376, 735_471)
    ]
    assert answer["bids"][0]["rung"] == 14


def test_the_flush_card_changes_a_flushs_chance() -> None:
    words = ("liars", "--in-play", "20", "--bid", "eight high club flush")
    loose, strict = run_json(*words), run_json(*words, "--flush-card", "highest")
    assert loose["bids"][0]["favourable"] > strict["bids"][0]["favourable"] > 0


@pytest.mark.parametrize(("name", "rules"), [("liars", LIARS), ("thai", THAI)])
def test_the_json_of_kinds_has_the_kinds_of_the_game(name: str, rules: Any) -> None:
    answer = run_json(name, "--in-play", "9", "--known", "As Qh", "--kinds")
    assert list(answer) == ["game", "deck", "in_play", "known", "kinds"]
    exact = kind_chances(rules.ladder.kinds, rules.deck, 9, Cards.parse("As Qh"))
    assert answer["kinds"] == [
        {
            "kind": str(kind),
            "favourable": chance.favourable,
            "total": chance.total,
            "probability": chance.probability,
        }
        for kind, chance in exact.items()
    ]


def test_known_cards_come_back_as_they_were_given() -> None:
    answer = run_json("liars", "--in-play", "9", "--known", "10h,A♠️ * kd")
    assert answer["known"] == ["Th", "As", "*", "Kd"]


def test_the_table_shows_every_bid_of_the_ladder_folded_into_runs() -> None:
    shown = run("liars", "--in-play", "12", "--known", "Ah Kd *")
    lines = shown.splitlines()
    assert lines[0] == "Liars' Poker · 54 cards · 12 in play · known: Ah Kd *"
    (pairs,) = [line for line in lines if "  pair of twos … pair of queens" in line]
    assert pairs.split()[0] == "14–24"
    assert "██████▍░░░" in pairs
    assert pairs.endswith("63.8% ◄")
    (club,) = [place for place, line in enumerate(lines) if "six high club flush" in line]
    assert lines[club + 1].strip() == "ace high club flush (also ♠)"
    exact = bid_chance(LIARS.ladder.bid("pair:2"), LIARS.deck, 12, Cards.parse("Ah Kd *"))
    assert f"{exact.probability * 100:.1f}%" == "63.8%"


@pytest.mark.parametrize(
    ("words", "strongest"),
    [
        (("liars", "--in-play", "12", "--known", "Ah Kd *"), "call above 50%. The strongest of"),
        (("thai", "--in-play", "9", "--known", "As Qh"), "bid above 50%. The strongest of"),
    ],
)
def test_every_row_above_50_per_cent_is_marked(words: tuple[str, ...], strongest: str) -> None:
    lines = run(*words).splitlines()
    rows = [line for line in lines if "░" in line or "█" in line]
    marked = [line for line in rows if line.endswith(" ◄")]
    assert 0 < len(marked) < len(rows)
    for line in rows:
        share = float(line.split("%")[0].split()[-1].lstrip(">"))
        assert (line in marked) == (share > 50), line
    assert strongest in " ".join(lines)


def test_the_strongest_likely_bid_is_named_in_a_sentence() -> None:
    shown = " ".join(run("thai", "--in-play", "9", "--known", "As Qh").split())
    odds = seat_odds(THAI, 9, Cards.parse("As Qh"))
    best = [entry for entry in odds if entry.chance.probability > 0.5][-1]
    said = f"{THAI.wording.say(best.bid)}, {percent(best.chance.probability)}."
    assert shown.endswith(f"The strongest of them: {said}")


def test_one_bid_is_said_with_its_exact_count() -> None:
    shown = run("thai", "--in-play", "8", "--bid", "pair of aces")
    assert shown.splitlines()[1] == "pair of aces: 40.7%, exactly 299,421 of 735,471 deals"


def test_kinds_are_shown_with_bars() -> None:
    lines = run("liars", "--in-play", "6", "--jokers", "0", "--kinds").splitlines()
    (pair,) = [line for line in lines if line.startswith("  Pair")]
    assert pair.endswith("65.5%")
    assert not any("Five of a kind" in line for line in lines)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("liars", 'missing option "--in-play". Example: --in-play 12'),
        (f"liars --in-play {'9' * 5000}", "--in-play is no such large number. Example: --in-play"),
        ("liars --in-play 1_2", '--in-play is a whole number, not "1_2". Example: --in-play 12'),
        ("liars --in-play ٣", '--in-play is a whole number, not "٣". Example: --in-play 12'),
        ("liars --in-play", 'option "--in-play" requires an argument. Example: '),
        ("liars --in-play 9 now", "got unexpected extra argument (now). Example: "),
        (f"liars --in-play 9 --bad{'x' * 9999}", 'no such option "--badxxx'),
        (f"liars --in-play 9 --jokers {'x' * 9999}", f'--jokers is 0 or 2, not "{"x" * 40}…". '),
        ("thai --in-play 9 --jokers 2", 'no such option "--jokers". Example: '),
        ("patience", 'no such command "patience". Example: '),
        ("liars --in-play many", '--in-play is a whole number, not "many". Example: --in-play 12'),
        ("liars --in-play 400", "1 to 54 cards of this deck can be in play, not 400. Example: "),
        ("thai --in-play 25", "1 to 24 cards of this deck can be in play, not 25. Example: "),
        ("liars --in-play 9 --known AhKdAh", "Ah is given twice. Example: "),
        ("liars --in-play 9 --known Ax", '"ax" is not a card. Example: '),
        (
            "liars --in-play 9 --jokers 0 --known *",
            "a joker is known, but this deck has no jokers. Example: --jokers 2",
        ),
        (
            "thai --in-play 9 --known *",
            'a joker is known, but this deck has no jokers. Example: --known "As Qh"',
        ),
        ("liars --in-play 9 --known ***", "this deck has only 2 jokers. Example: "),
        (
            "liars --in-play 1 --known AhKd",
            "2 cards are known, so at least as many must be in play, not 1. Example: 12",
        ),
        ("thai --in-play 9 --known 2c", "2c is not in the deck of 24 cards, which goes from 9 to"),
        (
            "liars --in-play 9 --jokers 0 --bid 33333",
            "Liars' Poker has no five of a kind without jokers. Example: ",
        ),
        ("thai --in-play 9 --bid QQJJ", "Thai Poker has no two pair. Example: "),
        (
            "liars --in-play 9 --bid pare-of-quens",
            '"pare-of-quens" is not a call here. Did you mean "pair of queens"',
        ),
        ("liars --in-play 9 --jokers 1", '--jokers is 0 or 2, not "1". Example: --jokers 2'),
        ("liars --in-play 9 --flush-card top", '--flush-card is in_play or highest, not "top". '),
        ("liars --in-play 9 --bid 33 --kinds", "--bid asks for one call and --kinds for all "),
        ("thai --in-play 9 --bid 99 --kinds", "--bid asks for one bid and --kinds for all "),
    ],
)
def test_bad_input_is_refused_in_one_sentence(words: str, sentence: str) -> None:
    said = refusal(*words.split())
    assert said.startswith(sentence)
    assert len(said) < 400


def test_400_known_cards_are_refused() -> None:
    sentence = refusal("liars", "--in-play", "9", "--known", "Ah " * 400)
    assert sentence.startswith("expected a few cards, got 1,200 characters. Example: ")


@pytest.mark.parametrize("words", [("--bid", "33"), (), ("--kinds",)])
def test_answers_about_bids_wait_for_no_compiler_and_no_picture(words: tuple[str, ...]) -> None:
    program = f"""
import sys
from click.testing import CliRunner
from bot.cli import app
result = CliRunner().invoke(app, {["odds", "liars", "--in-play", "12", *words]!r})
heavy = {{"numba", "numpy", "matplotlib", "PIL", "discord", "sqlalchemy"}} & set(sys.modules)
sys.exit(result.exit_code or bool(heavy))
"""
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252"])
def test_what_the_terminal_cannot_show_is_no_failure(encoding: str) -> None:
    answer = subprocess.run(
        [sys.executable, "-m", "bot", "odds", "liars", "--in-play", "12", "--known", "Ah"],
        capture_output=True,
        check=False,
        env=os.environ | {"PYTHONIOENCODING": encoding},
    )
    assert (answer.returncode, answer.stderr) == (0, b"")
    assert "12 in play" in answer.stdout.decode(encoding)


def test_a_group_without_a_command_shows_its_help() -> None:
    result = runner.invoke(app, ["odds"])
    assert result.exit_code == 2
    assert "three-card" in result.output


# -- analyze ---------------------------------------------------------------------------------------

DECKS = {54: ruleset("liars_poker"), 52: ruleset("liars_poker", {"jokers": 0})}
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


def analyzed(*words: str) -> str:
    result = runner.invoke(app, ["analyze", *words])
    assert result.exit_code == 0, result.output
    return result.stdout


def analysis_refusal(*words: str) -> str:
    result = runner.invoke(app, ["analyze", *words])
    assert (result.exit_code, result.stdout) == (2, "")
    return one_sentence(result.stderr).removeprefix("bluffhouse: ")


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(newline="") as text:
        return list(csv.DictReader(text))


def test_the_csv_is_the_articles(tmp_path: Path) -> None:
    file = tmp_path / "odds.csv"
    analyzed("liars", "--csv", str(file))
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
    analyzed(*words.split(), "--csv", str(file))
    numbers = sorted({int(row["CardsPerGame"]) for row in rows(file)})
    assert (numbers[0], numbers[-1]) == (fewest, most)


def test_thai_poker_has_its_own_deck_and_kinds(tmp_path: Path) -> None:
    file = tmp_path / "odds.csv"
    analyzed("thai", "--csv", str(file))
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
    shown = " ".join(analyzed("liars", "--min", "6", "--max", "7").split())
    assert "54-card deck: does not hold. At 10 they are still flush 35.1%" in shown
    assert "they are closest at 12: three of a kind 63.8%, straight 64.9%" in shown
    assert "52-card deck: holds. They are closest at 10: flush 22.7%" in shown
    assert "a full house is likelier than a flush with 6 to 9 cards" in shown
    assert "52-card deck: holds, with 12 to 35 cards; from 17 on a flush is certain." in shown
    assert "It is 65.5% at 6, and 95.0% are first passed at 10 (98.1%)." in shown
    assert "It is 72.8% at 6" in shown


def test_a_sample_stands_beside_the_exact_figures_and_depends_on_its_seed() -> None:
    words = ("thai", "--min", "6", "--max", "7", "--samples", "4000")
    first = analyzed(*words, "--seed", "3")
    lines = first.splitlines()
    heads = [" ".join(line.split()[:2]) for line in lines[3:9]]
    assert heads == ["6 exact", "sampled 100.00", "± s.e.", "7 exact", "sampled 100.00", "± s.e."]
    (summary,) = [line for line in lines if line.startswith("Largest deviation")]
    assert float(summary.split()[2]) < 4
    assert analyzed(*words, "--seed", "3") == first
    assert analyzed(*words, "--seed", "4") != first


@pytest.mark.parametrize(("game", "width"), [("liars", 1500), ("thai", 900)])
def test_the_chart_is_a_small_picture(game: str, width: int, tmp_path: Path) -> None:
    file = tmp_path / "odds.png"
    shown = analyzed(game, "--min", "6", "--max", "12", "--samples", "200", "--chart", str(file))
    assert f"Wrote {file}" in shown
    with Image.open(file) as image:
        assert image.size == (width, 1100)
        colours = image.convert("RGB").getcolors(1 << 20)
        assert colours is not None
        assert len(colours) > 20  # something is drawn
    assert file.stat().st_size < 200_000


def test_every_answer_can_be_written_as_one_array(tmp_path: Path) -> None:
    file = tmp_path / "answers.npy"
    shown = analyzed("thai", "--max", "3", "--answers", str(file), "--holding", "2")
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
def test_bad_input_to_an_analysis_is_refused_in_one_sentence(words: str, sentence: str) -> None:
    assert analysis_refusal(*words.split()).startswith(sentence)


def test_a_file_that_cannot_be_written_is_said_so(tmp_path: Path) -> None:
    folder = tmp_path / "folder.csv"
    folder.mkdir()
    kept = tmp_path / "folder.npy"
    kept.mkdir()
    for option, path in (("--csv", folder), ("--answers", kept)):
        result = runner.invoke(app, ["analyze", "thai", option, str(path)])
        assert result.exit_code == 2
        assert "cannot be written: Is a directory" in one_sentence(result.stderr)


# -- a whole ladder as text ------------------------------------------------------------------------


@pytest.mark.parametrize("known", ["", "Ah Kd 8c *", "2c 3c 4c 5c 7c"])
def test_runs_hold_every_bid_of_a_kind_exactly_once(known: str) -> None:
    odds = seat_odds(LIARS, 14, Cards.parse(known))
    for kind in (Kind.PAIR, Kind.FLUSH, Kind.FULL_HOUSE, Kind.STRAIGHT_FLUSH):
        entries = [entry for entry in odds if entry.bid.kind is kind]
        folded = runs(entries)
        assert sum(len(run.bids) * max(1, len(run.suits)) for run in folded) == len(entries)
        chances = {entry.bid.key: entry.chance for entry in entries}
        for run in folded:
            assert all(chances[entry.bid.key] == run.chance for entry in run.bids)


def test_a_run_that_is_too_long_for_its_column_goes_on_below() -> None:
    lines = list(ladder_lines(LIARS, seat_odds(LIARS, 12, Cards.parse("Ah Kd *"))))
    (place,) = [at for at, line in enumerate(lines) if "pair of threes, pair of twos …" in line]
    assert lines[place].endswith("17.1%")
    assert lines[place + 1].strip() == "pair of queens, pair of jacks"


def test_without_a_likely_bid_none_is_marked() -> None:
    thai = ruleset("thai_poker")
    lines = list(ladder_lines(thai, seat_odds(thai, 1)))
    assert lines[-1] == "No bid is above 50%."
    assert not any("◄" in line for line in lines)
