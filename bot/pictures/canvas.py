"""The table under the cards: a felt panel with rounded corners, saved as PNG.

The panel is transparent outside, so a picture looks right on a dark and a light theme.
"""

from __future__ import annotations

import io
import math
from functools import cache, lru_cache
from typing import Final, NamedTuple

from PIL import Image, ImageChops, ImageDraw

from bot.pictures import pips, shades
from bot.pictures.palette import FELT, FELT_EDGE, Colour, Shade

_OVERSAMPLE: Final = 4
_RADIUS: Final = 14
_OUTER: Final = 24  # corner radius of the felt


def rounded_mask(size: tuple[int, int], radius: float, inset: int = 0) -> Image.Image:
    """Return a smooth grey mask of a rounded rectangle `inset` pixels inside `size`."""
    width, height = size
    corners = _corners(radius, inset)
    side = corners.width // 2
    mask = Image.new("L", size)
    mask.paste(255, (inset, inset, width - inset, height - inset))
    for x, left in ((0, 0), (side, width - side)):
        for y, top in ((0, 0), (side, height - side)):
            mask.paste(corners.crop((x, y, x + side, y + side)), (left, top))
    return mask


@lru_cache(maxsize=64)
def _corners(radius: float, inset: int) -> Image.Image:
    """Return a mask of the smallest rounded square of this radius and inset.

    The mask's quarters serve as the corners of any rectangle.
    """
    side = 2 * (math.ceil(radius) + inset)
    big = Image.new("L", (side * _OVERSAMPLE, side * _OVERSAMPLE))
    first, last = inset * _OVERSAMPLE, (side - inset) * _OVERSAMPLE - 1
    ImageDraw.Draw(big).rounded_rectangle(
        (first, first, last, last), radius * _OVERSAMPLE, fill=255
    )
    return big.reduce(_OVERSAMPLE)


def felt(size: tuple[int, int]) -> Image.Image:
    """Return a felt panel of `size` pixels to draw on. `png` rounds its corners."""
    return _felt(size).copy()


@lru_cache(maxsize=4)  # showdowns of a few tables: a few megabytes
def _felt(size: tuple[int, int]) -> Image.Image:
    panel = Image.new("RGB", size, FELT_EDGE)
    panel.paste(FELT, mask=rounded_mask(size, _OUTER - 2, inset=2))
    return panel


def overlay(
    panel: Image.Image, box: tuple[int, int, int, int], colour: Shade, radius: int = _RADIUS
) -> None:
    """Lay a translucent rounded patch of `colour` over `box` = (left, top, width, height)."""
    left, top, width, height = box
    red, green, blue, alpha = colour
    mask = rounded_mask((width, height), radius).point(
        [alpha * level // 255 for level in range(256)]
    )
    panel.paste((red, green, blue), (left, top), mask)


def outline(
    panel: Image.Image,
    box: tuple[int, int, int, int],
    colour: Colour,
    thickness: int,
    radius: int = _RADIUS,
) -> None:
    """Draw a rounded frame just inside `box` = (left, top, width, height)."""
    left, top, width, height = box
    inner = rounded_mask((width, height), radius - thickness, inset=thickness)
    mask = ImageChops.subtract(rounded_mask((width, height), radius), inner)
    panel.paste(colour, (left, top), mask)


@lru_cache(maxsize=8)  # a few megabytes; the showdowns of one table have the same sizes
def ground(
    size: tuple[int, int], colour: Shade, frame: Colour | None = None, thickness: int = 0
) -> Image.Image:
    """Return a shaded patch on plain felt, with a frame in the colour `frame` if given.

    Large patches are slow to draw, so they are cached: don't draw on the returned image.
    """
    patch = Image.new("RGB", size, FELT)
    overlay(patch, (0, 0, *size), colour)
    if frame is not None:
        outline(patch, (0, 0, *size), frame, thickness)
    return patch


def lay(panel: Image.Image, sprite: Image.Image, at: tuple[int, int]) -> None:
    """Paste a sprite on the panel by its transparency, with its upper left corner at `at`."""
    panel.paste(sprite, at, sprite)


@lru_cache(maxsize=8)
def _stamp(shape: pips.Shape, side: int) -> Image.Image:
    big = Image.new("L", (side * _OVERSAMPLE, side * _OVERSAMPLE))
    draw = ImageDraw.Draw(big)
    for outline in pips.stretch(shape, (0, 0, big.width - 1, big.height - 1)):
        draw.polygon(outline, fill=255)
    return big.reduce(_OVERSAMPLE)


def stamp(
    panel: Image.Image, shape: pips.Shape, at: tuple[int, int], side: int, colour: Colour
) -> None:
    """Print `shape` in one colour, `side` pixels square, with its upper left corner at `at`."""
    panel.paste(colour, at, _stamp(shape, side))


def png(panel: Image.Image) -> bytes:
    """Return a finished felt panel as a PNG file of 256 colours (`shades`)."""
    indexed = shades.to_indexed(panel)
    right, low = indexed.width - _OUTER, indexed.height - _OUTER
    for corner, at in zip(_outside(), ((0, 0), (right, 0), (0, low), (right, low)), strict=True):
        indexed.paste(corner.levels, at, corner.where)
    file = io.BytesIO()
    indexed.save(file, "PNG", compress_level=3, transparency=shades.TRANSPARENCY)
    return file.getvalue()


class _Corner(NamedTuple):
    """A corner of the felt: the opacity of each pixel, and a mask of the pixels to replace."""

    levels: Image.Image
    where: Image.Image


@cache
def _outside() -> tuple[_Corner, ...]:
    """Return the felt's corners: the upper left and right, then the lower left and right."""
    side = 2 * _OUTER
    mask = rounded_mask((side, side), _OUTER)
    quarters = [
        mask.crop((left, top, left + _OUTER, top + _OUTER))
        for top in (0, _OUTER)
        for left in (0, _OUTER)
    ]
    cut = [255 * (grey < 255) for grey in range(256)]
    return tuple(_Corner(shades.see_through(quarter), quarter.point(cut)) for quarter in quarters)
