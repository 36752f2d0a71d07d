"""Portraits of computer players, one per character, drawn small next to their names.

They differ in outline as well as in colour: round glasses, pointed ears, a top hat, hair on end.
They are drawn large on a grid of 100 by 100, and reduced.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from PIL import Image, ImageDraw

from bot.pictures import palette

SIDE: Final = 40  # pixels
_OVERSAMPLE: Final = 8
_SCALE: Final = SIDE * _OVERSAMPLE / 100
_HEAD: Final = (14, 16, 86, 88)
_BROAD, _FINE = round(5 * _SCALE), round(4 * _SCALE)  # line widths
INK: Final = palette.SUIT_BLACK
Pen = ImageDraw.ImageDraw


def _at(*numbers: float) -> list[float]:
    """Convert grid coordinates to pixels of the large picture."""
    return [number * _SCALE for number in numbers]


def _careful(pen: Pen) -> None:
    """Draw round glasses and a small smile."""
    pen.ellipse(_at(*_HEAD), palette.OKABE_SKY)
    for left in (20, 53):
        pen.ellipse(_at(left, 36, left + 27, 63), palette.IVORY)
        pen.ellipse(_at(left, 36, left + 27, 63), outline=INK, width=_BROAD)
        pen.ellipse(_at(left + 9, 45, left + 18, 54), INK)
    pen.line(_at(47, 48, 53, 48), INK, _BROAD)
    pen.arc(_at(37, 58, 63, 78), 20, 160, INK, _BROAD)


def _sly(pen: Pen) -> None:
    """Draw pointed ears, narrow eyes and half a smile."""
    for ear in ((12, 52, 14, 4, 46, 22), (88, 52, 86, 4, 54, 22)):
        pen.polygon(_at(*ear), palette.OKABE_PURPLE)
    pen.ellipse(_at(*_HEAD), palette.OKABE_PURPLE)
    for left in (23, 54):
        pen.chord(_at(left, 34, left + 23, 60), 0, 180, palette.IVORY)
        pen.ellipse(_at(left + 8, 47, left + 16, 57), INK)
        pen.line(_at(left - 2, 47, left + 25, 47), INK, _BROAD)
    pen.arc(_at(40, 48, 76, 78), 20, 110, INK, _BROAD)


def _sharp(pen: Pen) -> None:
    """Draw a hat, a monocle and a straight mouth."""
    pen.ellipse(_at(*_HEAD), palette.OKABE_ORANGE)
    pen.polygon(_at(26, 2, 74, 2, 74, 26, 26, 26), INK)
    pen.polygon(_at(12, 24, 88, 24, 88, 32, 12, 32), INK)
    pen.ellipse(_at(29, 45, 39, 55), INK)
    pen.line(_at(25, 40, 43, 40), INK, _BROAD)
    pen.ellipse(_at(53, 37, 78, 62), palette.IVORY)
    pen.ellipse(_at(53, 37, 78, 62), outline=INK, width=_FINE)
    pen.ellipse(_at(61, 45, 70, 54), INK)
    pen.line(_at(76, 58, 80, 82), INK, _FINE)
    pen.line(_at(38, 72, 60, 72), INK, _BROAD)


def _wild(pen: Pen) -> None:
    """Draw hair on end, wide eyes and a broad grin."""
    hair = (10, 46, 8, 16, 26, 24, 32, 2, 46, 18, 60, 0, 68, 20, 90, 12, 90, 46)
    pen.polygon(_at(*hair), palette.CAP_BRIM)
    pen.ellipse(_at(*_HEAD), palette.OKABE_VERMILION)
    for left, size in ((24, 22), (54, 24)):
        pen.ellipse(_at(left, 34, left + size, 34 + size), palette.IVORY)
        pen.ellipse(_at(left + 7, 41, left + 16, 50), INK)
    pen.chord(_at(28, 44, 72, 84), 5, 175, INK)
    pen.chord(_at(34, 52, 66, 72), 10, 170, palette.IVORY)


def _neutral(pen: Pen) -> None:
    """Draw two eyes and a mouth."""
    pen.ellipse(_at(*_HEAD), palette.SAGE)
    for left in (30, 60):
        pen.ellipse(_at(left, 42, left + 10, 52), INK)
    pen.line(_at(38, 70, 62, 70), INK, _BROAD)


_FACES: Final[dict[str, Callable[[Pen], None]]] = {
    "careful": _careful,
    "sly": _sly,
    "sharp": _sharp,
    "wild": _wild,
}


@cache
def portrait(character: str) -> Image.Image:
    """Return a character's portrait, `SIDE` pixels square; an unknown one gets a neutral face.

    The image is cached: don't draw on it.
    """
    big = Image.new("RGBA", (SIDE * _OVERSAMPLE, SIDE * _OVERSAMPLE), (*palette.FELT, 0))
    _FACES.get(character, _neutral)(ImageDraw.Draw(big))
    return big.reduce(_OVERSAMPLE)
