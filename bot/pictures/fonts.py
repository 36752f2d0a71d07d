"""Text in pictures: measured, written, and made to fit.

Each character is drawn by a typeface that has it (`typefaces`). Characters that none has are left
out (what a name may hold at all is settled by `bot.language.words.plain`), and what does not fit
ends in an ellipsis.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Literal

from PIL import Image, ImageDraw, ImageFont

from bot.language.words import ELLIPSIS, plain
from bot.pictures.palette import Colour
from bot.pictures.typefaces import Typeface, covering, lock, opened, runs


def font(size: int, bold: bool = True) -> ImageFont.FreeTypeFont:
    """The font for figures and the house's own words, in `size` pixels.

    Hold `lock` while drawing or measuring with it.
    """
    return opened(Typeface.DEJAVU, size, bold)


def width(text: str, size: int, bold: bool = True) -> float:
    """How many pixels `text` takes at `size` pixels."""
    with lock:
        if text.isascii():
            return font(size, bold).getlength(text)
        return sum(opened(run.typeface, size, bold).getlength(run.text) for run in runs(text))


def write(
    image: Image.Image,
    at: tuple[float, float],
    text: str,
    size: int,
    colour: Colour,
    *,
    anchor: Literal["ls", "ms", "rs"] = "ls",
) -> None:
    """Draw `text` on `image`; `at` is its left end on the baseline (`ms`: its middle, `rs`: its
    right end)."""
    left, baseline = at
    with lock:
        pen = ImageDraw.Draw(image)
        if anchor != "ls":
            left -= width(text, size) / (2 if anchor == "ms" else 1)
        for run in runs(text):
            face = opened(run.typeface, size)
            pen.text((left, baseline), run.text, fill=colour, font=face, anchor="ls")
            left += face.getlength(run.text)


def glyphs(text: str, size: int) -> Image.Image:
    """`text` as a tight grey mask: white where ink is."""
    with lock:
        face = font(size)
        left, top, right, bottom = (round(edge) for edge in face.getbbox(text))
        mask = Image.new("L", (max(1, right - left), max(1, bottom - top)))
        ImageDraw.Draw(mask).text((-left, -top), text, fill=255, font=face)
    return mask.crop(mask.getbbox())


def drawable(text: str) -> str:
    """`text` in the characters that can be drawn, on one line; may be empty."""
    kept = "".join(char for char in plain(text) if char == " " or covering(char) is not None)
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
