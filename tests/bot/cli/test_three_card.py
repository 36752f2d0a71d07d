from functools import partial
from pathlib import Path

import pytest
from PIL import Image

from tests.bot.cli.refused import json_of, refusal, run_and_print

OUTCOME_KEYS = {"win", "tie", "lose", "dealer_not_qualified"}
odds, answered = (
    partial(run_and_print, "odds", "three-card"),
    partial(json_of, "odds", "three-card"),
)


def test_json_without_a_hand_has_the_agreed_keys_and_figures() -> None:
    answer = answered()
    assert list(answer) == [
        "deals",
        "play_from",
        "outcomes",
        "net",
        "expected_value",
        "average_bet",
        "element_of_risk",
        "pair_plus",
        "six_card",
    ]
    outcomes = answer["outcomes"]
    assert list(outcomes) == [
        *("straight_flush", "three", "straight", "flush", "pair", "high_card", "folded")
    ]
    assert all(set(ends) == OUTCOME_KEYS for name, ends in outcomes.items() if name != "folded")
    assert (answer["deals"], answer["net"], answer["play_from"]) == (
        407_170_400,
        -13_733_780,
        "Q64",
    )
    assert outcomes["pair"] == {
        "win": 36_168_624,
        "tie": 11_232,
        "lose": 11_873_520,
        "dealer_not_qualified": 20_926_080,
    }
    assert outcomes["folded"] == 132_652_800
    assert answer["expected_value"] == pytest.approx(-0.0337298, abs=5e-8)
    assert answer["average_bet"] == pytest.approx(1.674208, abs=5e-7)
    assert answer["element_of_risk"] == pytest.approx(0.0201467, abs=5e-8)
    assert answer["pair_plus"] == pytest.approx(-0.023167, abs=5e-7)
    assert answer["six_card"] == pytest.approx(-0.102248, abs=5e-7)


@pytest.mark.parametrize(
    ("line", "expected"), [("always", -0.129389), ("queen", -0.087342), ("Q64", -0.086580)]
)
def test_the_line_and_the_bonus_are_options(line: str, expected: float) -> None:
    answer = answered("--play-from", line, "--bonus", "0/0/0")
    assert answer["play_from"] == line
    assert answer["expected_value"] == pytest.approx(expected, abs=5e-7)


def test_pay_tables_the_mini_royal_and_the_dealer_are_options() -> None:
    answer = answered(
        *("--pair-plus", "40/30/6/3/1", "--mini-royal", "50", "--mini-royal-bonus", "6"),
        *("--six-card", "1000/200/50/25/15/10/5"),
    )
    assert answer["pair_plus"] == pytest.approx(-0.070950, abs=5e-7)
    assert answer["net"] == -13_733_780 + 4 * 18_424
    assert answer["six_card"] == pytest.approx(-0.152790, abs=5e-7)
    always = answered("--dealer-from", "always")
    assert always["outcomes"]["pair"]["dealer_not_qualified"] == 0


def test_json_for_a_hand_has_the_decision_and_the_chances() -> None:
    answer = answered("--hand", "qs 6h 4d", "--play-from", "K32")
    assert (answer["decision"], answer["play_from_decision"]) == ("play", "fold")
    assert (answer["hand"], answer["kind"], answer["name"]) == (
        "Qs 6h 4d",
        "high_card",
        "queen high, Q-6-4",
    )
    assert set(answer["outcomes"]) == OUTCOME_KEYS
    assert sum(answer["outcomes"].values()) == answer["dealers"] == 18_424
    assert sum(answer["chances"].values()) == pytest.approx(1)
    assert answer["expected_value"] == answer["expected_value_play"] > -1


def test_a_folded_hand_is_worth_minus_one() -> None:
    answer = answered("--hand", "Qs 6h 3d")
    assert (answer["decision"], answer["expected_value"]) == ("fold", -1)
    assert answer["expected_value_play"] < -1


def test_seat_two_uses_the_cards_it_has_seen() -> None:
    answer = answered("--hand", "Qs 6h 3d", "--seat", "2", "--seen", "Ah Kd 2c")
    assert (answer["decision"], answer["decision_changed"]) == ("play", True)
    assert (answer["seat"], answer["seen"], answer["dealers"]) == (2, "Ah Kd 2c", 15_180)
    assert answer["expected_value_play_blind"] < -1
    text = odds("--hand", "Qs 6h 3d", "--seat", "2", "--seen", "Ah Kd 2c")
    assert "Play. Playing is worth -0." in text
    assert "That changes the decision" in text


@pytest.mark.thorough
def test_seat_two_without_a_hand_says_what_seeing_is_worth() -> None:
    seat_two = answered("--seat", "2")["seat_two"]
    assert seat_two["expected_value_blind"] == answered()["expected_value"]
    assert seat_two["expected_value_seeing"] == pytest.approx(-0.033114, abs=5e-7)
    assert "-3.3114%" in odds("--seat", "2")


@pytest.mark.parametrize("hand", ["Q64", "q-6-4", "queen six four", "Q 6 4"])
def test_a_hand_may_be_typed_without_suits_as_in_discord(hand: str) -> None:
    answer = answered("--hand", hand)
    assert answer == answered("--hand", "Qs 6h 4d") | {"suits_typed": False}
    assert "You gave no suits, so this is an example." in odds("--hand", hand)
    assert "suits" not in odds("--hand", "Qs 6h 4d")


def test_suits_that_were_not_typed_are_none_of_the_cards_seen() -> None:
    answer = answered("--seat", "2", "--hand", "Q64", "--seen", "Qs Kh 2c")
    assert answer["hand"] == "Qh 6s 4d"
    assert answered("--hand", "Q64s")["kind"] == "flush"


def test_several_seats_share_one_edge() -> None:
    answer = answered("--seats", "6")
    assert answer["seats"]["net"] * answer["deals"] == answer["net"] * answer["seats"]["deals"]
    assert "6 at the table" in odds("--seats", "6")
    assert "every seat is as good as the first" in odds("--seat", "3", "--hand", "Qs 6h 4d")


def test_the_table_without_a_hand_shows_the_outcomes_and_the_best_line() -> None:
    text = " ".join(odds().split())
    for figure in ("-13,733,780", "-3.37298%", "2.01467%", "Q64 or better", "132,652,800"):
        assert figure in text
    assert "Mini Royal 50" in odds("--mini-royal", "50")
    assert "every hand is played" in odds("--play-from", "always")
    assert "queen high or better is played" in odds("--play-from", "queen")
    assert "the dealer qualifies with queen high or better." in text
    for lowest, conclusion in (
        ("J32", "the dealer qualifies with jack high or better."),
        ("T64", "the dealer qualifies with 10-6-4 or better."),
        ("always", "the dealer always qualifies."),
    ):
        assert conclusion in " ".join(odds("--dealer-from", lowest).split())
    assert "; 223 or better is played" in odds("--play-from", "223")


@pytest.mark.parametrize(
    ("hand", "words"),
    [
        ("As Ks Qs", "a straight flush, A-K-Q (Mini Royal)"),
        ("6s 6d 6c", "three sixes"),
        ("As 2d 3c", "a straight, 3-2-A"),
        ("As 9s 2s", "an ace-high flush, A-9-2"),
        ("8s 8d Ah", "a pair of eights with an ace"),
        ("Ts 8d 7c", "ten high, 10-8-7"),
    ],
)
def test_each_kind_of_hand_is_named(hand: str, words: str) -> None:
    assert words in odds("--hand", hand)


def test_a_bonus_and_a_costly_line_are_pointed_out() -> None:
    assert "Ante bonus 4 to 1" in odds("--hand", "6s 6d 6c")
    assert "Playing from queen would play it, at a loss" in odds(
        "--hand", "Qs 6h 3d", "--play-from", "queen"
    )


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--hand", "Q6"], 'expected three cards, got 2. Example: "Q64"'),
        (["--hand", "Qs 6h"], 'expected three cards, got 2. Example: "Qs 6h 4d"'),
        (["--bonus", "1/4"], 'got 2. Example: "1/4/5"'),
        (["--pair-plus", "40/30/6/4"], 'got 4. Example: "40/30/6/4/1"'),
        (["--six-card", "1/2/3"], 'got 3. Example: "1000/200/50/25/20/10/5"'),
        (["--play-from", "frog"], '"frog" isn\'t a hand to play from'),
        (["--dealer-from", "frog"], "dealer could qualify with"),
        (["--mini-royal", "lots"], 'not "lots". Example: "50"'),
        (["--seen", "Ah Kd 2c"], '--seen needs your own hand too. Example: --hand "Qs 6h 4d"'),
        (["--hand", "Qs 6h 4d", "--seen", "Ah"], "Example: --seat 2"),
        (["--seat", "7"], "--seat is 1 to 6, not 7. Example: --seat 2"),
        (["--seats", "2", "--seat", "3"], "no seat 3 among 2. Example: --seats 3"),
    ],
)
def test_bad_input_is_refused_in_one_sentence(arguments: list[str], sentence: str) -> None:
    assert sentence in refusal("odds", "three-card", *arguments)


@pytest.mark.thorough
def test_the_report_holds_every_part_and_draws_the_chart(tmp_path: Path) -> None:
    chart = tmp_path / "edge.png"
    output = run_and_print("analyze", "three-card", "--seat", "2", "--chart", str(chart))
    for part in (
        *("-3.37298%", "Q-6-4", "<- best", "132,652,800", "40/30/6/3/1, Mini Royal 50"),
        *("6,180,846,672,000", "-3.3114%", "6,708,408", f"Wrote {chart}"),
    ):
        assert part in output
    with Image.open(chart) as picture:
        assert picture.format == "PNG"
        assert picture.width >= 800


def test_the_report_refuses_bad_input_in_one_sentence() -> None:
    for words, sentence in (
        (("--seat", "3"), "--seat is 1 to 2, not 3. Example: --seat 2"),
        (("--bonus", "1"), 'Example: "1/4/5"'),
    ):
        assert sentence in refusal("analyze", "three-card", *words)
