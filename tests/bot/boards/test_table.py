"""The table's public message: the lobby, a round being bid, and the end of a match."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from bot.boards.bidding import MOST_LISTED, handy_bids
from bot.boards.board import Menu
from bot.boards.lobby import (
    PITCH,
    USUAL,
    lobby_board,
    match_minutes,
    options_board,
    unposted_board,
)
from bot.boards.seat import seat_board
from bot.boards.showdown import strip_picture
from bot.boards.table import table_board
from bot.pictures.palette import GREY
from bot.pictures.strip import Fate
from bot.tables.highlights import match_highlights
from bot.tables.live import advance
from bot.tables.model import Status
from bot.tables.table_options import SERVER, TURN_CLOCK, options_of
from engine.actions import Challenge, Forfeit, MakeBid
from engine.bids import Bid, Kind
from engine.state import Cause, Match
from engine.variants import VARIANTS, ruleset
from engine.view import view_of
from tests.bot.boards.rounds import (
    ANN,
    BOB,
    CLEO,
    LIARS,
    NAMES,
    THAI,
    alt,
    bid,
    board_text,
    buttons,
    dealt,
    enabled_labels,
    labels,
    live,
    table,
)
from tests.dealing import fair_deal, play, seed_from
from tests.engine.rounds import with_cards

# -- the lobby -------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [LIARS, THAI, "royal_bluff"])
def test_a_lobby_shows_the_game_the_players_and_the_unusual_rules(
    game: str,
) -> None:
    usual = board_text(lobby_board(table(game, Status.LOBBY)))
    assert usual.startswith(f"## {VARIANTS[game].title}\n{PITCH} Last one in wins.\n")
    assert f"1. <@{ANN}> · host\n2. <@{BOB}>\n3. <@{CLEO}>" in usual
    assert USUAL in usual
    for option in options_of(game):
        assert option.label not in usual
        explained = option.about.endswith(".")  # where it is chosen
        assert explained or game == "royal_bluff"
        if option in SERVER:  # a message in a language need not say in which it is
            continue
        unusual = option.choices[1]
        board = lobby_board(table(game, Status.LOBBY, options={option.key: unusual.value}))
        small_lines = [line for line in board_text(board).splitlines() if line.startswith("-# ")]
        if option is TURN_CLOCK:
            assert any(line.startswith(f"-# {unusual.label} per turn") for line in small_lines)
            continue
        assert f"-# {option.label}: {unusual.label}" in small_lines
        assert USUAL not in small_lines


def test_a_lobby_says_which_deck_was_chosen_and_how_long_it_all_takes() -> None:
    board = lobby_board(table(status=Status.LOBBY, chain_root=bytes(32)))
    assert (
        "-# 52 cards plus two jokers, which count as any card. Unlike in standard poker"
        in board_text(board)
    )
    assert "-# 2 minutes per turn · about 10 minutes a match\n" in board_text(board)
    assert "seal" not in board_text(board)
    assert labels(board)[0] == "Fair deal ✓"
    plain = lobby_board(table(status=Status.LOBBY, options={"jokers": 0, "turn_seconds": 0}))
    assert "-# 52 cards. Unlike" in board_text(plain)
    assert "-# No time limit · about" in board_text(plain)
    slow = lobby_board(table(status=Status.LOBBY, options={"turn_seconds": 86_400}))
    assert "-# 1 day per turn · a match takes about a week" in board_text(slow)


@pytest.mark.parametrize("game", list(VARIANTS))
def test_a_match_takes_longer_with_more_people_and_less_time_where_it_is_short(game: str) -> None:
    whole, short = ruleset(game), ruleset(game, {"length": "first_out"})
    most = range(2, whole.most_players + 1)
    minutes = [match_minutes(whole, players) for players in most]
    assert minutes == sorted(minutes)
    assert all(number % 5 == 0 and number >= 5 for number in minutes)
    for players, whole_minutes in zip(most, minutes, strict=True):
        assert match_minutes(short, players) <= whole_minutes


def test_a_lobby_shows_the_first_number_of_cards_and_who_wins() -> None:
    for game, length, says in (
        (LIARS, "whole", " Everyone starts with two cards; at six you're out.\n"),
        (LIARS, "one_more", " Everyone starts with three cards; at six you're out.\n"),
        (
            LIARS,
            "first_out",
            f"{PITCH} It ends when the first player is out: the fewest cards win.\n",
        ),
        (
            THAI,
            "whole",
            "a flush beats a full house. Not in this game: two pair.\n",
        ),  # so many cards as there are players
        ("royal_bluff", "whole", "Everyone starts with one card; at four you're out."),
    ):
        text = board_text(lobby_board(table(game, Status.LOBBY, options={"length": length})))
        assert says in text
        assert ("Last one in wins" in text) == (length != "first_out")


def test_a_lobby_that_starts_by_itself_names_nobody_who_starts_it() -> None:
    board = lobby_board(table(status=Status.LOBBY, invited=(BOB, CLEO), players=(ANN,)))
    text = board_text(board)
    assert "It starts once everyone has answered" in text
    assert "starts the match" not in text
    assert "Waiting for" not in text
    assert f"<@{ANN}> starts the match." in board_text(lobby_board(table(status=Status.LOBBY)))
    assert "I'm in" in labels(board)
    for shown_board in (board, table_board(live(dealt()), NAMES)):
        assert {label for label in labels(shown_board) if "seat" in label.lower()} <= {"My seat"}


def test_a_single_player_cannot_start_and_a_full_table_takes_no_more() -> None:
    board = lobby_board(table(status=Status.LOBBY, players=(ANN,)))
    assert "Waiting for 1 more player." in board_text(board)
    assert enabled_labels(board) == ["Join", "Leave", "Options…", "How to play"]
    green = [button.label for button in buttons(board) if button.style == "success"]
    assert green == ["Join"]
    enough = lobby_board(table(status=Status.LOBBY))
    assert [button.label for button in buttons(enough) if button.style == "primary"] == ["Start"]
    full = lobby_board(table("royal_bluff", Status.LOBBY, players=(1, 2, 3, 4)))
    assert "Join" not in enabled_labels(full)
    assert "Join" in labels(full)
    closed = lobby_board(table(status=Status.LOBBY), frozenset({BOB, CLEO}))
    assert f"<@{BOB}> and <@{CLEO}>: direct messages are closed" in board_text(closed)


def test_a_lobby_has_six_buttons_and_a_rematch_lobby_three() -> None:
    lobby = lobby_board(table(status=Status.LOBBY), seats_computers=True)
    assert labels(lobby) == ["Join", "Leave", "Start", "Computer player", "Options…", "How to play"]
    again = lobby_board(table(status=Status.LOBBY, invited=(ANN, 104)), seats_computers=True)
    assert labels(again) == ["I'm in", "Not this time", "Options…"]


def test_options_shows_each_person_what_they_may_choose() -> None:
    lobby = table(status=Status.LOBBY, chain_root=bytes(32))
    rules = ["House rules…", "Time…", "Messages…"]
    everybody = ["Notify me about new tables"]
    host = options_board(lobby, ANN, manages=True, seats_computers=True)
    assert labels(host) == [*rules, *everybody, "Close the table"]
    assert any(isinstance(row, Menu) for row in host.rows)
    friend = options_board(lobby, BOB, manages=False, seats_computers=True)
    assert labels(friend) == everybody
    assert f"<@{ANN}> chooses the rules" in board_text(friend)
    assert labels(options_board(lobby, 99, manages=False)) == everybody
    rematch = table(status=Status.LOBBY, invited=(ANN, 104))
    assert "Start" in labels(options_board(rematch, ANN, manages=True))


def test_many_players_share_lines_so_that_the_lobby_fits_a_phone() -> None:
    few, many = (
        lobby_board(table(status=Status.LOBBY, players=tuple(range(n)), host_id=0)) for n in (4, 10)
    )
    assert "1. <@0> · host\n2. <@1>\n3. <@2>\n4. <@3>" in board_text(few)
    assert "<@0> (host), <@1>, <@2>, <@3>" in board_text(many)
    assert len(board_text(many).splitlines()) < len(board_text(few).splitlines())


def test_the_message_of_an_ended_lobby_says_how_it_ended() -> None:
    closed = table_board(live(None, status=Status.CLOSED), NAMES)
    assert "This table is closed. `/play` opens another." in board_text(closed)
    assert closed.accent == GREY
    begun = table_board(live(None), NAMES)
    assert f"The cards are dealt. Playing: <@{ANN}>, <@{BOB}> and <@{CLEO}>." in board_text(begun)
    assert begun.rows == closed.rows == ()


def test_a_table_that_cannot_be_posted_refers_to_the_command_that_says_why() -> None:
    assert "I can't post here any more. `/table` shows it and says why" in board_text(
        unposted_board(table())
    )


# -- a round being bid -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "words", "buttons"),
    [
        (LIARS, ("No bid yet", "open the round with any bid."), ["Challenge", "Type…"]),
        (THAI, ("No bid yet", "open the round with any bid."), ["Challenge", "Type…"]),
        ("royal_bluff", ("No claim yet", "with any claim."), ["Doubt", "Type…"]),
    ],
)
def test_the_opener_is_asked_in_the_games_own_words(
    game: str, words: tuple[str, ...], buttons: list[str]
) -> None:
    board = table_board(live(dealt(game), game), NAMES)
    for part in words:
        assert part in board_text(board)
    assert labels(board) == ["Fair deal ✓", *buttons, "My seat"]
    assert enabled_labels(board) == ["Fair deal ✓", buttons[1], "My seat"]


def test_the_standing_bid_stands_out_and_seats_list_earlier_bids_the_same_way() -> None:
    board = table_board(live(bid(dealt(), "nine high", "pair of threes")), NAMES)
    assert (
        f"### Pair of threes\n-# by <@{BOB}>\n-# <@{ANN}>: nine high\n" in board_text(board) + "\n"
    )
    assert f"<@{CLEO}>, bid higher, or challenge: say it isn't there." in board_text(board)
    assert enabled_labels(board) == ["Fair deal ✓", "Challenge", "Type…", "My seat"]
    live_table = live(bid(dealt(), "nine high", "pair of threes", "eight high club flush"))
    for board, ann in (
        (table_board(live_table, NAMES), f"<@{ANN}>"),
        (seat_board(live_table, ANN), "You"),
    ):
        assert f"### Eight high club flush ♣\n-# by <@{CLEO}>" in board_text(board)
        for line in (f"-# <@{BOB}>: pair of threes", f"-# {ann}: nine high"):
            assert line in board_text(board).splitlines()


def test_of_a_long_round_the_last_five_bids_are_listed_and_all_are_behind_a_button() -> None:
    texts = [f"pair of {rank}s" for rank in ("three", "four", "nine", "ten")]
    five = table_board(live(bid(dealt(), *texts, "three aces")), NAMES)
    assert "### Three aces" in board_text(five)
    listed = [line for line in board_text(five).splitlines() if "pair of" in line]
    assert listed == [  # the latest first
        f"-# <@{ANN}>: pair of tens",
        f"-# <@{CLEO}>: pair of nines",
        f"-# <@{BOB}>: pair of fours",
        f"-# <@{ANN}>: pair of threes",
    ]
    assert "Bidding" not in labels(five)
    six = table_board(live(bid(dealt(), *texts, "three aces", "four aces")), NAMES)
    assert "pair of threes" not in board_text(six)
    assert "pair of fours" in board_text(six)
    assert "Bidding" in labels(six)


def test_the_menu_offers_the_next_bids_with_their_suits_unless_only_a_challenge_is_left() -> None:
    menu, *_ = table_board(live(bid(dealt(THAI), "aces full of kings"), THAI), NAMES).rows
    assert isinstance(menu, Menu)
    assert menu.placeholder == "Pick one to bid it (more under Type…)"
    assert [label for _, label, _ in menu.options[:2]] == ["Club flush ♣", "Diamond flush ♦"]
    assert len(menu.options) <= 25
    board = table_board(live(bid(dealt(), "five aces")), NAMES)
    assert "nothing is higher: you must challenge." in board_text(board)
    assert enabled_labels(board) == ["Fair deal ✓", "Challenge", "My seat"]
    assert not any(isinstance(row, Menu) for row in board.rows)


def test_where_anybody_may_challenge_the_table_excepts_only_the_bidder() -> None:
    for game, first, words in (
        (LIARS, "jack high", "bid higher. Anyone but the bidder can challenge."),
        (THAI, "high card jack", "bid higher. Anyone but the bidder can challenge."),
    ):
        match = bid(dealt(game, {"challengers": "anyone"}), first)
        assert words in board_text(table_board(live(match, game), NAMES))


def test_the_small_print_counts_cards_and_the_board_shows_nobodys() -> None:
    board = table_board(live(dealt()), NAMES, frozenset({BOB}))
    assert "-# 6 cards in play, two jokers in the deck" in board_text(board)
    assert f"<@{BOB}>: press **My seat**, your direct messages are closed" in board_text(board)
    assert "`▮▮▯▯▯`" in board_text(board)
    assert "seal" not in board_text(board) + board.footer  # it is behind Fair deal
    for card in ("A♠", "K♦", "9♣", "9♦", "2♥", "★"):
        assert card not in board_text(board)


def after(key: str, standing: str | None) -> list[Bid]:
    """Return the bids that the table's menu offers above `standing` (None: no bid yet)."""
    ladder = ruleset(key).ladder
    bid = ladder.bid(standing) if standing is not None else None
    return handy_bids(ladder.above(bid), bid)


@pytest.mark.parametrize("key", list(VARIANTS))
def test_for_every_standing_bid_the_list_is_legal_ordered_and_short_enough(key: str) -> None:
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


def test_the_list_has_few_two_pairs_every_high_card_and_the_highest_bid() -> None:
    listed = after("liars_poker", "two_pair:5,2")
    assert [bid.key for bid in listed[:3]] == ["two_pair:5,3", "two_pair:5,4", "two_pair:6,2"]
    assert Counter(bid.kind for bid in listed)[Kind.TWO_PAIR] == 2 + 9
    listed = after("thai_poker", None)
    assert [bid.key for bid in listed[:6]] == [f"high_card:{rank}" for rank in "9TJQKA"]
    assert [bid.key for bid in after("thai_poker", "royal_flush:h")] == ["royal_flush:s"]
    assert after("thai_poker", "royal_flush:s") == []


@pytest.mark.parametrize(
    ("cause", "at_the_table", "in_the_seat"),
    [
        (Cause.WISH, "has left", "You're out of this match."),
        (Cause.ABSENT, "ran out of time", "You ran out of time, so you're out of this match."),
        (Cause.DROPPED, "was removed", "You were removed from this match."),
    ],
)
def test_it_is_said_how_a_player_left(cause: Cause, at_the_table: str, in_the_seat: str) -> None:
    leaving = Forfeit(0, cause)
    left = advance(live(bid(dealt(), "nine high")), leaving)
    text = board_text(table_board(left, NAMES))
    assert f"-# <@{ANN}> {at_the_table}, 2 cards still in play" in text
    for whole in (True, False):
        assert in_the_seat in board_text(seat_board(left, ANN, whole=whole))
    ended = advance(left, Challenge(1))
    assert in_the_seat in board_text(seat_board(ended, ANN))
    assert ended.match is not None
    after = advance(ended, fair_deal(ended.match, seed_from("after")))
    assert f"-# <@{ANN}> {at_the_table}\n" in board_text(table_board(after, NAMES))


def test_a_round_that_ends_as_players_run_out_of_time_says_so() -> None:
    left = advance(live(dealt()), Forfeit(0, Cause.ABSENT))
    over = advance(left, Forfeit(1, Cause.ABSENT))
    words = f"<@{ANN}> and <@{BOB}> ran out of time, so it ends without a showdown."
    assert words in board_text(table_board(over, NAMES))
    mixed = advance(left, Forfeit(1))
    assert f"<@{ANN}> and <@{BOB}> left, so it ends" in board_text(table_board(mixed, NAMES))


# -- a match that the first out ends ---------------------------------------------------------------

FIRST_OUT: dict[str, object] = {"length": "first_out"}


def first_out(*cards: int) -> Match:
    """Return a match after Ann lost the first round; it ends as soon as one player is out.

    `cards`: how many each seat held in that round.
    """
    match = with_cards(dealt(LIARS, FIRST_OUT), *cards)
    return play(match, MakeBid(0, "four:K"), Challenge(1))


def end_text(match: Match) -> str:
    status = Status.PLAYING if match.winner is None else Status.FINISHED
    return board_text(table_board(live(match, status=status), NAMES))


def test_the_winner_has_the_fewest_cards_and_only_a_short_match_says_so() -> None:
    text = end_text(first_out(5, 3, 2))
    assert f"<@{ANN}> is out, and that ends the match: the fewest cards win." in text
    assert f"## <@{CLEO}> wins the match\n-# with 2 cards" in text
    usual, short = (
        board_text(table_board(live(dealt(LIARS, chosen)), NAMES)) for chosen in (None, FIRST_OUT)
    )
    assert "-# the match ends when the first player is out: the fewest cards win" in short
    assert "first out" not in usual
    whole = play(with_cards(dealt(LIARS), 5, 3, 2), MakeBid(0, "four:K"), Challenge(1))
    text = end_text(whole)
    assert f"<@{ANN}> **is out of the match**." in text
    assert "fewest" not in text


def test_in_a_first_out_match_every_loser_is_shown_as_out() -> None:
    match = first_out(5, 3, 2)
    board = table_board(live(match, status=Status.FINISHED), NAMES)
    assert [line.split(":")[0] for line in alt(board).splitlines()][1] == "Bob (out)"
    bidding = dealt(LIARS, FIRST_OUT)
    bidding = play(with_cards(bidding, 5, 3, 2), MakeBid(0, "four:K"))
    picture = strip_picture(view_of(match), match_highlights([bidding, match]), NAMES)
    assert picture is not None
    fates = {row.name: row.cells[0].fate for row in picture.rows}
    assert fates == {"Ann": Fate.OUT, "Bob": Fate.OUT, "Cleo": Fate.KEPT}


def test_a_match_that_is_closed_over_a_tie_announces_no_play_off() -> None:
    # the deal of the day is over for its person, and nothing follows
    text = board_text(table_board(live(first_out(5, 2, 2), status=Status.CLOSED), NAMES))
    assert f"<@{ANN}> **is out of the match**." in text
    assert "play off" not in text


def test_a_deal_of_the_day_that_ends_over_a_tie_says_why() -> None:
    match = first_out(5, 2, 2)
    players = (ANN, -1, -2)  # a person and two computer players
    seats = tuple(
        replace(seat, player=player) for seat, player in zip(match.seats, players, strict=True)
    )
    closed = live(replace(match, seats=seats), status=Status.CLOSED, players=players, daily_day=5)
    text = board_text(table_board(closed, NAMES))
    assert f"<@{ANN}> is out, and that ends the match: the fewest cards win." in text
    assert "tied" not in text


def test_a_tie_is_announced_and_the_play_off_says_what_is_at_stake() -> None:
    match = first_out(5, 2, 2)
    text = end_text(match)
    after = board_text(seat_board(live(match), BOB))
    assert "(2 is the limit).\n-# play-off: lose a round and you're out" in after
    assert (
        f"<@{ANN}> **is out of the match**. <@{BOB}> and <@{CLEO}> are tied. A play-off decides who"
        " wins." in text
    )
    match = play(match, fair_deal(match, seed_from("play-off")))
    text = end_text(match)
    assert "-# play-off: lose a round and you're out" in text
    assert f"`▮▮` <@{BOB}>" in text  # one card more is too many
    assert "-# play-off: lose a round and you're out" in board_text(seat_board(live(match), BOB))
    match = play(match, MakeBid(1, "five:A"), Challenge(2))
    text = end_text(match)
    assert f"<@{BOB}> is out.\n## <@{CLEO}> wins the match\n-# with 2 cards" in text


@pytest.mark.parametrize(("there", "waits"), [((), True), ((CLEO,), False)])
def test_the_bot_plays_for_absent_players_only_while_somebody_is_there(
    there: tuple[int, ...], waits: bool
) -> None:
    absent = {player: 2 for player in (ANN, BOB, CLEO) if player not in there}
    playing = live(dealt(), absent=absent)
    for board in (table_board(playing, NAMES), seat_board(playing, ANN)):
        assert ("Everyone is away:** the match waits" in board_text(board)) is waits
        assert ("the bot plays" in board_text(board)) is not waits
        assert "I'm back" in labels(board)
