# ruff: noqa: ASYNC110 - other processes can only be looked at; starting one is quick
"""Run the local Discord and the bot as processes, to play at them, kill them and start them.

Tests of the real process use this too. `PATIENCE` is long enough for a busy machine: only a bot
that has stopped exceeds it.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final, Protocol

from benchmarks.reading import TURN
from bot.sandbox.remote import RemotePerson, RemoteWorld
from bot.sandbox.screen import SeenMessage
from bot.settings.schema import FairUseSettings

ROOT: Final = Path(__file__).parents[1]
PATIENCE: Final = 300.0  # seconds


def environment(**extra: str) -> dict[str, str]:
    """Return this process's environment without any of Bluffhouse's settings, plus `extra`."""
    ours = ("BLUFFHOUSE_", "DISCORD_TOKEN")
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return inherited | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"} | extra


class Running(Protocol):
    """A started process: the part of `subprocess.Popen` that a setup uses."""

    pid: int
    returncode: int | None

    def poll(self) -> int | None:
        """Return the exit code; None while the process runs."""

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the process to end; return its exit code.

        Raises `subprocess.TimeoutExpired` after `timeout` seconds, if given.
        """

    def send_signal(self, sig: int) -> None:
        """Send the process a signal, if it runs."""

    def kill(self) -> None:
        """Send the process SIGKILL."""


def launch(module: Sequence[str], folder: Path, environment: dict[str, str], log: Path) -> Running:
    """Run a module with its arguments as a process; its output goes to `log`."""
    with log.open("wb") as file:
        return subprocess.Popen(
            [sys.executable, "-m", *module],
            cwd=folder,
            env=environment,
            stdout=file,
            stderr=subprocess.STDOUT,
        )


@dataclass
class Setup:
    """A running local Discord, its people, and a bot to start and kill.

    `module` is the module to run as the bot, with its arguments; `starts` counts the bot's starts.
    """

    folder: Path
    address: str
    world: RemoteWorld
    discord: subprocess.Popen[str]
    channel: str = ""
    people: list[RemotePerson] = field(default_factory=list)
    bot: Running | None = None
    starts: int = 0
    extra_settings: dict[str, str] = field(default_factory=dict)
    module: tuple[str, ...] = ("bot", "run")
    launch: Callable[[Sequence[str], Path, dict[str, str], Path], Running] = launch

    @property
    def settings(self) -> dict[str, str]:
        """The bot's settings as environment variables; `extra_settings` override the others."""
        ours = {
            "DISCORD_TOKEN": "sandbox",
            "BLUFFHOUSE_DISCORD__API_URL": f"{self.address}/api/v10",
            "BLUFFHOUSE_DISCORD__GATEWAY_URL": f"{self.address.replace('http', 'ws', 1)}/gateway",
            "BLUFFHOUSE_DATABASE__PATH": str(self.folder / "house.db"),
            "BLUFFHOUSE_TABLES__NEXT_ROUND_SECONDS": "3600",
            # the people here ask as fast as a machine can
            "BLUFFHOUSE_DISCORD__REQUESTS_PER_SECOND": "0",  # as many as a machine can
            "BLUFFHOUSE_FAIR_USE": json.dumps(dict.fromkeys(FairUseSettings.model_fields, 0)),
        }
        return ours | self.extra_settings

    async def start(self) -> float:
        """Start the bot; return the seconds until it was ready."""
        self.starts += 1
        begun = time.monotonic()
        variables = environment(**self.settings)
        self.bot = self.launch(self.module, self.folder, variables, self._log)
        await self._wait_for_line("bot: ready")
        return time.monotonic() - begun

    async def wait_until_resumed(self) -> None:
        """Wait until the bot has brought every table's message up to date.

        Until then, a screen may still be from before the start, or be redrawn shortly after a
        press was answered.
        """
        await self._wait_for_line("bot: all tables resumed")

    async def warm(self) -> None:
        """Wait until the bot's second process has loaded everything, and can draw pictures."""
        await self._wait_for_line("computing: warm")

    @property
    def _log(self) -> Path:
        return self.folder / f"bot-{self.starts}.log"

    async def _wait_for_line(self, event: str) -> None:
        assert self.bot is not None
        async with asyncio.timeout(PATIENCE):
            while event not in self._log.read_text():
                assert self.bot.poll() is None, self._log.read_text()
                await asyncio.sleep(0.01)

    def kill(self) -> None:
        """Kill the bot with SIGKILL."""
        assert self.bot is not None
        self.bot.kill()
        self.bot.wait()

    async def terminate(self) -> tuple[int, float]:
        """Stop the bot with SIGTERM; return its exit code and the seconds until it ended."""
        assert self.bot is not None
        begun = time.monotonic()
        self.bot.send_signal(signal.SIGTERM)
        code = await asyncio.to_thread(self.bot.wait, PATIENCE)
        return code, time.monotonic() - begun

    def stored_actions(self) -> int:
        """Return the number of actions in the bot's SQLite database."""
        with closing(sqlite3.connect(f"file:{self.folder / 'house.db'}?mode=ro", uri=True)) as file:
            number: int = file.execute("select count(*) from actions").fetchone()[0]
            return number

    async def table_message(self) -> SeenMessage:
        messages = await self.people[0].visible(self.channel)
        tables = [message for message in messages if not message.ephemeral and message.components]
        return [message for message in tables if not message.content][-1]  # a reminder has one

    async def turn(self) -> RemotePerson:
        """Return the person in turn, according to the table's message."""
        text = (await self.table_message()).text
        request = TURN.search(text)
        assert request is not None, text
        return next(person for person in self.people if person.id == request[1])

    async def wait_for_table(self, *words: str) -> SeenMessage:
        """Wait until the table's message contains all `words`, and return it."""
        async with asyncio.timeout(PATIENCE):
            while True:
                message = await self.table_message()
                if all(word in message.text for word in words):
                    return message
                await asyncio.sleep(0.01)

    async def own_seat(self, person: RemotePerson, title: str) -> list[SeenMessage]:
        """Return the person's private messages in the channel with `title`, such as "Round 1"."""
        messages = await person.visible(self.channel)
        return [
            message for message in messages if message.ephemeral and f"· {title}\n" in message.text
        ]

    async def begin(self, game: str) -> SeenMessage:
        """Start a match of `game`, and wait for everyone's seat; return the table's message."""
        host, *others = self.people
        await (await host.slash(self.channel, "play", game=game)).settle()
        for guest in others:
            await (await guest.click(await self.table_message(), "Join")).settle()
        await host.click(await self.table_message(), "Start")
        message = await self.wait_for_table("Round 1", "My seat")
        async with asyncio.timeout(PATIENCE):
            for person in self.people:
                while not await self.own_seat(person, "Round 1"):
                    await asyncio.sleep(0.01)
        return message


@contextmanager
def local_discord(
    folder: Path, module: str, *options: str, log: int | IO[bytes] = subprocess.DEVNULL
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run a local Discord as a process for the length of the block; yield (process, address).

    `module` must print its address as the last word of its first line, and end when its standard
    input does. Ctrl-C doesn't reach the process.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", module, *options],
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
async def open_setup(
    folder: Path,
    players: int,
    discord: str = "bot.sandbox",
    options: Sequence[str] = ("--unlimited", "--no-emoji"),
) -> AsyncIterator[Setup]:
    """Yield a setup with a local Discord and `players` people, at most 4; then end its processes.

    `discord` is the module to run as the local Discord, `options` are its arguments. By default
    Discord's rate limits are off, since people press as fast as the machine can, and cards are
    written as text, so that they can be read off the screen.
    """
    with local_discord(folder, discord, "--until-eof", *options) as (emulator, address):
        async with RemoteWorld(address) as world:
            setup = Setup(folder, address, world, emulator)
            try:
                names = ("Ann", "Bob", "Cleo", "Dan")[:players]
                setup.people = [await world.person(name) for name in names]
                setup.channel = await world.channel("poker-night")
                yield setup
            finally:
                if setup.bot is not None and setup.bot.poll() is None:
                    setup.kill()
