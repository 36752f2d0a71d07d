"""Chances as bars: a picture, and the same in words.

Drawn with Pillow in a few milliseconds; wide enough for a desk, legible at a phone's 360 pixels.
What a colour says is always said in words too.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw

from bot.language.catalogues import speaking, spoken, tr
from bot.language.words import bar, percent, rough_percent
from bot.pictures import palette
from bot.pictures.fonts import fitted, font, width
from bot.pictures.typefaces import lock

WIDTH: Final = 800
_MARGIN: Final = 32
_HEADING: Final = 116
_ROW: Final = 84
_REMARK_ROW: Final = 32
_BAR_HEIGHT: Final = 24
_TEXT: Final = 29
_SMALL: Final = 24
_TEXT_BAR: Final = 10


@dataclass(frozen=True, slots=True)
class Bar:
    """One row of a chart: its words, its chance from 0 to 1, and what is said of it.

    A `standing` one has a colour of its own. `also` is a further chance, drawn paler behind the
    first: a tie behind a win.
    """

    words: str
    probability: float
    remark: str = ""
    standing: bool = False
    also: float = 0.0


@dataclass(frozen=True, slots=True)
class BarChart:
    """A chart as plain data: two lines of heading, then bars from top to bottom.

    It keeps the `language` it was made in: it is drawn in a thread that has none.
    """

    title: str
    subtitle: str
    bars: tuple[Bar, ...]
    language: str = field(default_factory=lambda: spoken().key)


def chart_text(chart: BarChart) -> str:
    """The chart in words, for whoever cannot see the picture."""
    lines = [chart.title, chart.subtitle]
    for entry in chart.bars:
        remark = f" ({entry.remark})" if entry.remark else ""
        shown = bar(entry.probability, _TEXT_BAR)
        lines.append(f"{shown} {percent(entry.probability)}  {entry.words}{remark}")
    return "\n".join(lines)


def chart_png(chart: BarChart) -> bytes:
    """The chart as a PNG, 800 pixels wide; as high as it has bars."""
    with lock, speaking(chart.language):
        return _chart_png(chart)


def _chart_png(chart: BarChart) -> bytes:
    rows = [_ROW + (0 if _fits_beside(entry) else _REMARK_ROW) for entry in chart.bars]
    height = _HEADING + sum(rows) + _MARGIN // 2
    image = Image.new("RGB", (WIDTH, height), palette.CHART_PAPER)
    pen = ImageDraw.Draw(image)
    room = WIDTH - 2 * _MARGIN
    pen.text((_MARGIN, 22), fitted(chart.title, 34, room), palette.CHART_INK, font(34))
    subtitle = fitted(chart.subtitle, _SMALL, room - 180, bold=False)
    pen.text((_MARGIN, 68), subtitle, palette.CHART_MUTED, font(_SMALL, bold=False))
    pen.text(
        (WIDTH - _MARGIN, 68),
        tr("line at {share}", share=rough_percent(0.5)),
        palette.CHART_MUTED,
        font(_SMALL, bold=False),
        anchor="ra",
    )
    top = _HEADING
    for row, entry in zip(rows, chart.bars, strict=True):
        _draw_bar(pen, top, entry)
        top += row
    png = BytesIO()
    # few colours and a quick compression: some 20 KB in a few milliseconds
    image.quantize(32, Image.Quantize.FASTOCTREE).save(png, format="PNG", compress_level=2)
    return png.getvalue()


def _fits_beside(entry: Bar) -> bool:
    """Whether the remark finds room between the words and the chance."""
    remark = width(entry.remark, _SMALL, bold=False)
    words = width(entry.words, _TEXT, bold=False)
    return not remark or words + remark + 32 <= _words_width(entry)


def _words_width(entry: Bar) -> float:
    return WIDTH - 2 * _MARGIN - width(percent(entry.probability), _TEXT) - 16


def _draw_bar(pen: ImageDraw.ImageDraw, top: int, entry: Bar) -> None:
    """The words to the left, the chance to the right, the bar below with its middle marked.

    The remark stands beside the words, or in a line of its own.
    """
    right, words_top = WIDTH - _MARGIN, top
    chance = percent(entry.probability)
    words = fitted(entry.words, _TEXT, _words_width(entry), bold=False)
    pen.text((_MARGIN, top), words, palette.CHART_INK, font(_TEXT, bold=False))
    colour = palette.BAR_STANDING if entry.standing else palette.BAR_OTHER
    if entry.remark:
        beside = _fits_beside(entry)
        left = _MARGIN + (width(words, _TEXT, bold=False) + 16 if beside else 0)
        pen.text(
            (left, top + (4 if beside else 36)), entry.remark, colour, font(_SMALL, bold=False)
        )
        top += 0 if beside else _REMARK_ROW
    pen.text((right, words_top), chance, palette.CHART_INK, font(_TEXT), anchor="ra")
    upper, lower = top + 42, top + 42 + _BAR_HEIGHT
    pen.rounded_rectangle((_MARGIN, upper, right, lower), 6, palette.CHART_TRACK)
    both = (entry.probability + entry.also) * (right - _MARGIN)
    if entry.also and both >= 1:
        pen.rounded_rectangle((_MARGIN, upper, _MARGIN + both, lower), 6, palette.BAR_ALSO)
    length = entry.probability * (right - _MARGIN)
    if length >= 1:
        pen.rounded_rectangle((_MARGIN, upper, _MARGIN + length, lower), 6, colour)
    middle = (_MARGIN + right) // 2
    pen.line((middle, upper - 4, middle, lower + 4), palette.CHART_MUTED, 2)
