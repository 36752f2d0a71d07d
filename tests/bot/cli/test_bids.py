"""`bluffhouse odds` and `bluffhouse analyze` for bids, in both games."""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from bot.cli.reports.bid_ladder import ladder_lines, runs
from bot.language.words import percent
from engine.bids import Kind
from engine.cards import Cards
from engine.odds import bid_chance, holdings, kind_chances, seat_odds
from engine.variants import ruleset
from tests.bot.cli.refused import json_of, refusal, run_and_print

# -- odds ------------------------------------------------------------------------------------------

run, run_json = partial(run_and_print, "odds"), partial(json_of, "odds")
analyzed = partial(run_and_print, "analyze")
LIARS = ruleset("liars_poker")
THAI = ruleset("thai_poker")


def test_the_json_of_a_ladder_has_every_bid_weakest_first() -> None:
    answer = run_json("liars", "--in-play", "12", "--known", "Ah Kd *")
    assert list(answer) == ["game", "deck", "in_play", "known", "bids"]
    assert answer["game"] == "liars"
    assert (answer["deck"], answer["in_play"], answer["known"]) == (54, 12, ["Ah", "Kd", "*"])
    assert [bid["key"] for bid in answer["bids"]] == [bid.key for bid in LIARS.ladder]
    rungs = [bid["rung"] for bid in answer["bids"]]
    assert rungs == sorted(rungs)
    assert sorted(set(rungs)) == list(range(1, 329))
    flushes = [bid["rung"] for bid in answer["bids"] if bid["key"].startswith("flush:8")]
    assert (len(flushes), len(set(flushes))) == (4, 1)  # of equal strength
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


@pytest.mark.parametrize(
    ("words", "deck", "bids"),
    [
        (("liars",), 54, 385),
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
    output = run("liars", "--in-play", "12", "--known", "Ah Kd *")
    lines = output.splitlines()
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
    ("game", "in_play", "known", "noun"),
    [("liars", 12, "Ah Kd *", "bid"), ("thai", 9, "As Qh", "bid")],
)
def test_rows_above_50_per_cent_are_marked_and_the_strongest_is_named(
    game: str, in_play: int, known: str, noun: str
) -> None:
    lines = run(game, "--in-play", str(in_play), "--known", known).splitlines()
    rows = [line for line in lines if "░" in line or "█" in line]
    marked = [line for line in rows if line.endswith(" ◄")]
    assert 0 < len(marked) < len(rows)
    for line in rows:
        share = float(line.split("%")[0].split()[-1].lstrip(">"))
        assert (line in marked) == (share > 50), line
    rules = LIARS if game == "liars" else THAI
    odds = seat_odds(rules, in_play, Cards.parse(known))
    best = [entry for entry in odds if entry.chance.probability > 0.5][-1]
    conclusion = f"{rules.wording.say(best.bid)}, {percent(best.chance.probability)}."
    printed_text = " ".join(" ".join(lines).split())
    assert printed_text.endswith(f"every {noun} above 50%. The strongest of them: {conclusion}")


def test_a_single_bid_is_shown_with_its_exact_count() -> None:
    output = run("thai", "--in-play", "8", "--bid", "pair of aces")
    assert output.splitlines()[1] == "pair of aces: 40.7%, exactly 299,421 of 735,471 deals"


def test_kinds_are_shown_with_bars() -> None:
    lines = run("liars", "--in-play", "6", "--jokers", "0", "--kinds").splitlines()
    (pair,) = [line for line in lines if line.startswith("  Pair")]
    assert pair.endswith("65.5%")
    assert not any("Five of a kind" in line for line in lines)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("liars", 'missing option "--in-play". Example: --in-play 12'),
        ("liars --in-play", 'option "--in-play" requires an argument. Example: '),
        (
            "liars --in-play many",
            '--in-play must be a whole number, not "many". Example: --in-play 12',
        ),
        ("liars --in-play 9 now", "got unexpected extra argument (now). Example: "),
        (f"liars --in-play 9 --bad{'x' * 9999}", 'no such option "--badxxx'),
        (f"liars --in-play 9 --jokers {'x' * 9999}", f'--jokers is 0 or 2, not "{"x" * 40}…". '),
        ("thai --in-play 9 --jokers 2", 'no such option "--jokers". Example: '),
        ("patience", 'no such command "patience". Example: '),
        ("thai --in-play 25", "1 to 24 cards of this deck can be in play, not 25. Example: "),
        ("liars --in-play 9 --known Ax", '"ax" isn\'t a card. Example: '),
        (
            "liars --in-play 9 --jokers 0 --known *",
            "a joker is known, but this deck has no jokers. Example: --jokers 2",
        ),
        (
            "thai --in-play 9 --known *",
            'a joker is known, but this deck has no jokers. Example: --known "As Qh"',
        ),
        (
            "liars --in-play 9 --bid pare-of-quens",
            '"pare-of-quens" is not a bid here. Did you mean "pair of queens"',
        ),
        ("liars --in-play 9 --flush-card top", '--flush-card is in_play or highest, not "top". '),
        ("liars --in-play 9 --bid 33 --kinds", "--bid asks for one bid and --kinds for all "),
    ],
)
def test_bad_input_is_refused_in_one_sentence(words: str, sentence: str) -> None:
    message = refusal("odds", *words.split())
    assert message.startswith(sentence)
    assert len(message) < 400


def test_400_known_cards_are_refused() -> None:
    sentence = refusal("odds", "liars", "--in-play", "9", "--known", "Ah " * 400)
    assert sentence.startswith("expected a few cards, got 1,200 characters. Example: ")


def test_characters_the_terminal_cannot_show_are_no_failure() -> None:
    answer = subprocess.run(
        [sys.executable, "-m", "bot", "odds", "liars", "--in-play", "12", "--known", "Ah"],
        capture_output=True,
        check=False,
        env=os.environ | {"PYTHONIOENCODING": "latin-1"},
    )
    assert (answer.returncode, answer.stderr) == (0, b"")
    assert "12 in play" in answer.stdout.decode("latin-1")


# -- analyze ---------------------------------------------------------------------------------------

HANDS = {
    "liars": "High Card, Pair, Two Pair, Three of a Kind, Flush, Straight, Full House,"
    " Four of a Kind, Straight Flush, Five of a Kind",
    "thai": "High Card, Pair, Straight, Three of a Kind, Full House, Flush, Four of a Kind,"
    " Straight Flush, Royal Flush",
}


def kinds_of(game: str) -> list[str]:
    """Return a game's kinds of hands as the CSV file of `analyze` names them: "B. Pair"."""
    named = zip("ABCDEFGHIJ", HANDS[game].split(", "), strict=False)
    return [f"{letter}. {kind}" for letter, kind in named]


def rows(file: Path) -> list[dict[str, str]]:
    with file.open(newline="") as text:
        return list(csv.DictReader(text))


def test_the_csv_is_the_articles(tmp_path: Path) -> None:
    file = tmp_path / "odds.csv"
    analyzed("liars", "--csv", str(file))
    assert file.read_text().splitlines()[0] == "Deck,CardsPerGame,Hand,Probability"
    csv_rows = rows(file)
    assert len(csv_rows) == 2 * 30 * 10
    assert [row["Deck"] for row in csv_rows] == ["54-card deck"] * 300 + ["52-card deck"] * 300
    assert [row["Hand"] for row in csv_rows[:10]] == kinds_of("liars")
    assert [int(row["CardsPerGame"]) for row in csv_rows[:300:10]] == list(range(6, 36))
    known = {(row["Deck"], row["CardsPerGame"], row["Hand"]): row for row in csv_rows}
    pair = float(known["52-card deck", "6", "B. Pair"]["Probability"])
    assert pair == pytest.approx(0.655, abs=5e-4)
    three = float(known["54-card deck", "10", "D. Three of a Kind"]["Probability"])
    assert three == pytest.approx(0.4825, abs=5e-5)
    assert float(known["52-card deck", "35", "J. Five of a Kind"]["Probability"]) == 0


@pytest.mark.parametrize(
    ("words", "fewest", "most"),
    [
        ("liars", 6, 35),
        ("liars --players 4 --middle-hands 0", 4, 20),
        ("liars --min 8 --max 12", 8, 12),
        ("liars --max 9", 6, 9),
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
    csv_rows = rows(file)
    assert {row["Deck"] for row in csv_rows} == {"24-card deck"}
    assert [row["Hand"] for row in csv_rows[:9]] == kinds_of("thai")


def test_the_four_claims_are_judged_for_both_decks_and_put_in_words() -> None:
    output = " ".join(analyzed("liars", "--min", "6", "--max", "7").split())
    assert "54-card deck: does not hold. At 10 they are still flush 35.1%" in output
    assert "they are closest at 12: three of a kind 63.8%, straight 64.9%" in output
    assert "52-card deck: holds. They are closest at 10: flush 22.7%" in output
    assert (
        "54-card deck: does not hold: a full house is likelier than a flush with 6 to 9" in output
    )
    assert "52-card deck: holds for each of 6, 7, 8 and 9." in output
    assert "54-card deck: holds, with " in output
    assert "52-card deck: holds, with 12 to 35 cards; from 17 on a flush is certain." in output
    assert "54-card deck: does not hold. It is 72.8% at 6" in output
    assert "It is 65.5% at 6, and 95.0% are first passed at 10 (98.1%)." in output


@pytest.mark.thorough
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


@pytest.mark.thorough
def test_the_chart_is_a_small_picture(tmp_path: Path) -> None:
    file = tmp_path / "odds.png"
    words = ("--min", "6", "--max", "12", "--samples", "200", "--chart")
    output = analyzed("thai", *words, str(file))
    assert f"Wrote {file}" in output
    with Image.open(file) as image:
        assert image.size == (900, 1100)
        colours = image.convert("RGB").getcolors(1 << 20)
        assert colours is not None
        assert len(colours) > 20  # something is drawn
    assert file.stat().st_size < 200_000


@pytest.mark.thorough
def test_every_answer_can_be_written_as_one_array(tmp_path: Path) -> None:
    file = tmp_path / "answers.npy"
    output = analyzed("thai", "--max", "3", "--answers", str(file), "--holding", "2")
    size_text = "68 bids × 301 holdings × 0 to 24 in play, from 135,000 bytes of tables"
    assert size_text in " ".join(output.split())  # where the line breaks, the folder's name decides
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
        ("liars --players 11", "2 to 10 can play, not 11. Example: --players 6"),
        ("liars --middle-hands -1", "0 to 9 middle hands, not -1. Example: --middle-hands 1"),
        (
            "liars --players 10 --middle-hands 1",
            "55 cards can be in play with 10 players and --middle-hands 1, but a deck has 52. "
            "Example: --players 6",
        ),
        ("liars --seed x", '--seed must be a whole number, not "x". Example: --seed 7'),
        ("liars --max 53", "6 to 53 cards in play do not fit 1 to 52. Example: --min 6 --m"),
        ("thai --middle-hands 1", 'no such option "--middle-hands"'),
        (
            "liars --players 6 --min 6",
            "give either the number of players or the numbers of cards. Example: ",
        ),
        ("liars --min 9 --max 6", "9 to 6 cards in play do not fit 1 to 52. Example: --min 6 --m"),
        ("thai --min 0", "0 to 20 cards in play do not fit 1 to 24. Example: --min 6 --max 24"),
        ("thai --samples 0", "1 to 1,000,000,000 deals can be sampled, not 0. Example: 10000"),
        ("thai --holding 24", "a holding has 0 to 7 cards, not 24. Example: 6"),
    ],
)
def test_bad_input_to_an_analysis_is_refused_in_one_sentence(words: str, sentence: str) -> None:
    assert refusal("analyze", *words.split()).startswith(sentence)


# -- a whole ladder as text ------------------------------------------------------------------------


@pytest.mark.parametrize("known", ["Ah Kd 8c *", "2c 3c 4c 5c 7c"])
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


def test_without_a_likely_bid_no_bid_is_marked() -> None:
    thai = ruleset("thai_poker")
    lines = list(ladder_lines(thai, seat_odds(thai, 1)))
    assert lines[-1] == "No bid is above 50%."
    assert not any("◄" in line for line in lines)
