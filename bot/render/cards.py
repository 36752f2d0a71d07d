"""Pictures of cards for messages: one player's hand, and a whole showdown, as PNG bytes.

Pure functions of plain values, safe in any thread. Sizes are chosen for a phone, where a picture
is about 360 pixels wide, and for the desktop, which also limits a picture's height: a hand is always
as wide as five cards, and a showdown turns to columns before it grows tall. Card art is in `faces`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from PIL import Image, ImageDraw

from bot.render import canvas, faces, fonts, pips
from bot.render.faces import Light
from engine.cards import Card, Cards

HAND_SIZE: Final = (720, 218)
_HAND_CARD: Final = 124
_HAND_GAP: Final = 10

SHOWDOWN_WIDTH: Final = 960
MOST_ROWS: Final = 10


def hand_png(cards: Cards, *, four_colours: bool = True) -> bytes:
    """One player's hole cards side by side, strongest first, on felt: 720 by 218 pixels.

    More than five cards overlap. Raises ValueError without cards.
    """
    if not cards:
        raise ValueError("a hand to draw has at least one card")
    panel = canvas.felt(HAND_SIZE)
    width, height = HAND_SIZE
    top = (height - faces.card_height(_HAND_CARD)) // 2
    step = _step(len(cards), _HAND_CARD, _HAND_GAP, width - 60)
    left = (width - _HAND_CARD - step * (len(cards) - 1)) // 2
    for index, card in enumerate(cards):
        sprite = faces.face(card, _HAND_CARD, four_colours, Light.PLAIN)
        _lay(panel, sprite, _HAND_CARD, left + index * step, top)
    return canvas.png(panel)


def hand_alt_text(cards: Cards) -> str:
    """What `hand_png` shows, in words for a screen reader: `A♠, 10♥, joker`."""
    return ", ".join("joker" if card.is_joker else card.symbol for card in cards)


def _step(count: int, card: int, gap: int, room: int) -> int:
    """Pixels from one card's left edge to the next so that `count` cards fit in `room`."""
    if count < 2:
        return card + gap
    return min(card + gap, (room - card) // (count - 1))


def _lay(panel: Image.Image, sprite: Image.Image, card: int, left: int, top: int) -> None:
    """Put a card's sprite with the card's own corner (not its shadow's) at `left`, `top`."""
    room = faces.margin(card)
    panel.alpha_composite(sprite, (left - room, top - room))
