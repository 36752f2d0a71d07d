"""`python -m tests.powerloss.careless run`: the bot, with a database that never syncs.

The judge is judged by it: moves that were answered must be found lost.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bot.__main__ import main
from bot.storage import engines

FULL, OFF = "PRAGMA synchronous=FULL", "PRAGMA synchronous=OFF"


def carelessly(at_connect: Callable[..., None]) -> Callable[..., None]:
    """`at_connect`, and nothing is synced."""

    def prepared(engine: Any, *statements: str) -> None:
        at_connect(engine, *(one.replace(FULL, OFF) for one in statements))

    return prepared


if __name__ == "__main__":
    engines._at_connect = carelessly(engines._at_connect)
    main()
