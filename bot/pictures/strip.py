"""A match as a strip: a row for each player, a column for each round, the cards held in each cell.

A framed cell marks the loser of a round. A cross marks a player who went out, a dash a player who
left; both cells are filled, so colour alone never matters. Everything is drawn from plain values;
`strip_text` has the words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from PIL import Image, ImageDraw

from bot.language.catalogues import N_, tr
from bot.language.words import plain
from bot.pictures import canvas, fonts, palette, pips
from bot.pictures.portraits import SIDE, portrait

WIDTH: Final = 960
MOST_COLUMNS: Final = 22
_EDGE: Final = 22
_NAMES: Final = 220
_ROW: Final = 58
_HEADING: Final = 40
_ROW_GAP: Final = 6
_WIDEST: Final = 96
_NARROW: Final = 40  # width below which only every second column has a number
_NAME_SIZE: Final = 31
_SMALL_NAME: Final = 25
_FIGURE: Final = 30
_SMALL_FIGURE: Final = 25
_HEAD: Final = 23
_STAR: Final = 34
_RADIUS: Final = 9
_FRAME: Final = 4


class Fate(Enum):
    """A player's fate in a round."""

    KEPT = ""
    LOST = N_("lost")
    OUT = N_("out")
    LEFT = N_("left")


@dataclass(frozen=True, slots=True)
class StripCell:
    """The number of a player's cards in a round (0: not dealt in), and the player's fate in it."""

    cards: int
    fate: Fate = Fate.KEPT


@dataclass(frozen=True, slots=True)
class StripRow:
    """One player's rounds. The name may be anything that a chat allows; it is made `plain` here."""

    name: str
    cells: tuple[StripCell, ...]
    winner: bool = False
    face: str = ""  # the character whose portrait precedes the name

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", plain(self.name))


def strip_png(rows: Sequence[StripRow]) -> bytes:
    """Return a PNG of the match's latest 22 rounds, 960 pixels wide, with the rounds' numbers.

    If columns are narrow, only every second number is written. A name without any drawable
    character becomes its row's number, such as `#3`. Raises ValueError without rows, without
    rounds, or if the rows have different numbers of rounds.
    """
    rounds = _rounds(rows)
    visible = min(rounds, MOST_COLUMNS)
    room = WIDTH - 2 * _EDGE - _NAMES
    column = min(room // visible, _WIDEST)
    panel = canvas.felt((WIDTH, 2 * _EDGE + _HEADING + _ROW * len(rows) - _ROW_GAP))
    every, gap = (1, _ROW_GAP) if column >= _NARROW else (2, 3)
    for place in range(visible):
        number = rounds - visible + 1 + place
        if (number - 1) % every == 0:
            centre = _EDGE + _NAMES + place * column + (column - gap) / 2
            at = (centre, _EDGE + 24)
            fonts.write(panel, at, str(number), _HEAD, palette.SAGE, anchor="ms")
    for index, row in enumerate(rows):
        top = _EDGE + _HEADING + index * _ROW
        _draw_name(panel, row, index, top)
        for place, cell in enumerate(row.cells[rounds - visible :]):
            left = _EDGE + _NAMES + place * column
            if cell.cards or cell.fate is not Fate.KEPT:
                _draw_cell(panel, cell, (left, top, column - gap, _ROW - _ROW_GAP))
    return canvas.png(panel)


def strip_text(rows: Sequence[StripRow]) -> str:
    """Return the content of `strip_png` for all rounds: a line per player.

    `Ann (wins): 1, 1 lost, 2` means one card, then one card and a lost round, then two. Raises
    ValueError as `strip_png` does.
    """
    _rounds(rows)
    lines = []
    for number, row in enumerate(rows, 1):
        held = ", ".join(
            f"{cell.cards} {tr(cell.fate.value) if cell.fate.value else ''}".rstrip()
            for cell in row.cells
            if cell.cards or cell.fate is not Fate.KEPT
        )
        name = row.name or f"#{number}"
        name = tr("{who} (wins)", who=name) if row.winner else name
        lines.append(f"{name}: {held or tr('no cards')}")
    return "\n".join(lines)


def _rounds(rows: Sequence[StripRow]) -> int:
    lengths = {len(row.cells) for row in rows}
    if len(lengths) != 1 or 0 in lengths:
        raise ValueError(f"a strip has rows of equally many rounds, at least one, not {lengths}")
    return lengths.pop()


def _draw_name(panel: Image.Image, row: StripRow, index: int, top: int) -> None:
    room, left = _NAMES - 2 * _ROW_GAP, _EDGE
    if row.winner:
        canvas.stamp(panel, pips.STAR, (left, top + 7), _STAR, palette.GOLD)
        left, room = left + _STAR + _ROW_GAP, room - _STAR - _ROW_GAP
    if row.face:
        canvas.lay(panel, portrait(row.face), (left - 2, top + 5))
        left, room = left + SIDE, room - SIDE
    name = fonts.drawable(row.name) or f"#{index + 1}"
    text, size = fonts.shrink_text(name, _NAME_SIZE, _SMALL_NAME, room)
    colour = palette.GOLD if row.winner else palette.IVORY
    fonts.write(panel, (left, top + 36), text, size, colour)


def _draw_cell(panel: Image.Image, cell: StripCell, box: tuple[int, int, int, int]) -> None:
    left, top, width, height = box
    gone = cell.fate in (Fate.OUT, Fate.LEFT)
    ground = (*palette.LOSER_FRAME, 255) if gone else palette.CELL_SHADE
    canvas.overlay(panel, box, ground, _RADIUS)
    if cell.fate is Fate.LOST:
        canvas.outline(panel, box, palette.LOSER_FRAME, _FRAME, _RADIUS)
    centre = left + width / 2
    if not gone:
        figure = _FIGURE if width >= _NARROW else _SMALL_FIGURE
        at = (centre, top + 36)
        fonts.write(panel, at, str(cell.cards), figure, palette.IVORY, anchor="ms")
        return
    pen, middle = ImageDraw.Draw(panel), top + height / 2
    reach = min(width, height) * 0.27
    ends = (reach, -reach) if cell.fate is Fate.OUT else (0.0,)  # a player who left has a dash
    for end in ends:
        line = (centre - reach, middle - end, centre + reach, middle + end)
        pen.line(line, palette.SUIT_BLACK, 5)
