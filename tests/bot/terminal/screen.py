"""Read the screen of a terminal match as text, and press its keys."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from textual.pilot import Pilot
from textual.widgets import Input

from bot.terminal.app import TerminalApp
from bot.terminal.table import TerminalTable
from engine.state import Phase, Round
from engine.variants import ruleset

SIZE = (80, 24)


class Player:
    """A player who presses keys and reads the screen."""

    def __init__(self, app: TerminalApp, pilot: Pilot[None]) -> None:
        self.app, self.pilot = app, pilot

    async def press(self, *keys: str) -> None:
        """Press keys one after the other, waiting for the computer players after each."""
        for key in keys:
            await self.pilot.press(key)
            await self.settle()

    async def type(self, text: str) -> None:
        """Open the field for a typed bid, fill it in and press Enter."""
        await self.press("/")
        self.app.query_one("#typed", Input).value = text
        await self.press("enter")

    async def settle(self) -> None:
        """Wait until the computer players have acted and everything is drawn."""
        await self.pilot.pause()
        await self.app.workers.wait_for_complete()
        await self.pilot.pause()

    @property
    def lines(self) -> list[str]:
        """Return the lines of the screen as a player sees them."""
        screen = self.app.screen
        return [
            "".join(segment.text for segment in strip).rstrip()
            for strip in screen._compositor.render_strips()
        ]

    @property
    def text(self) -> str:
        """Return the screen as one string, with single spaces."""
        return " ".join(" ".join(self.lines).split())

    @property
    def round(self) -> Round:
        current = self.app.table.match.round
        assert current is not None
        return current

    @property
    def phase(self) -> Phase:
        return self.app.table.match.phase


@asynccontextmanager
async def start_match(
    game: str,
    against: Sequence[str],
    seed: int = 3,
    size: tuple[int, int] = SIZE,
    **options: bool | int | str,
) -> AsyncIterator[Player]:
    """Start a match with computer players that do not pause."""
    table = TerminalTable(ruleset(game, options), against, seed)
    app = TerminalApp(table, pause=0, patience=None)
    async with app.run_test(size=size) as pilot:
        player = Player(app, pilot)
        await player.settle()
        yield player
