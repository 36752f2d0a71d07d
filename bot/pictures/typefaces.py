"""Typefaces: the font files there are, and which of them draws a character.

DejaVu Sans lies beside this file, with its licence; the Noto fonts for other scripts ship in
packages of their own (`manimgx-fonts`, `manimgx-fonts-cjk`), found without importing them. Where
one is missing its characters count as unknown, and without any of them Pillow's own font serves.
Measuring and writing are in `fonts`.
"""

from __future__ import annotations

import threading
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from enum import Enum
from functools import cache, lru_cache
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

from PIL import ImageFont, features

# FreeType faces are not safe to use from two threads at once; Pillow leaves that to its callers.
lock: Final = threading.RLock()

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont

_NOTO: Final = "manimgx_fonts/NotoSans{}[wght].ttf"
_CJK: Final = "manimgx_fonts_cjk/NotoSansCJK-VF.otf.ttc"
_BOLD_WEIGHT: Final = 700
_REGULAR_WEIGHT: Final = 400


class Typeface(Enum):
    """A typeface by its file: package and path there, and which face of a collection it is."""

    DEJAVU = ("bot/pictures/dejavu/DejaVuSans.ttf", 0)
    SANS = (_NOTO.format(""), 0)
    SYMBOLS = (_NOTO.format("Symbols"), 0)
    EMOJI = ("manimgx_fonts/NotoEmoji[wght].ttf", 0)
    ARABIC = (_NOTO.format("Arabic"), 0)
    ARMENIAN = (_NOTO.format("Armenian"), 0)
    BENGALI = (_NOTO.format("Bengali"), 0)
    DEVANAGARI = (_NOTO.format("Devanagari"), 0)
    ETHIOPIC = (_NOTO.format("Ethiopic"), 0)
    GEORGIAN = (_NOTO.format("Georgian"), 0)
    GUJARATI = (_NOTO.format("Gujarati"), 0)
    GURMUKHI = (_NOTO.format("Gurmukhi"), 0)
    HEBREW = (_NOTO.format("Hebrew"), 0)
    KANNADA = (_NOTO.format("Kannada"), 0)
    KHMER = (_NOTO.format("Khmer"), 0)
    LAO = (_NOTO.format("Lao"), 0)
    MALAYALAM = (_NOTO.format("Malayalam"), 0)
    MYANMAR = (_NOTO.format("Myanmar"), 0)
    ORIYA = (_NOTO.format("Oriya"), 0)
    SINHALA = (_NOTO.format("Sinhala"), 0)
    TAMIL = (_NOTO.format("Tamil"), 0)
    TELUGU = (_NOTO.format("Telugu"), 0)
    THAI = (_NOTO.format("Thai"), 0)
    JAPANESE = (_CJK, 0)
    CHINESE = (_CJK, 2)


# Where a script begins; it goes to the next line. None: left to the fonts for everything.
_BLOCKS: Final[tuple[tuple[int, Typeface | None], ...]] = (
    (0x0000, None),
    (0x0530, Typeface.ARMENIAN),
    (0x0590, Typeface.HEBREW),
    (0x0600, Typeface.ARABIC),
    (0x0700, None),
    (0x0750, Typeface.ARABIC),
    (0x0780, None),
    (0x08A0, Typeface.ARABIC),
    (0x0900, Typeface.DEVANAGARI),
    (0x0980, Typeface.BENGALI),
    (0x0A00, Typeface.GURMUKHI),
    (0x0A80, Typeface.GUJARATI),
    (0x0B00, Typeface.ORIYA),
    (0x0B80, Typeface.TAMIL),
    (0x0C00, Typeface.TELUGU),
    (0x0C80, Typeface.KANNADA),
    (0x0D00, Typeface.MALAYALAM),
    (0x0D80, Typeface.SINHALA),
    (0x0E00, Typeface.THAI),
    (0x0E80, Typeface.LAO),
    (0x0F00, None),
    (0x1000, Typeface.MYANMAR),
    (0x10A0, Typeface.GEORGIAN),
    (0x1100, Typeface.CHINESE),  # the parts of Korean syllables
    (0x1200, Typeface.ETHIOPIC),
    (0x13A0, None),
    (0x1780, Typeface.KHMER),
    (0x1800, None),
    (0x1C90, Typeface.GEORGIAN),
    (0x1CC0, None),
    (0x2D00, Typeface.GEORGIAN),
    (0x2D30, None),
    (0x2D80, Typeface.ETHIOPIC),
    (0x2DE0, None),
    (0x2E80, Typeface.CHINESE),
    (0x3040, Typeface.JAPANESE),  # kana
    (0x3100, Typeface.CHINESE),
    (0xA000, None),
    (0xA960, Typeface.CHINESE),
    (0xA980, None),
    (0xAC00, Typeface.CHINESE),  # Korean syllables, which every face of the collection has
    (0xD800, None),
    (0xF900, Typeface.CHINESE),
    (0xFB00, None),
    (0xFE30, Typeface.CHINESE),
    (0xFE50, None),
    (0xFF00, Typeface.CHINESE),
    (0xFFF0, None),
    (0x20000, Typeface.CHINESE),
    (0x33480, None),
)
_BLOCK_STARTS: Final = [start for start, _ in _BLOCKS]
_FOR_EVERYTHING: Final = (Typeface.DEJAVU, Typeface.SANS, Typeface.SYMBOLS, Typeface.EMOJI)
_UNASSIGNED: Final = "\U0010fffe"


class Run(NamedTuple):
    """Characters in a row that one typeface draws."""

    text: str
    typeface: Typeface


@cache
def file_of(typeface: Typeface, bold: bool = True) -> Path | None:
    """A typeface's file, or None where its package is not installed."""
    place, _ = typeface.value
    package, _, inside = place.partition("/")
    if typeface is Typeface.DEJAVU and bold:
        inside = inside.replace("Sans.ttf", "Sans-Bold.ttf")
    spec = find_spec(package)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        path = Path(folder, inside)
        if path.is_file():
            return path
    return None


@lru_cache(maxsize=96)
def opened(typeface: Typeface, size: int, bold: bool = True) -> Font:
    """A typeface in `size` pixels, Pillow's own font where its file is missing.

    Hold `lock` while drawing or measuring with it.
    """
    path = file_of(typeface, bold)
    if path is None:
        return ImageFont.load_default(size)
    found = ImageFont.truetype(str(path), size, index=typeface.value[1])
    if typeface is not Typeface.DEJAVU:  # the others hold every weight in one file
        found.set_variation_by_axes([_BOLD_WEIGHT if bold else _REGULAR_WEIGHT])
    return found


@lru_cache(maxsize=4096)
def covering(char: str) -> Typeface | None:
    """The typeface that draws `char`; None if it would be nothing or the box of a missing glyph."""
    script = _BLOCKS[bisect_right(_BLOCK_STARTS, ord(char)) - 1][1]
    for typeface in _FOR_EVERYTHING if script is None else (script, *_FOR_EVERYTHING):
        there = file_of(typeface) is not None or typeface is Typeface.DEJAVU
        if there and _has(typeface, char):
            return typeface
    return None


@lru_cache(maxsize=4096)
def _has(typeface: Typeface, char: str) -> bool:
    with lock:
        face = opened(typeface, 24)
        glyph, missing = face.getmask(char), face.getmask(_UNASSIGNED)
        known = glyph.size != missing.size or bytes(glyph) != bytes(missing)
        return known and glyph.getbbox() is not None


def runs(text: str) -> list[Run]:
    """`text` in runs of one typeface each, in the order in which they stand from left to right.

    Spaces and accents stay with what is before them. Text that begins in a script written from the
    right has its first run at the right.
    """
    pairs = list(_assigned(text))
    # Chinese signs in a Japanese name are drawn as Japanese writes them
    if any(typeface is Typeface.JAPANESE for _, typeface in pairs):
        pairs = [
            (char, Typeface.JAPANESE if typeface is Typeface.CHINESE else typeface)
            for char, typeface in pairs
        ]
    found = [
        Run("".join(char for char, _ in group), typeface)
        for typeface, group in groupby(pairs, key=lambda pair: pair[1])
    ]
    if not features.check("raqm"):  # nothing else turns them round then
        found = [Run(_turned(run.text), run.typeface) for run in found]
    return found[::-1] if _from_the_right(text) else found


def _assigned(text: str) -> Iterator[tuple[str, Typeface]]:
    last = Typeface.DEJAVU
    for position, char in enumerate(text):
        joins = char == " " or unicodedata.category(char).startswith("M")
        if not (joins and position and (char == " " or _has(last, char))):
            last = covering(char) or Typeface.DEJAVU
        yield char, last


def _from_the_right(text: str) -> bool:
    """Whether the first letter is of a script that is written from right to left."""
    directions = (unicodedata.bidirectional(char) for char in text)
    return next((way for way in directions if way in ("L", "R", "AL")), "L") != "L"


def _turned(text: str) -> str:
    return text[::-1] if _from_the_right(text) else text
