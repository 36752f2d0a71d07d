"""Answers about Three Card Poker as boards."""

from __future__ import annotations

import pytest

from bot.boards.three_card_odds import PayTables, hand_name, pay_choices, three_card_board
from bot.language.catalogues import speaking
from bot.pictures.palette import GREEN, GREY, RED
from engine.cards import Cards
from engine.errors import TextError
from engine.odds.three_card import Category
from tests.bot.boards.rounds import hands, said


def test_a_hand_is_played_or_folded_with_its_figures() -> None:
    board = three_card_board("Qs 6h 4d")
    assert said(board).startswith("## Play\nQueen high, Q-6-4")
    assert "Playing is worth **−0.9934** of the ante, folding −1." in said(board)
    assert hands(board) == [Cards.parse("Qs 6h 4d")]
    assert (board.accent, three_card_board("Qs 6h 3d").accent) == (GREEN, RED)


def test_cards_seen_may_change_the_decision() -> None:
    text = said(three_card_board("Qs 6h 3d", "Ah Kd 2c"))
    assert "seen in other hands. That changes the decision:" in text


def test_without_a_hand_the_house_edge_is_shown() -> None:
    board = three_card_board("")
    assert "The house keeps **3.373%** of the ante" in said(board).replace("\u00a0", " ")
    assert board.accent == GREY
    table = said(board).split("```")[1]
    assert all(len(line) <= 30 for line in table.splitlines())  # a phone shows so many


def test_columns_and_hands_of_the_house_edge_are_whole_words_in_polish() -> None:
    with speaking("pl"):
        text = said(three_card_board(""))
    table = text.split("```")[1]
    assert table.split()[:4] == ["W", "R", "P", "K"]
    assert "W: wygrana, R: remis, P: przegrana, K: krupier bez kwalifikacji" in text
    assert "…" not in table
    assert all(len(line) <= 30 for line in table.splitlines())


def test_pay_tables_are_suggested_with_what_the_house_keeps() -> None:
    found = pay_choices("bonus", "1/4")
    assert found == [("1/4/5: the house keeps 3.37%", "1/4/5")]


def test_a_pay_table_that_is_none_is_refused() -> None:
    with pytest.raises(TextError, match="1/4/5"):
        three_card_board("", tables=PayTables(bonus="1"))


@pytest.mark.parametrize(
    ("category", "ranks", "words"),
    [
        (Category.PAIR, (0, 0, 12), "a pair of twos with an ace"),
        (Category.THREE_OF_A_KIND, (4, 4, 4), "three sixes"),
        (Category.FLUSH, (6, 3, 1), "an eight-high flush, 8-5-3"),
        (Category.HIGH_CARD, (9, 4, 2), "jack high, J-6-4"),
    ],
)
def test_hands_are_named_in_the_rank_words_of_all_games(
    category: Category, ranks: tuple[int, int, int], words: str
) -> None:
    assert hand_name(category, ranks) == words


@pytest.mark.parametrize(
    ("typed", "name"),
    [
        ("Q64", "Queen high, Q-6-4"),
        ("queen six four", "Queen high, Q-6-4"),
        ("10 9 5", "Ten high, 10-9-5"),
        ("QQ4", "A pair of queens with a four"),
        ("Q64s", "A queen-high flush, Q-6-4"),
    ],
)
def test_three_ranks_are_a_hand_of_example_suits(typed: str, name: str) -> None:
    text = said(three_card_board(typed))
    assert name in text
    assert "The suits were not typed: these are an example." in text
    assert "suits were not typed" not in said(three_card_board("Qs 6h 4d"))


def test_example_suits_are_none_of_the_cards_that_were_seen() -> None:
    assert "With Q♠ 6♠ 6♥ seen" in said(three_card_board("Q64", "Qs 6s 6h"))


@pytest.mark.parametrize(
    ("language", "typed"),
    [("en", "queen of spades, six of hearts, 4d"), ("pl", "dama pik, 6 kier, 4d")],
)
def test_cards_in_words_are_understood(language: str, typed: str) -> None:
    with speaking(language):
        board = three_card_board(typed)
    assert hands(board) == [Cards.parse("Qs 6h 4d")]
