"""The local Discord and one life of the bot after another, with the same database file."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import sys
import time
import traceback
from collections.abc import (
    AsyncIterator,
    Callable,
    Coroutine,
    Iterator,
    MutableMapping,
    Sequence,
)
from concurrent.futures import Future
from contextlib import ExitStack, asynccontextmanager, closing, contextmanager
from contextvars import copy_context
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, Final, cast
from unittest.mock import patch

import discord
import structlog
from discord.gateway import KeepAliveHandler

from bot.app import Bot, discord_server
from bot.computing.player_questions import ChooseAction
from bot.computing.process import Computing
from bot.computing.question import QueueFull
from bot.discord import picture_job, sessions
from bot.discord.delivery import driver
from bot.operations import metrics
from bot.pictures.cards import ShowdownRow, showdown_png
from bot.sandbox.discord_state import TEXT_CHANNEL, Channel
from bot.sandbox.driver import Person
from bot.sandbox.emulator import Emulator
from bot.sandbox.rest.call import PREFIX
from bot.settings.config import Settings
from bot.settings.schema import FairUseSettings
from bot.storage import StorageError, sqlite
from bot.storage.store import SqlStore
from bot.tables.scheduler import ClockSkew
from engine.cards import Cards
from tests.hostile import NAMES
from tests.sessions import wire
from tests.sessions.disk import Disk
from tests.sessions.loop import LIFE, Life, LoopClock, WallClock
from tests.sessions.screens import Screens

TOKEN: Final = "sandbox"


class Setup:
    """The world in which bots start and die. Enter `active`, then use `open`, `kill` and `stop`."""

    def __init__(
        self, folder: Path, chance: Random, players: int, names: Sequence[str] = NAMES
    ) -> None:
        loop = asyncio.get_running_loop()
        self.chance = chance
        self.clock = LoopClock(loop)
        self.wall = WallClock(loop)
        self.world = Emulator(self.clock)
        self.world.emoji_room = 0  # cards as text, so that they can be read off a screen
        self.network = wire.Network(self.world, chance)
        self.on_commit: Callable[[], None] = lambda: None
        self.file = folder / "house.db"
        self.pace: dict[str, object] = {
            "turn_minutes": 1,
            "next_round_seconds": 20,
            "lobby_minutes": 10,
        }
        self.requests_per_second = 0.0
        self.disk = Disk(chance, self.file, lambda: self.on_commit())
        self.screens = Screens(self.world)
        self.lines = LogLines()
        self.starts = 0
        self.bot: Bot | None = None
        self.life = Life()
        guild = self.world.places.add_guild("The Snug", None)
        self.channel: Channel = self.world.places.add_channel(
            TEXT_CHANNEL, "poker-night", guild_id=guild.id
        )
        self.people = [
            Person(self.world, self.world.places.add_person(name).id) for name in names[:players]
        ]
        guild.moderators.append(self.people[-1].id)
        self._store: SqlStore | None = None
        self._running: asyncio.Task[None] | None = None

    @property
    def alive(self) -> bool:
        """Whether a bot is running and ready."""
        return self.bot is not None and self.bot.ready.is_set()

    @asynccontextmanager
    async def active(self) -> AsyncIterator[None]:
        """Connect the bot's libraries to the setup's network, disk and time.

        On leaving, kill the bot.
        """
        with patch_libraries(self.chance, self.disk, self.network, self.lines):
            try:
                yield
            finally:
                await self.kill()

    def all_want_direct_messages(self) -> None:
        """Store for everybody the choice to get their cards by direct message."""
        with closing(sqlite3.connect(self.file)) as file, file:
            for person in self.people:
                file.execute(
                    "INSERT INTO players (id, choices) VALUES (?, ?)",
                    (int(person.id), json.dumps({"letters": "yes"}, separators=(",", ":"))),
                )

    async def open(self) -> None:
        """Start a bot and wait until it is ready."""
        self.life = Life()
        self.starts += 1
        ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._running = self._as_bot(self._live(ready))
        await ready

    def _as_bot(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        context = copy_context()
        context.run(LIFE.set, self.life)
        return asyncio.get_running_loop().create_task(work, context=context)

    async def _live(self, ready: asyncio.Future[None]) -> None:
        chosen = Settings.model_validate(
            {
                "database": {"path": self.file},
                "tables": self.pace,
                "computers": {"pause_seconds": 1},
                "discord": {"requests_per_second": self.requests_per_second},
                # its limits go by the machine's real minutes
                "fair_use": dict.fromkeys(FairUseSettings.model_fields, 0),
            }
        )
        self._store = await SqlStore.open(chosen.database.address)
        seeds = (self.chance.randbytes(32) for _ in iter(int, 1))
        loop = asyncio.get_running_loop()
        jumps = ClockSkew(self.wall, loop.time)
        self.bot = Bot(
            chosen, self._store, self.wall, seeds.__next__, computing=_Inline(), jumps=jumps
        )
        self.bot.client._connection.heartbeat_timeout = 1e9  # no thread beats here
        running = asyncio.create_task(self.bot.run(TOKEN))
        await self.bot.ready.wait()
        ready.set_result(None)
        await running

    async def kill(self) -> None:
        """End the bot as `kill -9` would, whatever it is doing."""
        await self.life.kill()
        self._forget_bot()

    async def lose_power(self) -> None:
        """End the bot as a loss of power would: what the disk has not synced is lost."""
        await self.kill()
        self.disk.lose_power()

    async def refuse_second_bot(self) -> None:
        """Try to open the file for a second bot, which must fail."""
        try:
            store = await SqlStore.open(f"sqlite:///{self.file}")
        except StorageError:
            return
        await store.close()
        raise AssertionError("a second process was let in to the database")

    async def stop(self) -> None:
        """End the bot as SIGTERM would: it finishes what it is doing."""
        assert self.bot is not None
        await self._as_bot(self.bot.stop())
        assert self._running is not None
        ended, _ = await asyncio.wait({self._running}, timeout=10)
        for task in ended:
            error = None if task.cancelled() else task.exception()
            assert error is None, f"the bot did not stop, it broke: {error!r}"
        if self._store is not None:
            await self._as_bot(self._store.close())
        await self.kill()

    def _forget_bot(self) -> None:
        if self._store is not None and self._store._lock is not None:
            self._store._lock.release()  # a dead process holds no lock
        self._store = self.bot = None


class LogLines:
    """A structlog processor that keeps every line of the bot's log, printed or not."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def __call__(
        self, logger: object, method: str, event: MutableMapping[str, Any]
    ) -> MutableMapping[str, Any]:
        """Keep a line, with its traceback if it has one."""
        error = event.get("exc_info")
        error = sys.exc_info()[1] if error is True else error
        why = traceback.format_exception(error) if isinstance(error, BaseException) else []
        self.lines.append("".join((repr(event), *why)))
        return event


class _Inline(Computing):
    """Has the careful player decide for every computer player, in the loop.

    The bot does the same while its compiled code loads.
    """

    @property
    def warming(self) -> bool:
        """True: no compiled code is loaded."""
        return True

    async def ask(self, question: Any, limit: float | None = None) -> Any:
        """Answer decisions; for all other questions raise `QueueFull`."""
        await asyncio.sleep(0.01)
        if not isinstance(question, ChooseAction):
            raise QueueFull
        return question.answer(lambda: False)

    async def close(self) -> None:
        """Do nothing: there is no process."""


class _Pictures:
    """Draws nothing: returns the same picture at once for every request."""

    def submit(self, draw: object, picture: object) -> Future[bytes]:
        """Return a finished future with the picture."""
        picture_job: Future[bytes] = Future()
        picture_job.set_result(_any_picture())
        return picture_job


@cache
def _any_picture() -> bytes:
    return showdown_png([ShowdownRow("Ann", Cards.parse("As"))], Cards())


@contextmanager
def patch_libraries(
    chance: Random, disk: Disk, network: wire.Network, lines: LogLines
) -> Iterator[None]:
    """Connect the bot's libraries to `network`, `disk` and the loop's time during the block.

    The bot's log is copied to `lines`.
    """
    loop = asyncio.get_running_loop()

    def now() -> datetime:
        return datetime.fromtimestamp(network.world.clock.now(), UTC)

    # the loop's share of the processor, another in each session; it takes no number from `chance`
    share = Random(str(chance.getstate()[1][:4])).random()

    virtual = {"monotonic": loop.time, "thread_time": lambda: share * loop.time()}
    virtual_time = SimpleNamespace(**vars(time) | virtual)

    with ExitStack() as stack:
        put = stack.enter_context
        put(discord_server(f"http://discord.invalid{PREFIX}", wire.GATEWAY))
        put(patch("aiohttp.ClientSession", lambda **_: wire.Session(network)))
        put(patch("aiohttp.TCPConnector", lambda **_: None))
        put(patch("secrets.token_urlsafe", lambda size=32: chance.randbytes(size).hex()))
        put(patch("secrets.token_hex", lambda size=32: chance.randbytes(size).hex()))
        put(patch.object(discord.utils, "utcnow", now))
        half = partial(sessions.Backoff, loop.time, lambda least, most: most / 2)
        put(patch.object(sessions, "Backoff", half))
        put(patch.object(KeepAliveHandler, "start", lambda self: None))
        for name, module in list(sys.modules.items()):
            if name.startswith("bot.discord.") and getattr(module, "time", None) is time:
                put(patch.object(module, "time", virtual_time))
        put(patch.object(driver, "random", chance))
        put(patch.object(metrics, "LAG_SECONDS", 86_400.0))  # a virtual loop is never late
        put(patch.object(picture_job, "_threads", cast(Any, _Pictures())))
        put(patch.object(picture_job, "_apart", cast(Any, _Pictures())))
        put(patch.object(picture_job, "_cache", type(picture_job._cache)()))
        put(patch.object(picture_job, "_question_cache", type(picture_job._question_cache)()))
        put(patch.object(sqlite, "connect", disk.connect))
        before = structlog.get_config()
        stack.callback(structlog.configure, **before)
        structlog.configure(processors=[lines, *before["processors"]])
        yield
