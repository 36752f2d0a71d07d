"""Statistics, ratings and seasons, computed from replayed logs. Pure functions."""

from __future__ import annotations

from typing import Final

# Increase when the same log would give other figures; `bot.app` then rebuilds the stored ones.
VERSION: Final = 1
