"""`python -m tests.bot.impatient run`: the bot, that takes a silent gateway for dead in a moment.

The client library waits a minute, which no test should. Before it begins another session it is
silent for five seconds itself.
"""

from __future__ import annotations

from typing import Any

import discord

from bot.__main__ import main as bluffhouse
from tests.crash.seams import leave_cold

SILENCE = 7.0  # seconds

made = discord.Client.__init__


def impatiently(self: discord.Client, *arguments: Any, **more: Any) -> None:
    """The library's own, with its silence set."""
    made(self, *arguments, heartbeat_timeout=SILENCE, **more)


def main() -> None:
    """Run the command line so."""
    leave_cold()
    discord.Client.__init__ = impatiently  # type: ignore[method-assign]
    bluffhouse()


if __name__ == "__main__":
    main()
