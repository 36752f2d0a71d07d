"""`python -m tests.bot.hurried run`: the bot, whose waits are as short as its environment says.

`GRACE_MS` is what a start gives back to whoever is to act, nothing unless it is set; `MISSED_BEATS`
how long its loop may stand still. A test would wait for twenty seconds, and for a minute.
"""

from __future__ import annotations

import os
from typing import Any

from bot import app
from bot.__main__ import main as bluffhouse
from bot.operations import watchdog
from tests.crash.seams import leave_cold


def main() -> None:
    """Run the command line so."""
    leave_cold()
    app.GRACE_AFTER_START = int(os.environ.get("GRACE_MS", "0"))  # type: ignore[misc]
    watched: Any = watchdog.watched
    watched.__wrapped__.__kwdefaults__["missed"] = int(os.environ.get("MISSED_BEATS", "60"))
    bluffhouse()


if __name__ == "__main__":
    main()
