"""What players wait for while a bot that was killed catches up, under Discord's limit of requests.

    python -m benchmarks.catching_up [--tables 300] [--seconds 20] [--deals 4] [--turns 2]

The local Discord takes 50 requests a second, answers aside, as Discord does. A match is under way
at every table, and people have talked below it since. The bot is killed and started again: it looks
into each channel and draws each table anew. From the moment it is ready people challenge and deal
at random tables, so many times a second; told is how long they wait for the showdown or the deal to
be there. In turns the bot paces its requests (`discord.requests_per_second` at its default) and
does not (0).
"""

from __future__ import annotations

import argparse
import asyncio
import os
import platform
import tempfile
import time
from pathlib import Path
from random import Random
from typing import Final

from benchmarks.crowd import ROOM, Crowd, nobody_reminded, spread
from benchmarks.played import PlayedTable
from benchmarks.premises import Premises, premises
from benchmarks.reading import TURN
from bot.sandbox.errors import CannotDo, InteractionFailed
from bot.settings.schema import DiscordSettings

LIMIT: Final = 50
LOOK: Final = 0.02  # seconds between two looks at the channel
GIVEN_UP: Final = 60.0
PACE: Final = "BLUFFHOUSE_DISCORD__REQUESTS_PER_SECOND"
REFUSED: Final = "We are being rate limited"
RESUMED: Final = "bot: all tables resumed"


async def waited(table: PlayedTable) -> float | None:
    """Challenge or deal: seconds until its message is there. None: a bid was made, or nothing."""
    try:
        before = await table.shown()
        if before is None:
            return None
        begun = time.perf_counter()
        found = TURN.search(before.text)
        if "Next round" in before.buttons:
            await table._press(table.people[0], before, "Next round")
        elif "Check bid" in before.buttons and found is not None:
            person = next(one for one in table.people if one.id == found[1])
            await table._press(person, before, "Check bid")
        else:
            await table.step()
            return None
    except (CannotDo, InteractionFailed):
        return None
    if not table.moves[-1].answered:
        return None
    while (now := await table.shown()) is None or now.id == before.id:
        if time.perf_counter() > begun + GIVEN_UP:
            break
        await asyncio.sleep(LOOK)
    return time.perf_counter() - begun


async def caught_up(
    here: Premises, tables: list[PlayedTable], given: argparse.Namespace, pace: float
) -> str:
    """Kill the bot, have people talk, start it, and play while it catches up."""
    here.kill()
    for table in tables:
        await table.people[0].say(table.channel, "Is it away?")
    here.more = ROOM | {PACE: f"{pace:g}"}
    await here.start()
    begun, chance = time.perf_counter(), Random(2)
    log = here.folder / f"bot-{here.starts}.log"
    free, playing = set(range(len(tables))), set[asyncio.Task[None]]()
    waits: list[float] = []
    over = 0.0

    async def one(number: int) -> None:
        found = await waited(tables[number])
        free.add(number)
        if found is not None:
            waits.append(found)

    for count in range(int(given.seconds * given.deals)):
        await asyncio.sleep(max(0.0, begun + count / given.deals - time.perf_counter()))
        number = chance.choice(sorted(free))
        free.discard(number)
        task = asyncio.create_task(one(number))
        playing.add(task)
        task.add_done_callback(playing.discard)
        if not over and RESUMED in log.read_text():
            over = time.perf_counter() - begun
    await asyncio.gather(*playing)
    while not over:
        await asyncio.sleep(0.1)
        if RESUMED in log.read_text():
            over = time.perf_counter() - begun
    refused = log.read_text().count(REFUSED)
    return (
        f"showdowns and deals ({len(waits)}): {spread(waits)}; all tables shown again after"
        f" {over:.0f} s; {refused} requests refused"
    )


async def measure(folder: Path, given: argparse.Namespace) -> None:
    """Open the tables, then kill and start in turns."""
    limit = ("--unlimited", "--no-emoji", "--requests-per-second", str(LIMIT))
    async with premises(folder, 0, "benchmarks.steady_discord", options=limit) as here:
        here.more = ROOM | {PACE: f"{DiscordSettings().requests_per_second:g}"}
        await here.start()
        await nobody_reminded(here)
        crowd = Crowd([], Random(1))
        await crowd.grow(here, given.tables)
        tables = [PlayedTable(one.channel, one.people, Random(3)) for one in crowd.tables]
        for _ in range(given.turns):
            for name, pace in (
                ("paced", DiscordSettings().requests_per_second),
                ("not paced", 0.0),
            ):
                print(f"{name:10} {await caught_up(here, tables, given, pace)}", flush=True)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--tables", type=int, default=300)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--deals", type=float, default=4.0, help="attempts a second")
    parser.add_argument("--turns", type=int, default=2)
    given = parser.parse_args()
    load = os.getloadavg()[0]
    print(f"Python {platform.python_version()}, {os.cpu_count()} cores, load {load:.1f}")
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(Path(folder), given))


if __name__ == "__main__":
    main()
