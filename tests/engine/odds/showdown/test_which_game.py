"""Which game is asked about where nobody names one, and which question is asked back."""

from __future__ import annotations

import pytest

from engine.errors import TextError, UnclearBoard, UnclearGame
from engine.odds.showdown.games import PRESETS, game_of
from engine.odds.showdown.question import game_asked, game_named, parse_question


def played(hands: str | list[str], board: str = "") -> str | None:
    scenario = parse_question(hands, board=board)
    return game_of(scenario.rules, len(scenario.players))


@pytest.mark.parametrize(
    ("hands", "board", "game"),
    [
        (["ad,ac", "kh,ks"], "", "holdem"),
        ("AhKd vs QcQs", "", "holdem"),
        ("AhKd, QcQs", "", "holdem"),
        ("AhKd QcQs", "", "holdem"),
        ("AK vs QQ", "", "holdem"),
        ("Ah and Kd", "", "holdem"),
        ("Ah vs Kd", "", "holdem"),
        ("AhXh vs 15%", "", "holdem"),
        (["AhKh, AdKd", "QQ"], "", "holdem"),
        (["", ""], "", "holdem"),
        (["ad,ac,kh,ks", "qd,qc,jd,jc"], "", "omaha"),
        ("AsAh2s vs KdKcQdJd", "", "omaha"),
        ("As Ah Ks Kh vs random", "", "omaha"),
        ("AsAhKsKh vs QQ+", "", "omaha"),
        ("AA** vs KKds", "", "omaha"),
        ("AxKx vs QQ", "", "omaha"),
        ("AA** vs $ds@50, $np:KQJT", "", "omaha"),
        ("JT98-7654 vs AA", "", "omaha"),
        ("As Ks * * vs AA", "", "omaha"),
        (["AhKhQhJhTh", ""], "", "draw"),
        ("AhKhQhJhTh vs 9s9d2c2h3d", "", "draw"),
        ("AhKhQhJhTh vs 9s9d2c2h3d, board 2s 3s 4s", "", "omaha5"),
        ("AhKhQhJhTh", "2s 3s 4s", "omaha5"),
        ("AsAhKsKhQd vs AA", "", "omaha5"),
        ("AAKQJ vs AsAhKsKhQd", "", "omaha5"),
        ("AsAhKsKhQdJd", "2s 3s 4s", "omaha6"),
        ("AsAhKsKhQsJs2d vs 3d3c", "", "stud"),
        ("stud As2s3s, 7 opponents", "", "stud"),
        (["stud", "As2s3s,", "7", "opponents"], "", "stud"),
        (["omaha AsAh", "KdKc"], "", "omaha"),
    ],
)
def test_the_cards_of_a_hand_tell_the_game(hands: str | list[str], board: str, game: str) -> None:
    asked = parse_question(hands, board=board)
    assert game_of(asked.rules, len(asked.players)) == game


@pytest.mark.parametrize(
    ("hands", "choices"),
    [
        ("As2s3s vs 4d5d6d", ("stud As2s3s vs 4d5d6d", "omaha As2s3s vs 4d5d6d")),
        (["AsAhKsKhQsJs", ""], ("stud AsAhKsKhQsJs vs random", "omaha6 AsAhKsKhQsJs vs random")),
    ],
)
def test_what_fits_two_games_is_asked_back(
    hands: str | list[str], choices: tuple[str, ...]
) -> None:
    with pytest.raises(UnclearGame) as asked:
        parse_question(hands)
    assert asked.value.choices == choices
    assert [played(choice) for choice in choices] == [choice.split()[0] for choice in choices]


def test_what_is_no_hand_of_any_game_is_said() -> None:
    with pytest.raises(TextError, match=r"has 3 cards .Ah Kd Qc., Hold'em deals 2"):
        parse_question("AhKdQc vs QQ")
    with pytest.raises(TextError, match=r"has 8 cards .*, Seven-card stud deals 7"):
        parse_question("AsAhKsKhQdQcJdJc")
    with pytest.raises(TextError, match='"AKz" is not a range'):
        parse_question("AKz vs QQ")


def test_a_game_that_is_named_goes_before_the_cards() -> None:
    assert parse_question("AhKd", "omaha").rules == PRESETS["omaha"]
    assert parse_question("short deck AhKd").rules == PRESETS["shortdeck"]
    assert parse_question(["AhKd"], PRESETS["omaha"]).players == parse_question("AhKd").players[:1]


@pytest.mark.parametrize(
    ("text", "board", "game"),
    [
        ("omaha AhKd", "", "omaha"),
        ("AhKhQhJhTh", "", "draw"),
        ("AhKhQhJhTh", "2c 3c 4c", "omaha5"),
        ("As2s3s vs 4d5d6d", "", None),
        ("no cards at all", "", "holdem"),
    ],
)
def test_the_game_of_a_question_that_cannot_be_answered_is_told_too(
    text: str, board: str, game: str | None
) -> None:
    assert game_asked(text, board) == game
    assert game_named(text) == (game if text.startswith("omaha") else None)


@pytest.mark.parametrize(
    ("hands", "example"),
    [
        ("AhKd vs QsQc, 9c 8d 7s 2h", "AhKd vs QsQc, board 9c 8d 7s 2h"),
        ("AhKd vs QsQc 9c 8d 7s", "AhKd vs QsQc, board 9c 8d 7s"),
        (["AhKd", "QsQc 9c 8d 7s"], "AhKd vs QsQc, board 9c 8d 7s"),
    ],
)
def test_a_board_that_stands_with_a_hand_makes_no_other_game(
    hands: str | list[str], example: str
) -> None:
    with pytest.raises(UnclearBoard, match="the board") as refused:
        parse_question(hands)
    assert refused.value.choices == (example,)
    assert str(parse_question(example).board) == example.partition("board ")[2]


def test_hands_of_other_sizes_beside_two_cards_are_no_board() -> None:
    assert played("AhKd vs QsQc vs JsJc") == "holdem"
    assert played("AhKd9c8d vs QsQc") == "omaha"
