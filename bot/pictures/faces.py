"""Single cards as sprites: face and joker, with a soft shadow.

Made for a phone: one large index in the corner that stays visible when cards overlap, and one large
pip. A joker used in a bid has the index of the card it stands for. Each card is drawn at four times
its size, reduced, and cached.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Final

from PIL import Image, ImageDraw, ImageFilter

from bot.pictures import palette, pips
from bot.pictures.canvas import rounded_mask
from bot.pictures.fonts import glyphs
from engine.cards import Card, Rank, Suit

_OVERSAMPLE: Final = 4
_TWO_COLOURS: Final = {
    Suit.CLUBS: palette.SUIT_BLACK,
    Suit.DIAMONDS: palette.SUIT_RED,
    Suit.HEARTS: palette.SUIT_RED,
    Suit.SPADES: palette.SUIT_BLACK,
}
_FOUR_COLOURS: Final = _TWO_COLOURS | {
    Suit.CLUBS: palette.SUIT_GREEN,
    Suit.DIAMONDS: palette.SUIT_BLUE,
}
_COURT: Final = {
    Rank.JACK: pips.KNAVE_LILY,
    Rank.QUEEN: pips.QUEEN_CROWN,
    Rank.KING: pips.KING_CROWN,
}
# At most 25 MB; the largest showdown shows 54.
_FACES_KEPT: Final = 200


class Light(Enum):
    """A card's look: normal, with a golden rim, or on greyer paper next to golden cards."""

    PLAIN = "plain"
    GOLDEN = "golden"
    RESTING = "resting"


@dataclass(frozen=True, slots=True)
class StandIn:
    """The meaning of a joker in a bid: a card, any card of a rank, or any card of a suit."""

    rank: Rank | None
    suit: Suit | None

    def __post_init__(self) -> None:
        if self.rank is None and self.suit is None:
            raise ValueError("a joker stands for a rank, a suit or both")

    @property
    def symbol(self) -> str:
        """The symbol for people: `9♦`, `9` or `♦`."""
        rank = self.rank.label if self.rank is not None else ""
        return rank + (self.suit.symbol if self.suit is not None else "")


def suit_colours(four_colours: bool) -> Mapping[Suit, palette.Colour]:
    """Return the ink of each suit, in a four- or two-coloured deck."""
    return _FOUR_COLOURS if four_colours else _TWO_COLOURS


def card_height(width: int) -> int:
    """Return the height of a card `width` pixels wide."""
    return round(width * 1.4)


def margin(width: int) -> int:
    """Return the pixels that a sprite leaves around its card for shadow and rim."""
    return max(6, round(width * 0.11))


@lru_cache(maxsize=_FACES_KEPT)
def face(
    card: Card, width: int, four_colours: bool, light: Light, stands_for: StandIn | None = None
) -> Image.Image:
    """Return the card's face, `width` pixels wide plus `margin(width)` on each side.

    Only a joker `stands_for` something. The image is cached: don't draw on it.
    """
    paper = palette.RESTING_PAPER if light is Light.RESTING else palette.CARD_PAPER
    large = Image.new("RGB", (width * _OVERSAMPLE, card_height(width) * _OVERSAMPLE), paper)
    colours = suit_colours(four_colours)
    if card.is_joker:
        _draw_joker(large, palette.CAPS[(card.number - 52) % len(palette.CAPS)], stands_for)
        if stands_for is not None:
            suit = stands_for.suit
            colour = palette.STAND_IN if suit is None else colours[suit]
            _draw_corner(large, stands_for.rank, suit, colour)
    else:
        _draw_natural(large, card.rank, card.suit, colours[card.suit])
    return _sprite(large, width, light)


def _draw_natural(large: Image.Image, rank: Rank, suit: Suit, colour: palette.Colour) -> None:
    unit = float(large.width)
    draw = ImageDraw.Draw(large)
    _draw_corner(large, rank, suit, colour)
    big = 0.50 * unit
    left, top = 0.66 * unit - big / 2, 1.32 * unit - big
    pips.fill(draw, pips.PIPS[suit], (left, top, big, big), colour)
    if rank in _COURT:
        crown = 0.34 * unit
        box = (0.70 * unit - crown / 2, top - 0.80 * crown, crown, 0.72 * crown)
        pips.fill(draw, _COURT[rank], box, palette.CROWN)


def _draw_corner(
    large: Image.Image, rank: Rank | None, suit: Suit | None, colour: palette.Colour
) -> None:
    """Draw the rank, and the suit below it; either may be missing."""
    unit = float(large.width)
    if rank is not None:
        _draw_index(large, rank.label, colour)
    if suit is not None:
        side, top = (0.27 * unit, 0.625 * unit) if rank is not None else (0.4 * unit, 0.1 * unit)
        left = 0.29 * unit - side / 2
        pips.fill(ImageDraw.Draw(large), pips.PIPS[suit], (left, top, side, side), colour)


def _draw_index(large: Image.Image, label: str, colour: palette.Colour) -> None:
    """Draw the rank, equally tall for all ranks (the font lowers J and Q) and never too wide."""
    unit = large.width
    ink = glyphs(label, round(0.62 * unit))
    tall = round(0.46 * unit)
    wide = min(ink.width * tall // ink.height, round((0.47 if len(label) > 1 else 0.42) * unit))
    ink = ink.resize((wide, tall), Image.Resampling.LANCZOS)
    large.paste(colour, (round(0.29 * unit - wide / 2), round(0.10 * unit)), ink)


def _draw_joker(
    large: Image.Image, cap: tuple[palette.Colour, palette.Colour], stands_for: StandIn | None
) -> None:
    """Draw the jester's cap below a star; if `stands_for` is given, draw only a smaller cap."""
    unit = float(large.width)
    draw = ImageDraw.Draw(large)
    sides, middle = cap
    box = (0.12 * unit, 0.56 * unit, 0.76 * unit, 0.76 * unit)
    if stands_for is None:
        pips.fill(draw, pips.STAR, (0.07 * unit, 0.09 * unit, 0.40 * unit, 0.40 * unit), sides)
    elif stands_for.rank is None or stands_for.suit is None:
        box = (0.20 * unit, 0.61 * unit, 0.70 * unit, 0.70 * unit)
    else:
        box = (0.36 * unit, 0.74 * unit, 0.58 * unit, 0.58 * unit)
    pips.fill_cap(draw, box, sides, middle)


def _sprite(large: Image.Image, width: int, light: Light) -> Image.Image:
    """Shrink a drawn card, round its corners, and lay it over its shadow and rim."""
    height, room, radius = card_height(width), margin(width), width * 0.1
    paper = large.reduce(_OVERSAMPLE)
    golden = light is Light.GOLDEN
    line = 2 if golden else 1  # a gold rim must differ from the paper in grey too
    edge = Image.new("RGB", paper.size, palette.GOLD_EDGE if golden else palette.CARD_EDGE)
    edge.paste(paper, mask=rounded_mask(paper.size, radius - line, inset=line))

    sprite = _shadow(width).copy()
    if golden:
        rim = max(4, round(width * 0.07))
        outer = (width + 2 * rim, height + 2 * rim)
        gold = Image.new("RGBA", outer, palette.GOLD)
        gold.putalpha(rounded_mask(outer, radius + rim))
        sprite.alpha_composite(gold, (room - rim, room - rim))
    card = edge.convert("RGBA")
    card.putalpha(rounded_mask(paper.size, radius))
    sprite.alpha_composite(card, (room, room))
    return sprite


@lru_cache(maxsize=16)
def _shadow(width: int) -> Image.Image:
    """Return a card's soft shadow in its sprite's size. The image is cached: don't draw on it."""
    height, room = card_height(width), margin(width)
    shadow = Image.new("L", (width + 2 * room, height + 2 * room))
    shadow.paste(150, (room, room + max(2, room // 4)), rounded_mask((width, height), width * 0.1))
    sprite = Image.new("RGBA", shadow.size)
    sprite.putalpha(shadow.filter(ImageFilter.GaussianBlur(room * 0.3)))
    return sprite
