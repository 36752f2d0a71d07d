"""Every colour of boards and pictures, each under one name.

Accents are whole numbers, as Discord takes them (0xRRGGBB); colours to draw with are red, green and
blue from 0 to 255. The charts of the command line are on white paper and have schemes of their own.
"""

from __future__ import annotations

from typing import Final

Colour = tuple[int, int, int]
Shade = tuple[int, int, int, int]  # the fourth: how much of it covers what lies below

# the stripe along a board
GREEN: Final = 0x1F8B4C
GREY: Final = 0x6B7280
AMBER: Final = 0xE0A82E
RED: Final = 0xC8443C

# the table under the cards
FELT: Final[Colour] = (22, 84, 64)
FELT_EDGE: Final[Colour] = (70, 150, 118)
GOLD: Final[Colour] = (255, 201, 60)
GOLD_EDGE: Final[Colour] = (122, 86, 8)
IVORY: Final[Colour] = (250, 247, 238)
SKY: Final[Colour] = (120, 205, 255)
SAGE: Final[Colour] = (186, 214, 201)
BLUSH: Final[Colour] = (255, 196, 190)
CELL_SHADE: Final[Shade] = (4, 30, 22, 96)
LOSER_FRAME: Final[Colour] = (255, 132, 118)
MIDDLE_SHADE: Final[Shade] = (255, 214, 110, 44)

# a card
CARD_PAPER: Final[Colour] = (253, 252, 248)
RESTING_PAPER: Final[Colour] = (234, 234, 228)
CARD_EDGE: Final[Colour] = (196, 198, 200)
# suits that differ for every eye, in grey too; tests/bot/pictures/test_palette.py measures it
SUIT_RED: Final[Colour] = (226, 56, 70)
SUIT_BLACK: Final[Colour] = (12, 12, 16)
SUIT_GREEN: Final[Colour] = (0, 105, 40)
SUIT_BLUE: Final[Colour] = (16, 40, 186)
STAND_IN: Final[Colour] = (92, 46, 150)
CROWN: Final[Colour] = (222, 164, 26)
BACK: Final[Colour] = (122, 24, 44)
BACK_WEAVE: Final[Colour] = (232, 150, 120)
BACK_EMBLEM: Final[Colour] = (240, 205, 160)
CAP_BRIM: Final[Colour] = (244, 180, 40)
# the jokers of a deck differ in the two colours of their caps (sides, middle)
CAPS: Final[tuple[tuple[Colour, Colour], ...]] = (
    ((124, 58, 200), (236, 72, 120)),
    ((14, 140, 150), (240, 120, 40)),
    ((200, 40, 60), (40, 90, 200)),
    ((70, 80, 95), (120, 132, 150)),
)

# a bar chart, dark as Discord is; the bars are from Okabe and Ito's scheme
CHART_PAPER: Final[Colour] = (30, 31, 34)
CHART_INK: Final[Colour] = (242, 243, 245)
CHART_MUTED: Final[Colour] = (181, 186, 193)
CHART_TRACK: Final[Colour] = (63, 65, 71)
BAR_STANDING: Final[Colour] = (230, 159, 0)
BAR_OTHER: Final[Colour] = (86, 180, 233)
BAR_ALSO: Final[Colour] = (91, 114, 133)
