"""Colours of boards' edges."""

from typing import Final

FELT: Final = 0x1F8B4C
GREY: Final = 0x6B7280
GOLD: Final = 0xE0A82E
RED: Final = 0xC8443C
