"""What tables are given by chance instead of the world: a clock, nobody who looks, nobody known."""

from __future__ import annotations

from bot.tables.live import LiveTable


class Clock:
    """Stands where it is put."""

    def __init__(self) -> None:
        self.at = 1_800_000_000_000

    def now(self) -> int:
        """Milliseconds since 1970."""
        return self.at


class Nobody:
    """Shows nothing."""

    def changed(self, live: LiveTable, *, answered: bool) -> None:
        """Nobody looks."""


class Strangers:
    """Remembers nobody."""

    async def hide(self, player_id: int, *, hidden: bool) -> None:
        """Nobody asks."""

    def forget(self, player_id: int) -> None:
        """Nobody was known."""
