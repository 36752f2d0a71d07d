"""Run a local Discord whose clock is stopped: `python -m tests.bot.standing_discord`.

On a busy machine a bot may need more than the three seconds that Discord allows. Here the clock
moves only at a SIGUSR1, by four seconds. The variable `HEARTBEAT_MS` is the heartbeat interval that
the bot is asked to keep, in milliseconds.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time

from bot.sandbox import gateway
from bot.sandbox.clock import ManualClock
from bot.sandbox.world import Sandbox

ELSEWHERE = "elsewhere"  # a channel of another server than the furnished one
TOO_LATE = 4.0  # seconds; Discord waits for three


async def serve() -> None:
    """Serve until standard input ends."""
    clock = ManualClock(time.time())
    usual = str(gateway.HEARTBEAT_INTERVAL_MS)
    gateway.HEARTBEAT_INTERVAL_MS = int(os.environ.get("HEARTBEAT_MS", usual))
    world = Sandbox(clock)
    world.emoji_room = 0  # what is read off a screen has cards
    address = await world.start()
    world.furnish()
    world.add_guild("Another House").add_text_channel(ELSEWHERE)
    asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, clock.advance, TOO_LATE)
    print(f"The local Discord is at {address}", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    await world.stop()


if __name__ == "__main__":
    asyncio.run(serve())
