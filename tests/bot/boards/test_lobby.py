"""The board of a lobby, and one person's own cards."""

from __future__ import annotations

import pytest

from bot.boards.board import HandPicture
from bot.boards.hole_cards import hand_board
from bot.boards.lobby import lobby_board, unposted_board
from bot.boards.table import table_board
from bot.pictures.palette import GREY
from bot.tables.records import Status
from engine.variants import VARIANTS
from tests.bot.boards.rounds import (
    ANN,
    BOB,
    CLEO,
    LIARS,
    NAMES,
    THAI,
    dealt,
    enabled,
    labels,
    live,
    said,
    table,
)


@pytest.mark.parametrize("game", [LIARS, THAI, "royal_bluff"])
def test_a_lobby_says_who_sits_and_every_house_rule(game: str) -> None:
    board = lobby_board(table(game, Status.LOBBY))
    assert said(board).startswith(f"## {VARIANTS[game].title}")
    assert f"1. <@{ANN}> · host\n2. <@{BOB}>\n3. <@{CLEO}>" in said(board)
    for option in VARIANTS[game].options:
        assert f"-# {option.label}: {option.choices[0].label}" in said(board)
    assert "-# Odds during the match: allowed" in said(board)


def test_one_alone_waits_and_cannot_start() -> None:
    board = lobby_board(table(status=Status.LOBBY, players=(ANN,)))
    assert "Waiting for 1 more player." in said(board)
    assert enabled(board) == [
        "Join",
        "Leave",
        "House rules…",
        "Cancel",
        "Time and reminders…",
    ]


def test_a_full_table_takes_nobody_else() -> None:
    board = lobby_board(table("royal_bluff", Status.LOBBY, players=(1, 2, 3, 4)))
    assert "Join" not in enabled(board)
    assert "Join" in labels(board)


def test_closed_direct_messages_are_pointed_out() -> None:
    board = lobby_board(table(status=Status.LOBBY), frozenset({BOB, CLEO}))
    assert f"<@{BOB}> and <@{CLEO}>: direct messages are closed" in said(board)


def test_what_is_left_of_a_lobby_says_what_became_of_it() -> None:
    closed = table_board(live(None, status=Status.CLOSED), NAMES)
    assert "This table is closed. `/play` opens another." in said(closed)
    assert closed.accent == GREY
    begun = table_board(live(None), NAMES)
    assert f"The cards are dealt: <@{ANN}>, <@{BOB}> and <@{CLEO}> play." in said(begun)
    assert begun.rows == closed.rows == ()


def test_a_table_that_may_not_be_posted_says_which_permissions_it_wants() -> None:
    text = said(unposted_board(table()))
    for permission in ("View Channel", "Send Messages", "Attach Files"):
        assert f"**{permission}**" in text


def test_a_persons_cards_are_drawn_and_said() -> None:
    board = hand_board(live(dealt()), BOB, "https://example.org/table")
    assert isinstance(board.picture, HandPicture)
    assert board.picture.alt == "★ 9♣"
    assert "**[Liars' Poker](https://example.org/table) · Round 1**" in said(board)
    assert "A♠" not in said(board)
