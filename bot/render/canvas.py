"""The table under the cards: a felt panel with rounded corners, and the way to PNG bytes.

The panel's outside is transparent, so a picture sits well on a dark and on a light theme.
"""

from __future__ import annotations

import io
from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw

FELT_TOP: Final = (31, 107, 80)
FELT_BOTTOM: Final = (18, 70, 54)
FELT_EDGE: Final = (70, 150, 118)
GOLD: Final = (255, 201, 60)
RED: Final = (255, 94, 91)
IVORY: Final = (250, 247, 238)
MUTED: Final = (186, 214, 201)
_OVERSAMPLE: Final = 4


def rounded_mask(size: tuple[int, int], radius: float, inset: float = 0) -> Image.Image:
    """A smooth grey mask of a rounded rectangle filling `size`, less `inset` pixels all round."""
    big = Image.new("L", (size[0] * _OVERSAMPLE, size[1] * _OVERSAMPLE))
    edge = inset * _OVERSAMPLE
    ImageDraw.Draw(big).rounded_rectangle(
        (edge, edge, big.width - 1 - edge, big.height - 1 - edge),
        radius * _OVERSAMPLE,
        fill=255,
    )
    return big.resize(size, Image.Resampling.BOX)


@lru_cache(maxsize=16)
def _felt(size: tuple[int, int]) -> Image.Image:
    shade = Image.linear_gradient("L").resize(size)
    panel = Image.composite(
        Image.new("RGBA", size, FELT_BOTTOM), Image.new("RGBA", size, FELT_TOP), shade
    )
    rim = Image.new("RGBA", size, FELT_EDGE)
    rim.paste(panel, mask=rounded_mask(size, 22, inset=2))
    rim.putalpha(rounded_mask(size, 24))
    return rim


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


def png(picture: Image.Image) -> bytes:
    """`picture` as a PNG file, compressed for speed: the flat colours make it small anyhow."""
    file = io.BytesIO()
    picture.save(file, "PNG", compress_level=2)
    return file.getvalue()
