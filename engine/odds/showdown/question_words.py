"""Words and marks that a question's parsers share: cards, boards, dead cards, names of players.

A player's name stays in the text while it is parsed: right after the "vs" before the player's
cards, in characters that nobody can type.
"""

from __future__ import annotations

import re
from typing import Final

from engine.patterns import compile_later

CONDITION: Final = "condition"
"""What `TextError.text` is for a condition that isn't understood."""
BOARDS: Final = "boards"
"""What `TextError.text` is for two boards that aren't possible or understood."""
STAKES: Final = "stakes"
"""What `TextError.text` is for chips that make no sense."""
WILD: Final = "wild"
"""What `TextError.text` is for a question that is unclear about which cards are wild."""
DEFINITION: Final = "definition"
"""What `TextError.text` is for a named range that can't be kept, or isn't known."""
DEFINITION_EXAMPLE: Final = '"btn = 22+, A2s+", then "btn vs QQ+"'
DRAWS: Final = "draws"
"""What `TextError.text` is for draws that make no sense."""
DRAWS_EXAMPLE: Final = '"27: 2347 draw 1 vs 8765K pat"'
LATER_DRAWS_EXAMPLE: Final = '"27: 2347 draw 1 until 9 vs 8765K pat, 2 draws left"'
STAKES_EXAMPLE: Final = '"AA(50) vs KK(100) vs QQ(100)"'
CARD: Final = "(?:(?:10|[2-9tjqka])[cdhs])"
"""A card, in a text in the usual spelling."""
TYPED_CARD: Final = "(?:(?:10|[2-9tjqka])[cdhs♣♦♥♠])"
"""A card as typed, in any case."""
VERSUS: Final = r"(?:vs\.?|versus|v\.?|against)"
"""The words between two players, as typed."""
BOARD_WORD: Final = (
    r"(?:boards?|flop(?:s|ped)?|turn(?:s|ed)?|river(?:s|ed)?|run[ -]?outs?"
    r"|public|community|common|shared|middle)"
)
"""The words before the cards of a board."""
DEAD_WORD: Final = (
    r"(?:dead|folded|folds?|mucked|mucks?|discarded|discards?|burn(?:t|ed|s)?|exposed|removed?"
    r"|gone|without)"
)
"""The words before cards that are out of play."""
POSITION: Final = r"(?:dealer|utg(?:\+\d)?|[elumh][pj]|co|btn|bu|button|[sb]b)"
"""A player's position at the table."""
_HIDDEN: Final = 0xF0000  # the first of the characters that nobody can type
_LAST: Final = 0xFFFF
_NAME_LETTERS: Final = f"[{chr(_HIDDEN)}-{chr(_HIDDEN + _LAST)}]"
"""A hidden letter of a player's name."""
AGAINST: Final = rf"vs{_NAME_LETTERS}*\.?|versus|v\.?|against"
"""The words between two players, with the names that are hidden in them."""


COUNTED: Final = r"one|two|three|four|five|six|seven|eight|nine"
"""The numbers below ten, as words."""
_NUMBERS: Final = {"a": 1, "an": 1, "ten": 10} | {
    word: number for number, word in enumerate(COUNTED.split("|"), start=1)
}
LONGEST: Final = 1000
"""How many characters a question in words may have."""
WRAPPED: Final = compile_later(
    r"(?<![\w*])(?:\*\*|__)(\S[^*_]*)(?:\*\*|__)(?![\w*])", words=("**", "__")
)
"""What the marks of bold type enclose."""


def number_of(word: str) -> int:
    """Return the number that digits or a word mean: 3 for "3" and "three", 1 for "a"."""
    return int(word) if word.isdecimal() else _NUMBERS[word]


def against(name: str) -> str:
    """Return " vs " followed by a player's name, hidden in characters that nobody can type."""
    hidden = "".join(chr(_HIDDEN + ord(char)) for char in name if ord(char) <= _LAST)
    return f" vs{hidden} "


def name_behind(word: str) -> str:
    """Return the player's name hidden in a word for "against"; empty if there is none."""
    return "".join(chr(ord(char) - _HIDDEN) for char in re.findall(_NAME_LETTERS, word))
