"""What a range hits and equity curves as boards, and their pictures."""

from __future__ import annotations

from dataclasses import dataclass, replace
from io import BytesIO

import pytest
from PIL import Image

from bot.boards.board import ChartPicture
from bot.boards.showdown_odds import (
    MOST_HITS,
    close_looks,
    curve_board,
    game_name,
    hand_grid_board,
    hits_board,
    seats_shown,
    showdown_board,
)
from bot.language.catalogues import speaking
from bot.pictures.curve_chart import CurveChart, curve_chart_png
from bot.pictures.hit_chart import HitChart, hit_chart_png
from engine.odds import equity_curve, hand_grid, hits
from engine.odds.showdown.scenario import Scenario
from tests.bot.boards.rounds import chart_of, said
from tests.bot.boards.test_showdown_odds import answered, asked, words


@dataclass
class Hit:
    """A picture of how a range hits, and its words."""

    chart: HitChart
    alt: str


def hit(scenario: Scenario) -> list[Hit]:
    board = hits_board(scenario, [(seat, hits(scenario, seat)) for seat in seats_shown(scenario)])
    drawn = [picture for picture in board.pictures if isinstance(picture, ChartPicture)]
    return [Hit(one.chart, one.alt) for one in drawn if isinstance(one.chart, HitChart)]


def size(png: bytes) -> tuple[int, int]:
    with Image.open(BytesIO(png)) as image:
        return image.size


def test_what_a_range_hits_is_one_picture_and_the_same_in_words() -> None:
    scenario = asked("AhKd", "QQ+, QJs, 99@50, 55", board="9h 5h 2c")
    (picture,) = hit(scenario)
    drawn = picture.chart
    assert (drawn.title, drawn.subtitle) == ("P2 QQ+, QJs, 99@50, 55", "9♥ 5♥ 2♣ · 22 hands")
    assert [words for words, _ in drawn.groups] == [
        *("two pair and better", "overpair, top pair", "weaker pairs", "no pair"),
    ]
    assert sum(share for _, share in drawn.groups) == pytest.approx(1)
    assert [(row.words, row.hands) for row in drawn.made] == [
        *(("set", "6"), ("overpair", "12"), ("air", "4")),
    ]
    assert [row.words for row in drawn.draws] == [
        *("flush draw", "overcards", "backdoor flush", "backdoor straight"),
    ]
    text = words(picture.alt)
    assert "overpair 58.5% (12)" in text
    assert "and draws to\nflush draw 4.9% (1)" in text
    width, height = size(hit_chart_png(drawn))
    assert width == 800
    assert height <= 2 * 844  # of a phone whose screen is 390 by 844, at 390 wide


def test_the_fullest_picture_fits_a_phone_and_its_words_an_alternative_text() -> None:
    for game, board in (("holdem", "9h 8h 2c"), ("omaha", "9h 8h 2c 9c"), ("holdem", "9h 8h 7h")):
        (picture,) = hit(asked("", board=board, game=game))
        assert len(picture.alt) <= 1024
        width, height = size(hit_chart_png(picture.chart))
        assert height / width <= 844 / 390
        with speaking("pl"):
            (picture,) = hit(asked("", board=board, game=game))
            assert len(picture.alt) <= 1024
            assert size(hit_chart_png(picture.chart)) == (width, height)


def test_a_range_with_nothing_to_draw_to_has_no_such_part() -> None:
    (picture,) = hit(asked("99", board="9h 8d 2c Ks"))
    assert picture.chart.draws == ()
    assert "draws" not in picture.alt
    assert hit_chart_png(picture.chart).startswith(b"\x89PNG")


def test_each_range_is_shown_once_and_no_more_than_fit() -> None:
    assert seats_shown(asked("", "QQ", "", "AhKd", board="9h 5h 2c")) == [0, 1]
    many = asked("QQ", "JJ", "TT", "88", board="9h 5h 2c")
    assert len(hit(many)) == MOST_HITS


def test_an_equity_curve_is_a_picture_and_the_same_in_words() -> None:
    scenario = asked("AhKd", "QQ, 7c6c, AcQc", board="9h 5h 2c 2d")
    board = curve_board(scenario, equity_curve(scenario))
    assert size(curve_chart_png(chart_of(board, CurveChart))) == (800, 640)
    assert board.picture is not None
    text = words(said(board))
    assert "P1 A♥ K♦ has at least half of the pot against 25.0% of the hands" in text
    assert "10% of hands: at least 86% of the pot" in words(board.picture.alt)
    own = asked("QQ, 72o", "KK", board="9h 5h 2c 2d")
    board = curve_board(own, equity_curve(own))
    assert "P1 QQ, 72o has at least half of the pot with" in words(said(board))
    assert board.picture is not None
    assert "by part of their own hands" in board.picture.alt


def test_a_grid_of_two_ranges_is_about_the_hands_of_the_first() -> None:
    scenario = asked("QQ+, 72o", "KK, AKs", board="9h 5h 2c 2d")
    board = hand_grid_board(scenario, hand_grid(scenario))
    assert board.picture is not None
    text = words(said(board))
    assert "each hand of QQ+, 72o" in board.picture.alt
    assert "QQ+, 72o has more than half of the pot with" in text


def test_the_looks_of_a_question_are_those_it_has() -> None:
    def labels(scenario: Scenario) -> list[str]:
        return [one.label for one in close_looks(scenario)]

    assert labels(asked("AhKd", "QQ+", board="9h 5h 2c")) == [
        *("Card by card", "Hand by hand", "What it hits", "Equity curve"),
    ]
    assert labels(asked("AhKd", "QcQd", board="9h 5h 2c")) == ["Card by card"]
    omaha = asked("AsAhKsKh", "JJ**", board="9h 5h 2c", game="omaha")
    assert labels(omaha) == ["Card by card", "What it hits"]
    assert labels(asked("QQ", "KK")) == ["Hand by hand", "Equity curve"]


def test_a_split_pot_says_how_often_one_is_quartered() -> None:
    hands = ("AsAh2s3h", "Ad2cKdKc")
    text = words(said(showdown_board(answered(*hands, board="4c 5d 8s", game="omaha8"))))
    assert "scoops 11.5%, takes three quarters 61.3%, is quartered 15.6%" in text
    other = ("AsAh2s3h", "KdKcQd7c")
    text = said(showdown_board(answered(*other, board="4c 5d 8s", game="omaha8")))
    assert "quartered" not in text


def test_stud_of_eight_is_called_stud() -> None:
    scenario = asked(*[""] * 8, game="stud")
    assert game_name(scenario) == "Seven-card stud"


def test_a_long_range_is_a_title_of_two_lines() -> None:
    held = "22+, A2+, K2+, Q2+, J2+, T2+, 92+, 82+, 72+, 62+, 52+, 42+, AhKd@50, AhQd@25"
    pictures = [hit(asked("6c6d", text, board="9h 8h 2c"))[0] for text in ("22+", held)]
    assert pictures[1].chart.title == f"P2 {held}"
    assert len(pictures[1].alt) <= 1024
    short, long = (
        size(hit_chart_png(replace(pictures[1].chart, title=one.chart.title))) for one in pictures
    )
    assert long[1] == short[1] + 42
    assert long[1] / long[0] <= 844 / 390
