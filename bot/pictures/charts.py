"""Charts, each with the same content in words.

There are four: chances as bars, a grid of shares, how a range hits a board, and an equity curve.
The command line has one more, without a text (`matchup_map_png`). Pillow draws them in a few
milliseconds, wide enough for a desktop and legible at a phone's 360 pixels. Words always repeat
what a colour says.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from io import BytesIO
from typing import Final, Literal

from PIL import Image, ImageDraw

from bot.language.catalogues import speaking, spoken, tr
from bot.language.words import bar, percent, rough_percent
from bot.pictures import palette
from bot.pictures.fonts import fit_text, font, width, wrap_text
from bot.pictures.palette import Colour
from bot.pictures.typefaces import lock

WIDTH: Final = 800
_TITLE: Final = 34


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart(ABC):
    """A picture as plain data.

    A chart stores the `language` it was made in, as the drawing thread has no language set.
    """

    language: str = field(default_factory=lambda: spoken().key)

    def png(self) -> bytes:
        """Return the picture as a PNG."""
        with lock, speaking(self.language):
            return self._draw()

    @abstractmethod
    def _draw(self) -> bytes:
        """Return the picture as a PNG, with words in the current language."""

    @property
    @abstractmethod
    def text(self) -> str:
        """Return the picture's content in words, for people who cannot see it."""


class _Sheet:
    """The dark paper of a chart, with methods to write on it."""

    def __init__(self, width: int, height: int) -> None:
        self.image = Image.new("RGB", (width, height), palette.CHART_PAPER)
        self.pen = ImageDraw.Draw(self.image)

    def write(
        self,
        at: tuple[float, float],
        text: str,
        size: int,
        colour: Colour = palette.CHART_INK,
        *,
        bold: bool = False,
        anchor: Literal["la", "ra", "ma", "mm", "rm"] = "la",
    ) -> None:
        """Write `text` at `at`, placed by `anchor` as in Pillow."""
        self.pen.text(at, text, colour, font(size, bold), anchor=anchor)

    def png(self, colours: int, compression: int = 2) -> bytes:
        """Return a PNG of at most `colours` colours: some 20 KB in a few milliseconds."""
        file = BytesIO()
        few = self.image.quantize(colours, Image.Quantize.FASTOCTREE)
        few.save(file, format="PNG", compress_level=compression)
        return file.getvalue()


# -- chances as bars -------------------------------------------------------------------------------

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
    """One row of a chart: its words, its chance from 0 to 1, and a remark.

    A `standing` bar has a special colour. `shared` is the part of the chance that comes from ties;
    it is drawn lighter, at the end of the bar.
    """

    words: str
    probability: float
    remark: str = ""
    standing: bool = False
    shared: float = 0.0

    @property
    def room(self) -> float:
        """The width in pixels for words and remark, which are to the left of the chance."""
        return WIDTH - 2 * _MARGIN - width(percent(self.probability), _TEXT) - 16

    @property
    def fits_beside(self) -> bool:
        """Whether the remark fits on the line, between the words and the chance."""
        remark = width(self.remark, _SMALL, bold=False)
        return not remark or width(self.words, _TEXT, bold=False) + remark + 32 <= self.room


@dataclass(frozen=True, slots=True)
class BarChart(Chart):
    """Two heading lines, then bars from top to bottom; 800 pixels wide."""

    title: str
    subtitle: str
    bars: tuple[Bar, ...]

    @property
    def text(self) -> str:
        """Return the headings, then a line for each bar."""
        lines = [self.title, self.subtitle]
        for entry in self.bars:
            remark = f" ({entry.remark})" if entry.remark else ""
            bar_text = bar(entry.probability, _TEXT_BAR)
            lines.append(f"{bar_text} {percent(entry.probability)}  {entry.words}{remark}")
        return "\n".join(lines)

    def _draw(self) -> bytes:
        rows = [_ROW + (0 if entry.fits_beside else _REMARK_ROW) for entry in self.bars]
        sheet, room = _Sheet(WIDTH, _HEADING + sum(rows) + _MARGIN // 2), WIDTH - 2 * _MARGIN
        sheet.write((_MARGIN, 22), fit_text(self.title, _TITLE, room), _TITLE, bold=True)
        subtitle = fit_text(self.subtitle, _SMALL, room - 180, bold=False)
        sheet.write((_MARGIN, 68), subtitle, _SMALL, palette.CHART_MUTED)
        line = tr("line = {share}", share=rough_percent(0.5))
        sheet.write((WIDTH - _MARGIN, 68), line, _SMALL, palette.CHART_MUTED, anchor="ra")
        top = _HEADING
        for row, entry in zip(rows, self.bars, strict=True):
            _draw_bar(sheet, top, entry)
            top += row
        return sheet.png(32)


def _draw_bar(sheet: _Sheet, top: int, entry: Bar) -> None:
    """Draw words on the left, the chance on the right, and the bar below with its middle marked.

    The remark follows the words, or has its own line.
    """
    pen, right = sheet.pen, WIDTH - _MARGIN
    words = fit_text(entry.words, _TEXT, entry.room, bold=False)
    sheet.write((_MARGIN, top), words, _TEXT)
    sheet.write((right, top), percent(entry.probability), _TEXT, bold=True, anchor="ra")
    colour = palette.BAR_STANDING if entry.standing else palette.BAR_OTHER
    if entry.remark and entry.fits_beside:
        left = _MARGIN + width(words, _TEXT, bold=False) + 16
        sheet.write((left, top + 4), entry.remark, _SMALL, colour)
    elif entry.remark:
        sheet.write((_MARGIN, top + 36), entry.remark, _SMALL, colour)
        top += _REMARK_ROW
    upper, lower = top + 42, top + 42 + _BAR_HEIGHT
    pen.rounded_rectangle((_MARGIN, upper, right, lower), 6, palette.CHART_TRACK)
    both = entry.probability * (right - _MARGIN)
    if entry.shared and both >= 1:
        pen.rounded_rectangle((_MARGIN, upper, _MARGIN + both, lower), 6, palette.BAR_ALSO)
    length = (entry.probability - entry.shared) * (right - _MARGIN)
    if length >= 1:
        pen.rounded_rectangle((_MARGIN, upper, _MARGIN + length, lower), 6, colour)
    middle = (_MARGIN + right) // 2
    pen.line((middle, upper - 4, middle, lower + 4), palette.CHART_MUTED, 2)


# -- a grid of shares ------------------------------------------------------------------------------
#
# Cells are orange below the middle and blue above it, which all eyes can distinguish; white is the
# middle, the share of a hand without advantage.

_GRID_MARGIN: Final = 20
_GRID_HEADING: Final = 104
_GAP: Final = 3
_CELL: Final = 62
_DARK_FROM: Final = 0.62  # of the distance to the end of the scale, where ink turns white
_NOTHING: Final = "·"
# pixels of the map of all kinds of hands
_MAP_CELL: Final = 8
_MAP_LABELS: Final = 46
_MAP_HEADING: Final = 84
_MAP_EVERY: Final = 2  # label every second kind, so that labels don't touch
_MAP_LABEL_SIZE: Final = 13


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: its label, and its share from 0 to 1, or None if unknown."""

    label: str
    share: float | None

    @property
    def whole(self) -> str:
        """The share in whole per cent, without the sign; a dot if unknown."""
        return _NOTHING if self.share is None else f"{100 * self.share:.0f}"


@dataclass(frozen=True, slots=True)
class HeatMap(Chart):
    """Two heading lines, then rows of cells, 800 pixels wide.

    A cell whose share is `middle` is white.
    """

    title: str
    subtitle: str
    rows: tuple[tuple[Cell, ...], ...]
    middle: float = 0.5

    @property
    def text(self) -> str:
        """Return the headings, then the shares in whole per cent, a line per row.

        Each line begins with the label of the row's first cell.
        """
        rows = (f"{row[0].label}: " + " ".join(cell.whole for cell in row) for row in self.rows)
        return "\n".join([self.title, self.subtitle, *rows])

    def _draw(self) -> bytes:
        columns = max(map(len, self.rows))
        sheet = _Sheet(WIDTH, _GRID_HEADING + _CELL * len(self.rows) + _GRID_MARGIN)
        room = WIDTH - 2 * _GRID_MARGIN
        sheet.write((_GRID_MARGIN, 16), fit_text(self.title, _TITLE, room), _TITLE, bold=True)
        subtitle = fit_text(self.subtitle, _SMALL, room, bold=False)
        sheet.write((_GRID_MARGIN, 60), subtitle, _SMALL, palette.CHART_MUTED)
        for number, row in enumerate(self.rows):
            top = _GRID_HEADING + _CELL * number
            for column, cell in enumerate(row):
                left = _GRID_MARGIN + room * column // columns
                right = _GRID_MARGIN + room * (column + 1) // columns
                box = (left, top, right - _GAP, top + _CELL - _GAP)
                _draw_cell(sheet, box, cell, self.middle)
        return sheet.png(128)


def _draw_cell(sheet: _Sheet, box: tuple[int, int, int, int], cell: Cell, middle: float) -> None:
    """Draw the label above and the share below, on the share's colour.

    Without a share, draw only the label, on grey.
    """
    left, top, right, bottom = box
    centre = (left + right) / 2
    if cell.share is None:
        sheet.pen.rounded_rectangle(box, 5, palette.CHART_TRACK)
        at = (centre, (top + bottom) / 2)
        sheet.write(at, cell.label, 19, palette.CHART_MUTED, anchor="mm")
        return
    colour, far = _cell_colour(cell.share, middle)
    sheet.pen.rounded_rectangle(box, 5, colour)
    ink = palette.IVORY if far >= _DARK_FROM else palette.HEAT_INK
    sheet.write((centre, top + 17), cell.label, 20, ink, anchor="mm")
    sheet.write((centre, bottom - 17), cell.whole, 24, ink, bold=True, anchor="mm")


def _cell_colour(share: float, middle: float) -> tuple[Colour, float]:
    """Return a share's colour, and its distance from the middle of the scale, 0 to 1."""
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
    """Return a PNG of every kind of hand against every other, blue where the row's hand is ahead.

    `shares[row][column]` is the share of the pot, from 0 to 1, that the row's hand wins against the
    column's.
    """
    with lock:
        side = _MAP_CELL * len(labels)
        left, top = _GRID_MARGIN + _MAP_LABELS, _MAP_HEADING + _MAP_LABELS
        sheet = _Sheet(left + side + _GRID_MARGIN, top + side + _GRID_MARGIN)
        title = "Hold'em before the flop: share of the pot"
        sheet.write((_GRID_MARGIN, 14), title, 30, bold=True)
        legend = "blue: the hand of the row is ahead; orange: behind; strongest first"
        sheet.write((_GRID_MARGIN, 52), legend, 20, palette.CHART_MUTED)
        cells = Image.new("RGB", (len(labels), len(labels)))
        cells.putdata([_cell_colour(share, 0.5)[0] for row in shares for share in row])
        sheet.image.paste(cells.resize((side, side), Image.Resampling.NEAREST), (left, top))
        small = font(_MAP_LABEL_SIZE, bold=False)
        for place in range(0, len(labels), _MAP_EVERY):
            centre = top + _MAP_CELL * place + _MAP_CELL / 2
            sheet.write((left - 6, centre), labels[place], _MAP_LABEL_SIZE, anchor="rm")
            upright = Image.new("RGB", (_MAP_LABELS, _MAP_CELL * _MAP_EVERY), palette.CHART_PAPER)
            middle = (2, _MAP_CELL * _MAP_EVERY / 2)
            pen = ImageDraw.Draw(upright)
            pen.text(middle, labels[place], palette.CHART_INK, small, anchor="lm")
            at = (left + _MAP_CELL * place - _MAP_CELL // 2, top - _MAP_LABELS - 2)
            sheet.image.paste(upright.rotate(90, expand=True), at)
        return sheet.png(256, compression=6)


# -- how a range hits a board: four groups, then every class and draw ------------------------------

_HIT_MARGIN: Final = 28
_HIT_HEADING: Final = 108
_LINE: Final = 42  # height of a second line of the title
_WHOLE: Final = 54  # height of the bar of the groups
_KEY: Final = 36  # height of a line of the legend
_HIT_ROW: Final = 46
_SECTION: Final = 50
_HIT_TEXT: Final = 31
_HIT_SMALL: Final = 26
_LABELS: Final = 412  # pixels for the words of a row
_SHARES: Final = 196  # pixels for its share and hands
_HIT_BAR: Final = 22
_COLOURS: Final[tuple[Colour, ...]] = (
    palette.OKABE_GREEN,
    palette.OKABE_SKY,
    palette.OKABE_ORANGE,
    palette.BAR_ALSO,
)


@dataclass(frozen=True, slots=True)
class HitRow:
    """A class of made hands, or a draw: words, number of hands and share.

    `group` is the index of the class's group in the chart.
    """

    words: str
    hands: str
    share: float
    group: int | None = None  # None: a draw


@dataclass(frozen=True, slots=True)
class HitChart(Chart):
    """A chart of how a range hits a board; 800 pixels wide.

    `groups`: at most four (words, share).
    """

    title: str
    subtitle: str
    groups: tuple[tuple[str, float], ...]
    classes: tuple[HitRow, ...]
    draws_title: str
    draws: tuple[HitRow, ...]

    @property
    def text(self) -> str:
        """Return the headings, the groups in one line, then a line for each class and draw."""
        lines = [self.title, self.subtitle]
        lines.append(", ".join(f"{words} {rough_percent(share)}" for words, share in self.groups))
        lines += [f"{row.words} {percent(row.share)} ({row.hands})" for row in self.classes]
        if self.draws:
            lines.append(self.draws_title)
        lines += [f"{row.words} {percent(row.share)} ({row.hands})" for row in self.draws]
        return "\n".join(lines)

    def _draw(self) -> bytes:
        title = wrap_text(self.title, _TITLE, WIDTH - 2 * _HIT_MARGIN, 2)
        heading = _HIT_HEADING + _LINE * (len(title) - 1)
        top = heading + _WHOLE + 12 + _KEY * ((len(self.groups) + 1) // 2) + 16
        draws = _SECTION + _HIT_ROW * len(self.draws) if self.draws else 0
        sheet = _Sheet(WIDTH, top + _HIT_ROW * len(self.classes) + draws + 14)
        for number, line in enumerate(title):
            sheet.write((_HIT_MARGIN, 18 + _LINE * number), line, _TITLE, bold=True)
        subtitle = fit_text(self.subtitle, _HIT_SMALL, WIDTH - 2 * _HIT_MARGIN, bold=False)
        sheet.write((_HIT_MARGIN, heading - 46), subtitle, _HIT_SMALL, palette.CHART_MUTED)
        _draw_whole(sheet, heading, self.groups)
        most = max((row.share for row in (*self.classes, *self.draws)), default=0.0)
        for row in self.classes:
            _draw_hits(sheet, top, row, most)
            top += _HIT_ROW
        if self.draws:
            rule = (_HIT_MARGIN, top + 5, WIDTH - _HIT_MARGIN, top + 5)
            sheet.pen.line(rule, palette.CHART_TRACK, 2)
            at = (_HIT_MARGIN, top + 13)
            sheet.write(at, self.draws_title, _HIT_SMALL, palette.CHART_MUTED, bold=True)
            top += _SECTION
        for row in self.draws:
            _draw_hits(sheet, top, row, most)
            top += _HIT_ROW
        return sheet.png(64)


def _draw_whole(sheet: _Sheet, top: int, groups: Sequence[tuple[str, float]]) -> None:
    """Draw the whole range as one bar of its groups, with a legend below."""
    room = WIDTH - 2 * _HIT_MARGIN
    left, reached = float(_HIT_MARGIN), 0.0
    for number, (colour, (words, share)) in enumerate(zip(_COLOURS, groups, strict=False)):
        reached += share
        right = _HIT_MARGIN + room * reached
        if right - left >= 1:
            sheet.pen.rectangle((left, top, right - 1, top + _WHOLE), colour)
        percentage = rough_percent(share)
        if width(percentage, _HIT_TEXT) + 12 <= right - left:
            centre = ((left + right) / 2, top + _WHOLE / 2)
            sheet.write(centre, percentage, _HIT_TEXT, palette.HEAT_INK, bold=True, anchor="mm")
        left = right
        at = _HIT_MARGIN + number % 2 * room // 2
        line = top + _WHOLE + 12 + _KEY * (number // 2)
        sheet.pen.rounded_rectangle((at, line + 5, at + 22, line + 27), 4, colour)
        key = fit_text(f"{words} {percentage}", _HIT_SMALL, room // 2 - 46, bold=False)
        sheet.write((at + 32, line + 2), key, _HIT_SMALL)


def _draw_hits(sheet: _Sheet, top: int, row: HitRow, most: float) -> None:
    """Draw a row's words, its bar (relative to the largest share, `most`), share and hands."""
    words = fit_text(row.words, _HIT_TEXT, _LABELS - 12, bold=False)
    sheet.write((_HIT_MARGIN, top + 2), words, _HIT_TEXT)
    left, right = _HIT_MARGIN + _LABELS, WIDTH - _HIT_MARGIN - _SHARES
    colour = palette.OKABE_PURPLE if row.group is None else _COLOURS[row.group]
    end = left + max(3.0, (right - left) * row.share / most)
    sheet.pen.rounded_rectangle((left, top + 11, end, top + 11 + _HIT_BAR), 3, colour)
    share = rough_percent(row.share)
    sheet.write((right + 92, top + 2), share, _HIT_TEXT, bold=True, anchor="ra")
    hands = fit_text(row.hands, _HIT_SMALL, _SHARES - 104, bold=False)
    at = (WIDTH - _HIT_MARGIN, top + 5)
    sheet.write(at, hands, _HIT_SMALL, palette.CHART_MUTED, anchor="ra")


# -- an equity curve -------------------------------------------------------------------------------

HEIGHT: Final = 640
_CURVE_SMALL: Final = 27
_LEFT, _TOP, _RIGHT, _BOTTOM = 104, 126, WIDTH - 32, HEIGHT - 56
_QUARTERS: Final[dict[float, Literal["la", "ma", "ra"]]] = {
    0.0: "la", 0.25: "ma", 0.5: "ma", 0.75: "ma", 1.0: "ra",
}  # fmt: skip
_TENTHS: Final = 10


@dataclass(frozen=True, slots=True)
class CurveChart(Chart):
    """A falling curve, 800 by 640 pixels: the fraction of hands that reach each pot share.

    `points`: (pot share, fraction), the largest pot share first.
    """

    title: str
    subtitle: str
    points: tuple[tuple[float, float], ...]

    @property
    def text(self) -> str:
        """Return the headings, then the pot share that 10%, 20% … 100% of the hands reach."""
        lines = [self.title, self.subtitle]
        for step in range(1, _TENTHS + 1):
            part = step / _TENTHS
            value = next(value for value, reached in self.points if reached >= part - 1e-9)
            hands, pot = rough_percent(part), rough_percent(value)
            lines.append(tr("{hands} of hands: at least {pot} of the pot", hands=hands, pot=pot))
        return "\n".join(lines)

    def _draw(self) -> bytes:
        sheet = _Sheet(WIDTH, HEIGHT)
        pen, room = sheet.pen, WIDTH - 56
        sheet.write((28, 18), fit_text(self.title, _TITLE, room), _TITLE, bold=True)
        subtitle = fit_text(self.subtitle, _CURVE_SMALL, room, bold=False)
        sheet.write((28, 64), subtitle, _CURVE_SMALL, palette.CHART_MUTED)
        before = 0.0
        for value, reached in self.points:
            colour = palette.BAR_OTHER if value >= 0.5 else palette.BAR_STANDING
            if _x(reached) > _x(before) and _y(value) < _BOTTOM:
                pen.rectangle((_x(before), _y(value), _x(reached), _BOTTOM), colour)
            before = reached
        for part, anchor in _QUARTERS.items():
            pen.line((_LEFT, _y(part), _RIGHT, _y(part)), palette.CHART_TRACK, 2)
            pen.line((_x(part), _TOP, _x(part), _BOTTOM), palette.CHART_TRACK, 2)
            percentage, left_of_axis = rough_percent(part), (_LEFT - 10, _y(part))
            sheet.write(left_of_axis, percentage, _CURVE_SMALL, palette.CHART_MUTED, anchor="rm")
            below = (_x(part), _BOTTOM + 12)
            sheet.write(below, percentage, _CURVE_SMALL, palette.CHART_MUTED, anchor=anchor)
        return sheet.png(64)


def _x(part: float) -> int:
    return round(_LEFT + (_RIGHT - _LEFT) * part)


def _y(value: float) -> int:
    return round(_BOTTOM - (_BOTTOM - _TOP) * value)
