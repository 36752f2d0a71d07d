"""Shapes on a card (suits, star, crowns, jester's cap) and marks next to a name, as outlines.

Every shape is a tuple of closed outlines in a unit square, `(x, y)` with y downwards, so it can be
filled at any size; edges become smooth by drawing large and shrinking (`faces`). All are our own
drawings, none traced from a font or deck.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from PIL import ImageDraw

from bot.pictures import palette
from bot.pictures.palette import Colour
from engine.cards import Suit

Point: TypeAlias = tuple[float, float]
Outline: TypeAlias = tuple[Point, ...]
Shape: TypeAlias = tuple[Outline, ...]
Box: TypeAlias = tuple[float, float, float, float]

_STEPS: Final = 24


def curve(start: Point, *cubics: tuple[Point, Point, Point]) -> Outline:
    """Flatten cubic Bézier segments from `start`, each (control, control, end), to points."""
    points = [start]
    for first, second, end in cubics:
        at = points[-1]
        for step in range(1, _STEPS + 1):
            t = step / _STEPS
            u = 1 - t
            weights = (u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t)
            corners = (at, first, second, end)
            points.append(
                (
                    sum(w * x for w, (x, _) in zip(weights, corners, strict=True)),
                    sum(w * y for w, (_, y) in zip(weights, corners, strict=True)),
                )
            )
    return tuple(points)


def mirror(half: Outline) -> Outline:
    """Return `half` followed by its reflection in x = 0.5."""
    return half + tuple((1 - x, y) for x, y in reversed(half))


def circle(x: float, y: float, radius: float) -> Outline:
    """Return a circle around (`x`, `y`)."""
    turns = (2 * math.pi * step / (2 * _STEPS) for step in range(2 * _STEPS))
    return tuple((x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns)


def star(points: int = 5, inner: float = 0.45) -> Shape:
    """Return a star with a point up. `inner`: the notches' radius divided by the points'."""
    outline = []
    for step in range(2 * points):
        radius = 0.52 if step % 2 == 0 else 0.52 * inner
        turn = math.pi * step / points
        outline.append((0.5 + radius * math.sin(turn), 0.53 - radius * math.cos(turn)))
    return (tuple(outline),)


def fill(draw: ImageDraw.ImageDraw, shape: Shape, box: Box, colour: Colour | int) -> None:
    """Fill `shape`, its unit square stretched over `box` = (left, top, width, height).

    The colour is a grey level if the image is grey.
    """
    for outline in stretch(shape, box):
        draw.polygon(outline, fill=colour)


def stretch(shape: Iterable[Sequence[Point]], box: Box) -> list[list[Point]]:
    """Return the outlines of `shape` with its unit square stretched over `box`."""
    left, top, width, height = box
    return [[(left + x * width, top + y * height) for x, y in outline] for outline in shape]


def _stem(top: float) -> Outline:
    return mirror(curve((0.5, top), ((0.5, 0.80), (0.44, 0.95), (0.29, 1.0))))


_HEART: Final = mirror(
    curve(
        (0.5, 1.0),
        ((0.40, 0.84), (0.0, 0.66), (0.0, 0.31)),
        ((0.0, 0.13), (0.12, 0.02), (0.26, 0.02)),
        ((0.38, 0.02), (0.47, 0.10), (0.5, 0.23)),
    )
)
_DIAMOND: Final = mirror(
    curve((0.5, 0.0), ((0.42, 0.17), (0.25, 0.38), (0.1, 0.5)))
    + curve((0.1, 0.5), ((0.25, 0.62), (0.42, 0.83), (0.5, 1.0)))
)
_SPADE: Final = mirror(
    curve(
        (0.5, 0.0),
        ((0.42, 0.17), (0.02, 0.33), (0.02, 0.62)),
        ((0.02, 0.77), (0.13, 0.85), (0.24, 0.85)),
        ((0.36, 0.85), (0.46, 0.78), (0.5, 0.66)),
    )
)
_CLUB_LOBES: Final = (circle(0.5, 0.235, 0.225), circle(0.235, 0.595, 0.225))
_CLUB: Final = (
    *_CLUB_LOBES,
    circle(0.765, 0.595, 0.225),
    ((0.40, 0.36), (0.60, 0.36), (0.66, 0.62), (0.34, 0.62)),
)

PIPS: Final[dict[Suit, Shape]] = {
    Suit.CLUBS: (*_CLUB, _stem(0.45)),
    Suit.DIAMONDS: (_DIAMOND,),
    Suit.HEARTS: (_HEART,),
    Suit.SPADES: (_SPADE, _stem(0.6)),
}

STAR: Final = star()

# Gold over the court cards' pips: a king's crown, a queen's coronet with pearls, a knave's lily.
KING_CROWN: Final[Shape] = (
    ((0.02, 0.25), (0.25, 0.52), (0.5, 0.1), (0.75, 0.52), (0.98, 0.25), (0.9, 0.78), (0.1, 0.78)),
    ((0.1, 0.85), (0.9, 0.85), (0.9, 1.0), (0.1, 1.0)),
    circle(0.5, 0.09, 0.085),
    circle(0.05, 0.23, 0.07),
    circle(0.95, 0.23, 0.07),
)
QUEEN_CROWN: Final[Shape] = (
    mirror(
        curve(
            (0.5, 0.80),
            ((0.36, 0.80), (0.24, 0.80), (0.14, 0.84)),
            ((0.11, 0.66), (0.08, 0.52), (0.03, 0.40)),
            ((0.14, 0.48), (0.2, 0.52), (0.27, 0.54)),
            ((0.29, 0.42), (0.29, 0.34), (0.28, 0.22)),
            ((0.36, 0.34), (0.42, 0.42), (0.5, 0.5)),
        )
    ),
    ((0.15, 0.88), (0.85, 0.88), (0.85, 1.0), (0.15, 1.0)),
    circle(0.28, 0.17, 0.08),
    circle(0.72, 0.17, 0.08),
    circle(0.03, 0.36, 0.065),
    circle(0.97, 0.36, 0.065),
)
_PETAL: Final = curve(
    (0.40, 0.66),
    ((0.38, 0.44), (0.28, 0.26), (0.14, 0.26)),
    ((0.02, 0.26), (-0.04, 0.40), (0.02, 0.54)),
    ((0.06, 0.62), (0.16, 0.62), (0.17, 0.52)),
    ((0.24, 0.52), (0.28, 0.58), (0.28, 0.66)),
)
KNAVE_LILY: Final[Shape] = (
    mirror(
        curve(
            (0.5, 0.0),
            ((0.42, 0.12), (0.33, 0.22), (0.33, 0.38)),
            ((0.33, 0.50), (0.41, 0.56), (0.43, 0.66)),
        )
    ),
    _PETAL,
    tuple((1 - x, y) for x, y in _PETAL),
    ((0.22, 0.68), (0.78, 0.68), (0.78, 0.79), (0.22, 0.79)),
    mirror(
        curve(
            (0.42, 0.81),
            ((0.42, 0.90), (0.36, 0.95), (0.28, 0.96)),
            ((0.36, 1.0), (0.44, 1.0), (0.5, 1.0)),
        )
    ),
)

# The joker: a jester's cap of three horns (left, right, middle), its brim, and a bell on each horn.
CAP_LEFT: Final[Shape] = (
    curve(
        (0.30, 0.84),
        ((0.22, 0.60), (0.18, 0.52), (0.06, 0.62)),
        ((0.02, 0.40), (0.12, 0.22), (0.30, 0.24)),
        ((0.46, 0.26), (0.55, 0.50), (0.55, 0.84)),
    ),
)
CAP_RIGHT: Final[Shape] = (tuple((1 - x, y) for x, y in CAP_LEFT[0]),)
CAP_MIDDLE: Final[Shape] = (
    mirror(
        curve(
            (0.5, 0.84),
            ((0.42, 0.84), (0.36, 0.84), (0.33, 0.82)),
            ((0.33, 0.55), (0.38, 0.34), (0.5, 0.12)),
        )
    ),
)
CAP_BRIM: Final[Shape] = (
    mirror(
        curve(
            (0.5, 0.86),
            ((0.4, 0.86), (0.32, 0.85), (0.25, 0.81)),
            ((0.24, 0.86), (0.24, 0.92), (0.26, 0.97)),
            ((0.34, 1.0), (0.42, 1.01), (0.5, 1.01)),
        )
    ),
)
CAP_BELLS: Final[Shape] = (
    circle(0.07, 0.68, 0.075),
    circle(0.93, 0.68, 0.075),
    circle(0.5, 0.08, 0.08),
)


def cap_layers(sides: Colour, middle: Colour) -> tuple[tuple[Shape, Colour], ...]:
    """Return the shapes of the jester's cap with their colours, in the order to draw them."""
    return (
        (CAP_LEFT + CAP_RIGHT, sides),
        (CAP_MIDDLE, middle),
        (CAP_BRIM + CAP_BELLS, palette.CAP_BRIM),
    )


# Marks next to a player's name.
BUBBLE: Final[Shape] = (
    curve(
        (0.5, 0.04),
        ((0.80, 0.04), (1.0, 0.20), (1.0, 0.42)),
        ((1.0, 0.64), (0.80, 0.80), (0.5, 0.80)),
        ((0.46, 0.80), (0.42, 0.80), (0.38, 0.79)),
        ((0.30, 0.90), (0.20, 0.98), (0.08, 0.98)),
        ((0.14, 0.90), (0.16, 0.80), (0.14, 0.70)),
        ((0.05, 0.62), (0.0, 0.53), (0.0, 0.42)),
        ((0.0, 0.20), (0.20, 0.04), (0.5, 0.04)),
    ),
)
BOLT: Final[Shape] = (
    ((0.62, 0.0), (0.12, 0.57), (0.44, 0.57), (0.34, 1.0), (0.88, 0.38), (0.54, 0.38)),
)
