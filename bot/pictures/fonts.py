"""Text in pictures: the font, what it can draw, and text made to fit.

The font is the DejaVu Sans Bold that ships inside matplotlib (found without importing it), else
Pillow's own. Characters the font cannot draw are left out (what a name may hold at all is settled
by `bot.words.plain`), and what does not fit ends in an ellipsis.
"""

from __future__ import annotations

import threading
from bisect import bisect_right
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from bot.pictures.palette import Colour
from bot.words import ELLIPSIS, plain

# FreeType faces are not safe to use from two threads at once; Pillow leaves that to its callers.
lock: Final = threading.RLock()


@cache
def font_path(bold: bool = True) -> Path | None:
    """The font's file, or None where matplotlib ships none."""
    spec = find_spec("matplotlib")
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    for place in (spec.submodule_search_locations or ()) if spec else ():
        path = Path(place, "mpl-data", "fonts", "ttf", name)
        if path.is_file():
            return path
    return None


@lru_cache(maxsize=32)
def font(size: int, bold: bool = True) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """The font in `size` pixels. Hold `lock` while drawing or measuring with it."""
    path = font_path(bold)
    return ImageFont.load_default(size) if path is None else ImageFont.truetype(str(path), size)


def width(text: str, size: int, bold: bool = True) -> float:
    """How many pixels `text` takes at `size` pixels."""
    with lock:
        return font(size, bold).getlength(text)


def write(
    image: Image.Image,
    at: tuple[float, float],
    text: str,
    size: int,
    colour: Colour,
    *,
    anchor: str = "ls",
) -> None:
    """Draw `text` on `image`; `anchor` is Pillow's (`ls`: `at` is left on the baseline)."""
    with lock:
        ImageDraw.Draw(image).text(at, text, fill=colour, font=font(size), anchor=anchor)


def glyphs(text: str, size: int) -> Image.Image:
    """`text` as a tight grey mask: white where ink is."""
    with lock:
        face = font(size)
        left, top, right, bottom = (round(edge) for edge in face.getbbox(text))
        mask = Image.new("L", (max(1, right - left), max(1, bottom - top)))
        ImageDraw.Draw(mask).text((-left, -top), text, fill=255, font=face)
    return mask.crop(mask.getbbox())


@lru_cache(maxsize=4096)
def _drawable(char: str) -> bool:
    """Whether the font shows ink for `char` that is not the box of a missing glyph."""
    with lock:
        face = font(24)
        glyph, missing = face.getmask(char), face.getmask("\U0010fffe")
        known = glyph.size != missing.size or bytes(glyph) != bytes(missing)
        return known and glyph.getbbox() is not None


def drawable(text: str) -> str:
    """`text` in the characters the font can draw, on one line; may be empty."""
    kept = "".join(char for char in plain(text) if char == " " or _drawable(char))
    return " ".join(kept.split())


def fitted(text: str, size: int, room: float, bold: bool = True) -> str:
    """`text` (already `drawable`) cut to `room` pixels, with an ellipsis where it was cut."""
    if width(text, size, bold) <= room:
        return text

    def cut_at(end: int) -> float:
        return width(text[:end].rstrip() + ELLIPSIS, size, bold)

    cut = bisect_right(range(len(text)), room, key=cut_at)
    return text[: max(0, cut - 1)].rstrip() + ELLIPSIS


def shrunk(text: str, size: int, smallest: int, room: float) -> tuple[str, int]:
    """`text` in the largest size from `size` down to `smallest` that fits `room`, else `fitted`."""
    while size > smallest and width(text, size) > room:
        size -= 1
    return fitted(text, size, room), size


def wrapped(text: str, size: int, room: float, most: int) -> list[str]:
    """`text` broken between words into at most `most` lines of `room` pixels, each `fitted`."""
    lines: list[str] = []
    rest = text.split()
    while rest and len(lines) < most - 1:
        count = len(rest)
        while count > 1 and width(" ".join(rest[:count]), size) > room:
            count -= 1
        lines.append(fitted(" ".join(rest[:count]), size, room))
        rest = rest[count:]
    return [*lines, fitted(" ".join(rest), size, room)] if rest else lines
