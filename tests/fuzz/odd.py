"""Random odd texts and values, for code that reads what a person could have written."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final, TypeVar

from tests.fuzz.texts import STRANGE

T = TypeVar("T")

# these reverse text, hide it, close or open markup, mention people or end lines
MARKS: Final = (
    *STRANGE,
    "**", "__", "_", "~~", "||", "`", "```", "> ", ">>> ", "# ", "-# ", "- ", "1. ", "\n", "\r\n",
    "\u2028", "\u0085", "\v", "\t", "@here", "@everyone", "<@!1>", "<@&1>", "<#1>", "</play:1>",
    "<t:1>", "<:a:1>", "<a:a:1>", "<id:home>", "[a](https://example.org)", "https://example.org",
    "<https://example.org>", "discord.gg/a", "\u200f", "\u061c", "\u2067", "\u00a0", "\u3164",
    "\ufdfd", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\U0001f1f5\U0001f1f1", "e\u0301\u0302",
    "龍", "ش", "ก", "ख", "'", '"', "<b>", "&amp;", "%(a)s", "{0}", "$", "\\n", "\x7f",
)  # fmt: skip
NUMBERS: Final = (
    0, -1, 1, 2, 3, 7, 12, 54, 255, 256, 65_535, 65_536, 2**31, 2**53, 2**63, -(2**63), 2**64,
    10**30, -0.0, 0.5, 1e300, 1e-300, float("inf"), float("nan"),
)  # fmt: skip


def text(chance: Random, words: Sequence[str] = (), longest: int = 400) -> str:
    """Return words, marks and letters of any script; sometimes a very long text, sometimes none."""
    match chance.randrange(6):
        case 0 if words:
            return chance.choice(words)
        case 1 | 2 if words:
            return alter(chance, chance.choice(words))
        case 3:
            return (chance.choice(MARKS) * longest)[: chance.choice((1, 2, 80, 100, 101, longest))]
        case 4:
            return "".join(chr(any_character(chance)) for _ in range(chance.randrange(40)))
    return "".join(chance.choice((*words, *MARKS, " ")) for _ in range(chance.randrange(8)))


def any_character(chance: Random) -> int:
    """Return a random code point; common characters are more likely."""
    below = chance.choice((0x80, 0x3000, 0x110000))
    return chance.randrange(below)


def alter(chance: Random, whole: str) -> str:
    """Return the text with one to three random changes."""
    for _ in range(chance.choice((1, 1, 2, 3))):
        at, to = sorted(chance.randrange(len(whole) + 1) for _ in range(2))
        match chance.randrange(6):
            case 0:
                whole = whole[:at] + chance.choice(MARKS) + whole[at:]
            case 1:
                whole = whole[:at] + whole[to:]
            case 2:
                whole = whole[:at] + whole[at:to] * 2 + whole[to:]
            case 3:
                whole = whole[:at] + chr(any_character(chance)) + whole[at:]
            case 4:
                whole = whole[:at] + str(chance.choice(NUMBERS)) + whole[at:]
            case 5 if at < len(whole):
                char = chance.choice(whole)
                whole = whole[:at] + char + whole[at + 1 :]
    return whole


def value(chance: Random, words: Sequence[str] = (), depth: int = 3) -> Any:
    """Return any value that Python's `json` can write; `depth` limits nesting."""
    match chance.randrange(9):
        case 0:
            return None
        case 1:
            return chance.random() < 0.5
        case 2 | 3:
            return chance.choice(NUMBERS)
        case 4:
            return chance.randrange(-1000, 1000)
        case 5 if depth:
            return [value(chance, words, depth - 1) for _ in range(chance.randrange(4))]
        case 6 if depth:
            return {
                text(chance, words, 40): value(chance, words, depth - 1)
                for _ in range(chance.randrange(4))
            }
    return text(chance, words)
