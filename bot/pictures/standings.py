"""A leaderboard as a picture: place, name, rating, matches and wins, a row for each person.

Drawn from plain values; the same in words is in `standings_text`. That a rating is provisional is
said by a question mark, not by its colour alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from PIL import Image

from bot.language.catalogues import N_, speaking, spoken, tr
from bot.language.words import plain
from bot.pictures import canvas, fonts, palette, pips

WIDTH: Final = 960
_EDGE: Final = 34
_HEADING: Final = 104
_ROW: Final = 60
_ROW_GAP: Final = 6
_TITLE: Final = 36
_HEAD: Final = 26
_TEXT: Final = 33
_SMALL_NAME: Final = 25
_NAMES: Final = 128  # where names begin
_COLUMNS: Final = (
    (640, N_("rating")),
    (790, N_("matches")),
    (WIDTH - _EDGE - 14, N_("wins")),
)
_STAR: Final = 34
_RADIUS: Final = 10


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One person; the name is made `plain` here."""

    place: int
    name: str
    points: int
    matches: int
    wins: int
    provisional: bool = False  # of too few matches to say much

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", plain(self.name))

    @property
    def rating(self) -> str:
        """The rating as it is shown."""
        return f"{self.points}?" if self.provisional else f"{self.points}"


@dataclass(frozen=True, slots=True)
class Standings:
    """A page of a leaderboard."""

    title: str
    rows: tuple[StandingRow, ...]
    language: str = field(default_factory=lambda: spoken().key)  # it is drawn in a thread


def standings_text(standings: Standings) -> str:
    """What `standings_png` shows, a line for each person."""
    lines = [standings.title]
    for number, row in enumerate(standings.rows, start=1):
        name = row.name or f"#{number}"
        won = tr("{wins} of {matches} won", wins=row.wins, matches=row.matches)
        lines.append(f"{row.place}. {name}: {row.rating}, {won}")
    return "\n".join(lines)


def standings_png(standings: Standings) -> bytes:
    """The page as a PNG, 960 pixels wide. Raises ValueError for one without rows."""
    if not standings.rows:
        raise ValueError("a page of a leaderboard has rows")
    panel = canvas.felt((WIDTH, _HEADING + _ROW * len(standings.rows) + _EDGE // 2))
    title = fonts.fitted(fonts.drawable(standings.title), _TITLE, WIDTH - 2 * _EDGE)
    fonts.write(panel, (_EDGE, 54), title, _TITLE, palette.GOLD)
    with speaking(standings.language):
        heads = [(right, tr(head)) for right, head in _COLUMNS]
    for right, head in heads:
        fonts.write(panel, (right, 92), head, _HEAD, palette.SAGE, anchor="rs")
    for index, row in enumerate(standings.rows):
        _draw_row(panel, row, index)
    return canvas.png(panel)


def _draw_row(panel: Image.Image, row: StandingRow, index: int) -> None:
    top = _HEADING + index * _ROW
    box = (_EDGE - 12, top, WIDTH - 2 * _EDGE + 24, _ROW - _ROW_GAP)
    canvas.shade(panel, box, palette.CELL_SHADE, _RADIUS)
    base = top + 39
    if row.place == 1:
        canvas.stamp(panel, pips.STAR, (_EDGE + 26, top + 9), _STAR, palette.GOLD)
    else:
        fonts.write(panel, (_EDGE + 64, base), str(row.place), _TEXT, palette.SAGE, anchor="rs")
    colour = palette.GOLD if row.place == 1 else palette.IVORY
    room = _COLUMNS[0][0] - 130 - _NAMES
    name = fonts.drawable(row.name) or f"#{index + 1}"
    text, size = fonts.shrunk(name, _TEXT, _SMALL_NAME, room)
    fonts.write(panel, (_NAMES, base), text, size, colour)
    rated = palette.SAGE if row.provisional else palette.IVORY
    values = (
        (row.rating, rated),
        (str(row.matches), palette.IVORY),
        (str(row.wins), palette.IVORY),
    )
    for (right, _), (value, shown) in zip(_COLUMNS, values, strict=True):
        fonts.write(panel, (right, base), value, _TEXT, shown, anchor="rs")
