"""What a round costs: requests, uploads, bytes and processor time, four people with open seats.

    python -m benchmarks.round_cost [--rounds 8]

Each round four bids are made from the table's list, then somebody doubts, and the next is dealt.
Bytes are those of JSON bodies, files the pictures uploaded; processor time is that of the bot with
its processes, until it is idle (Linux).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import tempfile
import time
from pathlib import Path

from benchmarks.moves import cpu_seconds
from benchmarks.premises import Premises, premises


def used(process: int) -> float:
    """Processor time of a process and of those that it has begun."""
    total = cpu_seconds(process)
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(file.read_text().rpartition(")")[2].split()[1])
            total += cpu_seconds(int(file.parent.name)) if parent == process else 0.0
        except OSError:  # it has ended
            continue
    return total


async def idle(process: int) -> float:
    """Wait until hardly any processor time is used any more; how much was."""
    before, now = -1.0, used(process)
    while now - before > 0.005:
        await asyncio.sleep(1.0)
        before, now = now, used(process)
    return now


async def play_round(here: Premises, number: int) -> bool:
    """Four bids, a doubt, the next deal. Whether the match goes on."""
    for _ in range(4):
        person, shown = await here.turn(), await here.shown()
        first = shown.select(None)["options"][0]["label"]
        await (await person.select(shown, None, first)).settled()
    person, shown = await here.turn(), await here.shown()
    doubt = next(one for one in shown.buttons if one.startswith("Check") and "deal" not in one)
    await (await person.click(shown, doubt)).settled()
    shown = await here.until_shown("Showdown")
    if "Next round" not in shown.buttons:
        return False
    await (await person.click(shown, "Next round")).settled()
    await here.until_shown(f"Round {number + 1}", "My seat")
    return True


async def measure(folder: Path, rounds: int) -> None:
    """Play, and print a line for each round."""
    async with premises(folder, 4, options=("--unlimited",)) as here:
        await here.start()
        await here._logged("emoji: cards uploaded")
        await here.begin("Thai Poker")
        assert here.bot is not None
        process = here.bot.pid
        before = await idle(process)
        for number in range(1, rounds + 1):
            mark = await here.world.mark()
            if not await play_round(here, number):
                break
            now = await idle(process)
            asked = await here.world.requests(mark)
            files = sorted({file for one in asked for file in one["files"]})
            body = sum(len(json.dumps(one["body"], ensure_ascii=False).encode()) for one in asked)
            print(
                f"round {number}: {len(asked)} requests, {body / 1000:.1f} kB of JSON,"
                f" {len(files)} files, {1000 * (now - before):.0f} ms of processor time"
            )
            before = now


def main() -> None:
    """Measure at a local Discord and a bot of one's own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=8)
    arguments = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(Path(folder), arguments.rounds))
    print(f"{time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
