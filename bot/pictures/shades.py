"""The 256 colours of every picture on felt.

A file with so few colours is a quarter as large. Choosing the best palette for each picture would
take longer than drawing it, and isn't needed: a few inks meet a few grounds, and the smooth edges
between them need only some steps from one colour to the other.
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
_DEEPEST: Final = 0.6  # the highest opacity of a card's shadow

# levels of transparency at the rounded corners, in the colour of the felt's edge
LEVELS: Final = 8
MOST: Final = 256 - LEVELS
TRANSPARENCY: Final = bytes([255] * MOST + [255 * level // (LEVELS - 1) for level in range(LEVELS)])


def to_indexed(panel: Image.Image) -> Image.Image:
    """Convert `panel` (mode RGB) to mode P: each pixel becomes the nearest of `colours`.

    The last `LEVELS` of the palette's 256 entries have the colour of the felt's edge, from
    transparent to opaque; no pixel uses them yet.
    """
    image = panel.quantize(palette=_chart(), dither=Image.Dither.NONE)
    table = bytes(chain(*colours())).ljust(3 * MOST, b"\0")
    image.putpalette(table + bytes(palette.FELT_EDGE) * LEVELS)
    return image


def see_through(mask: Image.Image) -> Image.Image:
    """Return a grey mask as a mode P picture in the last `LEVELS` palette entries."""
    steps = [MOST + round(grey * (LEVELS - 1) / 255) for grey in range(256)]
    return Image.frombytes("P", mask.size, mask.point(steps).tobytes())


@cache
def colours() -> tuple[Colour, ...]:
    """Return at most 248 distinct colours: inks, backgrounds, and steps between those that meet."""
    return tuple(dict.fromkeys(chain(_on_cards(), _on_felt())))


@cache
def _chart() -> Image.Image:
    chart = Image.new("P", (1, 1))
    chart.putpalette(bytes(chain(*colours())))
    return chart


def _on_cards() -> Iterator[Colour]:
    """Yield the colours on cards: paper and inks, the steps between them, edges and shadows."""
    for paper in (palette.CARD_PAPER, palette.RESTING_PAPER):
        for ink in _SUITS:
            yield from _steps(paper, ink, 5)
        for ink in (palette.CROWN, palette.STAND_IN, palette.CAP_BRIM, palette.GOLD_EDGE):
            yield from _steps(paper, ink, 2)
        yield from _steps(paper, palette.CARD_EDGE, 1)
        yield from _steps(paper, _blend(paper, _SHADOW, _DEEPEST), 4)
    for sides, middle in palette.CAPS:
        yield from _steps(sides, middle, 1)
        for ink in (sides, middle):
            yield from _steps(palette.CARD_PAPER, ink, 3)
    for ink in (*_SUITS, palette.CROWN):  # under the shadow of the next card
        yield from _steps(ink, _blend(ink, _SHADOW, _DEEPEST), 2)
    yield from _steps(palette.GOLD, palette.GOLD_EDGE, 2)
    yield from _steps(palette.GOLD, _blend(palette.GOLD, _SHADOW, _DEEPEST), 2)


def _on_felt() -> Iterator[Colour]:
    """Yield the colours outside cards: grounds, and the steps to what is drawn on them."""
    felt = palette.FELT
    cell, middle = _over(palette.CELL_SHADE, felt), _over(palette.MIDDLE_SHADE, felt)
    for ground in (felt, cell, middle):
        yield from _steps(ground, _blend(ground, _SHADOW, _DEEPEST), 6)
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
    """Yield `ground`, `between` even steps, and `ink`."""
    for step in range(between + 2):
        yield _blend(ground, ink, step / (between + 1))


def _over(shade: Shade, ground: Colour) -> Colour:
    red, green, blue, alpha = shade
    return _blend(ground, (red, green, blue), alpha / 255)


def _blend(ground: Colour, ink: Colour, share: float) -> Colour:
    """Return `ground` covered by `ink` with an opacity of `share`."""
    red, green, blue = (
        round(low + (high - low) * share) for low, high in zip(ground, ink, strict=True)
    )
    return red, green, blue
