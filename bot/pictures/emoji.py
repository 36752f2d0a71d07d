"""A card as an emoji: 128 pixels square, shown at 22 in a line or button and at 33 in a heading.

So it has only a rank, as large as possible, and its suit below. Pure functions of plain values,
safe in any thread.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Final

from PIL import Image, ImageDraw

from bot.pictures import palette, pips
from bot.pictures.canvas import rounded_mask
from bot.pictures.faces import suit_colours
from bot.pictures.fonts import glyphs
from engine.cards import Card, Rank, Suit

SIDE: Final = 128
# digest of all emoji's pixels, by which the bot recognises its emoji (a test prints a new one)
DRAWN: Final = "0f89aa"
_OVERSAMPLE: Final = 4
_WIDE: Final = 108  # pixels of the square; the rest separates neighbours
_EDGE: Final = 3
_RADIUS: Final = 16


@dataclass(frozen=True, slots=True)
class Tile:
    """An emoji's content: a card, or only a rank (for a bid), in a four- or two-coloured deck."""

    of: Card | Rank
    four_colours: bool = True

    def __post_init__(self) -> None:
        # identical pictures are one tile
        if isinstance(self.of, Card) and self.of.is_joker:
            object.__setattr__(self, "of", Card.joker())
        if not self._differs:
            object.__setattr__(self, "four_colours", True)

    @property
    def _differs(self) -> bool:
        """Return whether a two-coloured deck has a different picture."""
        if isinstance(self.of, Rank) or self.of.is_joker:
            return False
        return suit_colours(True)[self.of.suit] != suit_colours(False)[self.of.suit]

    @property
    def name(self) -> str:
        """The name in words for screen readers, such as "ace_of_spades" or "ten_of_clubs_black"."""
        if isinstance(self.of, Rank):
            return self.of.name.lower()
        if self.of.is_joker:
            return "joker"
        words = f"{self.of.rank.name}_of_{self.of.suit.name}".lower()
        if self.four_colours:
            return words
        return f"{words}_{'red' if self.of.suit is Suit.DIAMONDS else 'black'}"


TILES: Final = tuple(
    dict.fromkeys(
        [
            *(Tile(Card(number), four) for four in (True, False) for number in range(52)),
            Tile(Card.joker()),
            *map(Tile, Rank),
        ]
    )
)


def emoji_png(tile: Tile) -> bytes:
    """Return the emoji as a PNG file, transparent around the card."""
    drawn = _draw_tile(tile)
    file = io.BytesIO()
    drawn.save(file, "PNG", optimize=True)
    return file.getvalue()


def _draw_tile(tile: Tile) -> Image.Image:
    paper = Image.new("RGB", (_WIDE * _OVERSAMPLE, SIDE * _OVERSAMPLE), palette.CARD_PAPER)
    of = tile.of
    if isinstance(of, Rank):
        _print_rank(paper, of, palette.STAND_IN, high=0.62, middle=0.5)
    elif of.is_joker:
        _print_joker(paper)
    else:
        colour = suit_colours(tile.four_colours)[of.suit]
        _print_rank(paper, of.rank, colour, high=0.44, middle=0.27)
        side = 0.47 * paper.height
        box = ((paper.width - side) / 2, 0.505 * paper.height, side, side)
        pips.fill(ImageDraw.Draw(paper), pips.PIPS[of.suit], box, colour)
    card = Image.new("RGB", (_WIDE, SIDE), palette.CARD_EDGE)
    inner = rounded_mask((_WIDE, SIDE), _RADIUS - _EDGE, inset=_EDGE)
    card.paste(paper.reduce(_OVERSAMPLE), mask=inner)
    square = Image.new("RGBA", (SIDE, SIDE))
    square.paste(card, ((SIDE - _WIDE) // 2, 0), rounded_mask((_WIDE, SIDE), _RADIUS))
    return square


def _print_rank(
    paper: Image.Image, rank: Rank, colour: palette.Colour, *, high: float, middle: float
) -> None:
    """Print the rank in the middle of the picture's width.

    `high` is the rank's height, `middle` the distance of its centre from the top, both as shares of
    the picture's height. A rank that would be too wide is narrowed.
    """
    ink = glyphs(rank.label, round(0.62 * paper.height))
    tall = round(high * paper.height)
    wide = min(round(ink.width * tall / ink.height), round(0.82 * paper.width))
    ink = ink.resize((wide, tall), Image.Resampling.LANCZOS)
    at = ((paper.width - wide) // 2, round(middle * paper.height - tall / 2))
    paper.paste(colour, at, ink)


def _print_joker(paper: Image.Image) -> None:
    side = 0.94 * paper.width
    box = ((paper.width - side) / 2, (paper.height - side) / 2, side, side)
    for shape, colour in pips.cap_layers(*palette.CAPS[0]):
        pips.fill(ImageDraw.Draw(paper), shape, box, colour)
