"""How a range hits a board as one picture: four groups at a glance, then every class and draw.

Drawn with Pillow in the size of the other charts; legible at a phone's 360 pixels. What a colour
says is always said in words too.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw

from bot.language.catalogues import speaking, spoken
from bot.language.words import percent, rough_percent
from bot.pictures import palette
from bot.pictures.fonts import fitted, font, width, wrapped
from bot.pictures.palette import Colour
from bot.pictures.typefaces import lock

WIDTH: Final = 800
_MARGIN: Final = 28
_HEADING: Final = 108
_LINE: Final = 42  # a second line of the title
_WHOLE: Final = 54  # the bar of the groups
_KEY: Final = 36  # a line of what their colours say
_ROW: Final = 46
_SECTION: Final = 50
_TITLE: Final = 34
_TEXT: Final = 31
_SMALL: Final = 26
_LABELS: Final = 412  # pixels for the words of a row
_SHARES: Final = 196  # and for its share and its hands
_BAR: Final = 22
_COLOURS: Final[tuple[Colour, ...]] = (
    palette.OKABE_GREEN,
    palette.OKABE_SKY,
    palette.OKABE_ORANGE,
    palette.BAR_ALSO,
)


@dataclass(frozen=True, slots=True)
class HitRow:
    """A class or a draw: its words, how many hands, their share, and the group it belongs to."""

    words: str
    hands: str
    share: float
    group: int | None = None  # none: a draw


@dataclass(frozen=True, slots=True)
class HitChart:
    """A picture as plain data; `groups` are words and shares, at most four, the strongest first.

    It keeps the `language` it was made in: it is drawn in a thread that has none.
    """

    title: str
    subtitle: str
    groups: tuple[tuple[str, float], ...]
    made: tuple[HitRow, ...]
    draws_title: str
    draws: tuple[HitRow, ...]
    language: str = field(default_factory=lambda: spoken().key)


def hit_chart_text(chart: HitChart) -> str:
    """The picture in words, for whoever cannot see it."""
    lines = [chart.title, chart.subtitle]
    lines.append(", ".join(f"{words} {rough_percent(share)}" for words, share in chart.groups))
    lines += [f"{row.words} {percent(row.share)} ({row.hands})" for row in chart.made]
    if chart.draws:
        lines.append(chart.draws_title)
    lines += [f"{row.words} {percent(row.share)} ({row.hands})" for row in chart.draws]
    return "\n".join(lines)


def hit_chart_png(chart: HitChart) -> bytes:
    """The picture as a PNG, 800 pixels wide; as high as it has rows."""
    with lock, speaking(chart.language):
        return _hit_chart_png(chart)


def _hit_chart_png(chart: HitChart) -> bytes:
    keys = (len(chart.groups) + 1) // 2
    draws = _SECTION + _ROW * len(chart.draws) if chart.draws else 0
    room = WIDTH - 2 * _MARGIN
    title = wrapped(chart.title, _TITLE, room, 2)
    heading = _HEADING + _LINE * (len(title) - 1)
    height = heading + _WHOLE + 12 + _KEY * keys + 16 + _ROW * len(chart.made) + draws + 14
    image = Image.new("RGB", (WIDTH, height), palette.CHART_PAPER)
    pen = ImageDraw.Draw(image)
    for number, line in enumerate(title):
        pen.text((_MARGIN, 18 + _LINE * number), line, palette.CHART_INK, font(_TITLE))
    subtitle = fitted(chart.subtitle, _SMALL, room, bold=False)
    pen.text((_MARGIN, heading - 46), subtitle, palette.CHART_MUTED, font(_SMALL, bold=False))
    _draw_whole(pen, heading, chart)
    top = heading + _WHOLE + 12 + _KEY * keys + 16
    most = max((row.share for row in (*chart.made, *chart.draws)), default=0.0)
    for row in chart.made:
        _draw_row(pen, top, row, most)
        top += _ROW
    if chart.draws:
        pen.line((_MARGIN, top + 5, WIDTH - _MARGIN, top + 5), palette.CHART_TRACK, 2)
        pen.text((_MARGIN, top + 13), chart.draws_title, palette.CHART_MUTED, font(_SMALL))
        top += _SECTION
    for row in chart.draws:
        _draw_row(pen, top, row, most)
        top += _ROW
    png = BytesIO()
    image.quantize(64, Image.Quantize.FASTOCTREE).save(png, format="PNG", compress_level=2)
    return png.getvalue()


def _draw_whole(pen: ImageDraw.ImageDraw, top: int, chart: HitChart) -> None:
    """The whole range as one bar of its groups, and below it what each colour stands for."""
    room = WIDTH - 2 * _MARGIN
    left, reached = float(_MARGIN), 0.0
    for colour, (_, share) in zip(_COLOURS, chart.groups, strict=False):
        reached += share
        right = _MARGIN + room * reached
        if right - left >= 1:
            pen.rectangle((left, top, right - 1, top + _WHOLE), colour)
        said = rough_percent(share)
        if width(said, _TEXT) + 12 <= right - left:
            centre = ((left + right) / 2, top + _WHOLE / 2)
            pen.text(centre, said, palette.HEAT_INK, font(_TEXT), anchor="mm")
        left = right
    for number, (colour, (words, share)) in enumerate(zip(_COLOURS, chart.groups, strict=False)):
        at = _MARGIN + number % 2 * room // 2
        line = top + _WHOLE + 12 + _KEY * (number // 2)
        pen.rounded_rectangle((at, line + 5, at + 22, line + 27), 4, colour)
        said = fitted(f"{words} {rough_percent(share)}", _SMALL, room // 2 - 46, bold=False)
        pen.text((at + 32, line + 2), said, palette.CHART_INK, font(_SMALL, bold=False))


def _draw_row(pen: ImageDraw.ImageDraw, top: int, row: HitRow, most: float) -> None:
    """The words, a bar as long as the share is beside the largest, the share and the hands."""
    words = fitted(row.words, _TEXT, _LABELS - 12, bold=False)
    pen.text((_MARGIN, top + 2), words, palette.CHART_INK, font(_TEXT, bold=False))
    left, right = _MARGIN + _LABELS, WIDTH - _MARGIN - _SHARES
    colour = palette.OKABE_PURPLE if row.group is None else _COLOURS[row.group]
    end = left + max(3.0, (right - left) * row.share / most)
    pen.rounded_rectangle((left, top + 11, end, top + 11 + _BAR), 3, colour)
    share = rough_percent(row.share)
    pen.text((right + 92, top + 2), share, palette.CHART_INK, font(_TEXT), anchor="ra")
    hands = fitted(row.hands, _SMALL, _SHARES - 104, bold=False)
    at = (WIDTH - _MARGIN, top + 5)
    pen.text(at, hands, palette.CHART_MUTED, font(_SMALL, bold=False), anchor="ra")
