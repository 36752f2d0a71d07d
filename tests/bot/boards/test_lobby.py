"""The board of a lobby."""

from __future__ import annotations

import pytest

from bot.boards.board import Menu
from bot.boards.lobby import PITCH, USUAL, lobby_board, options_board, unposted_board
from bot.boards.table import table_board
from bot.pictures.palette import GREY
from bot.tables.model import Status
from bot.tables.table_options import SERVER, options_of
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
def test_a_lobby_says_what_the_game_is_who_sits_and_that_the_rules_are_the_usual(
    game: str,
) -> None:
    board = lobby_board(table(game, Status.LOBBY))
    assert said(board).startswith(f"## {VARIANTS[game].title}\n{PITCH} Last one in wins.\n")
    assert f"1. <@{ANN}> · host\n2. <@{BOB}>\n3. <@{CLEO}>" in said(board)
    assert USUAL in said(board)
    for option in options_of(game):
        assert option.label not in said(board)


@pytest.mark.parametrize("game", [LIARS, THAI, "royal_bluff"])
def test_only_house_rules_that_differ_from_the_usual_are_shown(game: str) -> None:
    for option in options_of(game):
        if option in SERVER:  # a message in a language need not say in which it is
            continue
        other = option.choices[1]
        board = lobby_board(table(game, Status.LOBBY, options={option.key: other.value}))
        shown = [line for line in said(board).splitlines() if line.startswith("-# ")]
        assert f"-# {option.label}: {other.label}" in shown
        assert USUAL not in shown


def test_a_lobby_says_who_wins_a_match_that_the_first_out_ends() -> None:
    board = lobby_board(table(status=Status.LOBBY, options={"length": "first_out"}))
    assert f"{PITCH} The first out ends it: the fewest cards win.\n" in said(board)
    assert "Last one in wins" not in said(board)


@pytest.mark.parametrize(
    ("game", "length", "says"),
    [
        (LIARS, "whole", "without. Two cards each at first; six are too many.\n"),
        (LIARS, "one_more", "without. Three cards each at first; six are too many.\n"),
        (THAI, "whole", "there is no two pair.\n"),  # so many cards as there are players
        ("royal_bluff", "whole", "One card each at first; "),
    ],
)
def test_a_lobby_says_with_how_many_cards_everybody_begins(
    game: str, length: str, says: str
) -> None:
    assert says in said(lobby_board(table(game, Status.LOBBY, options={"length": length})))


def test_every_option_is_explained_where_it_is_chosen() -> None:
    for game in (LIARS, THAI):
        for option in options_of(game):
            assert option.about.endswith("."), option.key


def test_no_label_but_my_seat_holds_the_word_seat() -> None:
    asked = lobby_board(table(status=Status.LOBBY, invited=(BOB, CLEO), players=(ANN,)))
    assert "I'm in" in labels(asked)
    for board in (asked, table_board(live(dealt()), NAMES)):
        assert {one for one in labels(board) if "seat" in one.lower()} <= {"My seat"}


def test_one_alone_waits_and_cannot_start() -> None:
    board = lobby_board(table(status=Status.LOBBY, players=(ANN,)))
    assert "Waiting for 1 more player." in said(board)
    assert enabled(board) == [
        "Join",
        "Leave",
        "Options…",
        "How to play",
    ]


def test_a_lobby_has_six_buttons_and_one_that_asks_to_play_again_three() -> None:
    lobby = lobby_board(table(status=Status.LOBBY), seats_computers=True)
    assert labels(lobby) == ["Join", "Leave", "Start", "Computer player", "Options…", "How to play"]
    again = lobby_board(table(status=Status.LOBBY, invited=(ANN, 104)), seats_computers=True)
    assert labels(again) == ["I'm in", "Not this time", "Options…"]


def test_behind_options_each_sees_what_they_may_choose() -> None:
    lobby = table(status=Status.LOBBY, chain_root=bytes(32))
    rules = ["House rules…", "Time and messages…"]
    everybody = ["Cut the cards…", "Tell me when a table opens"]
    host = options_board(lobby, ANN, manages=True, seats_computers=True)
    assert labels(host) == [*rules, *everybody, "Cancel"]
    assert any(isinstance(row, Menu) for row in host.rows)
    friend = options_board(lobby, BOB, manages=False, seats_computers=True)
    assert labels(friend) == everybody
    assert f"<@{ANN}> chooses the rules" in said(friend)
    assert "so that nobody can have stacked the deck" in said(friend)
    assert labels(options_board(lobby, 99, manages=False)) == ["Tell me when a table opens"]
    asked = table(status=Status.LOBBY, invited=(ANN, 104))
    assert "Start" in labels(options_board(asked, ANN, manages=True))


def test_many_players_share_lines_so_that_the_lobby_fits_a_phone() -> None:
    few, many = (
        lobby_board(table(status=Status.LOBBY, players=tuple(range(n)), host_id=0)) for n in (4, 10)
    )
    assert "1. <@0> · host\n2. <@1>\n3. <@2>\n4. <@3>" in said(few)
    assert "<@0> (host), <@1>, <@2>, <@3>" in said(many)
    assert len(said(many).splitlines()) < len(said(few).splitlines())


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
