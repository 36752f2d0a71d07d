"""`bluffhouse odds liars` and `bluffhouse odds thai`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest
from click.testing import CliRunner

from bot.cli import app
from bot.language.words import percent
from engine.cards import Cards
from engine.odds import bid_chance, kind_chances, seat_odds
from engine.variants import ruleset
from tests.bot.cli.refused import one_sentence

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
        ("liars --in-play 1 --known AhKd", "2 cards are known, but only 1 are in play. Example: "),
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
