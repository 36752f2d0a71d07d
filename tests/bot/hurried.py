"""Run the bot with shorter waits: `python -m tests.bot.hurried run`.

The bot loads compiled code at its first use: loading takes longer than the rest of a start, and
most process tests never use it. These environment variables shorten waits of twenty seconds to a
minute:

- `GRACE_MS`: the milliseconds that a start gives back to the player in turn
- `MISSED_BEATS`: the number of missed beats after which the watchdog ends the bot
- `SILENCE`: how many seconds the gateway may be silent
"""

from __future__ import annotations

import functools
import os
from typing import Any

import discord

from bot import app
from bot.__main__ import main as bluffhouse
from bot.operations import watchdog
from tests.crash.seams import skip_warming


def main() -> None:
    """Run the command line with the waiting times set in the environment."""
    skip_warming()
    environment, watched, client = os.environ, watchdog.run_watchdog, discord.Client
    changed: Any = watched
    if "GRACE_MS" in environment:
        app.GRACE_AFTER_START = int(environment["GRACE_MS"])  # type: ignore[misc]
    if "MISSED_BEATS" in environment:
        changed.__wrapped__.__kwdefaults__["missed"] = int(environment["MISSED_BEATS"])
    if "SILENCE" in environment:
        initialiser: Any = functools.partialmethod(
            client.__init__, heartbeat_timeout=float(environment["SILENCE"])
        )
        client.__init__ = initialiser  # type: ignore[method-assign]
    bluffhouse()


if __name__ == "__main__":
    main()
