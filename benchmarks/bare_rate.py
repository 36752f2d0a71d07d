"""Measure how many clicks a second a bare discord.py bot answers on this machine.

This is the most that the machine and its local Discord can do; on a slow machine, `soak` plays at a
fraction of it.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from benchmarks.crowd import proc_seconds
from benchmarks.setup import open_setup
from bot.sandbox.remote import RemotePerson
from bot.sandbox.screen import SeenMessage

TABLES: Final = 8  # clicked at the same time, each again as soon as it is answered
SECONDS: Final = 5.0  # that a round takes
ROUNDS: Final = 3

Json = dict[str, Any]


@dataclass(frozen=True)
class Bare:
    """A bare bot's speed.

    `wait` is the median time to an answer and `cpu` the bot's mean processor time for a click, both
    in ms, with a single click at a time. `rate` is the number of clicks answered per second with
    `TABLES` messages clicked at once, in the best of `ROUNDS` rounds.
    """

    wait: float
    cpu: float
    rate: float


async def bare_rate(folder: Path, table: list[Json]) -> Bare:
    """Measure a bare bot that shows messages with the components `table`."""
    copied = folder / "payloads.json"
    copied.write_text(json.dumps({"table": table}))
    async with open_setup(folder, 1) as setup:
        setup.module = ("benchmarks.bare_bot", str(copied))
        await setup.start()
        assert setup.bot is not None
        (person,) = setup.people
        for number in range(TABLES):
            await person.open_thread(setup.channel, f"Bare {number}")
        channels = await setup.world.channels()
        messages = []
        for number in range(TABLES):
            await person.slash(channels[f"Bare {number}"], "table")
            messages.append((await person.visible(channels[f"Bare {number}"]))[-1])
        await _clicks(person, messages[0])  # warms up, and is not counted
        used = proc_seconds(setup.bot.pid)
        alone = await _clicks(person, messages[0])
        cpu = 1000 * (proc_seconds(setup.bot.pid) - used) / len(alone)
        rates = []
        for _ in range(ROUNDS):
            begun = time.perf_counter()
            waits = await asyncio.gather(*(_clicks(person, message) for message in messages))
            rates.append(sum(map(len, waits)) / (time.perf_counter() - begun))
        return Bare(1000 * statistics.median(alone), cpu, max(rates))


async def _clicks(person: RemotePerson, message: SeenMessage) -> list[float]:
    """Choose from a message's list repeatedly for `SECONDS`; return the seconds of each wait."""
    waits: list[float] = []
    until = time.perf_counter() + SECONDS
    message = await person.current(message)
    while (begun := time.perf_counter()) < until:
        select = message.select()
        answer = await person.act(
            "select",
            channel=message.channel_id,
            message=message.id,
            custom_id=select["custom_id"],
            values=[select["options"][0]["value"]],
        )
        assert answer.message is not None
        waits.append(time.perf_counter() - begun)
        message = answer.message
    return waits
