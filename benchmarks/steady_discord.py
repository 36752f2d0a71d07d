"""Run the local Discord for many tables, without its garbage collector's pauses.

    python -m benchmarks.steady_discord [ARGUMENTS OF bot.sandbox]

This local Discord has more servers than usual, each with one channel (`hall`), since the
number of tables in a server is limited.

The local Discord keeps every message, so collections take ever longer. During a collection,
no press reaches the bot. In three and a half minutes at 300 tables, a collection of young
objects took 75 ms every 6 s, and the two full collections took 0.2 and 0.45 s. Collections
would free only about 400 objects a second.
"""

from __future__ import annotations

import gc
import runpy
from typing import Final

from bot.from_settings import TABLES_PER_GUILD
from bot.sandbox.world import Sandbox

SERVERS: Final = 64


def hall(table: int) -> str:
    """Return the name of the channel that has the thread of table number `table`, from 0."""
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
