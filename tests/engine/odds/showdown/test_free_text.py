"""Hands and boards in messages that people write, and words that are neither."""

from __future__ import annotations

import re

import pytest

from engine.errors import TextError
from engine.odds import parse_question
from engine.odds.showdown.free_text import LONGEST, find_showdown
from engine.odds.showdown.games import GAMES

FOUND = [
    ("he had AKs, board K72, I had jacks", "AKs vs JJ, board K72"),
    ("I ran kings into aces again, flop was 9c 8d 2s", "KK vs AA, board 9c 8d 2s"),
    ("So I open AhKd on the button and villain shows QsQh. Board: 9♣ 8♦ 7♠ 2♥",
     "AhKd vs QsQh, board 9c 8d 7s 2h"),
    ("Bob had pocket tens, Cleo had A♥Q♥, flop Th 7h 2c, turn 9h and the river was 2d",
     "Bob: TT vs Cleo: AhQh, board Th 7h 2c 9h 2d"),
    ("jacks? no, I had AK and he had QQ", "AK vs QQ"),
    ("got it in with 99 vs his AKo", "99 vs AKo"),
    ("I had the ace of hearts, king of hearts. He had 77", "AhKh vs 77"),
    ("had ace king suited against a pair of queens", "AKs vs QQ"),
    ("all in AhKh QsQd on K72 rainbow lol", "AhKh vs QsQd, board K72 rainbow"),
    ("I have ahkd vs QsQh", "AhKd vs QsQh"),
    ("he turned over aks on K72r and I had 72o", "AKs vs 72o, board K72 rainbow"),
    ("I flopped a set of jacks with JcJd on Js 9h 2c vs AhKh", "JcJd vs AhKh, board Js 9h 2c"),
    ("PLO: AsAhKsKh vs JsTs9s8h, flop 9c 8d 2c", "omaha AsAhKsKh vs JsTs9s8h, board 9c 8d 2c"),
    ("short deck AsKs vs QQ", "shortdeck AsKs vs QQ"),
    ("6+ holdem, AsKs vs QQ", "shortdeck AsKs vs QQ"),
    ("playing big O I had AsAh2s3h4d vs KsKhQsQhJd", "omaha85 AsAh2s3h4d vs KsKhQsQhJd"),
    ("my gutshot draw with JTs vs AK, what a stud", "JTs vs AK"),
    ("we were 6+ players in Texas, AKs vs QQ", "AKs vs QQ"),
    ("he folded 2c2d, I had AhKh vs QQ", "AhKh vs QQ, dead 2c 2d"),
    ("top 15% against my TT+", "15% vs TT+"),
    ("raised QQ+, he called with 22", "QQ+ vs 22"),
    ("AhKd and QsQh, 9c8d7s came", "AhKd vs QsQh, board 9c 8d 7s"),
    ("I held rockets and he had big slick", "AA vs AK"),
    ("10h10d vs AhKh, board 10c 9c 2d", "ThTd vs AhKh, board Tc 9c 2d"),
    ("~~AhKd~~ **AhKd** vs `QsQh`", "AhKd vs QsQh"),
    ("my JJ vs AQ, flop Q84, turn J", "JJ vs AQ, board Q84, turn J"),
    ("his range is 22+, A2s+, I have AKo", "22+, A2s+ vs AKo"),
    ("I'd fold AJo there, he has TT+ and AQ+ at least", "AJo vs TT+, AQ+"),
    ("he's got QQ or AK there, I have JJ", "QQ, AK vs JJ"),
    ("he had TT+ and I had AQ+", "TT+ vs AQ+"),
    ("He folded AK face up, I had QQ vs JJ", "QQ vs JJ"),
    ("I had QQ, 77 folded, he had JJ", "QQ vs JJ"),
    ("he had QQ, I had A5s. Board: A72 5 3", "QQ vs A5s, board A7253"),
    ("AKs lost to QJs on an A K 2 T 5 board", "AKs vs QJs, board AK2T5"),
    ("I had KK, he had AhTh, flop jack ten nine", "KK vs AhTh, board JT9"),
    ("I open AJo, he calls w/ 99", "AJo vs 99"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "question"), FOUND)
def test_hands_and_boards_are_found_in_what_people_write(text: str, question: str) -> None:
    assert find_showdown(text).question == question
    assert parse_question(question)


def test_every_game_is_found_by_its_key_and_its_name() -> None:
    """Except lowball, whose names are also words or hands, and `stud` and `draw`, also words."""
    differing = {
        (key, name): game
        for key, listed in GAMES.items()
        for name in (key, listed.name)
        if (game := find_showdown(f"we played {name} and I had AsKs").game) != key
    }
    low = {(key, name): "" for key in ("a5", "27") for name in (key, GAMES[key].name)}
    assert differing == low | {("stud", "stud"): "", ("draw", "draw"): ""}


@pytest.mark.parametrize("name", ["6+ PLO", "short deck PLO", "5-card stud hi/lo"])
def test_a_game_that_is_not_supported_is_refused_by_its_name(name: str) -> None:
    question = find_showdown(f"in {name} I had AsKsQsJs vs 9c9d8h8s").question
    with pytest.raises(TextError, match=re.escape(f'"{name}" isn\'t supported')):
        parse_question(question)


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("omaha 5/10, I had AsAh2s3h", "omaha"),
        ("he ofc had QQ and 6 plus outs", ""),
        ("Stud: I had AsAh3d", "stud"),
        ("the game is draw, I had AsAh3d3c2h", "draw"),
    ],
)
def test_blinds_and_plain_words_name_no_game_and_a_colon_does(text: str, game: str) -> None:
    assert find_showdown(text).game == game


@pytest.mark.parametrize(
    "text",
    [
        "",
        "see you at 10, as always",
        "As I said, 22 people came at 7. Ask him",
        "he made two pair, kings and sevens",
        "Aces full beats kings full, and I had aces full of kings",
        "I'm at work, TA is at AT&T",
        "jacks of all trades, kings and queens of England",
        "that cost $99 or 88 euros on the 7th",
        "https://example.org/AhKdQsQh <:AhKd:123> <t:1700000000:R>",
        "Ah, that's too bad",
        "won 50%, lost 77%",
        "tell me about it on Ah",
        "he asks",
    ],
)
def test_other_words_and_numbers_are_no_hands(text: str) -> None:
    showdown = find_showdown(text)
    assert (showdown.hands, showdown.question) == ((), "")


def test_a_board_without_hands_is_told() -> None:
    assert find_showdown("what a board: 9c 8d 7s").board == ("board 9c 8d 7s",)
    assert find_showdown("K72 on the flop K72?").hands == ()


def test_a_very_long_text_is_read_in_part() -> None:
    assert find_showdown("x " * LONGEST + "I had AA").hands == ()
