"""Typefaces: the available font files, and which of them draws a character.

DejaVu Sans, and Noto fonts for other scripts, are in this folder with their licences. Chinese,
Japanese and Korean have tens of thousands of signs, so they use a font of the system; without one
their characters count as unknown. `fonts` measures and draws text.
"""

from __future__ import annotations

import threading
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from contextlib import suppress
from enum import Enum
from functools import cache, lru_cache
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

from PIL import ImageFont, features

# FreeType faces are not safe to use from two threads at once; Pillow leaves that to its callers.
lock: Final = threading.RLock()

_HERE: Final = Path(__file__).parent


class Typeface(Enum):
    """A typeface: its file in this folder, or a script whose fonts are in `SYSTEM`."""

    DEJAVU = "dejavu/DejaVuSans-Bold.ttf"
    SANS = "noto/NotoSans-Bold.ttf"
    SYMBOLS = "noto/NotoSansSymbols-Bold.ttf"
    EMOJI = "noto/NotoEmoji-Bold.ttf"
    ARABIC = "noto/NotoSansArabic-Bold.ttf"
    ARMENIAN = "noto/NotoSansArmenian-Bold.ttf"
    BENGALI = "noto/NotoSansBengali-Bold.ttf"
    DEVANAGARI = "noto/NotoSansDevanagari-Bold.ttf"
    ETHIOPIC = "noto/NotoSansEthiopic-Bold.ttf"
    GEORGIAN = "noto/NotoSansGeorgian-Bold.ttf"
    GUJARATI = "noto/NotoSansGujarati-Bold.ttf"
    GURMUKHI = "noto/NotoSansGurmukhi-Bold.ttf"
    HEBREW = "noto/NotoSansHebrew-Bold.ttf"
    KANNADA = "noto/NotoSansKannada-Bold.ttf"
    KHMER = "noto/NotoSansKhmer-Bold.ttf"
    LAO = "noto/NotoSansLao-Bold.ttf"
    MALAYALAM = "noto/NotoSansMalayalam-Bold.ttf"
    MYANMAR = "noto/NotoSansMyanmar-Bold.ttf"
    ORIYA = "noto/NotoSansOriya-Bold.ttf"
    SINHALA = "noto/NotoSansSinhala-Bold.ttf"
    TAMIL = "noto/NotoSansTamil-Bold.ttf"
    TELUGU = "noto/NotoSansTelugu-Bold.ttf"
    THAI = "noto/NotoSansThai-Bold.ttf"
    CHINESE = "Chinese"
    JAPANESE = "Japanese"
    KOREAN = "Korean"


# Fonts of Linux, macOS and Windows. Pillow finds a file by name in the system's folders; the number
# is the face's index in a collection.
SYSTEM: Final[Mapping[Typeface, tuple[tuple[str, int], ...]]] = {
    Typeface.CHINESE: (
        ("NotoSansCJK-Bold.ttc", 2),
        ("Hiragino Sans GB.ttc", 0),
        ("msyhbd.ttc", 0),
    ),
    Typeface.JAPANESE: (
        ("NotoSansCJK-Bold.ttc", 0),
        ("Hiragino Sans GB.ttc", 0),
        ("YuGothB.ttc", 0),
    ),
    Typeface.KOREAN: (
        ("NotoSansCJK-Bold.ttc", 1),
        ("AppleSDGothicNeo.ttc", 0),
        ("malgunbd.ttf", 0),
    ),
}

# The first code point of each script, which extends to the next line. None: any general font.
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
    (0x1100, Typeface.KOREAN),  # the parts of syllables
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
    (0x3130, Typeface.KOREAN),
    (0x3190, Typeface.CHINESE),
    (0xA000, None),
    (0xA960, Typeface.KOREAN),
    (0xA980, None),
    (0xAC00, Typeface.KOREAN),
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
    """Adjacent characters that one typeface draws."""

    text: str
    typeface: Typeface


@cache
def _place(typeface: Typeface, bold: bool = True) -> tuple[str, int] | None:
    """Return a typeface's file and face number; None if the system has no such font."""
    if typeface not in SYSTEM:
        inside = typeface.value
        if typeface is Typeface.DEJAVU and not bold:  # the others exist only in bold
            inside = inside.replace("-Bold", "")
        return str(_HERE / inside), 0
    for name, index in SYSTEM[typeface]:
        with lock, suppress(OSError):  # missing or unreadable
            return str(ImageFont.truetype(name, 10, index).path), index
    return None


@lru_cache(maxsize=96)
def open_font(typeface: Typeface, size: int, bold: bool = True) -> ImageFont.FreeTypeFont:
    """Return a typeface in `size` pixels. Hold `lock` while drawing or measuring with it.

    Raises LookupError if the system lacks the font; `covering` never returns such a typeface.
    """
    place = _place(typeface, bold)
    if place is None:
        raise LookupError(f"no font for {typeface.value} on this system")
    path, index = place
    return ImageFont.truetype(path, size, index)


@lru_cache(maxsize=4096)
def covering(char: str) -> Typeface | None:
    """Return the typeface that draws `char`; None if none has a visible glyph for it."""
    script = _BLOCKS[bisect_right(_BLOCK_STARTS, ord(char)) - 1][1]
    for typeface in _FOR_EVERYTHING if script is None else (script, *_FOR_EVERYTHING):
        if _place(typeface) is not None and _has(typeface, char):
            return typeface
    return None


@lru_cache(maxsize=4096)
def _has(typeface: Typeface, char: str) -> bool:
    with lock:
        face = open_font(typeface, 24)
        glyph, missing = face.getmask(char), face.getmask(_UNASSIGNED)
        known = glyph.size != missing.size or bytes(glyph) != bytes(missing)
        return known and glyph.getbbox() is not None


def runs(text: str) -> list[Run]:
    """Split `text` into runs of one typeface each, in visual order from left to right.

    Spaces stay with the preceding character, and so do accents if its typeface has them. If the
    text begins in a right-to-left script, its first run is last in the list.
    """
    pairs = list(_assign_typefaces(text))
    if _is_japanese(pairs):
        eastern = (Typeface.CHINESE, Typeface.JAPANESE)
        pairs = [(char, Typeface.JAPANESE if face in eastern else face) for char, face in pairs]
    split = [
        Run("".join(char for char, _ in group), typeface)
        for typeface, group in groupby(pairs, key=lambda pair: pair[1])
    ]
    if not features.check("raqm"):  # without raqm, nothing else puts them in visual order
        split = [Run(_visual_order(run.text), run.typeface) for run in split]
    return split[::-1] if _is_right_to_left(text) else split


def _assign_typefaces(text: str) -> Iterator[tuple[str, Typeface]]:
    last = Typeface.DEJAVU
    for position, char in enumerate(text):
        joins = char == " " or unicodedata.category(char).startswith("M")
        if not (joins and position and (char == " " or _has(last, char))):
            last = covering(char) or Typeface.DEJAVU
        yield char, last


def _is_japanese(pairs: list[tuple[str, Typeface]]) -> bool:
    """Return whether to draw the Chinese characters in a name in their Japanese form."""
    signs = "".join(char for char, face in pairs if face is Typeface.CHINESE and char != " ")
    written = any(face is Typeface.JAPANESE for _, face in pairs)
    return written and all(_has(Typeface.JAPANESE, char) for char in signs)


def _is_right_to_left(text: str) -> bool:
    """Return whether the first strong character is of a right-to-left script."""
    directions = (unicodedata.bidirectional(char) for char in text)
    return next((way for way in directions if way in ("L", "R", "AL")), "L") != "L"


def _visual_order(text: str) -> str:
    return text[::-1] if _is_right_to_left(text) else text
