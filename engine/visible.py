"""Make typed text safe to show among other words: one line of visible characters."""

from __future__ import annotations

import unicodedata
from typing import Final

_MOST_MARKS: Final = 2  # accents on one letter; more of them climb over the lines above
# control, format (such as "write from right to left"), unpaired, private and unknown characters
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_BLANK: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters that show nothing


def visible(text: str, longest: int) -> str:
    """Return the visible characters of `text` in one line, in Unicode's normal form NFKC.

    Only the first `longest` characters are read. Leave out characters that are invisible or reverse
    the writing direction, and a letter's accents after the second. The result may be empty.
    """
    chars: list[str] = []
    marks = 0
    # one character may become eighteen, so the length is limited before and after
    for char in unicodedata.normalize("NFKC", text[:longest])[:longest]:
        category = unicodedata.category(char)
        marks = marks + 1 if category.startswith("M") else 0
        if char.isspace():
            chars.append(" ")
        elif category not in _UNSEEN and char not in _BLANK and marks <= _MOST_MARKS:
            chars.append(char)
    return " ".join("".join(chars).split())
