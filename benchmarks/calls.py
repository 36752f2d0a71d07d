"""Count the function calls between a bid's COMMIT and its answer, while a person waits.

    python -m benchmarks.calls [--clicks 10] [--list 40]

A bid is chosen from the table's list, while both players have their seats open. The figure is the
number of `call` events of `sys.setprofile` in the event loop's thread: calls of functions written
in Python, and each time a generator or coroutine resumes. Counting begins when the store's commit
returns to the loop, and ends when the request that answers the press is written. There is a figure
for all calls, and a figure for the bot's own functions (`bot`, `engine`). A busy machine does not
change them. `--list` is the number of most called functions to print, with their calls per bid.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import runpy
import statistics
import sys
import tempfile
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any, Final

import aiohttp

from benchmarks.moves import GAME, Bluffhouse, Figures
from benchmarks.setup import ROOT, open_setup
from bot.storage.tables import SqlTables

OURS: Final = tuple(f"{ROOT / name}/" for name in ("bot", "engine"))
COUNT: Final = "calls: "


class Count:
    """A count of the function calls between `begin` and `end`."""

    def __init__(self) -> None:
        self.calls: Counter[str] = Counter()

    def begin(self) -> None:
        """Start counting from 0."""
        self.calls.clear()
        sys.setprofile(self._count_call)

    def end(self) -> None:
        """Stop counting; if there were calls, print a line with them: `COUNT`, then JSON."""
        sys.setprofile(None)
        if self.calls:
            print(COUNT + json.dumps(self.calls), flush=True)
            self.calls.clear()

    def _count_call(self, frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            code = frame.f_code
            self.calls[f"{code.co_filename}:{code.co_firstlineno} {code.co_qualname}"] += 1


def serve() -> None:
    """Run the bot until it is stopped; print the function calls that each bid causes."""
    count, commit, send = Count(), SqlTables.commit, aiohttp.ClientRequest.send

    async def commit_and_note(self: SqlTables, *args: Any) -> Any:
        stored = await commit(self, *args)
        count.begin()
        return stored

    async def sent(self: aiohttp.ClientRequest, *args: Any) -> Any:
        response = await send(self, *args)
        count.end()
        return response

    SqlTables.commit = commit_and_note  # type: ignore[assignment, method-assign]
    aiohttp.ClientRequest.send = sent  # type: ignore[assignment, method-assign]
    sys.argv = ["bot", "run"]
    runpy.run_module("bot", run_name="__main__", alter_sys=True)


async def run(folder: Path, clicks: int) -> list[Counter[str]]:
    """Make `clicks` bids; return each bid's number of calls by function."""
    async with open_setup(folder, 2) as setup:
        setup.extra_settings = {"BLUFFHOUSE_TABLES__TURN_MINUTES": "0"}
        setup.module = ("benchmarks.calls", "--serve")
        await setup.start()
        await setup.begin(GAME)
        side = Bluffhouse(setup)
        await side.open_seats()
        for _ in range(2):  # fill the caches
            await side.choose(Figures())
        log = setup.folder / f"bot-{setup.starts}.log"
        before = log.read_text().count(COUNT)
        for _ in range(clicks):
            await side.choose(Figures())
        lines = [line for line in log.read_text().splitlines() if line.startswith(COUNT)]
        return [Counter(json.loads(line.removeprefix(COUNT))) for line in lines[before:]]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--clicks", type=int, default=10, help="bids, fewer than a round has")
    parser.add_argument("--list", type=int, default=0, help="functions to list")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve()
        return
    with tempfile.TemporaryDirectory() as folder:
        counted = asyncio.run(run(Path(folder), options.clicks))
    ours = [sum(n for name, n in calls.items() if name.startswith(OURS)) for calls in counted]
    for name, counts in (("the bot's own", ours), ("all", [calls.total() for calls in counted])):
        print(f"{name}: median {statistics.median(counts):.0f}, {min(counts)} to {max(counts)}")
    for name, n in sum(counted, Counter[str]()).most_common(options.list):
        print(f"{n / len(counted):6.1f}  {name.removeprefix(f'{ROOT}/')}")


if __name__ == "__main__":
    main()
