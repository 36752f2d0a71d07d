"""The board of a round that has ended."""

from __future__ import annotations

import unicodedata

import pytest

from bot.boards.board import ShowdownPicture
from bot.boards.table import table_board
from bot.pictures.palette import AMBER, GREY, RED
from bot.tables.records import Status
from engine.actions import Forfeit
from tests.bot.boards.rounds import (
    ANN,
    BOB,
    CLEO,
    LIARS,
    NAMES,
    THAI,
    alt,
    bid,
    dealt,
    doubted,
    labels,
    live,
    said,
)
from tests.dealing import play


@pytest.mark.parametrize(
    ("game", "text", "words"),
    [
        (LIARS, "three nines", f"<@{BOB}> challenged <@{ANN}>'s **three nines**."),
        (THAI, "pair of nines", f"<@{BOB}> checked <@{ANN}>'s **pair of nines**."),
        ("royal_bluff", "a jack", f"<@{BOB}> doubted <@{ANN}>'s **a jack**."),
    ],
)
def test_a_bid_that_holds_costs_whoever_doubted_it(game: str, text: str, words: str) -> None:
    board = table_board(live(doubted(bid(dealt(game), text)), game), NAMES)
    assert words in said(board)
    assert "**It holds**: " in said(board)
    assert f"<@{BOB}> loses the round and now holds" in said(board)
    assert (board.accent, labels(board)) == (AMBER, ["Next round", "My seat", "Check this deal"])


@pytest.mark.parametrize(
    ("game", "text", "missing"),
    [
        (LIARS, "four kings", "two kings"),
        (LIARS, "pair of sixes, pair of fives", "two fives and a six"),
        (THAI, "three queens", "two queens"),
        (THAI, "spade flush", "four more spades"),
        ("royal_bluff", "all the jacks", "three jacks"),
    ],
)
def test_a_bid_that_fails_says_what_is_missing(game: str, text: str, missing: str) -> None:
    board = table_board(live(doubted(bid(dealt(game), text)), game), NAMES)
    shown = said(board)
    (line,) = [line for line in shown.splitlines() if "**It fails**. Missing: " in line]
    assert sorted(line.partition(" Missing: ")[2].split(" and ")) == sorted(missing.split(" and "))
    assert f"<@{ANN}> loses the round" in shown
    assert board.accent == RED


def test_everybodys_cards_are_in_the_pictures_words_and_in_no_line_beside_it() -> None:
    board = table_board(live(doubted(bid(dealt(), "pair of nines"))), NAMES)
    assert "**It holds**: 9♦ 9♣" in said(board)
    for card in ("A♠", "K♦", "2♥", "★"):  # what proves nothing is in the picture alone
        assert card not in said(board)
    assert alt(board).splitlines() == [
        "Ann: A♠, K♦",
        "Bob (now 3 cards): joker, [9♣]",
        "Cleo: [9♦], 2♥",
    ]


def test_a_joker_that_serves_is_labelled_in_the_picture_and_its_words() -> None:
    board = table_board(live(doubted(bid(dealt(), "three nines"))), NAMES)
    picture = board.picture
    assert isinstance(picture, ShowdownPicture)
    ((joker, meaning),) = picture.stands_for
    assert joker in picture.used
    assert meaning.symbol == "9"
    assert "Bob (now 3 cards): [joker as 9], [9♣]" in alt(board)


def test_a_name_in_the_picture_and_its_words_holds_nothing_unseen() -> None:
    names = {ANN: "\u202eevil\u2066\u200f", BOB: "Bo\u0000b\n# x", CLEO: "\u202e\u3164"}
    board = table_board(live(doubted(bid(dealt(), "pair of nines"))), names)
    assert [line.partition(":")[0] for line in alt(board).splitlines()] == [
        "evil",
        "Bob # x (now 3 cards)",
        "#3",
    ]
    unseen = {"Cc", "Cf", "Zl", "Zp"}
    assert not any(unicodedata.category(char) in unseen for char in alt(board).replace("\n", ""))


def test_a_record_of_a_round_has_no_buttons() -> None:
    board = table_board(live(doubted(bid(dealt(), "pair of nines"))), NAMES, controls=False)
    assert board.rows == ()


@pytest.mark.parametrize(("game", "words"), [(LIARS, "The caller"), (THAI, "The bidder")])
def test_nobody_pays_for_a_bid_whose_maker_has_left(game: str, words: str) -> None:
    text = "five aces" if game == LIARS else "spade royal flush"
    match = play(bid(dealt(game), text), Forfeit(0))
    board = table_board(live(doubted(match), game), NAMES)
    assert f"{words} has left the match: nobody gains a card." in said(board)


def test_the_last_one_left_wins_and_may_play_again() -> None:
    match = play(dealt(), Forfeit(0), Forfeit(1))
    board = table_board(live(match), NAMES)
    assert "It ends without a showdown." in said(board)
    assert f"## <@{CLEO}> wins the match\n-# after 1 round" in said(board)
    assert labels(board) == ["Play again", "My seat", "Check this deal"]


def test_a_match_that_is_ended_has_no_winner() -> None:
    board = table_board(live(dealt(), status=Status.CLOSED), NAMES)
    assert "The match was ended without a winner." in said(board)
    assert (board.accent, labels(board)) == (GREY, ["Check this deal"])
    shown = table_board(live(doubted(bid(dealt(), "pair of nines")), status=Status.CLOSED), NAMES)
    assert "**The match was ended** without a winner." in said(shown)
    assert labels(shown) == ["Check this deal"]
