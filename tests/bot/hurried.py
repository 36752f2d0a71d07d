"""`python -m tests.bot.hurried run`: the bot, whose start gives back no time to whoever is to act.

For a test that waits for what is due after a start: it would wait for twenty seconds.
"""

from __future__ import annotations

from bot import app
from bot.__main__ import main

if __name__ == "__main__":
    app.GRACE_AFTER_START = 0  # type: ignore[misc]
    main()
