"""Parse two boards in a question: "boards 9c8d7s | 2h3h4d", "AhKh vs QQ, run it twice".

The module is loaded only if a text may have two boards.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from engine.card_words import in_letters
from engine.cards import Card, Cards, cards_in_order
from engine.errors import Reason, TextError
from engine.odds.showdown.question_words import BOARDS, CARD
from engine.odds.showdown.scenario import TWICE_EXAMPLE
from engine.patterns import compile_later

_BEGIN: Final = r"(?:^|[\s,;(]+)(?:(?:and|but|on|with|when|if|the|then|it\'?s|is|they|we)\s+)*"
_RUN: Final = (
    r"(?:runs?|ran|running|deals?|dealt)"
    r"(?:\s+(?:it|the board|the rest|this|them|out|(?:the )?(?:turn and (?:the )?)?river))*"
)
_TWICE: Final = compile_later(
    rf"{_BEGIN}(?:{_RUN}\s+(?:twice|2x|x2|(?:two|2) times)|run-?it-?twice"
    r"|(?:two|2) (?:runs|run-?outs)|rit)(?!\w)\)?",
    re.IGNORECASE,
)
_ONCE: Final = compile_later(rf"{_BEGIN}{_RUN}\s+once(?!\w)\)?", re.IGNORECASE)
_OFTEN: Final = compile_later(
    rf"{_RUN}\s+(thrice|[3-9]x|x[3-9]|(?:three|four|five|[3-9]) times)(?!\w)", re.IGNORECASE
)
_NO_CARDS: Final = compile_later(
    rf"{_BEGIN}(?:(?:a\s+)?double boards?|(?:two|2|both) boards|bomb pots?)(?!\w)\)?\s*:?",
    re.IGNORECASE,
)
# a comma may separate single cards, but what follows it may also be a hand: "2h3h4d, AhKh vs QQ"
_CARDS: Final = rf"{CARD}(?:\s*{CARD}|\s*,\s*{CARD}(?!\s*{CARD})){{2,4}}(?![\w*])"
_PAIR: Final = compile_later(
    rf"{_BEGIN}(?:(?:(?:(?:double|two|2|both)\s+)?(?:boards|flops)|double board)"
    r"(?:\s+(?:are|were|is|of))?\s*:?\s*"
    rf"(?P<first>{_CARDS})\s*(?P<mark>\||/|&|\+|;|,?\s*and(?=\W)|vs|,)?\s*(?P<second>{_CARDS})"
    rf"|(?:board|flop)\s*:?\s*(?P<one>{_CARDS})\s*\|\s*(?P<other>{_CARDS})"
    r"(?!\s*(?:vs|v|against|\|)))",
    re.IGNORECASE,
)
_NUMBERED: Final = compile_later(
    rf"{_BEGIN}(?:boards? (?:1|one|a)|first board|top board)\s*:?\s*(?P<first>{_CARDS})[\s,;|/&]*"
    rf"(?P<mark>(?:and\s+)?(?:the\s+)?(?:boards? (?:2|two|b)|second board|bottom board))\s*:?\s*"
    rf"(?P<second>{_CARDS})",
    re.IGNORECASE,
)
_SYMBOLS: Final = str.maketrans("♣♦♥♠", "cdhs")
_CARD: Final = compile_later(CARD, re.IGNORECASE)
_UNFINISHED: Final = compile_later(
    rf"(?<!\w)boards?\s*:?\s*(?:{_CARDS}\s*\|\s*{CARD}\s*{CARD}|{CARD}\s*{CARD}\s*\|)",
    re.IGNORECASE,
)


def split_boards(texts: Sequence[str]) -> tuple[list[str], tuple[str, str] | None]:
    """Take two boards out of `texts`; return the remaining texts, and both boards as texts.

    The boards are None if the texts don't ask for two boards. They are empty texts if the texts
    name no cards, as in "run it twice". Raises `TextError` if two boards can't be read, if a
    board is run more than twice, or if both boards have a card that isn't part of a common flop
    or turn.
    """
    boards: tuple[str, str] | None = None
    left = []
    for text in texts:
        often = _OFTEN.search(text)
        if often is not None:
            reason = Reason('a board can be run once or twice, not "{often}"', often=often[1])
            raise TextError(BOARDS, reason, TWICE_EXAMPLE)
        remaining = in_letters(text.translate(_SYMBOLS))
        typed = _NUMBERED.search(remaining) or _PAIR.search(remaining)
        if typed is not None:
            boards = _cards_of(typed)
            remaining = f"{remaining[: typed.start()]} {remaining[typed.end() :]}"
        for pattern in (_TWICE, _NO_CARDS):
            if pattern.search(remaining) is not None:
                boards = boards or ("", "")
                remaining = pattern.sub(" ", remaining)
        if boards is None and _UNFINISHED.search(remaining):
            raise TextError(BOARDS, Reason("two boards take at least a flop each"), TWICE_EXAMPLE)
        if boards is None and _ONCE.search(text) is not None:
            remaining = text = _ONCE.sub(" ", text).strip(" ,;:\n")
        remaining = text if boards is None else remaining.strip(" ,;:\n")
        if remaining or remaining == text:
            left.append(remaining)
    if boards is None:
        return left or [""], None
    _check_apart(*boards)
    return left or [""], boards


def _cards_of(typed: re.Match[str]) -> tuple[str, str]:
    """Return the texts of both boards.

    If a comma or nothing separates the boards, each gets half of the cards.
    """
    groups = typed.groupdict()
    if groups.get("one"):
        return typed["one"], typed["other"]
    if groups["mark"] not in (None, ","):
        return typed["first"], typed["second"]
    cards = _CARD.findall(f"{typed['first']} {typed['second']}")
    half = len(cards) // 2
    return " ".join(cards[:half]), " ".join(cards[half:])


def _check_apart(first: str, second: str) -> None:
    """Raise `TextError` if the boards share cards that aren't a common flop or turn.

    A common flop or turn is three or more cards in the same places.
    """
    ordered = cards_in_order(first), cards_in_order(second)
    shared = Cards.of(ordered[0]) & Cards.of(ordered[1])
    begins: tuple[Card, ...] = tuple(
        card for card, second in zip(*ordered, strict=False) if card == second
    )
    if shared and (len(shared) < 3 or Cards.of(begins) != shared):
        reason = Reason("{card} is on both boards", card=next(iter(shared)))
        raise TextError(BOARDS, reason, TWICE_EXAMPLE)
