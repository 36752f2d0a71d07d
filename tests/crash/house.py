# ruff: noqa: ASYNC110, ASYNC220 - other processes tell by what can be seen
"""The processes of a run: the local Discord with its journal, the nursery, and its victims."""

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
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from benchmarks.premises import PATIENCE, environment
from bot.sandbox.remote import RemoteWorld

ROOT: Final = Path(__file__).parents[2]
LOOK: Final = 0.01  # seconds between two looks at what another process does
SETTINGS: Final = {
    "DISCORD_TOKEN": "sandbox",
    "BLUFFHOUSE_TABLES__LOBBY_MINUTES": "0",
    "BLUFFHOUSE_LOGS__FORMAT": "json",
    "BLUFFHOUSE_TABLES__TURN_MINUTES": "0.034",
    "BLUFFHOUSE_TABLES__NEXT_ROUND_SECONDS": "1.5",
}
READY: Final = "bot: ready"
RESUMED: Final = "bot: all tables resumed"


class NotUp(Exception):
    """The bot ended by itself, or did not get ready however long one waited."""


@dataclass
class House:
    """A local Discord that runs, and a bot to start and kill on one database."""

    folder: Path
    world: RemoteWorld
    address: str
    discord: subprocess.Popen[str]
    database: Path
    nursery: subprocess.Popen[str]
    starts: int = 0
    bot: int = 0  # the process id of the victim that was started last
    started_at: float = 0.0  # of the process, in seconds of the wall clock

    @property
    def journal(self) -> Path:
        """What the local Discord wrote down."""
        return self.folder / "journal.jsonl"

    @property
    def log(self) -> Path:
        """The log of the bot that was started last."""
        return self.folder / f"bot-{self.starts}.log"

    @property
    def report(self) -> Path:
        """Where that bot says that it has reached its point."""
        return self.folder / f"point-{self.starts}"

    def begin(self, point: str | None = None, passing: int = 1) -> None:
        """Start the bot's process, to be killed at a named point or not."""
        self.starts += 1
        armed = ["--point", point, "--passing", str(passing)] if point else []
        settings = SETTINGS | {
            "BLUFFHOUSE_DISCORD__API_URL": f"{self.address}/api/v10",
            "BLUFFHOUSE_DISCORD__GATEWAY_URL": f"{self.address.replace('http', 'ws', 1)}/gateway",
            "BLUFFHOUSE_DATABASE__PATH": str(self.database),
        }
        self.log.touch()
        wanted = {
            "log": str(self.log),
            "environment": environment(**settings),
            "arguments": ["--report", str(self.report), *armed],
        }
        assert self.nursery.stdin is not None
        assert self.nursery.stdout is not None
        self.nursery.stdin.write(json.dumps(wanted) + "\n")
        self.nursery.stdin.flush()
        self.bot = int(self.nursery.stdout.readline())
        self.started_at = time.time()

    @property
    def told(self) -> Path:
        """Where the nursery says how the bot's process has ended."""
        return self.folder / f"ended-{self.bot}"

    @property
    def ended(self) -> bool:
        """Whether the bot's process is over."""
        return not self.bot or self.told.exists()

    @property
    def ready(self) -> bool:
        """Whether the bot has said that it is ready."""
        return READY in self.log.read_text(errors="replace")

    @property
    def resumed(self) -> bool:
        """Whether the bot has said that every table is shown again."""
        return RESUMED in self.log.read_text(errors="replace")

    @property
    def at_point(self) -> bool:
        """Whether the bot has killed itself at its point."""
        return self.report.exists()

    async def until_ready(self) -> bool:
        """Wait until the bot is ready; False if it reached its point first. Raises `NotUp`."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not self.ready:
                    if self.ended:
                        if self.at_point:
                            return False
                        raise NotUp(f"the bot ended by itself: {self.log.read_text()[-2000:]}")
                    await asyncio.sleep(LOOK)
        except TimeoutError:
            raise NotUp(
                f"not ready after {PATIENCE:.0f} s: {self.log.read_text()[-2000:]}"
            ) from None
        return True

    async def until_resumed(self) -> None:
        """Wait until every table is shown again, or the bot has ended. Raises `NotUp`."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not self.resumed and not self.ended:
                    await asyncio.sleep(LOOK)
        except TimeoutError:
            raise NotUp(f"tables are not shown after {PATIENCE:.0f} s") from None

    def kill(self) -> None:
        """SIGKILL the bot, if it is not dead yet."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.bot, signal.SIGKILL)
        while not self.ended:
            time.sleep(0.001)

    def terminate(self) -> None:
        """SIGTERM the bot."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.bot, signal.SIGTERM)

    async def until_ended(self) -> int:
        """Wait for the end of the bot's process; its exit code. Raises `NotUp`."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not self.ended:
                    await asyncio.sleep(LOOK)
        except TimeoutError:
            raise NotUp(f"SIGTERM did not end it in {PATIENCE:.0f} s") from None
        return int(self.told.read_text())

    def tell_discord(self, order: str) -> None:
        """Give the local Discord an order (`discord`)."""
        assert self.discord.stdin is not None
        self.discord.stdin.write(f"{order}\n")
        self.discord.stdin.flush()


@contextmanager
def nursery(source: Path = ROOT) -> Iterator[subprocess.Popen[str]]:
    """A nursery of the bot whose code lies in `source`; it and its victims end with the block."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.crash.nursery"],
        cwd=source,
        env=environment(PYTHONPATH=str(source)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,  # Ctrl-C is for the run, not for the bot
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        yield process
    finally:
        process.stdin.close()
        process.wait(PATIENCE)
        process.stdout.close()


@asynccontextmanager
async def house(
    folder: Path, victims: subprocess.Popen[str], kept: Path | None = None
) -> AsyncIterator[House]:
    """A local Discord in a folder; whatever runs is ended afterwards. `kept`: a kept house's."""
    folder.mkdir(parents=True, exist_ok=True)
    database = folder / "house.db"
    more = ["--kept", str(kept), "--database", str(database)] if kept else []
    with (folder / "discord.log").open("wb") as log:
        discord = subprocess.Popen(
            [sys.executable, "-m", "tests.crash.discord", "--journal", "journal.jsonl", *more],
            cwd=folder,
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            start_new_session=True,
        )
    assert discord.stdout is not None
    assert discord.stdin is not None
    here: House | None = None
    try:
        address = (await asyncio.to_thread(discord.stdout.readline)).rsplit(" ", 1)[-1].strip()
        async with RemoteWorld(address) as world:
            here = House(folder, world, address, discord, database, victims)
            yield here
    finally:
        if here is not None and not here.ended:
            here.kill()
        discord.stdin.close()
        discord.wait(PATIENCE)
        discord.stdout.close()


@dataclass
class Journal:
    """What the local Discord wrote down so far; read on as it grows."""

    file: Path
    lines: list[dict[str, Any]] = field(default_factory=list)
    _read: int = 0

    def read(self) -> list[dict[str, Any]]:
        """Every whole line there is, as it was written."""
        if self.file.exists():
            with self.file.open("rb") as file:
                file.seek(self._read)
                new = file.read()
            whole = new[: new.rfind(b"\n") + 1]
            self._read += len(whole)
            self.lines += [json.loads(line) for line in whole.splitlines()]
        return self.lines
