# ruff: noqa: ASYNC110 - other processes tell by what can be seen
"""The processes of a run: a PostgreSQL, the local Discord, and several processes of the bot."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from benchmarks.premises import PATIENCE, environment
from bot.sandbox.discord_state import Json
from bot.sandbox.remote import FAILED, Query, RemoteWorld
from bot.settings.schema import FairUseSettings
from tests.bot.storage.conftest import programs, running_cluster
from tests.crash.house import LOOK, READY, RESUMED, SETTINGS, NotUp
from tests.shards.discord import IDENTIFY_SECONDS
from tests.shards.relay import Relay

EACH: Final = 2  # shards of a process
STANDS_BY: Final = "bot: stands by"


class TimedWorld(RemoteWorld):
    """A running emulator that knows how long each press was waited for, in seconds."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.waits: list[float] = []
        self.unanswered = 0

    async def ask(
        self, method: str, path: str, body: Json | None = None, query: Query | None = None
    ) -> Json:
        """As it does; a press is answered when this returns."""
        begun = time.monotonic()
        answer = await super().ask(method, path, body, query)
        if path == "/page/act":
            if answer["ok"]:
                self.waits.append(time.monotonic() - begun)
            elif answer["error"] == FAILED:
                self.unanswered += 1
        return answer


@dataclass
class Process:
    """One process of the bot: number `number` of a numbered set, with its shards."""

    number: int
    folder: Path
    settings: dict[str, str]
    nursery: subprocess.Popen[str]
    relay: Relay
    unhurried: bool = False
    starts: int = 0
    pid: int = 0

    def successor(self) -> Process:
        """Another process of the same shards, started."""
        other = replace(self)
        other.begin()
        return other

    @property
    def shards(self) -> range:
        """The shards that it serves."""
        return range(self.number * EACH, (self.number + 1) * EACH)

    @property
    def log(self) -> Path:
        """The log of its latest start."""
        return self.folder / f"bot-{self.number}-{self.starts}.log"

    @property
    def ended(self) -> bool:
        """Whether it is over."""
        return not self.pid or (self.folder / f"ended-{self.pid}").exists()

    def begin(self) -> None:
        """Start it."""
        self.starts += 1
        self.log.touch()
        report = self.folder / f"point-{self.number}-{self.starts}"
        pace = str(IDENTIFY_SECONDS + 0.1)
        patience = ["--unhurried", str(PATIENCE)] if self.unhurried else []
        wanted = {
            "log": str(self.log),
            "environment": environment(**self.settings),
            "arguments": ["--report", str(report), "--identify", pace, *patience],
        }
        assert self.nursery.stdin is not None
        assert self.nursery.stdout is not None
        self.nursery.stdin.write(json.dumps(wanted) + "\n")
        self.nursery.stdin.flush()
        self.pid = int(self.nursery.stdout.readline())

    async def until(self, said: str) -> None:
        """Wait until its log has a line with this. Raises `NotUp`."""
        try:
            async with asyncio.timeout(PATIENCE):
                while said not in self.log.read_text(errors="replace"):
                    if self.ended:
                        raise NotUp(f"it ended by itself: {self.log.read_text()[-2000:]}")
                    await asyncio.sleep(LOOK)
        except TimeoutError:
            raise NotUp(
                f"no {said!r} after {PATIENCE:.0f} s: {self.log.read_text()[-2000:]}"
            ) from None

    async def until_ready(self) -> None:
        """Wait until it is ready. Raises `NotUp`."""
        await self.until(READY)

    async def until_standing_by(self) -> None:
        """Wait until it can take over from the process that has its shards. Raises `NotUp`."""
        await self.until(STANDS_BY)

    async def until_resumed(self) -> None:
        """Wait until every table of its shards is shown again. Raises `NotUp`."""
        await self.until(RESUMED)

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal, if it is there."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def kill(self) -> None:
        """SIGKILL it, and wait until it is gone."""
        self.signal(signal.SIGKILL)
        while not self.ended:
            time.sleep(0.001)

    async def stop(self) -> int:
        """SIGTERM it; its exit code. Raises `NotUp`."""
        self.signal(signal.SIGTERM)
        try:
            async with asyncio.timeout(PATIENCE):
                while not self.ended:
                    await asyncio.sleep(LOOK)
        except TimeoutError:
            raise NotUp(f"SIGTERM did not end it in {PATIENCE:.0f} s") from None
        return int((self.folder / f"ended-{self.pid}").read_text())


@dataclass
class Shared:
    """Everything that runs."""

    folder: Path
    world: TimedWorld
    postgres: str
    discord: subprocess.Popen[str]
    processes: list[Process] = field(default_factory=list)

    @property
    def journal(self) -> Path:
        """What the local Discord wrote down."""
        return self.folder / "journal.jsonl"

    def tell_discord(self, order: str) -> None:
        """Give the local Discord an order (`tests.shards.discord`)."""
        assert self.discord.stdin is not None
        self.discord.stdin.write(f"{order}\n")
        self.discord.stdin.flush()


@contextmanager
def _discord(
    folder: Path, shards: int, channels: int
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    with (folder / "discord.log").open("wb") as log:
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "tests.shards.discord", "--journal", "journal.jsonl"),
                *("--shards", str(shards), "--channels", str(channels)),
            ],
            cwd=folder,
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            start_new_session=True,
        )
    assert process.stdout is not None
    assert process.stdin is not None
    try:
        yield process, process.stdout.readline().rsplit(" ", 1)[-1].strip()
    finally:
        process.stdin.close()
        process.wait(PATIENCE)
        process.stdout.close()


@asynccontextmanager
async def shared(
    folder: Path,
    victims: subprocess.Popen[str],
    processes: int,
    channels: int,
    *,
    unhurried: bool = False,
) -> AsyncIterator[Shared]:
    """A PostgreSQL and a local Discord, with processes to be started; ended with the block."""
    folder.mkdir(parents=True, exist_ok=True)
    found = programs()
    assert found is not None, "expected a PostgreSQL server, e.g. apt-get install postgresql"
    count = processes * EACH
    with (
        running_cluster(found, "-c max_connections=60") as postgres,
        _discord(folder, count, channels) as (discord, address),
    ):
        socket = Path(postgres.partition("host=")[2]) / ".s.PGSQL.5432"
        async with TimedWorld(address) as world:
            here = Shared(folder, world, postgres, discord)
            try:
                for number in range(processes):
                    relay = Relay(socket)
                    await relay.start()
                    settings = _settings(address, relay.port, number, count)
                    process = Process(number, folder, settings, victims, relay, unhurried)
                    here.processes.append(process)
                yield here
            finally:
                for one in here.processes:
                    one.signal(signal.SIGCONT)
                    if not one.ended:
                        one.kill()
                    await one.relay.stop()


def _settings(address: str, port: int, number: int, count: int) -> dict[str, str]:
    first = number * EACH
    return SETTINGS | {
        "BLUFFHOUSE_DISCORD__API_URL": f"{address}/api/v10",
        "BLUFFHOUSE_DISCORD__GATEWAY_URL": f"{address.replace('http', 'ws', 1)}/gateway",
        "BLUFFHOUSE_DATABASE__URL": f"postgresql://bluffhouse@127.0.0.1:{port}/postgres",
        "BLUFFHOUSE_SHARDS__COUNT": str(count),
        "BLUFFHOUSE_SHARDS__IDS": f"{first}-{first + EACH - 1}",
        "BLUFFHOUSE_LOGS__LEVEL": "debug",
        "BLUFFHOUSE_COMPUTERS__PAUSE_SECONDS": "0.05",
        # the people here ask as fast as a machine can
        "BLUFFHOUSE_DISCORD__REQUESTS_PER_SECOND": "0",
        "BLUFFHOUSE_FAIR_USE": json.dumps(dict.fromkeys(FairUseSettings.model_fields, 0)),
    }
