"""`python -m tests.bot.hurried run`: the bot, whose waits are as short as its environment says.

It loads no compiled code before it is asked: that takes longer than all else of a start, and most
tests of a process ask for none.
`GRACE_MS` is what a start gives back to whoever is to act, `MISSED_BEATS` how long its loop may
stand still, `SILENCE` for how many seconds the gateway may be silent. A test would wait for twenty
seconds, and for a minute each.
"""

from __future__ import annotations

import functools
import os
from typing import Any

import discord

from bot import app
from bot.__main__ import main as bluffhouse
from bot.operations import watchdog
from tests.crash.seams import leave_cold


def main() -> None:
    """Run the command line so."""
    leave_cold()
    told, watched, client = os.environ, watchdog.run_watchdog, discord.Client
    changed: Any = watched
    if "GRACE_MS" in told:
        app.GRACE_AFTER_START = int(told["GRACE_MS"])  # type: ignore[misc]
    if "MISSED_BEATS" in told:
        changed.__wrapped__.__kwdefaults__["missed"] = int(told["MISSED_BEATS"])
    if "SILENCE" in told:
        made: Any = functools.partialmethod(
            client.__init__, heartbeat_timeout=float(told["SILENCE"])
        )
        client.__init__ = made  # type: ignore[method-assign]
    bluffhouse()


if __name__ == "__main__":
    main()
