"""How long a move takes to be answered: the real bot and the local Discord on loopback.

    python -m benchmarks.moves

A person chooses a bid at the table; the time goes from the choice to the bot's answer, so the
emulator's own work is in it. Both run in one process, which makes the figures larger, not smaller.
The database is a file in a temporary folder, written as always (WAL, synchronous=FULL).
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from pathlib import Path
from typing import Final

from benchmarks.reading import TURN
from bot import logs
from bot.app import Bot, open_store, pointed_at
from bot.config import Settings
from bot.sandbox import Sandbox
from bot.sandbox.driver import Person
from bot.sandbox.screen import SeenMessage
from bot.sandbox.state import Channel

MOVES: Final = 200
ROUND: Final = 20  # bids before somebody doubts
GOAL_MS: Final = 20.0


def table_message(viewer: Person, channel: Channel) -> SeenMessage:
    """The lowest message with controls."""
    return [one for one in viewer.visible(channel) if one.components and not one.ephemeral][-1]


async def timed_moves(bot: Bot, people: list[Person], channel: Channel) -> list[float]:
    """Milliseconds of each bid, over as many rounds and matches as it takes."""
    by_id = {person.id: person for person in people}
    milliseconds: list[float] = []
    bids = 0
    await people[0].slash(channel, "play", game="Liars' Poker")
    await people[1].click(table_message(people[0], channel), "Join")
    while len(milliseconds) < MOVES:
        await bot.announcer.settled()
        message = table_message(people[0], channel)
        onward = {"Start", "Next round", "Play again"} & set(message.buttons)
        turn = TURN.search(message.text)
        if onward:
            await people[0].click(message, onward.pop())
            await bot.announcer.settled()
            if "I'm in" in table_message(people[0], channel).buttons:  # asked to play again
                await people[1].click(table_message(people[0], channel), "I'm in")
            bids = 0
        elif turn is not None and bids == ROUND:
            await by_id[turn[1]].click(message, "Challenge")
        elif turn is not None:
            person, select = by_id[turn[1]], message.select()
            nearest = select["options"][0]["value"]
            began = time.perf_counter()
            answered = await person.select(message, select["placeholder"], nearest)
            milliseconds.append((time.perf_counter() - began) * 1000)
            if answered.kind != "update":
                raise SystemExit(f"a move was not taken: {answered.text}")
            bids += 1
    return milliseconds


async def measure(folder: Path) -> list[float]:
    """Start both, play, stop both."""
    world = Sandbox()
    await world.start()
    channel = world.add_guild("The Snug").add_text_channel("poker-night")
    people = [world.add_person("Ann"), world.add_person("Bob")]
    settings = Settings.model_validate({"database": {"path": folder / "bluffhouse.db"}})
    with pointed_at(world.api_url, world.gateway_url):
        async with open_store(settings) as store:
            bot = Bot(settings, store)
            running = asyncio.create_task(bot.run("sandbox"))
            await bot.ready.wait()
            found = await timed_moves(bot, people, channel)
            await bot.stop()
            await running
    await world.stop()
    return found


def main() -> None:
    """Measure and print."""
    logs.configure("console", "error")
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(measure(Path(folder)))
    cuts = statistics.quantiles(found, n=100)
    print(f"{len(found)} moves: median {statistics.median(found):.1f} ms", end="")
    print(f", 95 of 100 within {cuts[94]:.1f} ms, slowest {max(found):.1f} ms", end="")
    print(f" (goal: median under {GOAL_MS:.0f} ms)")


if __name__ == "__main__":
    main()
