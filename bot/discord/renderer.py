"""A picture of a board, drawn in whichever thread or process this is called in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from bot.boards.board import Chart, ChartPicture, Picture, ShowdownPicture, StripPicture
from bot.computing.question import Lane, Question, Stopped
from bot.pictures.bar_chart import BarChart, chart_png
from bot.pictures.cards import showdown_png
from bot.pictures.curve_chart import CurveChart, curve_chart_png
from bot.pictures.heat_map import HeatMap, heat_map_png
from bot.pictures.hit_chart import HitChart, hit_chart_png
from bot.pictures.scorecard import Scorecard, scorecard_png
from bot.pictures.standings import standings_png
from bot.pictures.strip import strip_png


@dataclass(frozen=True, slots=True)
class DrawPicture(Question[bytes]):
    """A picture of a table as a PNG, for the computing process."""

    picture: Picture
    lane: ClassVar[Lane] = Lane.PICTURE

    def answer(self, stopped: Stopped) -> bytes:
        """Draw it."""
        return draw(self.picture)


def draw(picture: Picture) -> bytes:
    """A picture as a PNG; whatever language its words are in is in it."""
    match picture:
        case ChartPicture():
            return _draw_chart(picture.chart)
        case StripPicture():
            return strip_png(picture.rows)
        case ShowdownPicture():
            return showdown_png(
                picture.rows,
                picture.used,
                middle=picture.middle,
                middle_name=picture.middle_name,
                stands_for=dict(picture.stands_for),
                four_colours=picture.four_colours,
            )


def _draw_chart(chart: Chart) -> bytes:
    match chart:
        case BarChart():
            return chart_png(chart)
        case HeatMap():
            return heat_map_png(chart)
        case HitChart():
            return hit_chart_png(chart)
        case CurveChart():
            return curve_chart_png(chart)
        case Scorecard():
            return scorecard_png(chart)
        case _:
            return standings_png(chart)
