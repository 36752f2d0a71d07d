"""What is told when a match is over."""

from __future__ import annotations

from dataclasses import replace

from bot.boards.board import Board, StripPicture
from bot.boards.showdown import SCORED, Told, evening_text, story_text, strip_picture
from bot.boards.table import table_board
from bot.discord.layout import board_view, rendered
from bot.pictures.strip import MOST_COLUMNS, Fate
from bot.tables.highlights import Story, story
from bot.tables.model import Status
from bot.tables.session_score import SessionScore
from engine.actions import Action, Challenge, Forfeit, MakeBid
from engine.play import apply, start
from engine.state import Match
from engine.variants import ruleset
from engine.view import view
from tests.bot.boards.rounds import ANN, BOB, CLEO, LIARS, NAMES, THAI, dealt, labels, live, said


def told(match: Match, *moves: str | Action) -> tuple[Match, Story]:
    """The match after these bids and other actions, and its story."""
    states = [match]
    for move in moves:
        assert match.round is not None
        action = move
        if isinstance(action, str):
            key = match.ruleset.wording.parse(action).key
            action = MakeBid(match.round.turn, key)
        match = apply(match, action)
        states.append(match)
    return match, story(states)


def over(game: str, *bids: str) -> tuple[Match, Story]:
    """A match in which these bids are made, the last is doubted, and Cleo is left in the end."""
    doubter = len(bids) % 3
    return told(dealt(game), *bids, Challenge(doubter), Forfeit(0), Forfeit(1))


def test_the_boldest_bluff_and_the_best_catch_are_told_in_the_games_own_words() -> None:
    match, heard = over(LIARS, "pair of eights", "four kings")
    first, second, third = story_text(view(match), heard).splitlines()
    assert first == f"**Boldest bluff:** <@{ANN}>'s **pair of eights** in round 1, at 6.1%"
    assert second.startswith(
        f"**Best catch:** <@{CLEO}> challenged <@{BOB}>'s **four kings** in round 1, at "
    )
    assert third == "-# chances by their own cards"
    match, heard = over(THAI, "pair of tens", "spade royal flush")
    text = story_text(view(match), heard)
    assert "checked" in text
    assert "challenged" not in text


def test_an_honest_match_has_nothing_to_tell() -> None:
    match, heard = over(LIARS, "a nine", "pair of nines")
    assert story_text(view(match), heard) == ""


def test_the_strip_has_the_winner_first_and_marks_each_fate() -> None:
    match, heard = over(LIARS, "pair of nines")
    picture = strip_picture(view(match), heard, NAMES)
    assert picture is not None
    assert [row.name for row in picture.rows] == ["Cleo", "Ann", "Bob"]
    assert [row.winner for row in picture.rows] == [True, False, False]
    assert [row.cells[0].fate for row in picture.rows] == [Fate.KEPT, Fate.LEFT, Fate.LEFT]
    assert picture.alt.splitlines() == ["Cleo (wins): 2", "Ann: 2 left", "Bob: 2 left"]


def test_who_lost_a_round_is_marked_in_it() -> None:
    match, heard = told(dealt(LIARS), "pair of nines", Challenge(1))
    picture = strip_picture(view(match), heard, NAMES)
    assert picture is not None
    assert picture.alt.splitlines() == ["Ann: 2", "Bob: 2 lost", "Cleo: 2"]


def test_before_the_first_deal_there_is_no_strip() -> None:
    match = start(ruleset(LIARS), (ANN, BOB, CLEO), 0)
    assert strip_picture(view(match), story([match]), NAMES) is None


async def test_a_strip_can_be_sent() -> None:
    match, heard = over(LIARS, "pair of nines")
    picture = strip_picture(view(match), heard, NAMES)
    assert isinstance(picture, StripPicture)
    board = Board(0, (picture,))
    (file,) = (await rendered(board)).files
    assert file.fp.read(4) == b"\x89PNG"
    assert "Cleo (wins)" in str(board_view(board).to_components())


def test_the_score_of_an_evening_is_a_line_and_of_one_match_none() -> None:
    assert evening_text(SessionScore(1, ((ANN, 1),))) == ""
    said = evening_text(SessionScore(3, ((ANN, 2), (BOB, 1))))
    assert said == f"**This evening**, 3 matches: <@{ANN}>\u00a02 · <@{BOB}>\u00a01"
    many = evening_text(SessionScore(40, tuple((player, 1) for player in range(40))))
    assert many.count("<@") == SCORED
    assert many.endswith(" · …")


def winners_message(match: Match, heard: Story) -> Board:
    told = Told(heard, SessionScore(2, ((CLEO, 2),)))
    return table_board(live(match, status=Status.FINISHED), NAMES, told=told)


def test_the_strip_is_in_the_winners_message_where_it_fits_and_else_behind_a_button() -> None:
    match, heard = over(LIARS, "pair of nines")
    board = winners_message(match, heard)
    assert "**This evening**, 2 matches" in said(board)
    assert [type(one).__name__ for one in board.pictures] == ["ShowdownPicture", "StripPicture"]
    assert labels(board) == ["Fair deal ✓", "Play again", "Replay"]
    longer = replace(heard, rounds=heard.rounds * (MOST_COLUMNS + 1))
    board = winners_message(match, longer)
    assert len(board.pictures) == 1
    assert labels(board) == ["Fair deal ✓", "Play again", "Whole match", "Replay"]


async def test_both_pictures_of_a_message_are_sent_each_under_its_name() -> None:
    board = winners_message(*over(LIARS, "pair of nines"))
    files = (await rendered(board)).files
    showdown, strip = (file.filename for file in files)
    assert (showdown[:9], strip[:6]) == ("showdown-", "strip-")
    shown = str(board_view(board).to_components())
    assert shown.index(f"attachment://{showdown}") < shown.index(f"attachment://{strip}")
