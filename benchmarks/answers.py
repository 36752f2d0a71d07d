"""What /odds costs: an answer in Discord, a question across, and the bot's loop meanwhile.

    python -m benchmarks.answers

The real bot and the local Discord run in one process on loopback. First the loop's lag for ten
seconds from the moment the bot is ready, while kernels are loaded and four people ask at once: no
move waits longer than that. Then, with everything warm, the time from each command to its whole
answer, pictures included, every time another question; and the way to the computing process and
back with a small question. An empty folder as NUMBA_CACHE_DIR shows a first start, which compiles.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from bot.app import Bot, pointed_at
from bot.discord.odds.questions import PayChoices
from bot.from_settings import open_store
from bot.operations import logs
from bot.sandbox import Sandbox
from bot.sandbox.discord_state import Channel
from bot.sandbox.driver import Person
from bot.settings.config import Settings

ROUNDS: Final = 60
FIRST: Final = 3  # rounds that are not counted
SMALL: Final = 200
LAG_SECONDS: Final = 10.0
TICK: Final = 0.001
RANKS: Final = "23456789TJQKA"
AT_ONCE: Final[tuple[tuple[str, dict[str, Any]], ...]] = (
    ("odds showdown", {"hands": "AhKd vs QQ"}),
    ("odds three-card", {}),
    ("odds showdown", {"hands": "AhKd", "opponents": 4}),
    ("odds liars", {"in_play": 12}),
)


def questions(number: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """One question of each kind, others for every number."""
    one, other = RANKS[number % 13], RANKS[(number * 5 + 3) % 13]
    yield "odds liars", {"in_play": 8 + number % 20, "cards": "Ah Kd *", "bid": "33"}
    yield "odds thai", {"in_play": 6 + number % 12, "bid": "big straight"}
    yield "odds three-card", {"hand": f"{one}s {other}h Jd"}
    yield "odds showdown", {"hands": f"{one}h{other}d vs JcJs", "board": "9c 8c 7s"}


async def lag(people: list[Person], channel: Channel) -> list[float]:
    """Milliseconds by which the loop was late, while everybody asks."""
    late: list[float] = []
    asking = [
        asyncio.create_task(person.slash(channel, command, **typed))
        for person, (command, typed) in zip(people, AT_ONCE, strict=True)
    ]
    until = time.perf_counter() + LAG_SECONDS
    while (now := time.perf_counter()) < until:
        await asyncio.sleep(TICK)
        late.append((time.perf_counter() - now - TICK) * 1000)
    await asyncio.gather(*asking)
    return late


async def costs(person: Person, channel: Channel) -> dict[str, list[float]]:
    """Milliseconds from each command to its answer."""
    took: dict[str, list[float]] = {}
    for number in range(FIRST + ROUNDS):
        for command, typed in questions(number):
            began = time.perf_counter()
            answer = await (await person.slash(channel, command, **typed)).settled()
            milliseconds = (time.perf_counter() - began) * 1000
            if answer.message is None:
                raise SystemExit(f"{command} was not answered: {typed}")
            if number >= FIRST and not answer.message.ephemeral:  # a card given twice is refused
                took.setdefault(command, []).append(milliseconds)
    return took


async def across(bot: Bot) -> list[float]:
    """Milliseconds of small questions to the computing process."""
    took = []
    for _ in range(SMALL):
        began = time.perf_counter()
        await bot.computing.ask(PayChoices("bonus", "none begins so"))
        took.append((time.perf_counter() - began) * 1000)
    return took


def line(name: str, milliseconds: list[float]) -> str:
    """The median and the upper end."""
    cuts = statistics.quantiles(milliseconds, n=100, method="inclusive")
    return (
        f"{name:16} median {cuts[49]:5.2f} ms, 99 of 100 within {cuts[98]:5.2f} ms,"
        f" most {max(milliseconds):5.1f} ms"
    )


async def measure(folder: Path) -> None:
    """Start both, ask, stop both."""
    world = Sandbox()
    world.emoji_room = 0  # what is read off a screen has cards
    await world.start()
    channel = world.add_guild("The Snug").add_text_channel("poker-night")
    people = [world.add_person(name) for name in ("Ann", "Bob", "Cleo", "Dan")]
    settings = Settings.model_validate({"database": {"path": folder / "bluffhouse.db"}})
    with pointed_at(world.api_url, world.gateway_url):
        async with open_store(settings) as store:
            bot = Bot(settings, store, alone=True)
            running = asyncio.create_task(bot.run("sandbox"))
            await bot.ready.wait()
            print(line("lag of the loop", await lag(people, channel)))
            await bot.computing.warmed.wait()
            for command, took in (await costs(people[0], channel)).items():
                print(line(command, took))
            print(line("across and back", await across(bot)))
            await bot.stop()
            await running
    await world.stop()


def main() -> None:
    """Measure and print."""
    logs.configure("console", "error")
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(Path(folder)))


if __name__ == "__main__":
    main()
