# ruff: noqa: ASYNC110 - other processes can only be looked at; starting one is quick
"""The local Discord and the bot as processes of their own, to be played at, killed and started.

Shared with the tests of the real process. Nothing here has a limit that a busy machine meets:
`PATIENCE` is for a bot that has stopped, not for one that is slow.
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
    """This process's environment without any of Bluffhouse's settings, and `extra`."""
    ours = ("BLUFFHOUSE_", "DISCORD_TOKEN")
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return inherited | {"PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"} | extra


class Running(Protocol):
    """A process that was started: what there is of `subprocess.Popen` here."""

    pid: int
    returncode: int | None

    def poll(self) -> int | None:
        """Its exit code; None while it runs."""

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end; its exit code."""

    def send_signal(self, sig: int) -> None:
        """Send it a signal, if it runs."""

    def kill(self) -> None:
        """SIGKILL it."""


def launch(module: Sequence[str], folder: Path, environment: dict[str, str], log: Path) -> Running:
    """Run a module with its arguments as a process; all that it says goes to `log`."""
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
    """A local Discord that runs, its people, and a bot to start and kill."""

    folder: Path
    address: str
    world: RemoteWorld
    discord: subprocess.Popen[str]
    channel: str = ""
    people: list[RemotePerson] = field(default_factory=list)
    bot: Running | None = None
    starts: int = 0
    extra_settings: dict[str, str] = field(default_factory=dict)
    module: tuple[str, ...] = ("bot", "run")  # what is run as the bot, with its arguments
    launch: Callable[[Sequence[str], Path, dict[str, str], Path], Running] = launch

    @property
    def settings(self) -> dict[str, str]:
        """The bot's environment, `extra_settings` included."""
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
        """Start the bot; how many seconds it took to be ready."""
        self.starts += 1
        begun = time.monotonic()
        variables = environment(**self.settings)
        self.bot = self.launch(self.module, self.folder, variables, self._log)
        await self._wait_for_line("bot: ready")
        return time.monotonic() - begun

    async def wait_until_resumed(self) -> None:
        """Wait until the bot shows every table as it stands.

        Before that a screen may be one of before the start, or be drawn by it once more for a
        moment after a press was answered.
        """
        await self._wait_for_line("bot: all tables resumed")

    async def warm(self) -> None:
        """Wait until the bot's second process has loaded everything, and draws its pictures."""
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
        """SIGKILL the bot."""
        assert self.bot is not None
        self.bot.kill()
        self.bot.wait()

    async def terminate(self) -> tuple[int, float]:
        """SIGTERM the bot; its exit code and how many seconds it took."""
        assert self.bot is not None
        begun = time.monotonic()
        self.bot.send_signal(signal.SIGTERM)
        code = await asyncio.to_thread(self.bot.wait, PATIENCE)
        return code, time.monotonic() - begun

    def stored_actions(self) -> int:
        """How many actions the database holds."""
        with closing(sqlite3.connect(f"file:{self.folder / 'house.db'}?mode=ro", uri=True)) as file:
            number: int = file.execute("select count(*) from actions").fetchone()[0]
            return number

    async def table_message(self) -> SeenMessage:
        """The table's message."""
        messages = await self.people[0].visible(self.channel)
        tables = [message for message in messages if not message.ephemeral and message.components]
        return [message for message in tables if not message.content][-1]  # a reminder has one

    async def turn(self) -> RemotePerson:
        """Who is to act, as the table says."""
        text = (await self.table_message()).text
        request = TURN.search(text)
        assert request is not None, text
        return next(person for person in self.people if person.id == request[1])

    async def wait_for_table(self, *words: str) -> SeenMessage:
        """Wait until the table's message says all of it."""
        async with asyncio.timeout(PATIENCE):
            while True:
                message = await self.table_message()
                if all(word in message.text for word in words):
                    return message
                await asyncio.sleep(0.01)

    async def own_seat(self, person: RemotePerson, title: str) -> list[SeenMessage]:
        """The person's private messages in the channel that show this round."""
        messages = await person.visible(self.channel)
        return [
            message for message in messages if message.ephemeral and f"· {title}\n" in message.text
        ]

    async def begin(self, game: str) -> SeenMessage:
        """Seat everybody and start a match."""
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
    """A local Discord as a process, and its address; it ends with the block.

    `module` prints its address as the last word of its first line, and ends when its standard
    input does. Ctrl-C is for whoever uses it.
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
    """A local Discord with this many people; whatever runs is ended afterwards.

    `discord` is the module that is run as the local Discord. `options` are its further arguments:
    who presses as fast as a machine can is not to be held up by Discord's limits, and what is read
    off a screen has cards.
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
