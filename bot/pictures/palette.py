"""Every colour of boards and pictures, by name.

Accents are integers, as Discord takes them (0xRRGGBB). Drawing colours are red, green and blue from
0 to 255; matplotlib takes them as `web` writes them.
"""

from __future__ import annotations

from typing import Final

Colour = tuple[int, int, int]
Shade = tuple[int, int, int, int]  # the fourth is the opacity

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
# suits distinct for all eyes, in grey too; tests/bot/pictures/test_palette.py measures it
SUIT_RED: Final[Colour] = (226, 56, 70)
SUIT_BLACK: Final[Colour] = (12, 12, 16)
SUIT_GREEN: Final[Colour] = (0, 105, 40)
SUIT_BLUE: Final[Colour] = (16, 40, 186)
STAND_IN: Final[Colour] = (92, 46, 150)
CROWN: Final[Colour] = (222, 164, 26)
BACK: Final[Colour] = (122, 24, 44)
BACK_WEAVE: Final[Colour] = (232, 150, 120)
CAP_BRIM: Final[Colour] = (244, 180, 40)
# the jokers of a deck differ in the two colours of their caps (sides, middle)
CAPS: Final[tuple[tuple[Colour, Colour], ...]] = (
    ((124, 58, 200), (236, 72, 120)),
    ((14, 140, 150), (240, 120, 40)),
    ((200, 40, 60), (40, 90, 200)),
    ((70, 80, 95), (120, 132, 150)),
)

# Okabe and Ito's scheme, distinct for any colour vision
OKABE_ORANGE: Final[Colour] = (230, 159, 0)
OKABE_SKY: Final[Colour] = (86, 180, 233)
OKABE_GREEN: Final[Colour] = (0, 158, 115)
OKABE_BLUE: Final[Colour] = (0, 114, 178)
OKABE_VERMILION: Final[Colour] = (213, 94, 0)
OKABE_PURPLE: Final[Colour] = (204, 121, 167)

# a bar chart, dark like Discord
CHART_PAPER: Final[Colour] = (30, 31, 34)
CHART_INK: Final[Colour] = (242, 243, 245)
CHART_MUTED: Final[Colour] = (181, 186, 193)
CHART_TRACK: Final[Colour] = (63, 65, 71)
BAR_STANDING: Final = OKABE_ORANGE
BAR_OTHER: Final = OKABE_SKY
BAR_ALSO: Final[Colour] = (91, 114, 133)

# a grid of shares: orange below the middle, blue above it
HEAT_LOW: Final[Colour] = (178, 76, 0)
HEAT_MIDDLE: Final[Colour] = (247, 247, 242)
HEAT_HIGH: Final[Colour] = (0, 88, 150)
HEAT_INK: Final[Colour] = (24, 26, 30)

# the charts of the command line, on white paper
REPORT_PAPER: Final[Colour] = (255, 255, 255)
REPORT_BLACK: Final[Colour] = (0, 0, 0)
REPORT_INK: Final[Colour] = (34, 37, 42)
REPORT_GRID: Final[Colour] = (221, 221, 221)
REPORT_FRAME: Final[Colour] = (187, 187, 187)
REPORT_FOLD: Final[Colour] = (68, 68, 68)
REPORT_WIN: Final[Colour] = (46, 125, 79)
REPORT_TIE: Final[Colour] = (217, 164, 65)
REPORT_LOSE: Final[Colour] = (201, 204, 209)
REPORT_PLAYERS: Final[tuple[Colour, ...]] = (
    (31, 95, 139),
    (209, 96, 61),
    (91, 140, 90),
    (139, 95, 191),
    (201, 162, 39),
    (74, 163, 162),
)
# Paul Tol's "muted" scheme, distinct for any colour vision, and two greys
TOL_INDIGO: Final[Colour] = (51, 34, 136)
TOL_CYAN: Final[Colour] = (136, 204, 238)
TOL_ROSE: Final[Colour] = (204, 102, 119)
TOL_GREEN: Final[Colour] = (17, 119, 51)
TOL_WINE: Final[Colour] = (136, 34, 85)
TOL_SAND: Final[Colour] = (221, 204, 119)
TOL_TEAL: Final[Colour] = (68, 170, 153)
TOL_PURPLE: Final[Colour] = (170, 68, 153)
TOL_OLIVE: Final[Colour] = (153, 153, 51)
REPORT_GREY: Final[Colour] = (136, 136, 136)
REPORT_DARK: Final[Colour] = (51, 51, 51)


def web(colour: Colour) -> str:
    """Return a colour as web pages and matplotlib write it: `#e69f00`."""
    return "#{:02x}{:02x}{:02x}".format(*colour)
