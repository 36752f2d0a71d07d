"""Single cards as sprites: face and joker, with a soft shadow.

Made for a phone: one large index in the corner that stays visible when cards overlap, and one large
pip. A joker used in a bid has the index of the card it stands for. Every shape is drawn at four
times its size, reduced to a stencil, and cached: printing a card from stencils takes a tenth of the
time of drawing it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

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
# Boxes of a card's shapes, in card widths: left, top, width, height.
_SUIT_BELOW_RANK: Final = (0.155, 0.625, 0.27, 0.27)
_SUIT_ALONE: Final = (0.09, 0.1, 0.4, 0.4)
_PIP: Final = (0.41, 0.82, 0.5, 0.5)
_CROWN: Final = (0.53, 0.548, 0.34, 0.2448)
_STAR: Final = (0.07, 0.09, 0.4, 0.4)
_CAP: Final = (0.12, 0.56, 0.76, 0.76)
_CAP_BESIDE: Final = (0.2, 0.61, 0.7, 0.7)  # the corner has a rank or a suit
_CAP_BESIDE_CARD: Final = (0.36, 0.74, 0.58, 0.58)  # the corner has both
# A width has some thirty, of 1 to 4 KB each.
_STENCILS_KEPT: Final = 512


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


def face(
    card: Card, width: int, four_colours: bool, light: Light, stands_for: StandIn | None = None
) -> Image.Image:
    """Return the card's face, `width` pixels wide plus `margin(width)` on each side.

    Only a joker `stands_for` something.
    """
    sprite = _blank(width, light).copy()
    room = margin(width)
    colours = suit_colours(four_colours)
    inked = (
        _joker(card, width, colours, stands_for)
        if card.is_joker
        else _natural(card, width, colours)
    )
    for stencil, colour in inked:
        left, top = stencil.at
        sprite.paste((*colour, 255), (room + left, room + top), stencil.mask)
    return sprite


class _Stencil(NamedTuple):
    """The grey mask of a shape, and the pixels to its upper left corner from the card's."""

    mask: Image.Image
    at: tuple[int, int]


_Inked: TypeAlias = Iterator[tuple[_Stencil, palette.Colour]]


def _natural(card: Card, width: int, colours: Mapping[Suit, palette.Colour]) -> _Inked:
    """Yield what to print on a card with a rank and a suit, in order, with its colour."""
    yield from _corner(card.rank, card.suit, width, colours[card.suit])
    yield _shape(pips.PIPS[card.suit], _PIP, width), colours[card.suit]
    if card.rank in _COURT:
        yield _shape(_COURT[card.rank], _CROWN, width), palette.CROWN


def _joker(
    card: Card, width: int, colours: Mapping[Suit, palette.Colour], stands_for: StandIn | None
) -> _Inked:
    """Yield what to print on a joker, in order, with its colour.

    This is the jester's cap below a star, or a smaller cap and the corner of `stands_for`.
    """
    sides, middle = palette.CAPS[(card.number - 52) % len(palette.CAPS)]
    if stands_for is None:
        cap = _CAP
        yield _shape(pips.STAR, _STAR, width), sides
    elif stands_for.rank is None or stands_for.suit is None:
        cap = _CAP_BESIDE
    else:
        cap = _CAP_BESIDE_CARD
    for shape, colour in pips.cap_layers(sides, middle):
        yield _shape(shape, cap, width), colour
    if stands_for is not None:
        suit = stands_for.suit
        colour = palette.STAND_IN if suit is None else colours[suit]
        yield from _corner(stands_for.rank, suit, width, colour)


def _corner(rank: Rank | None, suit: Suit | None, width: int, colour: palette.Colour) -> _Inked:
    """Yield the rank, and the suit below it; either may be missing."""
    if rank is not None:
        yield _index(rank.label, width), colour
    if suit is not None:
        box = _SUIT_BELOW_RANK if rank is not None else _SUIT_ALONE
        yield _shape(pips.PIPS[suit], box, width), colour


@lru_cache(maxsize=_STENCILS_KEPT)
def _shape(shape: pips.Shape, box: pips.Box, width: int) -> _Stencil:
    """Return the stencil of `shape`, stretched over a box that is measured in card widths."""
    unit = width * _OVERSAMPLE
    large = Image.new("L", (unit, card_height(width) * _OVERSAMPLE))
    left, top, wide, tall = (unit * side for side in box)
    pips.fill(ImageDraw.Draw(large), shape, (left, top, wide, tall), 255)
    return _reduce(large)


@lru_cache(maxsize=_STENCILS_KEPT)
def _index(label: str, width: int) -> _Stencil:
    """Return a rank's stencil, equally tall for all (the font lowers J and Q), never too wide."""
    unit = width * _OVERSAMPLE
    ink = glyphs(label, round(0.62 * unit))
    tall = round(0.46 * unit)
    wide = min(ink.width * tall // ink.height, round((0.47 if len(label) > 1 else 0.42) * unit))
    large = Image.new("L", (unit, card_height(width) * _OVERSAMPLE))
    ink = ink.resize((wide, tall), Image.Resampling.LANCZOS)
    large.paste(ink, (round(0.29 * unit - wide / 2), round(0.10 * unit)))
    return _reduce(large)


def _reduce(large: Image.Image) -> _Stencil:
    """Shrink a mask of a whole card to the card's size, and cut it to what has ink."""
    mask = large.reduce(_OVERSAMPLE)
    box = mask.getbbox()
    if box is None:
        raise ValueError("a stencil needs ink")
    return _Stencil(mask.crop(box), box[:2])


@lru_cache(maxsize=16)
def _blank(width: int, light: Light) -> Image.Image:
    """Return an empty card with its rim and shadow. The image is cached: don't draw on it."""
    height, room, radius = card_height(width), margin(width), width * 0.1
    golden = light is Light.GOLDEN
    line = 2 if golden else 1  # a gold rim must differ from the paper in grey too
    card = Image.new("RGBA", (width, height), palette.GOLD_EDGE if golden else palette.CARD_EDGE)
    paper = palette.RESTING_PAPER if light is Light.RESTING else palette.CARD_PAPER
    card.paste(paper, mask=rounded_mask(card.size, radius - line, inset=line))
    card.putalpha(rounded_mask(card.size, radius))

    sprite = _shadow(width)
    if golden:
        rim = max(4, round(width * 0.07))
        outer = (width + 2 * rim, height + 2 * rim)
        gold = Image.new("RGBA", outer, palette.GOLD)
        gold.putalpha(rounded_mask(outer, radius + rim))
        sprite.alpha_composite(gold, (room - rim, room - rim))
    sprite.alpha_composite(card, (room, room))
    return sprite


def _shadow(width: int) -> Image.Image:
    """Return a card's soft shadow in its sprite's size."""
    height, room = card_height(width), margin(width)
    shadow = Image.new("L", (width + 2 * room, height + 2 * room))
    shadow.paste(150, (room, room + max(2, room // 4)), rounded_mask((width, height), width * 0.1))
    sprite = Image.new("RGBA", shadow.size)
    sprite.putalpha(shadow.filter(ImageFilter.GaussianBlur(room * 0.3)))
    return sprite
