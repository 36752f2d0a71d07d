"""`python -m tests.powerloss.careless run`: the bot, with a database that never syncs.

This bot tests the judge, which must find that acknowledged moves are lost.
"""

from __future__ import annotations

from bot.__main__ import main
from bot.storage import sqlite

if __name__ == "__main__":
    sqlite.SYNC = "PRAGMA synchronous=OFF"  # type: ignore[misc]
    main()
