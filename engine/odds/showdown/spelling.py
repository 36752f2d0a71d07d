"""Other ways to write cards and ranges, brought into one: "Ah/Kd", "hA dK", "QQ or better".

Whatever is read as cards or as a range is spelled like this first. What is written in none of
these ways stays as it was.
"""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction
from typing import Final

from engine.errors import UnclearWeight

_RANK: Final = "(?:10|[2-9tjqka])"
_SUIT: Final = "[cdhs]"
CARD: Final = rf"(?:{_RANK}{_SUIT})"
"""A card, in a text that was spelled."""
_CARD: Final = rf"(?:{_RANK}{_SUIT}|{_SUIT}{_RANK})"
_SUITS: Final = str.maketrans(
    {
        **dict(zip("♣♦♥♠♧♢♡♤", "cdhscdhs", strict=True)),
        **dict.fromkeys("–—−", "-"),
        **dict.fromkeys("\ufe0e\ufe0f"),
    }
)
# "[50]QQ, JJ[/50]", as range tools write a weight around hands
_WEIGHED: Final = re.compile(r"\[(\d{1,3}(?:\.\d+)?)%?\](.*?)\[/\s*(?:\1%?)?\s*\]")
_BRACKETS: Final = re.compile(r"\[([^\[\]]*)\]")
# "QQ:0.5", as solvers write it
_OF_ONE: Final = re.compile(r"(?<=[\w+*-]):(0?\.\d+|0|1(?:\.0+)?)(?![\w.%])")
_KIND: Final = rf"(?<![\w+-])({_RANK}{_RANK}[so]?)"
_OR_BETTER: Final = re.compile(
    rf"{_KIND}\s+(?:or|and)\s+(?:better|higher|stronger|above|over|up|more)(?!\w)"
)
_OR_WORSE: Final = re.compile(
    rf"{_KIND}\s+(?:or|and)\s+(?:worse|lower|weaker|below|under|down|less)(?!\w)"
)
_LONE_RANKS: Final = re.compile(
    rf"(?<![\w@.%:+-]){_RANK}(?: +{_RANK})+(?=[so]?(?:[+-]|[\s,;)@:!]|$))(?!\s+[a-z]{{3}})"
)
_JOINED: Final = re.compile(rf"(?<![\w/-]){_CARD}(?:[/-]{_CARD})+(?![\w/-])")
_SUIT_FIRST: Final = re.compile(rf"(?<!\w)(?={_CARD}*{_SUIT}{_RANK}){_CARD}+(?!\w)")
_SUIT_RANK: Final = re.compile(rf"({_RANK}{_SUIT})|({_SUIT})({_RANK})")
_SMALL_WEIGHT: Final = re.compile(r"(?<=[\w+*%)-])\s*@\s*(0?\.\d+|1(?:\.0+)?)(?![\w.%])")
_ABOVE_ONE: Final = re.compile(r"@\s*(?:[2-9]|\d\d|1\.0*[1-9])")


def spelled(text: str) -> str:
    """The text in lower case, with suits as letters and every card and range in the usual way."""
    plain = unicodedata.normalize("NFKC", text).lower().translate(_SUITS)
    plain = _WEIGHED.sub(_with_weight, plain)
    plain = _BRACKETS.sub(_in_brackets, plain)
    plain = _OF_ONE.sub(lambda found: _weight(_per_cent(found[1])), plain)
    plain = _LONE_RANKS.sub(lambda found: found[0].replace(" ", ""), plain)
    plain = _OR_BETTER.sub(r"\1+", plain)
    plain = _OR_WORSE.sub(r"\1-", plain)
    plain = _JOINED.sub(lambda found: re.sub("[/-]", "", found[0]), plain)
    return _SUIT_FIRST.sub(lambda found: _SUIT_RANK.sub(r"\1\3\2", found[0]), plain)


def check_weights(text: str) -> None:
    """Raise `UnclearWeight` for a weight such as `@0.5`: half a per cent, or one half.

    Beside one above 1, such as `@50`, it can only be in per cent.
    """
    text = unicodedata.normalize("NFKC", text)
    found = _SMALL_WEIGHT.search(text)
    if found is None or _ABOVE_ONE.search(text):
        return
    before, after = text[: found.start()], text[found.end() :]
    given = found[1] if found[1][0] != "." else f"0{found[1]}"
    meant = (f"@{given}%", _weight(_per_cent(given)))
    choices = tuple(f"{before}{one}{after}" for one in meant)
    raise UnclearWeight(text, choices, given, _per_cent(given))


def _with_weight(found: re.Match[str]) -> str:
    terms = [term for term in re.split(r"[,;\s]+", found[2]) if term]
    return ", ".join(term + _weight(found[1]) for term in terms)


def _in_brackets(found: re.Match[str]) -> str:
    """The cards of one hand side by side; anything else is a range."""
    cards = re.sub(r"[\s,;/-]+", "", found[1])
    return f" {cards} " if re.fullmatch(rf"(?:{_CARD}|\*)+", cards) else f"({found[1]})"


def _weight(per_cent: str) -> str:
    """So many per cent as a weight: where it might be a part of one the sign stands behind it."""
    return f"@{per_cent}%" if Fraction(per_cent) <= 1 else f"@{per_cent}"


def _per_cent(part: str) -> str:
    """A part of one in per cent, to a hundredth: "0.125" is "12.5"."""
    return f"{float(round(100 * Fraction(part), 2)):g}"
