"""Cards in a message's text: one private-use character for each card.

The code that lays out the message decides how a card looks there (the bot's own emoji, a symbol,
its name). No one can type these characters: private-use characters are removed from typed text
(`engine.visible`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from bot.language.catalogues import tr
from engine.cards import MAX_JOKERS, Card, Cards

_FIRST: Final = 0xE000
_ONE: Final = f"[{chr(_FIRST)}-{chr(_FIRST + 51 + MAX_JOKERS)}]"
_HAND: Final = re.compile(f"{_ONE}(?: {_ONE})*")


def mark_cards(cards: Cards) -> str:
    """Return one private-use character for each card, strongest first; "no cards" without cards."""
    return " ".join(chr(_FIRST + card.number) for card in cards) or tr("no cards")


def has_cards(text: str) -> bool:
    """Return whether a text contains a card as `mark_cards` writes it."""
    return _HAND.search(text) is not None


def write_cards(text: str, say: Callable[[list[Card]], str]) -> str:
    """Replace each run of cards in a text with the text that `say` returns for it."""
    return _HAND.sub(lambda hand: say(cards_in(hand[0])), text)


def cards_in(text: str) -> list[Card]:
    """Return the cards that `mark_cards` wrote into a text, in their order."""
    last = _FIRST + 51 + MAX_JOKERS
    return [Card(ord(char) - _FIRST) for char in text if _FIRST <= ord(char) <= last]
