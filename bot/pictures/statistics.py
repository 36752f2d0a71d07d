"""Statistics on felt: a card about one person to share, and a page of a leaderboard.

A question mark, not only a colour, shows that a rating is provisional.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from PIL import Image

from bot.language.catalogues import N_, tr
from bot.language.words import percent, plain
from bot.pictures import canvas, fonts, palette, pips
from bot.pictures.charts import Chart

WIDTH: Final = 960
_EDGE: Final = 34
_GAP: Final = 14
_HEADING: Final = 124
_NAME: Final = 50
_SMALLEST_NAME: Final = 34
_TITLE: Final = 29
_FIGURES: Final = 128
_FIGURE: Final = 54
_LABEL: Final = 25
_SMALLEST_LABEL: Final = 20
_ROW: Final = 86
_WORDS: Final = 31
_REMARK: Final = 26
_BAR: Final = 20
_LINE: Final = 50
_RADIUS: Final = 10


@dataclass(frozen=True, slots=True)
class Figure:
    """A single number, its label below, and a second short line (`detail`) if there is one."""

    value: str
    label: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Share:
    """A share from 0 to 1, drawn as a bar; None if undefined."""

    words: str
    share: float | None
    remark: str = ""


@dataclass(frozen=True, slots=True)
class Scorecard(Chart):
    """A chart of one person: figures, bars for shares, and remarks. It is 960 pixels wide.

    The name and the remarks' texts may be anything that a chat allows, so `plain` cleans them
    here.
    """

    name: str
    title: str
    figures: tuple[Figure, ...]
    shares: tuple[Share, ...]
    remarks: tuple[tuple[str, str], ...] = ()  # label and text

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", plain(self.name))
        remarks = tuple((label, plain(text)) for label, text in self.remarks)
        object.__setattr__(self, "remarks", remarks)

    @property
    def text(self) -> str:
        """Return a heading with the name, then a line for each figure, share and remark."""
        lines = [f"{self.name or tr('Somebody')}: {self.title}"]
        for figure in self.figures:
            detail = f" ({figure.detail})" if figure.detail else ""
            lines.append(f"{figure.label}: {figure.value}{detail}")
        for share in self.shares:
            value = tr("none yet") if share.share is None else percent(share.share)
            remark = f" ({share.remark})" if share.remark else ""
            lines.append(f"{share.words}: {value}{remark}")
        lines += [f"{label}: {text}" for label, text in self.remarks]
        return "\n".join(lines)

    def _draw(self) -> bytes:
        height = _HEADING + _FIGURES + _GAP + _ROW * len(self.shares) + _LINE * len(self.remarks)
        panel = canvas.felt((WIDTH, height + _EDGE // 2 + (_GAP if self.remarks else 0)))
        room = WIDTH - 2 * _EDGE
        name, size = fonts.shrink_text(
            fonts.drawable(self.name) or "#1", _NAME, _SMALLEST_NAME, room
        )
        fonts.write(panel, (_EDGE, 68), name, size, palette.GOLD)
        title = fonts.fit_text(fonts.drawable(self.title), _TITLE, room)
        fonts.write(panel, (_EDGE, 106), title, _TITLE, palette.SAGE)
        _draw_figures(panel, self.figures, _HEADING)
        top = _HEADING + _FIGURES + _GAP
        for share in self.shares:
            _draw_share(panel, share, top)
            top += _ROW
        top += _GAP
        for label, text in self.remarks:
            _draw_remark(panel, label, text, top)
            top += _LINE
        return canvas.png(panel)


def _draw_figures(panel: Image.Image, figures: tuple[Figure, ...], top: int) -> None:
    column = (WIDTH - 2 * _EDGE + _GAP) // len(figures)
    for place, figure in enumerate(figures):
        left, across = _EDGE + place * column, column - _GAP
        canvas.overlay(panel, (left, top, across, _FIGURES), palette.CELL_SHADE, _RADIUS)
        centre = left + across / 2
        value, size = fonts.shrink_text(figure.value, _FIGURE, _LABEL, across - _GAP)
        fonts.write(panel, (centre, top + 56), value, size, palette.IVORY, anchor="ms")
        for text, baseline in ((figure.label, top + 87), (figure.detail, top + 116)):
            shrunk_text, size = fonts.shrink_text(text, _LABEL, _SMALLEST_LABEL, across - 8)
            fonts.write(panel, (centre, baseline), shrunk_text, size, palette.SAGE, anchor="ms")


def _draw_share(panel: Image.Image, share: Share, top: int) -> None:
    """Draw a share's words and remark on the left, its value on the right, and its bar below."""
    right, room = WIDTH - _EDGE, WIDTH - 2 * _EDGE
    value = "–" if share.share is None else percent(share.share)
    fonts.write(panel, (right, top + 36), value, _WORDS, palette.IVORY, anchor="rs")
    beside = room - fonts.width(value, _WORDS) - 2 * _GAP
    words = fonts.fit_text(share.words, _WORDS, beside)
    fonts.write(panel, (_EDGE, top + 36), words, _WORDS, palette.IVORY)
    taken = fonts.width(words, _WORDS) + _GAP
    remark = fonts.fit_text(share.remark, _REMARK, max(0, beside - taken))
    fonts.write(panel, (_EDGE + taken, top + 36), remark, _REMARK, palette.SAGE)
    canvas.overlay(panel, (_EDGE, top + 50, room, _BAR), palette.CELL_SHADE, _BAR // 2)
    if share.share:
        filled = max(_BAR, round(room * share.share))
        canvas.overlay(panel, (_EDGE, top + 50, filled, _BAR), (*palette.GOLD, 255), _BAR // 2)


def _draw_remark(panel: Image.Image, label: str, text: str, top: int) -> None:
    fonts.write(panel, (_EDGE, top + 34), label, _REMARK, palette.SAGE)
    left = _EDGE + fonts.width(label, _REMARK) + _GAP
    room = WIDTH - _EDGE - left
    shrunk_text, size = fonts.shrink_text(fonts.drawable(text), _WORDS, _SMALLEST_LABEL, room)
    fonts.write(panel, (left, top + 34), shrunk_text, size, palette.IVORY)


# -- a leaderboard ---------------------------------------------------------------------------------

_HEADS: Final = 104
_PERSON: Final = 60
_PERSON_GAP: Final = 6
_HEADLINE: Final = 36
_COLUMN_HEAD: Final = 26
_PERSON_TEXT: Final = 33
_SMALL_PERSON: Final = 25
_NAMES: Final = 128  # where names begin
_COLUMNS: Final = (
    (640, N_("rating")),
    (790, N_("matches")),
    (WIDTH - _EDGE - 14, N_("wins")),
)
_STAR: Final = 34


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One person's row in a leaderboard; the name is made `plain` here."""

    place: int
    name: str
    points: int
    matches: int
    wins: int
    provisional: bool = False  # based on too few matches

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", plain(self.name))

    @property
    def rating(self) -> str:
        """The points, with a question mark if they are provisional."""
        return f"{self.points}?" if self.provisional else f"{self.points}"


@dataclass(frozen=True, slots=True)
class Standings(Chart):
    """A leaderboard, 960 pixels wide: each person's place, name, rating, matches and wins."""

    title: str
    rows: tuple[StandingRow, ...]

    @property
    def text(self) -> str:
        """Return the title, then a line for each person."""
        lines = [self.title]
        for number, row in enumerate(self.rows, start=1):
            name = row.name or f"#{number}"
            won = tr("{wins} of {matches} won", wins=row.wins, matches=row.matches)
            lines.append(f"{row.place}. {name}: {row.rating}, {won}")
        return "\n".join(lines)

    def _draw(self) -> bytes:
        panel = canvas.felt((WIDTH, _HEADS + _PERSON * len(self.rows) + _EDGE // 2))
        title = fonts.fit_text(fonts.drawable(self.title), _HEADLINE, WIDTH - 2 * _EDGE)
        fonts.write(panel, (_EDGE, 54), title, _HEADLINE, palette.GOLD)
        for right, head in _COLUMNS:
            at = (right, 92)
            fonts.write(panel, at, tr(head), _COLUMN_HEAD, palette.SAGE, anchor="rs")
        for index, row in enumerate(self.rows):
            _draw_row(panel, row, index)
        return canvas.png(panel)


def _draw_row(panel: Image.Image, row: StandingRow, index: int) -> None:
    top = _HEADS + index * _PERSON
    box = (_EDGE - 12, top, WIDTH - 2 * _EDGE + 24, _PERSON - _PERSON_GAP)
    canvas.overlay(panel, box, palette.CELL_SHADE, _RADIUS)
    base = top + 39
    if row.place == 1:
        canvas.stamp(panel, pips.STAR, (_EDGE + 26, top + 9), _STAR, palette.GOLD)
    else:
        fonts.write(
            panel, (_EDGE + 64, base), str(row.place), _PERSON_TEXT, palette.SAGE, anchor="rs"
        )
    colour = palette.GOLD if row.place == 1 else palette.IVORY
    room = _COLUMNS[0][0] - 130 - _NAMES
    name = fonts.drawable(row.name) or f"#{index + 1}"
    text, size = fonts.shrink_text(name, _PERSON_TEXT, _SMALL_PERSON, room)
    fonts.write(panel, (_NAMES, base), text, size, colour)
    rated = palette.SAGE if row.provisional else palette.IVORY
    values = (
        (row.rating, rated),
        (str(row.matches), palette.IVORY),
        (str(row.wins), palette.IVORY),
    )
    for (right, _), (value, ink) in zip(_COLUMNS, values, strict=True):
        fonts.write(panel, (right, base), value, _PERSON_TEXT, ink, anchor="rs")
