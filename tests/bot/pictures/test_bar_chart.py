"""The bot's picture of a seat's bids, and odds as text."""

from __future__ import annotations

from io import BytesIO
from typing import cast

import pytest
from PIL import Image

from bot.pictures.bar_chart import (
    WIDTH,
    BidBar,
    BidChart,
    advice_chart,
    chart_png,
    chart_text,
)
from bot.pictures.bars import bar, percent, runs
from engine.bids import Kind
from engine.cards import Cards
from engine.odds import advise, seat_odds
from engine.variants import ruleset

LIARS = ruleset("liars_poker")
KNOWN = Cards.parse("Ah Kd 8c *")


def drawn(*bars: BidBar) -> Image.Image:
    return Image.open(BytesIO(chart_png(BidChart("Title", "subtitle", bars)))).convert("RGB")


def blue(image: Image.Image) -> int:
    """How many pixels have the colour of a bid that may be made."""
    pixels = cast("tuple[tuple[int, int, int], ...]", image.get_flattened_data())
    return sum(1 for r, g, b in pixels if b > 200 and 60 < r < 120 and 150 < g < 200)


def test_the_chart_of_an_advice_has_the_standing_bid_the_best_and_the_strongest() -> None:
    standing = LIARS.ladder.bid("three:6")
    advice = advise(LIARS, 14, KNOWN, standing)
    chart = advice_chart(LIARS, 14, KNOWN, advice)
    assert chart.title == "Liars' Poker: 14 cards in play"
    assert chart.subtitle == "★ A♥ K♦ 8♣  ·  deck of 54"
    first, second, *_ = chart.bars
    assert (first.words, first.remark, first.standing) == ("three sixes", "standing", True)
    assert (second.words, second.remark) == ("straight to the ace", "strongest above 50 %")
    assert len(chart.bars) == 1 + len(advice.best)


def test_a_strongest_bid_that_is_not_among_the_best_is_added() -> None:
    advice = advise(LIARS, 14, KNOWN, above=0.02)
    assert advice.strongest is not None
    assert advice.strongest not in advice.best
    chart = advice_chart(LIARS, 14, Cards(), advice)
    assert [entry.remark for entry in chart.bars] == ["", "", "", "", "", "strongest above 2 %"]
    assert chart.bars[-1].words == "five aces"
    assert chart.subtitle.startswith("no cards known")


def test_the_text_says_all_that_the_picture_shows() -> None:
    advice = advise(LIARS, 14, KNOWN, LIARS.ladder.bid("three:6"))
    chart = advice_chart(LIARS, 14, KNOWN, advice)
    text = chart_text(chart)
    for entry in chart.bars:
        assert f"{percent(entry.probability)}  {entry.words}" in text
        assert entry.remark in text
    assert chart.title in text


def test_a_bar_is_as_long_as_its_chance() -> None:
    none, half, sure = (blue(drawn(BidBar("", share))) for share in (0, 0.5, 1))
    assert none == 0
    assert half == pytest.approx(sure / 2, rel=0.03)


def test_the_picture_grows_with_its_bids_and_with_a_remark_that_finds_no_room() -> None:
    one = drawn(BidBar("pair of aces", 0.5))
    two = drawn(BidBar("pair of aces", 0.5), BidBar("three aces", 0.2, "strongest above 50 %"))
    long = drawn(BidBar("queen high diamond straight flush", 0.5, "strongest above 50 %"))
    assert one.width == two.width == long.width == WIDTH
    assert one.height < long.height < two.height


def test_words_that_are_too_long_are_cut() -> None:
    image = drawn(BidBar("an endless bid " * 20, 0.5))
    assert image.width == WIDTH


@pytest.mark.parametrize(
    ("probability", "text"),
    [
        (0, "0 %"),
        (1, "100 %"),
        (0.655, "65.5 %"),
        (0.01, "1.0 %"),
        (0.00409, "0.41 %"),
        (0.001, "0.10 %"),
        (0.00054, "0.054 %"),
        (0.0000091, "0.00091 %"),
        (0.9994, "99.9 %"),
        (0.99999, ">99.9 %"),
    ],
)
def test_a_percentage_is_exact_where_it_says_none_or_all(probability: float, text: str) -> None:
    assert percent(probability) == text


def test_a_text_bar_shows_a_sliver_of_whatever_is_possible() -> None:
    assert bar(0, 4) == "░░░░"
    assert bar(1e-9, 4) == "▏░░░"
    assert bar(0.5, 4) == "██░░"
    assert bar(0.53, 4) == "██▏░"
    assert bar(1, 4) == "████"


@pytest.mark.parametrize("known", ["", "Ah Kd 8c *", "2c 3c 4c 5c 7c"])
def test_runs_hold_every_bid_of_a_kind_exactly_once(known: str) -> None:
    odds = seat_odds(LIARS, 14, Cards.parse(known))
    for kind in (Kind.PAIR, Kind.FLUSH, Kind.FULL_HOUSE, Kind.STRAIGHT_FLUSH):
        entries = [entry for entry in odds if entry.bid.kind is kind]
        folded = runs(entries)
        assert sum(len(run.bids) * max(1, len(run.suits)) for run in folded) == len(entries)
        chances = {entry.bid.key: entry.chance for entry in entries}
        for run in folded:
            assert all(chances[entry.bid.key] == run.chance for entry in run.bids)
