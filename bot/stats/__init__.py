"""What logs say about people: statistics, ratings, seasons. Pure, over replayed matches."""

from __future__ import annotations

from typing import Final

# Rises when the same log would give other figures; `bot.app` then makes stored ones anew.
VERSION: Final = 1
