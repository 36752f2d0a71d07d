"""`python -m tests.bot.hurried run`: the bot, whose start gives back no time to whoever is to act.

For a test that waits for what is due after a start: it would wait for twenty seconds.
"""

from __future__ import annotations

from bot import app
from bot.__main__ import main as bluffhouse
from tests.crash.seams import leave_cold


def main() -> None:
    """Run the command line so."""
    leave_cold()
    app.GRACE_AFTER_START = 0  # type: ignore[misc]
    bluffhouse()


if __name__ == "__main__":
    main()
