"""The local Discord for many tables, without the standstills of its garbage collector.

    python -m benchmarks.steady_discord [ARGUMENTS OF bot.sandbox]

A server takes so many live tables, so there are further ones, each with a channel: see `hall`.

It keeps every message, so to look through what it has takes ever longer: at 300 tables 75 ms every
6 s even for what is young, and twice in three and a half minutes 0.2 and 0.45 s, in which no press
reaches the bot. What it would have collected is some 400 objects a second.
"""

from __future__ import annotations

import gc
import runpy
from typing import Final

from bot.from_settings import TABLES_PER_GUILD
from bot.sandbox.world import Sandbox

SERVERS: Final = 64


def hall(table: int) -> str:
    """The channel in whose threads the table of that number, from 0, has its place."""
    return f"hall-{table // TABLES_PER_GUILD}"


def _furnish_steadily(world: Sandbox) -> None:
    _furnish(world)
    for number in range(SERVERS):
        world.add_guild(f"Server {number}").add_text_channel(hall(number * TABLES_PER_GUILD))


_furnish = Sandbox.furnish

if __name__ == "__main__":
    gc.disable()
    Sandbox.furnish = _furnish_steadily  # type: ignore[method-assign, assignment]
    runpy.run_module("bot.sandbox", run_name="__main__", alter_sys=True)
