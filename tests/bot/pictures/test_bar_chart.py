"""Chances as bars, drawn and in words."""

from __future__ import annotations

from io import BytesIO
from typing import cast

import pytest
from PIL import Image

from bot.pictures.bar_chart import (
    WIDTH,
    Bar,
    BarChart,
    chart_png,
    chart_text,
)


def drawn(*bars: Bar) -> Image.Image:
    return Image.open(BytesIO(chart_png(BarChart("Title", "subtitle", bars)))).convert("RGB")


def blue(image: Image.Image) -> int:
    """How many pixels have the colour of a bid that may be made."""
    pixels = cast("tuple[tuple[int, int, int], ...]", image.get_flattened_data())
    return sum(1 for r, g, b in pixels if b > 200 and 60 < r < 120 and 150 < g < 200)


def test_the_text_says_all_that_the_picture_shows() -> None:
    bars = (Bar("three sixes", 0.3, "standing", standing=True), Bar("five aces", 0.0002))
    text = chart_text(BarChart("Title", "subtitle", bars)).splitlines()
    assert text == [
        "Title",
        "subtitle",
        "███░░░░░░░ 30.0%  three sixes (standing)",
        "▏░░░░░░░░░ 0.020%  five aces",
    ]


def test_a_bar_is_as_long_as_its_chance() -> None:
    none, half, sure = (blue(drawn(Bar("", share))) for share in (0, 0.5, 1))
    assert none == 0
    assert half == pytest.approx(sure / 2, rel=0.03)


def test_the_picture_grows_with_its_bids_and_with_a_remark_that_finds_no_room() -> None:
    one = drawn(Bar("pair of aces", 0.5))
    two = drawn(Bar("pair of aces", 0.5), Bar("three aces", 0.2, "strongest above 50%"))
    long = drawn(Bar("queen high diamond straight flush", 0.5, "strongest above 50%"))
    assert one.width == two.width == long.width == WIDTH
    assert one.height < long.height < two.height


def test_words_that_are_too_long_are_cut() -> None:
    image = drawn(Bar("an endless bid " * 20, 0.5))
    assert image.width == WIDTH
