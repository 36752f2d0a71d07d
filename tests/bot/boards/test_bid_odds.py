"""Answers about bids as boards."""

from __future__ import annotations

import pytest

from bot.boards.bid_odds import BidQuestion, advice_chart, bids_board
from bot.boards.board import ChartPicture
from bot.pictures.bar_chart import chart_text
from bot.words import percent
from engine.cards import Cards
from engine.odds import advise
from engine.ruleset import Options
from engine.variants import ruleset
from tests.bot.boards.rounds import LIARS, THAI, said

RULES = ruleset(LIARS)
KNOWN = Cards.parse("Ah Kd 8c *")


def asked(
    game: str,
    in_play: int,
    known: str = "",
    standing: str = "",
    bid: str = "",
    options: Options | None = None,
) -> str:
    rules = ruleset(game, options)
    parse = rules.wording.parse
    question = BidQuestion(
        rules,
        in_play,
        Cards.parse(known),
        parse(standing) if standing else None,
        parse(bid) if bid else None,
    )
    return said(bids_board(question)).replace("\u00a0", " ")


def test_the_standing_bid_and_the_strongest_likely_one_are_said() -> None:
    text = asked(LIARS, 12, "Ah Kd *", standing="pair of threes")
    assert "**Pair of threes** stands, **63.8 %** likely." in text
    assert (
        "The strongest call that is more likely than not: **straight to the ace**, 65.1 %" in text
    )
    assert "-# best calls: " in text
    assert "-# exact: pair of threes in " in text


def test_a_bid_asked_about_comes_before_the_standing_one() -> None:
    text = asked(LIARS, 12, "Ah Kd *", standing="pair of threes", bid="three aces")
    assert text.index("**Three aces**: **55.2 %** likely.") < text.index(
        "**Pair of threes** stands"
    )


def test_on_the_top_rung_the_ladder_ends() -> None:
    text = asked(LIARS, 12, "Ah Kd *", standing="five aces")
    assert "Nothing is higher: challenge." in text
    assert "-# the ladder ends here" in text
    assert "Nothing is higher: check." in asked(THAI, 9, standing="spade royal flush")


@pytest.mark.parametrize(
    ("game", "in_play", "standing", "words", "small"),
    [
        (
            LIARS,
            2,
            "pair of aces",
            "No higher call can hold with these cards: challenge.",
            "-# there are higher calls, each with a chance of 0 %",
        ),
        (
            THAI,
            1,
            "high card ace",
            "No higher bid can hold with these cards: check.",
            "-# there are higher bids, each with a chance of 0 %",
        ),
        (
            "royal_bluff",
            1,
            "a ace",
            "No higher claim can hold with these cards: doubt.",
            "-# there are higher claims, each with a chance of 0 %",
        ),
    ],
)
def test_higher_bids_that_are_impossible_are_not_said_to_be_missing(
    game: str, in_play: int, standing: str, words: str, small: str
) -> None:
    options: Options = {"jokers": 0} if game == LIARS else {}
    text = asked(game, in_play, standing=standing, options=options)
    assert words in text
    assert small in text
    assert "Nothing is higher" not in text
    assert "the ladder ends here" not in text


def test_where_no_higher_bid_is_likely_the_board_says_so() -> None:
    text = asked(THAI, 5, standing="aces over kings")
    assert "No higher bid is more likely than not." in text


def test_the_chart_has_the_standing_bid_the_best_and_the_strongest() -> None:
    advice = advise(RULES, 14, KNOWN, RULES.ladder.bid("three:6"))
    chart = advice_chart(RULES, advice)
    assert (chart.title, chart.subtitle) == ("How likely each call is", "deck of 54")
    first, second, *_ = chart.bars
    assert (first.words, first.remark, first.standing) == ("three sixes", "standing", True)
    assert (second.words, second.remark) == ("straight to the ace", "strongest above 50 %")
    assert len(chart.bars) == 1 + len(advice.best)
    assert advice_chart(RULES, advice, stands=False).bars[0].remark == "asked"


def test_a_strongest_bid_that_is_not_among_the_best_is_added() -> None:
    advice = advise(RULES, 14, KNOWN, above=0.02)
    assert advice.strongest is not None
    assert advice.strongest not in advice.best
    chart = advice_chart(RULES, advice)
    assert [entry.remark for entry in chart.bars] == ["", "", "", "", "", "strongest above 2 %"]
    assert chart.bars[-1].words == "five aces"


def test_the_charts_words_say_all_that_it_shows() -> None:
    standing = RULES.ladder.bid("three:6")
    board = bids_board(BidQuestion(RULES, 14, KNOWN, standing))
    assert isinstance(board.picture, ChartPicture)
    chart = board.picture.chart
    assert board.picture.alt == chart_text(chart)
    for entry in chart.bars:
        assert f"{percent(entry.probability)}  {entry.words}" in board.picture.alt
        assert entry.remark in board.picture.alt
    assert chart.title in board.picture.alt
