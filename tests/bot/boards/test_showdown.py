"""The board of a round that has ended."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from typing import Any

import pytest

from bot.boards.board import Board, ShowdownPicture
from bot.boards.showdown import (
    NAME_ROOM,
    NAME_SIZE,
    SCORED,
    SHORT,
    MatchEnd,
    highlights_text,
    record_board,
    session_score_text,
    showdown_board,
    stand_ins,
    strip_picture,
)
from bot.boards.table import table_board
from bot.discord.layout import board_view, render
from bot.language.words import TypedText, cards_counted
from bot.pictures.fonts import width
from bot.pictures.palette import AMBER, GREY, RED
from bot.pictures.strip import MOST_COLUMNS, Fate
from bot.sandbox.payloads import walk
from bot.tables.highlights import MatchHighlights, match_highlights
from bot.tables.model import DeadlineKind, Status
from bot.tables.session_score import SessionScore
from engine.actions import Action, Challenge, Forfeit, MakeBid
from engine.bids import Bid, Kind, Need, proof
from engine.cards import Card, Cards
from engine.play import apply, start
from engine.state import Match
from engine.variants import ruleset
from engine.view import EndedRound, view_of
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
    dealt,
    doubt,
    labels,
    live,
)
from tests.dealing import play, stacked_deal
from tests.engine.rounds import with_cards


@pytest.mark.parametrize(
    ("game", "text", "words"),
    [
        (LIARS, "three nines", f"<@{BOB}> challenged <@{ANN}>'s **three nines**."),
        (THAI, "pair of nines", f"<@{BOB}> challenged <@{ANN}>'s **pair of nines**."),
        ("royal_bluff", "a jack", f"<@{BOB}> doubted <@{ANN}>'s **a jack**."),
    ],
)
def test_a_bid_that_holds_costs_the_challenger(game: str, text: str, words: str) -> None:
    board = table_board(live(doubt(bid(dealt(game), text)), game), NAMES)
    assert words in board_text(board)
    assert "**It's there.**" in board_text(board)
    assert f"<@{BOB}> loses the round and now holds" in board_text(board)
    assert (board.accent, labels(board)) == (
        AMBER,
        ["Fair deal ✓", "Next round", "My seat"],
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
    board = table_board(live(doubt(bid(dealt(game), text)), game), NAMES)
    shown_text = board_text(board)
    (line,) = [line for line in shown_text.splitlines() if "**Not there**. Missing: " in line]
    said_missing = line.partition(" Missing: ")[2]
    assert said_missing.endswith("."), "a sentence beside others"
    named = said_missing.removesuffix(".").split(" and ")
    assert sorted(named) == sorted(missing.split(" and "))
    assert f"<@{ANN}> loses the round" in shown_text
    assert board.accent == RED


def test_everybodys_cards_are_in_the_pictures_words_and_in_no_line_beside_it() -> None:
    board = table_board(live(doubt(bid(dealt(), "pair of nines"))), NAMES)
    for card in ("A♠", "K♦", "2♥", "★", "9♣"):  # they are in the picture alone
        assert card not in board_text(board)
    assert alt(board).splitlines() == [
        "Ann: A♠, K♦",
        "Bob: joker, [9♣]",
        "Cleo: [9♦], 2♥",
    ]


def test_a_used_joker_is_labelled_in_the_picture_and_its_words() -> None:
    board = table_board(live(doubt(bid(dealt(), "three nines"))), NAMES)
    picture = board.picture
    assert isinstance(picture, ShowdownPicture)
    ((joker, meaning),) = picture.stands_for
    assert joker in picture.used
    assert meaning.symbol == "9"
    assert "Bob: [joker as 9], [9♣]" in alt(board)


def test_a_name_in_the_picture_and_its_words_holds_nothing_unseen() -> None:
    typed = ("\u202eevil\u2066\u200f", "Bo\u0000b\n# x", "\u202e\u3164")
    names = dict(zip((ANN, BOB, CLEO), map(TypedText, typed), strict=True))
    board = table_board(live(doubt(bid(dealt(), "pair of nines"))), names)
    assert [line.partition(":")[0] for line in alt(board).splitlines()] == [
        "evil",
        "Bob # x",
        "Seat 3",
    ]
    unseen = {"Cc", "Cf", "Zl", "Zp"}
    assert not any(unicodedata.category(char) in unseen for char in alt(board).replace("\n", ""))


def test_a_long_name_is_cut_so_that_the_verdict_fits_a_phone() -> None:
    def verdict_text(ann: str, bob: str) -> str:
        names = {ANN: TypedText(ann), BOB: TypedText(bob), CLEO: TypedText("Cleo")}
        return board_text(table_board(live(doubt(bid(dealt(), "pair of nines"))), names))

    text = verdict_text("Ann_" * 8, "W" * 32)
    assert "**WWWWWW…** challenged **Ann\\_Ann\\_An…**'s **pair of nines**." in text
    assert "**WWWWWW…** loses the round and now holds" in text
    letter = "\U00010380"  # that no typeface has
    text = verdict_text(letter * 32, letter)
    assert f"<@{BOB}> challenged **{letter * 6}…**'s **pair of nines**." in text


def test_every_short_name_has_room_though_nobody_measures_it() -> None:
    widest = max(map(chr, range(32, 127)), key=lambda char: width(char, NAME_SIZE))
    assert width(widest * SHORT, NAME_SIZE) <= NAME_ROOM < width(widest * (SHORT + 1), NAME_SIZE)


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
    live_table = live(match, game, players=people, host_id=people[0])
    dealt = replace(live_table, match=play(match, stacked_deal(match, {})), before=match)
    for board in (
        table_board(live_table, names),
        record_board(live_table, names),
        table_board(dealt, names),
        record_board(dealt, names),
    ):
        parts = walk(board_view(board).to_components())
        assert len(parts) <= 40
        written = sum(len(part.get("content", "")) for part in parts)
        assert written <= 4000
        assert all(len(part.get("label") or "") <= 80 for part in parts)
        described = [item["description"] for part in parts for item in part.get("items", [])]
        assert all(0 < len(description) <= 1024 for description in described)


def test_a_record_of_a_round_has_no_buttons() -> None:
    ended = live(doubt(bid(dealt(), "pair of nines")))
    assert ended.match is not None
    view = view_of(ended.match)
    assert isinstance(view.round, EndedRound)
    assert showdown_board(ended, view, view.round, NAMES, None).rows == ()


@pytest.mark.parametrize("game", [LIARS, THAI])
def test_nobody_gains_a_card_for_a_failed_bid_whose_bidder_has_left(game: str) -> None:
    text = "five aces" if game == LIARS else "spade royal flush"
    match = play(bid(dealt(game), text), Forfeit(0))
    board = table_board(live(doubt(match), game), NAMES)
    assert "The bidder has left the match: nobody gains a card." in board_text(board)


def test_the_last_player_wins_and_may_play_again_unless_the_table_was_replaced() -> None:
    match = play(dealt(), Forfeit(0), Forfeit(1))
    for status, asks in ((Status.PLAYING, ["Play again"]), (Status.CLOSED, [])):
        board = table_board(live(match, status=status), NAMES)
        assert f"<@{ANN}> and <@{BOB}> left, so it ends without a showdown." in board_text(board)
        assert f"## <@{CLEO}> wins the match" in board_text(board)
        assert "without a winner" not in board_text(board)
        assert labels(board) == ["Fair deal ✓", *asks, "Whole match", "Replay"]
        assert board.accent == AMBER


def test_a_match_that_is_ended_has_no_winner() -> None:
    board = table_board(live(dealt(), status=Status.CLOSED), NAMES)
    assert "The match was ended without a winner." in board_text(board)
    assert (board.accent, labels(board)) == (GREY, ["Fair deal ✓"])
    after_a_challenge = table_board(
        live(doubt(bid(dealt(), "pair of nines")), status=Status.CLOSED), NAMES
    )
    assert "**The match was ended** without a winner." in board_text(after_a_challenge)
    assert labels(after_a_challenge) == ["Fair deal ✓"]


def test_moves_made_by_the_bot_are_marked_at_the_table_and_at_the_showdown() -> None:
    match = bid(dealt(), "pair of nines")
    for played in (match, doubt(match)):
        by_player = live(played)
        by_house = replace(by_player, by_house=frozenset({played.seq}))
        before = replace(by_player, by_house=frozenset({played.seq - 1}))
        assert "played by the bot" in board_text(table_board(by_house, NAMES)).lower()
        assert "played by the bot" not in board_text(table_board(before, NAMES)).lower()


def test_a_showdown_says_when_the_next_round_is_dealt_unless_nothing_deals_it() -> None:
    over = doubt(bid(dealt(), "pair of nines"))
    soon: dict[str, Any] = {"deadline": 1_800_000_015_000, "deadline_kind": DeadlineKind.NEXT_ROUND}
    line = "-# Next round <t:1800000015:R>, or press **Next round**."
    assert line in board_text(table_board(live(over, **soon), NAMES))
    assert "press it" not in board_text(table_board(live(over), NAMES))
    record = record_board(live(play(over, stacked_deal(over, {})), **soon), NAMES)
    assert "press it" not in board_text(record)


def test_a_change_of_the_card_limit_is_announced() -> None:
    rules = ruleset(THAI, {"two_player_limit": 7})
    match = with_cards(start(rules, (ANN, BOB, CLEO), 0), 2, 6, 2)
    match = play(match, stacked_deal(match, {0: "9c 9d"}))
    over = doubt(bid(match, "pair of nines"))
    assert not over.seats[1].live
    line = f"-# From now on at most **{cards_counted(7)}**."
    assert line in board_text(table_board(live(over, THAI), NAMES))
    same = doubt(bid(dealt(THAI), "pair of nines"))
    assert "From now on" not in board_text(table_board(live(same, THAI), NAMES))


def play_highlights(match: Match, *moves: str | Action) -> tuple[Match, MatchHighlights]:
    """Return the match after these bids and other actions, and its highlights."""
    states = [match]
    for move in moves:
        assert match.round is not None
        action = move
        if isinstance(action, str):
            key = match.ruleset.wording.parse(action).key
            action = MakeBid(match.round.turn, key)
        match = apply(match, action)
        states.append(match)
    return match, match_highlights(states)


def over(game: str, *bids: str) -> tuple[Match, MatchHighlights]:
    """Return a match and its highlights after these bids, a challenge and two forfeits."""
    doubter = len(bids) % 3
    return play_highlights(dealt(game), *bids, Challenge(doubter), Forfeit(0), Forfeit(1))


def test_the_boldest_bluff_and_the_best_catch_are_told_in_the_games_own_words() -> None:
    match, heard = over(LIARS, "pair of eights", "four kings")
    first, second, third = highlights_text(view_of(match), heard).splitlines()
    assert first == f"**Boldest bluff:** <@{ANN}>'s **pair of eights** in round 1 (6.1%)"
    assert second.startswith(
        f"**Best catch:** <@{CLEO}> challenged <@{BOB}>'s **four kings** in round 1 ("
    )
    assert third == "-# odds use each player's own cards"
    match, heard = over(THAI, "pair of tens", "spade royal flush")
    text = highlights_text(view_of(match), heard)
    assert "challenged" in text
    match, heard = over(LIARS, "a nine", "pair of nines")  # an honest match has nothing to tell
    assert highlights_text(view_of(match), heard) == ""


async def test_the_strip_has_the_winner_first_and_marks_each_fate() -> None:
    match, heard = over(LIARS, "pair of nines")
    picture = strip_picture(view_of(match), heard, NAMES)
    assert picture is not None
    assert [row.name for row in picture.rows] == ["Cleo", "Ann", "Bob"]
    assert [row.winner for row in picture.rows] == [True, False, False]
    assert [row.cells[0].fate for row in picture.rows] == [Fate.KEPT, Fate.LEFT, Fate.LEFT]
    assert picture.alt.splitlines() == ["Cleo (wins): 2", "Ann: 2 left", "Bob: 2 left"]
    board = Board(0, (picture,))
    (file,) = (await render(board)).files
    assert file.fp.read(4) == b"\x89PNG"
    assert "Cleo (wins)" in str(board_view(board).to_components())
    match, heard = play_highlights(dealt(LIARS), "pair of nines", Challenge(1))
    picture = strip_picture(view_of(match), heard, NAMES)
    assert picture is not None
    assert picture.alt.splitlines() == ["Ann: 2", "Bob: 2 lost", "Cleo: 2"]
    match = start(ruleset(LIARS), (ANN, BOB, CLEO), 0)  # nothing was dealt yet
    assert strip_picture(view_of(match), match_highlights([match]), NAMES) is None


def test_a_session_of_several_matches_has_a_line_with_the_score() -> None:
    assert session_score_text(SessionScore(1, ((ANN, 1),))) == ""
    text = session_score_text(SessionScore(3, ((ANN, 2), (BOB, 1))))
    assert text == f"**So far**, 3 matches: <@{ANN}>\u00a02 · <@{BOB}>\u00a01"
    many = session_score_text(SessionScore(40, tuple((player, 1) for player in range(40))))
    assert many.count("<@") == SCORED
    assert many.endswith(" · …")


def winners_message(match: Match, heard: MatchHighlights) -> Board:
    match_end = MatchEnd(heard, SessionScore(2, ((CLEO, 2),)))
    return table_board(live(match, status=Status.FINISHED), NAMES, match_end=match_end)


def test_the_strip_is_in_the_winners_message_or_behind_a_button_if_too_large() -> None:
    match, heard = over(LIARS, "pair of nines")
    board = winners_message(match, heard)
    assert "**So far**, 2 matches" in board_text(board)
    assert [type(picture).__name__ for picture in board.pictures] == [
        "ShowdownPicture",
        "StripPicture",
    ]
    assert labels(board) == ["Fair deal ✓", "Play again", "Replay"]
    longer = replace(heard, rounds=heard.rounds * (MOST_COLUMNS + 1))
    board = winners_message(match, longer)
    assert len(board.pictures) == 1
    assert labels(board) == ["Fair deal ✓", "Play again", "Whole match", "Replay"]


async def test_both_pictures_of_a_message_are_sent_each_under_its_name() -> None:
    board = winners_message(*over(LIARS, "pair of nines"))
    files = (await render(board)).files
    showdown, strip = (file.filename for file in files)
    assert (showdown[:9], strip[:6]) == ("showdown-", "strip-")
    components = str(board_view(board).to_components())
    assert components.index(f"attachment://{showdown}") < components.index(f"attachment://{strip}")


def jokers_said(text: str, pool: str) -> list[str]:
    """Return the ranks or cards that the jokers of `pool` stand for in the bid `text`."""
    bid = ruleset(LIARS).wording.parse(text)
    meanings = stand_ins(bid, proof(bid, Cards.parse(pool)))
    return [meanings[joker].symbol for joker in sorted(meanings)]


@pytest.mark.parametrize(
    ("text", "pool", "symbols"),
    [
        ("pair of aces", "As Kd *", ["A"]),
        ("three aces", "As * *", ["A", "A"]),
        ("five aces", "As Ah Ad Ac *", ["A"]),
        ("nines full of sevens", "9s 9h 7c * *", ["9", "7"]),
        ("straight to the nine", "9s 8h 6c 5c *", ["7"]),
        ("straight flush to the nine of clubs", "9c 8c 6c 5c *", ["7♣"]),
        ("royal flush of hearts", "Ah Kh Th * *", ["Q♥", "J♥"]),
        ("pair of aces", "As Ad *", []),
        ("pair of aces", "As Kd", []),
        ("8c flush", "8c 6c 4c 2c *", ["♣"]),  # any card of its suit
        ("four aces", "As *", ["A"]),  # though the bid fails
        ("pair of aces", "As * *", ["A"]),  # beyond what is needed for nothing
    ],
)
def test_a_joker_stands_for_the_missing_card_of_a_bid(
    text: str, pool: str, symbols: list[str]
) -> None:
    assert sorted(jokers_said(text, pool)) == sorted(symbols)


def test_without_a_common_rank_or_suit_it_is_the_best_card_missing() -> None:
    bid = Bid(Kind.HIGH_CARD, (), None, (Need(Cards.parse("As Kd Qh"), 2),))
    (meaning,) = stand_ins(bid, proof(bid, Cards.parse("As *"))).values()
    assert meaning.symbol == "K♦"


def test_every_used_joker_of_every_bid_stands_for_a_card_of_a_need() -> None:
    pool = Cards.parse("As Ad Kc 9c 7c 5d * *")
    for rung_bid in ruleset(LIARS).ladder:
        judged = proof(rung_bid, pool)
        meanings = stand_ins(rung_bid, judged)
        assert set(meanings) == set(judged.jokers)
        for joker, meaning in meanings.items():
            assert isinstance(joker, Card)
            assert any(
                meaning.rank in (None, card.rank) and meaning.suit in (None, card.suit)
                for need in rung_bid.needs
                for card in need.cards
            )
