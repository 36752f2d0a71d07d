"""A match that the first out ends, as its table shows it."""

from __future__ import annotations

from dataclasses import replace

from bot.boards.seat import seat_board
from bot.boards.showdown import showdown_board, strip_picture
from bot.boards.table import table_board
from bot.pictures.strip import Fate
from bot.tables.highlights import story
from bot.tables.model import Status
from engine.actions import Challenge, MakeBid
from engine.state import Match
from engine.view import EndedRound, view
from tests.bot.boards.rounds import ANN, BOB, CLEO, LIARS, NAMES, alt, dealt, live, said
from tests.dealing import fair_deal, play, seed_of
from tests.engine.rounds import with_cards

FIRST_OUT: dict[str, object] = {"length": "first_out"}


def first_out(*cards: int) -> Match:
    """Ann is caught in the first round, after which so many cards decide."""
    match = with_cards(dealt(LIARS, FIRST_OUT), *cards)
    return play(match, MakeBid(0, "four:K"), Challenge(1))


def ended(match: Match) -> str:
    status = Status.PLAYING if match.winner is None else Status.FINISHED
    return said(table_board(live(match, status=status), NAMES))


def test_the_table_says_that_the_first_out_ends_the_match() -> None:
    usual, short = (
        said(table_board(live(dealt(LIARS, chosen)), NAMES)) for chosen in (None, FIRST_OUT)
    )
    assert "-# the first out ends the match: the fewest cards win" in short
    assert "first out" not in usual


def test_the_winner_has_the_fewest_cards_and_the_message_says_so() -> None:
    text = ended(first_out(5, 3, 2))
    assert f"<@{ANN}> is out, and that ends it: the fewest cards win." in text
    assert f"## <@{CLEO}> wins the match\n-# with 2 cards" in text


def test_who_was_outdone_is_out_in_the_picture_and_in_the_strip() -> None:
    match = first_out(5, 3, 2)
    board = table_board(live(match, status=Status.FINISHED), NAMES)
    assert [line.split(":")[0] for line in alt(board).splitlines()][1] == "Bob (out)"
    bidding = dealt(LIARS, FIRST_OUT)
    bidding = play(with_cards(bidding, 5, 3, 2), MakeBid(0, "four:K"))
    picture = strip_picture(view(match), story([bidding, match]), NAMES)
    assert picture is not None
    fates = {row.name: row.cells[0].fate for row in picture.rows}
    assert fates == {"Ann": Fate.OUT, "Bob": Fate.OUT, "Cleo": Fate.KEPT}


def test_a_tie_is_announced_and_the_play_off_says_what_is_at_stake() -> None:
    match = first_out(5, 2, 2)
    text = ended(match)
    after = said(seat_board(live(match), BOB))
    assert "of at most 2.\n-# play-off: whoever loses a round is out" in after
    assert (
        f"<@{ANN}> **is out of the match**. <@{BOB}> and <@{CLEO}> tie, and play off who wins."
        in text
    )
    match = play(match, fair_deal(match, seed_of("play-off")))
    text = ended(match)
    assert "-# play-off: whoever loses a round is out" in text
    assert f"`▮▮` <@{BOB}>" in text  # one card more is too many
    assert "-# play-off: whoever loses a round is out" in said(seat_board(live(match), BOB))
    match = play(match, MakeBid(1, "five:A"), Challenge(2))
    text = ended(match)
    assert f"<@{BOB}> is out.\n## <@{CLEO}> wins the match\n-# with 2 cards" in text


def test_a_match_of_the_usual_length_says_nothing_of_the_fewest_cards() -> None:
    match = with_cards(dealt(LIARS), 5, 3, 2)
    match = play(match, MakeBid(0, "four:K"), Challenge(1))
    current = view(match).round
    assert isinstance(current, EndedRound)
    board = showdown_board(replace(live(match)), view(match), current, NAMES, None)
    assert f"<@{ANN}> **is out of the match**." in said(board)
    assert "fewest" not in said(board)
