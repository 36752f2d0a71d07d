"""Answers about bids as boards."""

from __future__ import annotations

import re

import pytest

from bot.boards.bid_odds import BidQuestion, advice_chart, bids_board, counts_board
from bot.language.catalogues import speaking
from bot.language.words import percent
from bot.pictures.bar_chart import BarChart, chart_text
from engine.bids import Kind
from engine.cards import Cards
from engine.odds import advise, bid_chance, kind_chances
from engine.ruleset import Options
from engine.variants import ruleset
from tests.bot.boards.rounds import LIARS, THAI, chart_of, said

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


def test_the_standing_bid_is_said_and_that_it_is_exact() -> None:
    text = asked(LIARS, 12, "Ah Kd *", standing="pair of threes")
    assert "**Pair of threes** stands, **63.8%** likely." in text
    assert text.splitlines()[-1] == "-# exact"


def test_a_bid_asked_about_comes_before_the_standing_one() -> None:
    text = asked(LIARS, 12, "Ah Kd *", standing="pair of threes", bid="three aces")
    assert text.index("**Three aces**: **55.2%** likely.") < text.index("**Pair of threes** stands")


def test_on_the_top_rung_the_ladder_ends() -> None:
    text = asked(LIARS, 12, "Ah Kd *", standing="five aces")
    assert "Nothing is higher: challenge." in text
    assert "Nothing is higher: check." in asked(THAI, 9, standing="spade royal flush")


@pytest.mark.parametrize(
    ("game", "in_play", "standing", "words"),
    [
        (
            LIARS,
            2,
            "pair of aces",
            "No higher call can hold with these cards: challenge.",
        ),
        (
            THAI,
            1,
            "high card ace",
            "No higher bid can hold with these cards: check.",
        ),
        (
            "royal_bluff",
            1,
            "a ace",
            "No higher claim can hold with these cards: doubt.",
        ),
    ],
)
def test_higher_bids_that_are_impossible_are_not_said_to_be_missing(
    game: str, in_play: int, standing: str, words: str
) -> None:
    options: Options = {"jokers": 0} if game == LIARS else {}
    text = asked(game, in_play, standing=standing, options=options)
    assert words in text
    assert "Nothing is higher" not in text


def test_where_no_higher_bid_is_likely_the_board_says_so() -> None:
    text = asked(THAI, 5, standing="aces over kings")
    assert "No higher bid is more likely than not." in text


def test_the_chart_has_the_best_and_the_strongest_above_what_stands() -> None:
    advice = advise(RULES, 14, KNOWN, RULES.ladder.bid("three:6"))
    chart = advice_chart(RULES, advice)
    assert (chart.title, chart.subtitle) == ("The best higher calls", "deck of 54")
    first = chart.bars[0]
    assert (first.words, first.remark) == ("straight to the ace", "strongest above 50%")
    assert len(chart.bars) == len(advice.best)


@pytest.mark.parametrize("language", ["en", "pl"])
def test_every_chance_stands_once_in_words_or_drawn(language: str) -> None:
    parse = RULES.wording.parse
    for question in (
        BidQuestion(RULES, 12, KNOWN, asked=parse("three aces")),
        BidQuestion(RULES, 12, KNOWN, standing=parse("pair of threes"), asked=parse("four aces")),
        BidQuestion(RULES, 12, KNOWN, kind=Kind.FLUSH),
    ):
        with speaking(language):
            board = bids_board(question)
            words = said(board)
        with speaking(language):
            drawn = [percent(bar.probability) for bar in chart_of(board, BarChart).bars]
        shown = words.replace("\u00a0", " ")
        assert not [share for share in drawn if f"*{share}" in shown or f" {share}" in shown]
        assert not re.search(r"\d{4}|\d[, \u00a0]\d{3}", shown), "counts that nobody asked for"


def test_any_hand_of_a_kind_is_as_likely_as_the_engine_says() -> None:
    board = bids_board(BidQuestion(RULES, 12, Cards.parse("Ah Kd *"), kind=Kind.FLUSH))
    (chance,) = kind_chances([Kind.FLUSH], RULES.deck, 12, Cards.parse("Ah Kd *")).values()
    text = said(board).replace("\u00a0", " ")
    assert f"**Any flush**: **{percent(chance.probability)}** likely." in text
    labels = [bar.words for bar in chart_of(board, BarChart).bars]
    assert labels[:2] == ["High card", "Pair"]
    assert "Flush" not in labels


def test_the_counts_are_there_on_request() -> None:
    chance = bid_chance(RULES.wording.parse("33"), RULES.deck, 12, KNOWN)
    question = BidQuestion(RULES, 12, KNOWN, standing=RULES.wording.parse("33"))
    counted = f"**Pair of threes**: in {chance.favourable:,} of {chance.total:,} deals"
    assert counted in said(counts_board(question))


def test_a_strongest_bid_that_is_not_among_the_best_is_added() -> None:
    advice = advise(RULES, 14, KNOWN, above=0.02)
    assert advice.strongest is not None
    assert advice.strongest not in advice.best
    chart = advice_chart(RULES, advice)
    assert [entry.remark for entry in chart.bars] == ["", "", "", "", "", "strongest above 2%"]
    assert chart.bars[-1].words == "five aces"


def test_the_charts_words_say_all_that_it_shows() -> None:
    standing = RULES.ladder.bid("three:6")
    board = bids_board(BidQuestion(RULES, 14, KNOWN, standing))
    assert board.picture is not None
    chart = chart_of(board, BarChart)
    assert board.picture.alt == chart_text(chart)
    for entry in chart.bars:
        assert f"{percent(entry.probability)}  {entry.words}" in board.picture.alt
        assert entry.remark in board.picture.alt
    assert chart.title in board.picture.alt
