# ruff: noqa: ASYNC110 - other processes can only be looked at
"""The processes of a run: the local Discord with its journal, and the bot."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from benchmarks.setup import PATIENCE, Running, environment, local_discord
from bot.sandbox.remote import RemoteWorld
from tests.bot.processes import launch

LOOK: Final = 0.01  # seconds between two looks at what another process does
SETTINGS: Final = {
    "DISCORD_TOKEN": "sandbox",
    "BLUFFHOUSE_TABLES__LOBBY_MINUTES": "0",
    "BLUFFHOUSE_LOGS__FORMAT": "json",
    "BLUFFHOUSE_TABLES__TURN_MINUTES": "0.034",
    "BLUFFHOUSE_TABLES__NEXT_ROUND_SECONDS": "1.5",
}
JOURNAL: Final = "journal.jsonl"
READY: Final = "bot: ready"
RESUMED: Final = "bot: all tables resumed"


class NotUp(Exception):
    """The bot ended by itself, or was not ready in time, or did not end in time."""


@dataclass(kw_only=True)
class Process:
    """The bot's process, which can be started and killed again and again.

    The names of the process's files begin with `name`: the log of the first start is `bot-1.log`.
    """

    folder: Path
    settings: dict[str, str]
    name: str = "bot"
    arguments: tuple[str, ...] = ()
    starts: int = 0
    running: Running | None = None  # what was started last
    started_at: float = 0.0  # of the process, in seconds of the wall clock

    @property
    def log(self) -> Path:
        """The log of the process's latest start."""
        return self.folder / f"{self.name}-{self.starts}.log"

    @property
    def report(self) -> Path:
        """The file to which the process writes the name of the point that it has reached."""
        return self.folder / f"point-{self.name}-{self.starts}"

    def begin(self, point: str | None = None, passing: int = 1) -> None:
        """Start the process.

        If `point` is given, the process kills itself when it reaches that point the `passing`-th
        time.
        """
        self.starts += 1
        armed = ("--point", point, "--passing", str(passing)) if point else ()
        victim = ("tests.crash.victim", "--report", str(self.report), *self.arguments, *armed)
        self.running = launch(victim, self.folder, environment(**self.settings), self.log)
        self.started_at = time.time()

    @property
    def has_ended(self) -> bool:
        """Whether the process has ended or was never started."""
        return self.running is None or self.running.poll() is not None

    @property
    def at_point(self) -> bool:
        """Whether the process has killed itself at its point, in its latest start."""
        return self.report.exists()

    def log_has(self, words: str) -> bool:
        """Return whether the latest start's log contains `words`."""
        return words in self.log.read_text(errors="replace")

    async def until_ready(self) -> bool:
        """Wait until the bot is ready; return False if it killed itself first, at its point.

        Raises `NotUp` if the bot ends in any other way before it is ready, or after `PATIENCE`
        seconds.
        """

        def ready() -> bool:
            if self.has_ended and not self.at_point and not self.log_has(READY):
                raise NotUp(f"the bot ended by itself: {self.log.read_text()[-2000:]}")
            return self.log_has(READY) or self.has_ended

        await self._until(ready, f"not ready after {PATIENCE:.0f} s")
        return self.log_has(READY)

    async def until_logged(self, words: str) -> None:
        """Wait until the log contains `words`.

        Raises `NotUp` if the process ends without them, or after `PATIENCE` seconds.
        """

        def has_line() -> bool:
            if self.has_ended and not self.log_has(words):
                raise NotUp(f"the bot ended by itself: {self.log.read_text()[-2000:]}")
            return self.log_has(words)

        await self._until(has_line, f"no {words!r} after {PATIENCE:.0f} s")

    async def until_resumed(self) -> None:
        """Wait until every table is shown again or the process has ended.

        Raises `NotUp` after `PATIENCE` seconds.
        """
        await self._until(
            lambda: self.log_has(RESUMED) or self.has_ended,
            f"tables are not shown after {PATIENCE:.0f} s",
        )

    async def _until(self, condition: Callable[[], bool], otherwise: str) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                while not condition():
                    await asyncio.sleep(LOOK)
        except TimeoutError:
            raise NotUp(f"{otherwise}: {self.log.read_text()[-2000:]}") from None

    def signal(self, number: signal.Signals) -> None:
        """Send the process a signal, if it was started."""
        if self.running is not None:
            self.running.send_signal(number)

    def kill(self) -> None:
        """Kill the process with SIGKILL, if it was started, and wait until it is gone."""
        if self.running is not None:
            self.running.kill()
            self.running.wait()

    def terminate(self) -> None:
        """Send the process SIGTERM."""
        self.signal(signal.SIGTERM)

    async def until_ended(self) -> int:
        """Wait until the process ends; return its exit code, 0 if it was never started.

        Raises `NotUp` after `PATIENCE` seconds.
        """
        await self._until(lambda: self.has_ended, f"SIGTERM did not end it in {PATIENCE:.0f} s")
        return self.running.wait() if self.running is not None else 0

    async def stop(self) -> int:
        """Send the process SIGTERM, wait until it ends and return its exit code.

        Raises `NotUp` after `PATIENCE` seconds.
        """
        self.terminate()
        return await self.until_ended()


@dataclass
class Discord:
    """A local Discord that runs in a folder and writes a journal of requests and screens."""

    folder: Path
    process: subprocess.Popen[str]
    address: str

    @property
    def journal(self) -> Path:
        return self.folder / JOURNAL

    def order(self, order: str) -> None:
        """Write the line `order` to Discord's standard input (see `tests.crash.discord`)."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{order}\n")
        self.process.stdin.flush()

    @property
    def settings(self) -> dict[str, str]:
        """The environment variables for a bot that connects to this Discord, with short turns."""
        return SETTINGS | {
            "BLUFFHOUSE_DISCORD__API_URL": f"{self.address}/api/v10",
            "BLUFFHOUSE_DISCORD__GATEWAY_URL": f"{self.address.replace('http', 'ws', 1)}/gateway",
        }


@contextmanager
def watched_discord(folder: Path, *options: str) -> Iterator[Discord]:
    """Run a local Discord with a journal, and yield it; its command line gets the `options`."""
    folder.mkdir(parents=True, exist_ok=True)
    with (
        (folder / "discord.log").open("wb") as log,
        local_discord(folder, "tests.crash.discord", "--journal", JOURNAL, *options, log=log) as (
            process,
            address,
        ),
    ):
        yield Discord(folder, process, address)


@dataclass(kw_only=True)
class Setup(Process):
    """The bot's process, with its database and the local Discord that it is connected to."""

    world: RemoteWorld
    discord: Discord

    @property
    def database(self) -> Path:
        return Path(self.settings["BLUFFHOUSE_DATABASE__PATH"])

    @property
    def journal(self) -> Path:
        return self.discord.journal


@asynccontextmanager
async def open_setup(folder: Path) -> AsyncIterator[Setup]:
    """Run a local Discord in a folder and yield a `Setup` whose bot isn't started.

    At the end, kill the bot if it was started.
    """
    with watched_discord(folder) as discord:
        async with RemoteWorld(discord.address) as world:
            settings = discord.settings | {"BLUFFHOUSE_DATABASE__PATH": str(folder / "house.db")}
            setup = Setup(folder=folder, settings=settings, world=world, discord=discord)
            try:
                yield setup
            finally:
                setup.kill()


@dataclass
class Journal:
    """The local Discord's journal, read on as it grows."""

    file: Path
    lines: list[dict[str, Any]] = field(default_factory=list)
    _read: int = 0

    def read(self) -> list[dict[str, Any]]:
        """Return every complete line so far, oldest first."""
        if self.file.exists():
            with self.file.open("rb") as file:
                file.seek(self._read)
                new = file.read()
            whole = new[: new.rfind(b"\n") + 1]
            self._read += len(whole)
            self.lines += [json.loads(line) for line in whole.splitlines()]
        return self.lines
