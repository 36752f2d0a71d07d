"""Text in pictures: measuring, writing and fitting.

Each character is drawn by a typeface that has it (`typefaces`). Characters that no typeface has are
left out (`bot.language.words.plain` decides which characters names may contain), and text that
doesn't fit ends in an ellipsis.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from typing import Literal

from PIL import Image, ImageDraw, ImageFont

from bot.language.words import ELLIPSIS, plain
from bot.pictures.palette import Colour
from bot.pictures.typefaces import Typeface, covering, lock, open_font, runs


def font(size: int, bold: bool = True) -> ImageFont.FreeTypeFont:
    """Return the font for figures and our own texts, in `size` pixels.

    Hold `lock` while drawing or measuring with it.
    """
    return open_font(Typeface.DEJAVU, size, bold)


@lru_cache(maxsize=1024)  # a table's pictures have the same names each time
def width(text: str, size: int, bold: bool = True) -> float:
    """Return the width of `text` in pixels at `size` pixels."""
    with lock:
        if text.isascii():
            return font(size, bold).getlength(text)
        return sum(open_font(run.typeface, size, bold).getlength(run.text) for run in runs(text))


def write(
    image: Image.Image,
    at: tuple[float, float],
    text: str,
    size: int,
    colour: Colour,
    *,
    anchor: Literal["ls", "ms", "rs"] = "ls",
) -> None:
    """Draw `text` on `image`, with its left end on the baseline at `at`.

    With `anchor` "ms" that point is the text's middle, with "rs" its right end.
    """
    left, baseline = at
    with lock:
        pen = ImageDraw.Draw(image)
        if anchor != "ls":
            left -= width(text, size) / (2 if anchor == "ms" else 1)
        for run in runs(text):
            face = open_font(run.typeface, size)
            pen.text((left, baseline), run.text, fill=colour, font=face, anchor="ls")
            left += face.getlength(run.text)


def glyphs(text: str, size: int) -> Image.Image:
    """Return `text` as a tight grey mask: white where ink is."""
    with lock:
        face = font(size)
        left, top, right, bottom = (round(edge) for edge in face.getbbox(text))
        mask = Image.new("L", (max(1, right - left), max(1, bottom - top)))
        ImageDraw.Draw(mask).text((-left, -top), text, fill=255, font=face)
    return mask.crop(mask.getbbox())


def drawable(text: str) -> str:
    """Return `text` with only drawable characters, on one line; may be empty."""
    known = "".join(char for char in plain(text) if char == " " or covering(char) is not None)
    return " ".join(known.split())


def fit_text(text: str, size: int, room: float, bold: bool = True) -> str:
    """Return `text` (already `drawable`) cut to `room` pixels, with an ellipsis if cut."""
    if width(text, size, bold) <= room:
        return text

    def cut_at(end: int) -> float:
        return width(text[:end].rstrip() + ELLIPSIS, size, bold)

    cut = bisect_right(range(len(text)), room, key=cut_at)
    return text[: max(0, cut - 1)].rstrip() + ELLIPSIS


def shrink_text(text: str, size: int, smallest: int, room: float) -> tuple[str, int]:
    """Return `text`, cut if needed, and the largest size from `size` down at which it fits `room`.

    `smallest`: the size at which the text is cut if it still doesn't fit.
    """
    while size > smallest and width(text, size) > room:
        size -= 1
    return fit_text(text, size, room), size


def wrap_text(text: str, size: int, room: float, most: int) -> list[str]:
    """Break `text` between words into at most `most` lines, each cut to `room` pixels."""
    lines: list[str] = []
    words = text.split()
    while words and len(lines) < most - 1:
        count = len(words)
        while count > 1 and width(" ".join(words[:count]), size) > room:
            count -= 1
        lines.append(fit_text(" ".join(words[:count]), size, room))
        words = words[count:]
    return [*lines, fit_text(" ".join(words), size, room)] if words else lines
