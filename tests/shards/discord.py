"""`python -m tests.shards.discord --journal FILE --shards 6`: a local Discord with many servers.

As `tests.crash.discord`, with at least one server of each shard, its channels named by the shard.
Identifying goes by real time, all else by a clock that stands still.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from pathlib import Path
from typing import Final

from bot.sandbox.clock import ManualClock, shard_of
from bot.sandbox.limits import Admission
from bot.sandbox.world import Sandbox
from tests.crash.discord import Journal, watched

IDENTIFY_SECONDS: Final = 0.5
MAX_CONCURRENCY: Final = 2


class RealTime(Admission):
    """Discord's limits of identifying, by the machine's clock."""

    def admits(self, shard: int, now: float) -> bool:
        """Whether a shard may identify now."""
        return super().admits(shard, time.time())

    def remaining(self, now: float) -> int:
        """How many more sessions may begin today."""
        return super().remaining(time.time())


async def serve(journal_file: Path, shards: int, channels: int) -> None:
    """Serve until standard input ends."""
    clock = ManualClock(time.time())
    # every fault begins sessions, and a run has hundreds
    admission = RealTime(shards, MAX_CONCURRENCY, IDENTIFY_SECONDS, sessions_a_day=100_000)
    world = Sandbox(clock, admission=admission)

    async def furnish() -> None:
        missing = set(range(shards))
        while missing:
            made = world.add_guild(f"Server {len(world.state.guilds)}")
            clock.advance(0.001)  # the shard goes by the milliseconds of the id
            shard = shard_of(made.id, shards)
            if shard in missing:
                missing.discard(shard)
                for number in range(channels):
                    made.add_text_channel(f"shard-{shard}-{number}")

    with journal_file.open("a", encoding="utf-8") as file:
        journal = Journal(file)
        await watched(world, clock, journal, furnish)
        journal.note("identified", refused=admission.refused)


def main() -> None:
    """Read the command line and serve."""
    parser = argparse.ArgumentParser(prog="python -m tests.shards.discord", description=__doc__)
    parser.add_argument("--journal", type=Path, required=True)
    parser.add_argument("--shards", type=int, required=True)
    parser.add_argument("--channels", type=int, default=1)
    given = parser.parse_args()
    asyncio.run(serve(given.journal, given.shards, given.channels))


if __name__ == "__main__":
    main()
