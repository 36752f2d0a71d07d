"""Answers about showdowns as boards."""

from __future__ import annotations

import pytest

from bot.boards.showdown_odds import (
    close_looks,
    hand_grid_board,
    next_card_board,
    ranks_board,
    showdown_board,
    working_board,
)
from bot.boards.showdown_words import outs_text, range_size
from bot.language.catalogues import speaking
from bot.language.words import percent
from bot.pictures.bar_chart import BarChart
from bot.pictures.heat_map import HeatMap, heat_map_png
from engine.cards import Cards
from engine.odds import (
    PRESETS,
    Effort,
    Range,
    Scenario,
    Showdown,
    hand_grid,
    next_cards,
    parse_scenario,
    showdown_odds,
    streets,
)
from tests.bot.boards.rounds import chart_of, said


def asked(*players: str, board: str = "", game: str = "holdem") -> Scenario:
    return parse_scenario(players, board, "", PRESETS[game])


def answered(*players: str, board: str = "", game: str = "holdem") -> Showdown:
    return showdown_odds(asked(*players, board=board, game=game), Effort())


def test_every_player_has_a_bar_and_no_number_stands_twice() -> None:
    board = showdown_board(answered("AdAc", "KhKs", board="2c 7d 9h 3s"))
    text = said(board).replace("\u00a0", " ")
    assert text.startswith("## Hold'em\n-# board 9♥ 7♦ 3♠ 2♣")
    assert "%" not in text, "the picture says it"
    assert text.splitlines()[-1] == "-# exact"
    assert [bar.words for bar in chart_of(board, BarChart).bars] == ["P1 A♦ A♣", "P2 K♠ K♥"]


def test_where_players_may_tie_what_they_hold_of_the_pot_is_said() -> None:
    board = showdown_board(answered("AdKc", "AhKs", board="2c 7d 9d 3d"))
    assert chart_of(board, BarChart).bars[0].remark.startswith("tie ")
    pot = float(answered("AdKc", "AhKs", board="2c 7d 9d 3d").players[0].value)
    assert f"**P1 A♦ K♣**: {percent(pot)} of the pot" in words(said(board))


def test_hands_are_named_shortly_in_a_table_that_a_phone_shows() -> None:
    text = said(ranks_board(answered("AdAc", "KhKs", board="2c 7d 9h 3s")))
    table = text.split("```")[1].strip("\n").splitlines()
    assert [line[:11].strip() for line in table[1:]] == [
        *("High card", "Pair", "Two pair", "Threes", "Straight", "Flush", "Full house", "Fours"),
        "Str. flush",
    ]
    assert all(len(line) <= 32 for line in table)


@pytest.mark.parametrize("game", ["holdem", "badugi"])
@pytest.mark.parametrize("language", ["en", "pl"])
def test_no_hand_is_called_by_half_a_word_and_a_phone_shows_the_table(
    language: str, game: str
) -> None:
    hands = ("As2h3d4c", "KsQhJd", "") if game == "badugi" else ("AdAc", "KhKs", "2d2h")
    answer = answered(*hands, board="" if game == "badugi" else "2c 7d 9h 3s", game=game)
    with speaking(language):
        text = said(ranks_board(answer))
    assert "…" not in text
    assert all(len(line) <= 32 for table in text.split("```")[1::2] for line in table.splitlines())
    if language == "pl" and game == "holdem":
        assert "Wysoka karta" in text


def test_a_long_range_is_cut_so_that_a_message_has_room_for_it() -> None:
    pairs = ", ".join(rank * 2 for rank in "23456789TJQKA")
    text = said(ranks_board(answered("AhKh", f"{pairs}, " * 20 + "AKs", board="2c 7d 9h 3s")))
    (line,) = [line for line in text.splitlines() if line.startswith("-# P2: ")]
    assert line.endswith("…")
    assert len(line) < 300


def test_while_it_is_worked_out_the_board_says_of_how_many_players() -> None:
    scenario = parse_scenario(("AhKh", ""), "", "", PRESETS["holdem"])
    assert said(working_board(scenario)).strip() == "**Hold'em**, 2 players: dealing…"


def words(text: str) -> str:
    return text.replace("\u00a0", " ")


def test_outs_are_said_in_few_words() -> None:
    text = said(showdown_board(answered("AhKh", "QcQd", board="2c 9h 5h")))
    assert "**P1** has 15 outs: 9 hearts, 3 aces, 3 kings" in text
    assert "**P2** is ahead" in text
    text = said(showdown_board(answered("AhKh", "QcQd", "2d3c", board="Qh Qs 5h")))
    assert "**P3** has no outs" in text
    text = said(showdown_board(answered("Ah2h", "AcQd", board="Kd Ks Jh 8c")))
    assert "**P1** ties with" in text
    text = said(showdown_board(answered("AhKh", "", board="2c 9h 5h")))
    assert "out" not in text


def test_outs_are_declined_in_polish() -> None:
    with speaking("pl"):
        assert outs_text(Cards.parse("2h3h4h5h6h 9c9d Ts")) == "5 kierów, 2 dziewiątki, 10♠"


@pytest.mark.parametrize(("text", "size"), [("QQ+", "1.4%, 18 hands"), ("AhKh", "0.075%, 1 hand")])
def test_a_range_says_how_large_it_is(text: str, size: str) -> None:
    assert words(range_size(Range.parse(text))) == size


def test_a_range_of_combos_is_shown_as_it_was_typed() -> None:
    text = words(said(showdown_board(answered("AhKh, AdKd", "QcQs", board="2c 9h 5h 4s"))))
    assert "**P1 AhKh, AdKd (0.15%, 2 hands)**" in text


def test_a_split_pot_says_who_takes_which_half() -> None:
    board = showdown_board(answered("AsAh2s3h", "KdKcQd7c", board="4c 5d 8s", game="omaha8"))
    text = words(said(board))
    assert "## Omaha hi/lo" in text
    assert "**P1 A♠ A♥ 3♥ 2♠**: best high 81.7%, best low 100%, 90.9% of the pot" in text
    assert chart_of(board, BarChart).subtitle == "paler: a part of it"


def test_badugi_lists_its_own_hands() -> None:
    text = said(ranks_board(answered("As2h3d4c", "KsQhJd", game="badugi")))
    table = text.split("```")[1].strip("\n").splitlines()
    kinds = [line[:12].strip() for line in table[1:]]
    assert kinds == ["One card", "Two cards", "Three cards", "Badugi"]
    with speaking("pl"):
        assert "Trzy karty" in said(ranks_board(answered("As2h3d4c", "KsQhJd", game="badugi")))


def test_the_next_card_is_a_picture_of_52_cells_and_the_same_in_words() -> None:
    scenario = asked("AhKh", "QcQd", board="2c 9h 5h")
    assert [look.label for look in close_looks(scenario)] == ["Card by card"]
    board = next_card_board(scenario, next_cards(scenario), streets(scenario))
    assert board.picture is not None
    rows = chart_of(board, HeatMap).rows
    assert [len(row) for row in rows] == [13] * 4
    assert sum(cell.share is not None for row in rows for cell in row) == 45
    text = words(said(board))
    assert "**P1 A♥ K♥**: 55.1% now, 100% with J♥, 15.9% with Q♠" in text
    assert "every next card counted exactly" in text
    assert "**P1** 46.2% → 55.1%" in text
    assert "→" not in said(next_card_board(scenario, next_cards(scenario)))
    assert "A♠: 98 98 16 34" in board.picture.alt
    assert heat_map_png(chart_of(board, HeatMap)).startswith(b"\x89PNG")


def test_a_hand_against_a_range_is_a_grid_of_169_cells_and_the_same_in_words() -> None:
    scenario = asked("AhKd", "99+, AQs, 22", board="2c 9h 5h Ts")
    looks = [look.label for look in close_looks(asked("AhKd", "99+"))]
    assert looks == ["Hand by hand", "Equity curve"]
    assert [look.label for look in close_looks(scenario)][:2] == ["Card by card", "Hand by hand"]
    board = hand_grid_board(scenario, hand_grid(scenario))
    assert board.picture is not None
    rows = chart_of(board, HeatMap).rows
    assert [len(row) for row in rows] == [13] * 13
    shown = [cell.label for row in rows for cell in row if cell.share is not None]
    assert shown == ["AA", "AQs", "KK", "QQ", "JJ", "TT", "99", "22"]
    text = words(said(board))
    assert "A♥ K♦ has more than half of the pot against 3 of" in text
    assert len(board.picture.alt) <= 1024
    assert heat_map_png(chart_of(board, HeatMap)).startswith(b"\x89PNG")


def test_nothing_to_look_at_closely_has_no_button() -> None:
    assert not close_looks(asked("AhKh", "QcQd"))
    assert not close_looks(asked("AhKh", "QcQd", board="2c 9h 5h 4s 3s"))
