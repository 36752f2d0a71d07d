"""A grid of shares as colours, with each share written in its cell; and the same in words. Every
kind of hand against every other is a map of smaller cells.

Drawn with Pillow. Below the middle a cell is orange, above it blue, so the colours differ for
every eye; white is the middle: what everybody has who has no advantage.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw

from bot.language.catalogues import speaking, spoken
from bot.pictures import palette
from bot.pictures.fonts import fitted, font
from bot.pictures.palette import Colour
from bot.pictures.typefaces import lock

WIDTH: Final = 800
_MARGIN: Final = 20
_HEADING: Final = 104
_GAP: Final = 3
_ROW: Final = 62
_TITLE: Final = 34
_SMALL: Final = 24
_LABEL: Final = 23
_SHARE: Final = 24
_DARK_FROM: Final = 0.62  # of the way to the end of the scale the ink turns white
_NOTHING: Final = "·"
# of the map of every kind of hand
_MAP_CELL: Final = 8
_MAP_LABELS: Final = 46
_MAP_HEADING: Final = 84
_MAP_EVERY: Final = 2  # so many kinds share a label, that labels do not touch
_MAP_LABEL_SIZE: Final = 13


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: what it is of, and its share from 0 to 1; None where nothing can be said."""

    label: str
    share: float | None


@dataclass(frozen=True, slots=True)
class HeatMap:
    """A grid as plain data: two lines of heading, then rows of cells; `middle` is drawn white.

    It keeps the `language` it was made in: it is drawn in a thread that has none.
    """

    title: str
    subtitle: str
    rows: tuple[tuple[Cell, ...], ...]
    middle: float = 0.5
    language: str = field(default_factory=lambda: spoken().key)


def heat_map_text(grid: HeatMap) -> str:
    """The grid in words: its cells' shares in whole per cent, row by row."""
    rows = (f"{row[0].label}: " + " ".join(whole(cell.share) for cell in row) for row in grid.rows)
    return "\n".join([grid.title, grid.subtitle, *rows])


def whole(share: float | None) -> str:
    """A share in whole per cent, without the sign; a dot where there is none."""
    return _NOTHING if share is None else f"{100 * share:.0f}"


def heat_map_png(grid: HeatMap) -> bytes:
    """The grid as a PNG, 800 pixels wide; as high as it has rows."""
    with lock, speaking(grid.language):
        return _heat_map_png(grid)


def _heat_map_png(grid: HeatMap) -> bytes:
    columns = max(map(len, grid.rows))
    height = _HEADING + _ROW * len(grid.rows) + _MARGIN
    image = Image.new("RGB", (WIDTH, height), palette.CHART_PAPER)
    pen = ImageDraw.Draw(image)
    room = WIDTH - 2 * _MARGIN
    pen.text((_MARGIN, 16), fitted(grid.title, _TITLE, room), palette.CHART_INK, font(_TITLE))
    subtitle = fitted(grid.subtitle, _SMALL, room, bold=False)
    pen.text((_MARGIN, 60), subtitle, palette.CHART_MUTED, font(_SMALL, bold=False))
    for number, row in enumerate(grid.rows):
        top = _HEADING + _ROW * number
        for column, cell in enumerate(row):
            left = _MARGIN + room * column // columns
            right = _MARGIN + room * (column + 1) // columns
            _draw_cell(pen, (left, top, right - _GAP, top + _ROW - _GAP), cell, grid.middle)
    png = BytesIO()
    image.quantize(128, Image.Quantize.FASTOCTREE).save(png, format="PNG", compress_level=2)
    return png.getvalue()


def _draw_cell(
    pen: ImageDraw.ImageDraw, box: tuple[int, int, int, int], cell: Cell, middle: float
) -> None:
    """The label above, the share below, on the colour of the share."""
    left, top, right, bottom = box
    if cell.share is None:
        pen.rounded_rectangle(box, 5, palette.CHART_TRACK)
        pen.text(
            ((left + right) / 2, (top + bottom) / 2),
            cell.label,
            palette.CHART_MUTED,
            font(_LABEL - 4, bold=False),
            anchor="mm",
        )
        return
    colour, far = shade_of(cell.share, middle)
    pen.rounded_rectangle(box, 5, colour)
    ink = palette.IVORY if far >= _DARK_FROM else palette.HEAT_INK
    centre = (left + right) / 2
    pen.text((centre, top + 17), cell.label, ink, font(_LABEL - 3, bold=False), anchor="mm")
    pen.text((centre, bottom - 17), whole(cell.share), ink, font(_SHARE), anchor="mm")


def shade_of(share: float, middle: float) -> tuple[Colour, float]:
    """The colour of a share, and how far it is from the middle to the end of the scale, 0 to 1."""
    if share >= middle:
        far = (share - middle) / (1 - middle) if middle < 1 else 0.0
        end = palette.HEAT_HIGH
    else:
        far = (middle - share) / middle
        end = palette.HEAT_LOW
    red, green, blue = (
        round(white + (full - white) * far)
        for white, full in zip(palette.HEAT_MIDDLE, end, strict=True)
    )
    return (red, green, blue), far


def matchup_map_png(labels: Sequence[str], shares: Sequence[Sequence[float]]) -> bytes:
    """Every kind of hand against every other as a PNG, blue where the hand of the row is ahead.

    `shares[row][column]` is what the row has against the column.
    """
    with lock:
        side = _MAP_CELL * len(labels)
        left, top = _MARGIN + _MAP_LABELS, _MAP_HEADING + _MAP_LABELS
        size = (left + side + _MARGIN, top + side + _MARGIN)
        image = Image.new("RGB", size, palette.CHART_PAPER)
        pen = ImageDraw.Draw(image)
        title = "Hold'em before the flop: share of the pot"
        pen.text((_MARGIN, 14), title, palette.CHART_INK, font(30))
        said = "blue: the hand of the row is ahead; orange: behind; strongest first"
        pen.text((_MARGIN, 52), said, palette.CHART_MUTED, font(20, bold=False))
        cells = Image.new("RGB", (len(labels), len(labels)))
        cells.putdata([shade_of(share, 0.5)[0] for row in shares for share in row])
        image.paste(cells.resize((side, side), Image.Resampling.NEAREST), (left, top))
        small = font(_MAP_LABEL_SIZE, bold=False)
        for place in range(0, len(labels), _MAP_EVERY):
            centre = top + _MAP_CELL * place + _MAP_CELL / 2
            pen.text((left - 6, centre), labels[place], palette.CHART_INK, small, anchor="rm")
            upright = Image.new("RGB", (_MAP_LABELS, _MAP_CELL * _MAP_EVERY), palette.CHART_PAPER)
            ImageDraw.Draw(upright).text(
                (2, _MAP_CELL * _MAP_EVERY / 2),
                labels[place],
                palette.CHART_INK,
                small,
                anchor="lm",
            )
            at = (left + _MAP_CELL * place - _MAP_CELL // 2, top - _MAP_LABELS - 2)
            image.paste(upright.rotate(90, expand=True), at)
        png = BytesIO()
        image.quantize(256, Image.Quantize.FASTOCTREE).save(png, format="PNG", compress_level=6)
        return png.getvalue()
