"""The table under the cards: a felt panel with rounded corners, and the way to PNG bytes.

The panel's outside is transparent, so a picture sits well on a dark and on a light theme.
"""

from __future__ import annotations

import io
from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw

from bot.render import pips

FELT: Final = (22, 84, 64)
FELT_EDGE: Final = (70, 150, 118)
GOLD: Final = (255, 201, 60)
IVORY: Final = (250, 247, 238)
SKY: Final = (120, 205, 255)
MUTED: Final = (186, 214, 201)
_OVERSAMPLE: Final = 4


@lru_cache(maxsize=64)
def rounded_mask(size: tuple[int, int], radius: float, inset: float = 0) -> Image.Image:
    """A smooth grey mask of a rounded rectangle filling `size`, less `inset` pixels all round.

    Shared: do not draw on it.
    """
    big = Image.new("L", (size[0] * _OVERSAMPLE, size[1] * _OVERSAMPLE))
    edge = inset * _OVERSAMPLE
    ImageDraw.Draw(big).rounded_rectangle(
        (edge, edge, big.width - 1 - edge, big.height - 1 - edge),
        radius * _OVERSAMPLE,
        fill=255,
    )
    return big.reduce(_OVERSAMPLE)


@lru_cache(maxsize=16)
def _felt(size: tuple[int, int]) -> Image.Image:
    panel = Image.new("RGBA", size, FELT_EDGE)
    panel.paste(FELT, mask=rounded_mask(size, 22, inset=2))
    panel.putalpha(rounded_mask(size, 24))
    return panel


def felt(size: tuple[int, int]) -> Image.Image:
    """A fresh felt panel of `size` pixels, to draw on."""
    return _felt(size).copy()


@lru_cache(maxsize=32)
def _tint(size: tuple[int, int], colour: tuple[int, int, int, int]) -> Image.Image:
    tint = Image.new("RGBA", size, colour)
    tint.putalpha(rounded_mask(size, 14).point([colour[3] * level // 255 for level in range(256)]))
    return tint


def shade(
    panel: Image.Image, box: tuple[int, int, int, int], colour: tuple[int, int, int, int]
) -> None:
    """Lay a see-through rounded patch of `colour` over `box` = (left, top, width, height)."""
    left, top, width, height = box
    panel.alpha_composite(_tint((width, height), colour), (left, top))


@lru_cache(maxsize=8)
def _stamp(shape: pips.Shape, side: int) -> Image.Image:
    big = Image.new("L", (side * _OVERSAMPLE, side * _OVERSAMPLE))
    draw = ImageDraw.Draw(big)
    for outline in pips.placed(shape, (0, 0, big.width - 1, big.height - 1)):
        draw.polygon(outline, fill=255)
    return big.reduce(_OVERSAMPLE)


def stamp(
    panel: Image.Image, shape: pips.Shape, at: tuple[int, int], side: int, colour: pips.Colour
) -> None:
    """Print `shape` in one colour on the panel, `side` pixels square, its corner at `at`."""
    panel.paste(colour, at, _stamp(shape, side))


def png(picture: Image.Image) -> bytes:
    """`picture` as a PNG file of at most 256 colours.

    The flat colours of felt and paper leave enough of them for the smooth edges, and such a file is
    made in half the time and is a quarter of the size of one in full colour.
    """
    file = io.BytesIO()
    reduced = picture.quantize(256, Image.Quantize.FASTOCTREE)
    reduced.save(file, "PNG", compress_level=4)
    return file.getvalue()
