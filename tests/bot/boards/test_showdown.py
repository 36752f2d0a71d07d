"""The board of a round that has ended."""

from __future__ import annotations

import unicodedata
from dataclasses import replace

import pytest

from bot.boards.board import ShowdownPicture
from bot.boards.showdown import record_board, showdown_board
from bot.boards.table import table_board
from bot.discord.layout import board_view
from bot.language.words import TypedText, cards_counted
from bot.pictures.palette import AMBER, GREY, RED
from bot.sandbox.payloads import walk
from bot.tables.model import Status
from engine.actions import Challenge, Forfeit, MakeBid
from engine.play import start
from engine.variants import ruleset
from engine.view import EndedRound, view
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
from tests.dealing import play, stacked_deal
from tests.engine.rounds import with_cards


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
    assert "**It holds.**" in said(board)
    assert f"<@{BOB}> loses the round and now holds" in said(board)
    assert (board.accent, labels(board)) == (
        AMBER,
        ["Fair deal ✓", "Next round", "My seat", "Join the next match"],
    )


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
    for card in ("A♠", "K♦", "2♥", "★", "9♣"):  # they are in the picture alone
        assert card not in said(board)
    assert alt(board).splitlines() == [
        "Ann: A♠, K♦",
        "Bob: joker, [9♣]",
        "Cleo: [9♦], 2♥",
    ]


def test_a_joker_that_serves_is_labelled_in_the_picture_and_its_words() -> None:
    board = table_board(live(doubted(bid(dealt(), "three nines"))), NAMES)
    picture = board.picture
    assert isinstance(picture, ShowdownPicture)
    ((joker, meaning),) = picture.stands_for
    assert joker in picture.used
    assert meaning.symbol == "9"
    assert "Bob: [joker as 9], [9♣]" in alt(board)


def test_a_name_in_the_picture_and_its_words_holds_nothing_unseen() -> None:
    typed = ("\u202eevil\u2066\u200f", "Bo\u0000b\n# x", "\u202e\u3164")
    names = dict(zip((ANN, BOB, CLEO), map(TypedText, typed), strict=True))
    board = table_board(live(doubted(bid(dealt(), "pair of nines"))), names)
    assert [line.partition(":")[0] for line in alt(board).splitlines()] == [
        "evil",
        "Bob # x",
        "Seat 3",
    ]
    unseen = {"Cc", "Cf", "Zl", "Zp"}
    assert not any(unicodedata.category(char) in unseen for char in alt(board).replace("\n", ""))


def test_a_long_name_is_told_by_its_beginning_so_that_the_verdict_fits_a_phone() -> None:
    names = {ANN: TypedText("Ann_" * 8), BOB: TypedText("W" * 32), CLEO: TypedText("Cleo")}
    text = said(table_board(live(doubted(bid(dealt(), "pair of nines"))), names))
    assert "**WWWWWW…** challenged **Ann\\_Ann\\_An…**'s **pair of nines**." in text
    assert "**WWWWWW…** loses the round and now holds" in text


def test_a_long_name_that_no_typeface_has_is_shortened_too() -> None:
    names = {
        ANN: TypedText("\U00010380" * 32),
        BOB: TypedText("\U00010380"),
        CLEO: TypedText("Cleo"),
    }
    text = said(table_board(live(doubted(bid(dealt(), "pair of nines"))), names))
    short = "\U00010380" * 6
    assert f"<@{BOB}> challenged **{short}…**'s **pair of nines**." in text


ODD = (
    "\u0b9c\u0bcd\u0b9e\u0bbe" * 8,  # Tamil, in clusters
    "\U0001f468\u200d\U0001f469\u200d\U0001f467" * 6 + "xy",  # families in one sign each
    "\u0645\u0631\u062d\u0628\u0627 " * 5 + "ab",  # right to left
    "\u6f22\u5b57" * 16,
    "W" * 32,
    "*_~`|>" * 5 + "@#",  # markup
    "[x](http://e.example/aaaaaaaaaa)",
    "Z\u0351\u036b\u0343" * 8,  # stacked accents
    "\U0001d56f\U0001d57e" * 16,
    "<@123456789012345678901234567890>",
)


@pytest.mark.parametrize("game", [LIARS, THAI])
@pytest.mark.parametrize("rung", [0, -1])
def test_ten_players_with_the_longest_names_fit_one_message(game: str, rung: int) -> None:
    people = tuple(1_500_000_000_000_000_000 + number for number in range(10))
    names = {player: TypedText(name[:32]) for player, name in zip(people, ODD, strict=True)}
    rules = ruleset(game)
    match = start(rules, people, 0)
    match = play(match, stacked_deal(match, {}))
    match = play(match, MakeBid(0, rules.ladder.rungs[rung][0].key), Challenge(1))
    shown = live(match, game, players=people, host_id=people[0])
    dealt = replace(shown, match=play(match, stacked_deal(match, {})), before=match)
    for board in (
        table_board(shown, names),
        record_board(shown, names),
        table_board(dealt, names),
        record_board(dealt, names),
    ):
        parts = walk(board_view(board).to_components())
        assert len(parts) <= 40
        written = sum(len(part.get("content", "")) for part in parts)
        assert written <= 4000
        assert all(len(part.get("label") or "") <= 80 for part in parts)
        described = [item["description"] for part in parts for item in part.get("items", [])]
        assert all(0 < len(one) <= 1024 for one in described)


def test_a_record_of_a_round_has_no_buttons() -> None:
    ended = live(doubted(bid(dealt(), "pair of nines")))
    assert ended.match is not None
    seen = view(ended.match)
    assert isinstance(seen.round, EndedRound)
    assert showdown_board(ended, seen, seen.round, NAMES, None).rows == ()


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
    assert f"## <@{CLEO}> wins the match" in said(board)
    assert labels(board) == ["Fair deal ✓", "Play again", "Whole match", "Replay"]


def test_a_match_that_was_won_is_won_after_its_table_made_room_for_another_one() -> None:
    match = play(dealt(), Forfeit(0), Forfeit(1))
    board = table_board(live(match, status=Status.CLOSED), NAMES)
    assert f"## <@{CLEO}> wins the match" in said(board)
    assert "without a winner" not in said(board)
    assert labels(board) == ["Fair deal ✓", "Whole match", "Replay"]
    assert board.accent == AMBER


def test_a_match_that_is_ended_has_no_winner() -> None:
    board = table_board(live(dealt(), status=Status.CLOSED), NAMES)
    assert "The match was ended without a winner." in said(board)
    assert (board.accent, labels(board)) == (GREY, ["Fair deal ✓"])
    shown = table_board(live(doubted(bid(dealt(), "pair of nines")), status=Status.CLOSED), NAMES)
    assert "**The match was ended** without a winner." in said(shown)
    assert labels(shown) == ["Fair deal ✓"]


def test_what_the_house_played_says_so_at_the_table_and_at_the_showdown() -> None:
    match = bid(dealt(), "pair of nines")
    for played in (match, doubted(match)):
        own = live(played)
        by_house = replace(own, by_house=frozenset({played.seq}))
        before = replace(own, by_house=frozenset({played.seq - 1}))
        assert "played by the house" in said(table_board(by_house, NAMES)).lower()
        assert "played by the house" not in said(table_board(before, NAMES)).lower()


def test_a_card_limit_that_changes_is_told_when_it_does() -> None:
    rules = ruleset(THAI, {"two_player_limit": 7})
    match = with_cards(start(rules, (ANN, BOB, CLEO), 0), 2, 6, 2)
    match = play(match, stacked_deal(match, {0: "9c 9d"}))
    over = doubted(bid(match, "pair of nines"))
    assert not over.seats[1].live
    told = f"-# From now on at most **{cards_counted(7)}**."
    assert told in said(table_board(live(over, THAI), NAMES))
    same = doubted(bid(dealt(THAI), "pair of nines"))
    assert "From now on" not in said(table_board(live(same, THAI), NAMES))
