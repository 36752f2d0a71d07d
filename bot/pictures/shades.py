"""The 256 colours of every picture on felt.

A file of so few is a quarter of the size of one in full colour. To look for the best of each
picture took longer than to draw it, and is not needed: what is drawn is one of few inks on one of
few grounds, and the smooth edge between them is some steps on the way from the one to the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import Final

from PIL import Image

from bot.pictures import palette
from bot.pictures.palette import Colour, Shade

_SUITS: Final = (palette.SUIT_RED, palette.SUIT_BLACK, palette.SUIT_GREEN, palette.SUIT_BLUE)
_PORTRAITS: Final = (
    palette.OKABE_SKY,
    palette.OKABE_PURPLE,
    palette.OKABE_ORANGE,
    palette.OKABE_VERMILION,
    palette.CAP_BRIM,
)
_SHADOW: Final[Colour] = (0, 0, 0)
_DEEPEST: Final = 0.6  # how much of a card's shadow covers the felt, at most

# of transparency at the rounded corners, which have the colour of the felt's edge
LEVELS: Final = 8
MOST: Final = 256 - LEVELS
TRANSPARENCY: Final = bytes([255] * MOST + [255 * level // (LEVELS - 1) for level in range(LEVELS)])


def indexed(panel: Image.Image) -> Image.Image:
    """`panel` (mode RGB) in mode P: each pixel the nearest of `colours`.

    Of its palette's 256 entries the last `LEVELS` stand for the felt's edge, each less
    see-through than the one before; no pixel is any of these yet.
    """
    drawn = panel.quantize(palette=_chart(), dither=Image.Dither.NONE)
    table = bytes(chain(*colours())).ljust(3 * MOST, b"\0")
    drawn.putpalette(table + bytes(palette.FELT_EDGE) * LEVELS)
    return drawn


def see_through(mask: Image.Image) -> Image.Image:
    """A grey mask as a picture in mode P whose pixels are of the last `LEVELS` entries."""
    steps = [MOST + round(grey * (LEVELS - 1) / 255) for grey in range(256)]
    return Image.frombytes("P", mask.size, mask.point(steps).tobytes())


@cache
def colours() -> tuple[Colour, ...]:
    """At most 248, each once: the inks, the grounds, and the steps between those that meet."""
    return tuple(dict.fromkeys(chain(_on_cards(), _on_felt())))


@cache
def _chart() -> Image.Image:
    chart = Image.new("P", (1, 1))
    chart.putpalette(bytes(chain(*colours())))
    return chart


def _on_cards() -> Iterator[Colour]:
    """Inks on paper, and what touches a card's edge."""
    for paper in (palette.CARD_PAPER, palette.RESTING_PAPER):
        for ink in _SUITS:
            yield from _steps(paper, ink, 5)
        for ink in (palette.CROWN, palette.STAND_IN, palette.CAP_BRIM, palette.GOLD_EDGE):
            yield from _steps(paper, ink, 2)
        yield from _steps(paper, palette.CARD_EDGE, 1)
        yield from _steps(paper, _blended(paper, _SHADOW, _DEEPEST), 4)
    for sides, middle in palette.CAPS:
        yield from _steps(sides, middle, 1)
        for ink in (sides, middle):
            yield from _steps(palette.CARD_PAPER, ink, 3)
    for ink in (*_SUITS, palette.CROWN):  # where the next card's shadow falls on them
        yield from _steps(ink, _blended(ink, _SHADOW, _DEEPEST), 2)
    yield from _steps(palette.GOLD, palette.GOLD_EDGE, 2)
    yield from _steps(palette.GOLD, _blended(palette.GOLD, _SHADOW, _DEEPEST), 2)


def _on_felt() -> Iterator[Colour]:
    """Words, marks, frames, rims and shadows on the felt, a player's cell and the middle's."""
    felt = palette.FELT
    cell, middle = _over(palette.CELL_SHADE, felt), _over(palette.MIDDLE_SHADE, felt)
    for ground in (felt, cell, middle):
        yield from _steps(ground, _blended(ground, _SHADOW, _DEEPEST), 6)
        for ink in (palette.IVORY, palette.GOLD, palette.CARD_EDGE):
            yield from _steps(ground, ink, 3)
    for ground in (felt, cell):
        for ink in (palette.SAGE, palette.LOSER_FRAME):
            yield from _steps(ground, ink, 3)
    for ink in (palette.BLUSH, palette.SKY):
        yield from _steps(cell, ink, 3)
    for ink in _PORTRAITS:
        yield from _steps(cell, ink, 1)
        yield from _steps(ink, palette.SUIT_BLACK, 2)
    yield from _steps(felt, palette.FELT_EDGE, 2)
    yield from _steps(felt, cell, 1)


def _steps(ground: Colour, ink: Colour, between: int) -> Iterator[Colour]:
    """`ground`, so many even steps `between`, and `ink`."""
    for step in range(between + 2):
        yield _blended(ground, ink, step / (between + 1))


def _over(shade: Shade, ground: Colour) -> Colour:
    red, green, blue, alpha = shade
    return _blended(ground, (red, green, blue), alpha / 255)


def _blended(ground: Colour, ink: Colour, share: float) -> Colour:
    """`ground` with that share of it covered by `ink`."""
    red, green, blue = (
        round(low + (high - low) * share) for low, high in zip(ground, ink, strict=True)
    )
    return red, green, blue
