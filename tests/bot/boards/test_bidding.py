"""The board of a round being bid."""

from __future__ import annotations

from collections import Counter

import pytest

from bot.boards.bidding import MOST_LISTED, handy_bids
from bot.boards.board import Menu
from bot.boards.seat import seat_board
from bot.boards.table import table_board
from engine.bids import Bid, Kind
from engine.variants import VARIANTS, ruleset
from tests.bot.boards.rounds import (
    ANN,
    BOB,
    CLEO,
    LIARS,
    NAMES,
    THAI,
    bid,
    dealt,
    enabled,
    labels,
    live,
    said,
)


@pytest.mark.parametrize(
    ("game", "words", "buttons"),
    [
        (LIARS, ("No call yet", "open the round with any call."), ["Call…", "Challenge"]),
        (THAI, ("No bid yet", "open the round with any bid."), ["Bid…", "Check bid"]),
        ("royal_bluff", ("No claim yet", "with any claim."), ["Claim…", "Doubt"]),
    ],
)
def test_the_opener_is_asked_in_the_games_own_words(
    game: str, words: tuple[str, ...], buttons: list[str]
) -> None:
    board = table_board(live(dealt(game), game), NAMES)
    for part in words:
        assert part in said(board)
    assert labels(board) == ["Fair deal ✓", *buttons, "My seat"]
    assert enabled(board) == ["Fair deal ✓", buttons[0], "My seat"]


def test_a_seat_and_a_table_say_the_calls_of_a_round_alike() -> None:
    shown = live(bid(dealt(), "nine high", "pair of threes", "eight high club flush"))
    for board in (table_board(shown, NAMES), seat_board(shown, ANN)):
        assert f"### Eight high club flush ♣\n-# by <@{CLEO}>" in said(board)
        for line in (f"-# <@{BOB}>: pair of threes", f"-# <@{ANN}>: nine high"):
            assert line in said(board).splitlines()


def test_the_standing_bid_stands_out_and_those_before_it_in_small_print() -> None:
    board = table_board(live(bid(dealt(), "nine high", "pair of threes")), NAMES)
    assert f"### Pair of threes\n-# by <@{BOB}>" in said(board)
    assert f"-# by <@{BOB}>\n-# <@{ANN}>: nine high\n" in said(board) + "\n"
    assert f"<@{CLEO}>, call higher or challenge." in said(board)
    assert enabled(board) == ["Fair deal ✓", "Call…", "Challenge", "My seat"]


def test_of_a_long_round_the_last_five_bids_are_listed_and_all_are_behind_a_button() -> None:
    texts = [f"pair of {rank}s" for rank in ("three", "four", "nine", "ten")]
    five = table_board(live(bid(dealt(), *texts, "three aces")), NAMES)
    assert "### Three aces" in said(five)
    listed = [line for line in said(five).splitlines() if "pair of" in line]
    assert listed == [  # the latest first
        f"-# <@{ANN}>: pair of tens",
        f"-# <@{CLEO}>: pair of nines",
        f"-# <@{BOB}>: pair of fours",
        f"-# <@{ANN}>: pair of threes",
    ]
    assert "Bidding" not in labels(five)
    six = table_board(live(bid(dealt(), *texts, "three aces", "four aces")), NAMES)
    assert "pair of threes" not in said(six)
    assert "pair of fours" in said(six)
    assert "Bidding" in labels(six)


def test_the_menu_offers_the_next_bids_with_their_suits() -> None:
    menu, *_ = table_board(live(bid(dealt(THAI), "aces over kings"), THAI), NAMES).rows
    assert isinstance(menu, Menu)
    assert menu.placeholder == "Bid one of these hands"
    assert [label for _, label, _ in menu.options[:2]] == ["Club flush ♣", "Diamond flush ♦"]
    assert len(menu.options) <= 25


def test_on_the_top_rung_only_a_challenge_is_left() -> None:
    board = table_board(live(bid(dealt(), "five aces")), NAMES)
    assert "nothing is higher: you must challenge." in said(board)
    assert enabled(board) == ["Fair deal ✓", "Challenge", "My seat"]
    assert not any(isinstance(row, Menu) for row in board.rows)


@pytest.mark.parametrize(
    ("game", "first", "words"),
    [
        (LIARS, "jack high", "call higher. Anybody but the caller may challenge."),
        (THAI, "high card jack", "bid higher. Anybody but the bidder may check."),
    ],
)
def test_where_anybody_may_doubt_whoever_made_the_bid_is_named_rightly(
    game: str, first: str, words: str
) -> None:
    match = bid(dealt(game, {"challengers": "anyone"}), first)
    assert words in said(table_board(live(match, game), NAMES))


def test_the_small_print_counts_cards_and_says_whose_messages_are_closed() -> None:
    board = table_board(live(dealt()), NAMES, frozenset({BOB}))
    assert "-# 6 cards in play, two jokers in the deck" in said(board)
    assert f"<@{BOB}>: press **My seat**, your direct messages are closed" in said(board)
    assert "`▮▮▯▯▯`" in said(board)
    assert "seal" not in said(board) + board.footer  # it is behind Fair deal


def test_the_board_of_a_round_shows_nobodys_cards() -> None:
    board = table_board(live(dealt()), NAMES)
    for card in ("A♠", "K♦", "9♣", "9♦", "2♥", "★"):
        assert card not in said(board)


def after(key: str, standing: str | None) -> list[Bid]:
    """The list once a bid stands."""
    ladder = ruleset(key).ladder
    bid = ladder.bid(standing) if standing is not None else None
    return handy_bids(ladder.above(bid), bid)


@pytest.mark.parametrize("key", list(VARIANTS))
def test_whatever_stands_the_list_is_legal_in_order_and_not_too_long(key: str) -> None:
    ladder = ruleset(key).ladder
    for standing in (None, *ladder):
        rungs = ladder.above(standing)
        listed = handy_bids(rungs, standing)
        numbers = [ladder.number(bid) for bid in listed]
        assert len(listed) <= MOST_LISTED
        assert numbers == sorted(numbers)
        assert {bid.key for bid in listed} <= {bid.key for rung in rungs for bid in rung}
        assert bool(listed) == bool(rungs)
        if rungs:
            assert set(rungs[0]) <= set(listed), "the quickest raise is always there"
        kinds = {rung[0].kind for rung in rungs}
        assert {bid.kind for bid in listed} == kinds, "one may leap to any kind"


def test_in_the_middle_of_the_two_pairs_there_is_one_for_each_rank() -> None:
    listed = after("liars_poker", "two_pair:5,2")
    assert [bid.key for bid in listed[:3]] == ["two_pair:5,3", "two_pair:5,4", "two_pair:6,2"]
    assert Counter(bid.kind for bid in listed)[Kind.TWO_PAIR] == 2 + 9


def test_the_opener_is_offered_every_kind_and_every_rank_of_the_first() -> None:
    listed = after("thai_poker", None)
    assert [bid.key for bid in listed[:6]] == [f"high_card:{rank}" for rank in "9TJQKA"]


def test_the_list_does_not_end_before_the_top() -> None:
    assert [bid.key for bid in after("thai_poker", "royal_flush:h")] == ["royal_flush:s"]
    assert after("thai_poker", "royal_flush:s") == []
