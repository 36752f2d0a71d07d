"""The processes of a run: a PostgreSQL, the local Discord, and several processes of the bot."""

from __future__ import annotations

import asyncio
import json
import signal
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from benchmarks.setup import PATIENCE
from bot.sandbox.discord_state import Json
from bot.sandbox.interactions import ANSWER_SECONDS
from bot.sandbox.remote import FAILED, Query, RemoteWorld
from bot.settings.schema import FairUseSettings
from tests.bot.storage.conftest import programs, running_cluster
from tests.crash.discord import IDENTIFY_SECONDS
from tests.crash.setup import Discord, Process, watched_discord
from tests.shards.relay import Relay

EACH: Final = 2  # shards of a process
STANDS_BY: Final = "bot: stands by"
LOST, FOUND = "database: the session was lost", "database: the session is there again"
BARE_SECONDS: Final = 0.1  # between two simple requests


class TimedWorld(RemoteWorld):
    """A connection to a running emulator that measures how long each press waits for its answer.

    While `ask_all_the_while` runs, the time of simple requests is measured too, so that a slow
    machine can be told from a slow bot.
    """

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self._presses: list[tuple[float, float]] = []  # when made, when answered
        self._bare: list[tuple[float, float]] = []  # the same for requests without the bot
        self.unanswered = 0

    @property
    def waits(self) -> list[float]:
        """The seconds until the answer, for each press that was answered."""
        return [answered - pressed for pressed, answered in self._presses]

    @property
    def late(self) -> list[float]:
        """The waits, in seconds, that exceed Discord's limit plus the machine's own delay.

        The machine's delay is the longest wait for a simple request at the same time as the press.
        """
        delays = []
        for pressed, answered in self._presses:
            bare = [end - begun for begun, end in self._bare if begun < answered and pressed < end]
            if answered - pressed - max(bare, default=0.0) > ANSWER_SECONDS:
                delays.append(answered - pressed)
        return delays

    async def ask_all_the_while(self) -> None:
        """Time simple requests until cancelled."""
        while True:
            begun = time.monotonic()
            await self.ask("GET", "/page/people")
            self._bare.append((begun, time.monotonic()))
            await asyncio.sleep(BARE_SECONDS)

    async def ask(
        self, method: str, path: str, body: Json | None = None, query: Query | None = None
    ) -> Json:
        """Make a request. Store when a press began and was answered; count unanswered presses."""
        begun = time.monotonic()
        answer = await super().ask(method, path, body, query)
        if path == "/page/act":
            if answer["ok"]:
                self._presses.append((begun, time.monotonic()))
            elif answer["error"] == FAILED:
                self.unanswered += 1
        return answer


@dataclass(kw_only=True)
class Member(Process):
    """One process of a numbered set, with its own connection to the database."""

    number: int
    relay: Relay

    def successor(self) -> Member:
        """Start another process for the same shards and return it."""
        replacement = replace(self)
        replacement.begin()
        return replacement

    async def until_standing_by(self) -> None:
        """Wait until this process can take over from the process that has its shards.

        Raises `NotUp` if this process ends instead, or after `PATIENCE` seconds.
        """
        await self.until_logged(STANDS_BY)

    @property
    def losses(self) -> int:
        """The number of times that the process has lost its session with the database."""
        return self.log.read_text().count(LOST)

    async def until_in_session(self, before: int) -> None:
        """Wait until the process has lost more than `before` sessions, and has a session again.

        Otherwise a successor would take the process's shards at once instead of standing by. Raises
        `NotUp` after `PATIENCE` seconds.
        """

        def back() -> bool:
            return before < self.losses <= self.log.read_text().count(FOUND)

        await self._until(back, "no session with the database")


@dataclass
class Setup:
    """A PostgreSQL's address, a local Discord, and the bot's processes."""

    folder: Path
    world: TimedWorld
    postgres: str
    discord: Discord
    processes: list[Member] = field(default_factory=list)


@asynccontextmanager
async def open_setup(
    folder: Path, processes: int, channels: int, *, unhurried: bool = False
) -> AsyncIterator[Setup]:
    """Run a PostgreSQL and a local Discord; yield them with `processes` bots that can be started.

    Each shard's server has `channels` channels. `unhurried`: allow each step of stopping more time.
    At the end, kill the processes.
    """
    binaries = programs()
    assert binaries is not None, "expected a PostgreSQL server, e.g. apt-get install postgresql"
    count = processes * EACH
    pace = str(IDENTIFY_SECONDS + 1.0)  # a busy machine may delay one identify and not the next
    arguments = ("--identify", pace, *(("--unhurried", str(PATIENCE)) if unhurried else ()))
    options = ("--shards", str(count), "--channels", str(channels))
    with (
        running_cluster(binaries, "-c max_connections=60") as postgres,
        watched_discord(folder, *options) as discord,
    ):
        socket = Path(postgres.partition("host=")[2]) / ".s.PGSQL.5432"
        async with TimedWorld(discord.address) as world:
            setup = Setup(folder, world, postgres, discord)
            try:
                for number in range(processes):
                    relay = Relay(socket)
                    await relay.start()
                    settings = discord.settings | _settings(relay.port, number, count)
                    setup.processes.append(
                        Member(
                            folder=folder,
                            settings=settings,
                            name=f"bot-{number}",
                            arguments=arguments,
                            number=number,
                            relay=relay,
                        )
                    )
                yield setup
            finally:
                for process in setup.processes:
                    process.signal(signal.SIGCONT)
                    process.kill()
                    await process.relay.stop()


def _settings(port: int, number: int, count: int) -> dict[str, str]:
    first = number * EACH
    return {
        "BLUFFHOUSE_DATABASE__URL": f"postgresql://bluffhouse@127.0.0.1:{port}/postgres",
        "BLUFFHOUSE_SHARDS__COUNT": str(count),
        "BLUFFHOUSE_SHARDS__IDS": f"{first}-{first + EACH - 1}",
        "BLUFFHOUSE_LOGS__LEVEL": "debug",
        "BLUFFHOUSE_COMPUTERS__PAUSE_SECONDS": "0.05",
        # these people press as fast as the machine can
        "BLUFFHOUSE_DISCORD__REQUESTS_PER_SECOND": "0",
        "BLUFFHOUSE_FAIR_USE": json.dumps(dict.fromkeys(FairUseSettings.model_fields, 0)),
    }
