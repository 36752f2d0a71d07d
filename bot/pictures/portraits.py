"""The faces of computer players, one a character, drawn small beside their names.

They differ in outline as well as in colour: round glasses, pointed ears, a top hat, hair on end. A
face is drawn on a grid of 100 by 100 and made as large as it is wanted.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw

from bot.pictures import palette
from bot.pictures.palette import Colour

_OVERSAMPLE: Final = 8
_GRID: Final = 100
_HEAD: Final = (14, 16, 86, 88)
INK: Final = palette.SUIT_BLACK


class _Pen:
    """Draws on the grid."""

    def __init__(self, draw: ImageDraw.ImageDraw, scale: float) -> None:
        self._draw = draw
        self._scale = scale

    def _at(self, *numbers: float) -> list[float]:
        return [number * self._scale for number in numbers]

    def disc(self, box: tuple[float, float, float, float], colour: Colour) -> None:
        """A filled ellipse."""
        self._draw.ellipse(self._at(*box), fill=colour)

    def ring(self, box: tuple[float, float, float, float], colour: Colour, width: float) -> None:
        """Its outline."""
        self._draw.ellipse(self._at(*box), outline=colour, width=round(width * self._scale))

    def shape(self, points: tuple[float, ...], colour: Colour) -> None:
        """A filled polygon, x and y in turn."""
        self._draw.polygon(self._at(*points), fill=colour)

    def line(self, points: tuple[float, ...], colour: Colour, width: float) -> None:
        """A broken line."""
        self._draw.line(self._at(*points), fill=colour, width=round(width * self._scale))

    def arc(
        self, box: tuple[float, float, float, float], turn: tuple[int, int], width: float
    ) -> None:
        """A part of an ellipse's outline, in ink, between two angles clockwise from the right."""
        self._draw.arc(self._at(*box), *turn, fill=INK, width=round(width * self._scale))

    def slice(
        self, box: tuple[float, float, float, float], turn: tuple[int, int], colour: Colour
    ) -> None:
        """A part of an ellipse cut off by a straight line, filled."""
        self._draw.chord(self._at(*box), *turn, fill=colour)


def _careful(pen: _Pen) -> None:
    """Round glasses and a small smile."""
    pen.disc(_HEAD, palette.OKABE_SKY)
    for left in (20, 53):
        pen.disc((left, 36, left + 27, 63), palette.IVORY)
        pen.ring((left, 36, left + 27, 63), INK, 5)
        pen.disc((left + 9, 45, left + 18, 54), INK)
    pen.line((47, 48, 53, 48), INK, 5)
    pen.arc((37, 58, 63, 78), (20, 160), 5)


def _sly(pen: _Pen) -> None:
    """Pointed ears, narrow eyes and half a smile."""
    for ear in ((12, 52, 14, 4, 46, 22), (88, 52, 86, 4, 54, 22)):
        pen.shape(ear, palette.OKABE_PURPLE)
    pen.disc(_HEAD, palette.OKABE_PURPLE)
    for left in (23, 54):
        pen.slice((left, 34, left + 23, 60), (0, 180), palette.IVORY)
        pen.disc((left + 8, 47, left + 16, 57), INK)
        pen.line((left - 2, 47, left + 25, 47), INK, 5)
    pen.arc((40, 48, 76, 78), (20, 110), 5)


def _sharp(pen: _Pen) -> None:
    """A hat, a monocle and a straight mouth."""
    pen.disc(_HEAD, palette.OKABE_ORANGE)
    pen.shape((26, 2, 74, 2, 74, 26, 26, 26), INK)
    pen.shape((12, 24, 88, 24, 88, 32, 12, 32), INK)
    pen.disc((29, 45, 39, 55), INK)
    pen.line((25, 40, 43, 40), INK, 5)
    pen.disc((53, 37, 78, 62), palette.IVORY)
    pen.ring((53, 37, 78, 62), INK, 4)
    pen.disc((61, 45, 70, 54), INK)
    pen.line((76, 58, 80, 82), INK, 4)
    pen.line((38, 72, 60, 72), INK, 5)


def _wild(pen: _Pen) -> None:
    """Hair on end, wide eyes and a broad grin."""
    hair = (10, 46, 8, 16, 26, 24, 32, 2, 46, 18, 60, 0, 68, 20, 90, 12, 90, 46)
    pen.shape(hair, palette.CAP_BRIM)
    pen.disc(_HEAD, palette.OKABE_VERMILION)
    for left, size in ((24, 22), (54, 24)):
        pen.disc((left, 34, left + size, 34 + size), palette.IVORY)
        pen.disc((left + 7, 41, left + 16, 50), INK)
    pen.slice((28, 44, 72, 84), (5, 175), INK)
    pen.slice((34, 52, 66, 72), (10, 170), palette.IVORY)


def _unknown(pen: _Pen) -> None:
    """Two eyes and a mouth."""
    pen.disc(_HEAD, palette.SAGE)
    for left in (30, 60):
        pen.disc((left, 42, left + 10, 52), INK)
    pen.line((38, 70, 62, 70), INK, 5)


_FACES: Final[dict[str, Callable[[_Pen], None]]] = {
    "careful": _careful,
    "sly": _sly,
    "sharp": _sharp,
    "wild": _wild,
}


@lru_cache(maxsize=32)
def portrait(character: str, side: int) -> Image.Image:
    """The face of a character, `side` pixels square; do not draw on it.

    One that has no face of its own has that of nobody in particular.
    """
    big = Image.new("RGBA", (side * _OVERSAMPLE, side * _OVERSAMPLE), (*palette.FELT, 0))
    _FACES.get(character, _unknown)(_Pen(ImageDraw.Draw(big), side * _OVERSAMPLE / _GRID))
    return big.reduce(_OVERSAMPLE)
