"""An equity curve as a picture, and the same in words.

Drawn with Pillow in the size of the other charts; legible at a phone's 360 pixels.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw

from bot.language.catalogues import speaking, spoken, tr
from bot.language.words import rough_percent
from bot.pictures import palette
from bot.pictures.fonts import fitted, font
from bot.pictures.typefaces import lock

WIDTH: Final = 800
HEIGHT: Final = 640
_TITLE: Final = 34
_SMALL: Final = 27
_LEFT, _TOP, _RIGHT, _BOTTOM = 104, 126, WIDTH - 32, HEIGHT - 56
_QUARTERS: Final = (0.0, 0.25, 0.5, 0.75, 1.0)
_TENTHS: Final = 10


@dataclass(frozen=True, slots=True)
class CurveChart:
    """A falling curve as plain data: shares of the pot, each with the part of hands that reach it.

    It keeps the `language` it was made in: it is drawn in a thread that has none.
    """

    title: str
    subtitle: str
    points: tuple[tuple[float, float], ...]
    language: str = field(default_factory=lambda: spoken().key)


def curve_chart_text(chart: CurveChart) -> str:
    """The curve in words: ten steps of it."""
    lines = [chart.title, chart.subtitle]
    for step in range(1, _TENTHS + 1):
        part = step / _TENTHS
        value = next(value for value, reached in chart.points if reached >= part - 1e-9)
        hands, pot = rough_percent(part), rough_percent(value)
        lines.append(tr("{hands} of hands: at least {pot} of the pot", hands=hands, pot=pot))
    return "\n".join(lines)


def curve_chart_png(chart: CurveChart) -> bytes:
    """The curve as a PNG, 800 by 640 pixels."""
    with lock, speaking(chart.language):
        return _curve_chart_png(chart)


def _curve_chart_png(chart: CurveChart) -> bytes:
    image = Image.new("RGB", (WIDTH, HEIGHT), palette.CHART_PAPER)
    pen = ImageDraw.Draw(image)
    room = WIDTH - 56
    pen.text((28, 18), fitted(chart.title, _TITLE, room), palette.CHART_INK, font(_TITLE))
    subtitle = fitted(chart.subtitle, _SMALL, room, bold=False)
    pen.text((28, 64), subtitle, palette.CHART_MUTED, font(_SMALL, bold=False))
    small = font(_SMALL, bold=False)
    before = 0.0
    for value, reached in chart.points:
        colour = palette.BAR_OTHER if value >= 0.5 else palette.BAR_STANDING
        if _x(reached) > _x(before) and _y(value) < _BOTTOM:
            pen.rectangle((_x(before), _y(value), _x(reached), _BOTTOM), colour)
        before = reached
    for quarter in _QUARTERS:
        pen.line((_LEFT, _y(quarter), _RIGHT, _y(quarter)), palette.CHART_TRACK, 2)
        pen.line((_x(quarter), _TOP, _x(quarter), _BOTTOM), palette.CHART_TRACK, 2)
        said = rough_percent(quarter)
        pen.text((_LEFT - 10, _y(quarter)), said, palette.CHART_MUTED, small, anchor="rm")
        anchor = {0.0: "la", 1.0: "ra"}.get(quarter, "ma")
        pen.text((_x(quarter), _BOTTOM + 12), said, palette.CHART_MUTED, small, anchor=anchor)
    png = BytesIO()
    image.quantize(64, Image.Quantize.FASTOCTREE).save(png, format="PNG", compress_level=2)
    return png.getvalue()


def _x(part: float) -> int:
    return round(_LEFT + (_RIGHT - _LEFT) * part)


def _y(value: float) -> int:
    return round(_BOTTOM - (_BOTTOM - _TOP) * value)
