"""A picture of a board, drawn in whichever thread or process this is called in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from bot.boards.board import (
    ChartPicture,
    CurvePicture,
    GridPicture,
    HitPicture,
    Picture,
    ScorecardPicture,
    ShowdownPicture,
    StandingsPicture,
    StripPicture,
)
from bot.computing.question import Lane, Question, Stopped
from bot.pictures.cards import showdown_png
from bot.pictures.scorecard import scorecard_png
from bot.pictures.standings import standings_png
from bot.pictures.strip import strip_png


@dataclass(frozen=True, slots=True)
class Drawing(Question[bytes]):
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
            from bot.pictures.bar_chart import chart_png

            return chart_png(picture.chart)
        case GridPicture():
            from bot.pictures.heat_map import heat_map_png

            return heat_map_png(picture.grid)
        case HitPicture():
            from bot.pictures.hit_chart import hit_chart_png

            return hit_chart_png(picture.chart)
        case CurvePicture():
            from bot.pictures.curve_chart import curve_chart_png

            return curve_chart_png(picture.chart)
        case StripPicture():
            return strip_png(picture.rows)
        case ScorecardPicture():
            return scorecard_png(picture.card)
        case StandingsPicture():
            return standings_png(picture.standings)
        case ShowdownPicture():
            return showdown_png(
                picture.rows,
                picture.used,
                middle=picture.middle,
                middle_name=picture.middle_name,
                stands_for=dict(picture.stands_for),
                four_colours=picture.four_colours,
            )
