"""Every kind of hand against every other as one picture: a coloured cell for each two.

Drawn with Pillow, in the colours of `heat_map`: blue where the hand of the row is ahead.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import Final

from PIL import Image, ImageDraw

from bot.pictures import palette
from bot.pictures.fonts import font
from bot.pictures.heat_map import shade_of
from bot.pictures.typefaces import lock

_CELL: Final = 8
_LABELS: Final = 46
_HEADING: Final = 84
_MARGIN: Final = 20
_EVERY: Final = 2  # so many kinds share a label, that labels do not touch
_LABEL_SIZE: Final = 13


def matchup_map_png(labels: Sequence[str], shares: Sequence[Sequence[float]]) -> bytes:
    """The picture as a PNG; `shares[row][column]` is what the row has against the column."""
    with lock:
        side = _CELL * len(labels)
        left, top = _MARGIN + _LABELS, _HEADING + _LABELS
        size = (left + side + _MARGIN, top + side + _MARGIN)
        image = Image.new("RGB", size, palette.CHART_PAPER)
        pen = ImageDraw.Draw(image)
        title = "Hold'em before the flop: share of the pot"
        pen.text((_MARGIN, 14), title, palette.CHART_INK, font(30))
        said = "blue: the hand of the row is ahead; orange: behind; strongest first"
        pen.text((_MARGIN, 52), said, palette.CHART_MUTED, font(20, bold=False))
        cells = Image.new("RGB", (len(labels), len(labels)))
        cells.putdata([shade_of(share, 0.5)[0] for row in shares for share in row])
        image.paste(cells.resize((side, side), Image.Resampling.NEAREST), (left, top))
        small = font(_LABEL_SIZE, bold=False)
        for place in range(0, len(labels), _EVERY):
            centre = top + _CELL * place + _CELL / 2
            pen.text((left - 6, centre), labels[place], palette.CHART_INK, small, anchor="rm")
            upright = Image.new("RGB", (_LABELS, _CELL * _EVERY), palette.CHART_PAPER)
            ImageDraw.Draw(upright).text(
                (2, _CELL * _EVERY / 2), labels[place], palette.CHART_INK, small, anchor="lm"
            )
            at = (left + _CELL * place - _CELL // 2, top - _LABELS - 2)
            image.paste(upright.rotate(90, expand=True), at)
        png = BytesIO()
        image.quantize(256, Image.Quantize.FASTOCTREE).save(png, format="PNG", compress_level=6)
        return png.getvalue()
