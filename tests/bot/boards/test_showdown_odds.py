"""Answers about showdowns as boards."""

from __future__ import annotations

from bot.boards.board import ChartPicture
from bot.boards.showdown_odds import ranks_board, showdown_board, working_board
from engine.odds import PRESETS, Effort, Showdown, parse_scenario, showdown_odds
from tests.bot.boards.rounds import said


def answered(*players: str, board: str = "") -> Showdown:
    scenario = parse_scenario(players, board, "", PRESETS["holdem"])
    return showdown_odds(scenario, Effort())


def test_every_player_has_a_line_and_a_bar() -> None:
    board = showdown_board(answered("AdAc", "KhKs", board="2c 7d 9h 3s"))
    text = said(board).replace("\u00a0", " ")
    assert text.startswith("## Hold'em\n-# board 9♥ 7♦ 3♠ 2♣")
    assert "**P1 A♦ A♣** wins 95.5 %, ties 0 %, worth 95.5 % of the pot" in text
    assert "-# exact: all 44 deals counted" in text
    assert isinstance(board.picture, ChartPicture)
    assert [bar.words for bar in board.picture.chart.bars] == ["P1 A♦ A♣", "P2 K♠ K♥"]


def test_hands_are_named_shortly_in_a_table_that_a_phone_shows() -> None:
    text = said(ranks_board(answered("AdAc", "KhKs", board="2c 7d 9h 3s")))
    table = text.split("```")[1].strip("\n").splitlines()
    assert [line[:11].strip() for line in table[1:]] == [
        *("High card", "Pair", "Two pair", "Threes", "Straight", "Flush", "Full house", "Fours"),
        "Str. flush",
    ]
    assert all(len(line) <= 32 for line in table)


def test_a_long_range_is_cut_so_that_a_message_has_room_for_it() -> None:
    pairs = ", ".join(rank * 2 for rank in "23456789TJQKA")
    text = said(ranks_board(answered("AhKh", f"{pairs}, " * 20 + "AKs", board="2c 7d 9h 3s")))
    (line,) = [line for line in text.splitlines() if line.startswith("-# P2: ")]
    assert line.endswith("…")
    assert len(line) < 300


def test_while_it_is_worked_out_the_board_says_of_how_many_players() -> None:
    scenario = parse_scenario(("AhKh", ""), "", "", PRESETS["holdem"])
    assert said(working_board(scenario)).strip() == "**Hold'em**, 2 players: dealing…"
