"""Text for a terminal 80 columns wide: wrapped paragraphs, and how wide a text is shown."""

from __future__ import annotations

import unicodedata
from textwrap import TextWrapper
from typing import Final

WIDTH: Final = 80


def paragraph(text: str, indent: str = "", hanging: str | None = None) -> str:
    """`text` in lines of at most 80 columns, unless a single word is longer.

    `indent` goes before the first line and `hanging` (the same unless given) before the others.
    """
    wrapper = TextWrapper(
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent if hanging is None else hanging,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return wrapper.fill(text)


def columns(line: str) -> int:
    """How many columns of a terminal `line` takes."""
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in line)
    unseen = sum(unicodedata.combining(char) > 0 for char in line)
    return len(line) + wide - unseen
