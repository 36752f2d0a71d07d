"""Fixtures: the local Discord with people, and the real client library connected to it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import discord
import pytest_asyncio
from yarl import URL

from bot.sandbox import Sandbox
from bot.sandbox.actor import Actor, ActOutcome, Place
from bot.sandbox.clock import SandboxClock
from bot.sandbox.discord_state import Channel
from bot.sandbox.driver import Person, Server

TOKEN = "sandbox"
PATIENCE = 120.0  # seconds; long enough for any slow machine


@dataclass(frozen=True)
class Snug:
    """A started world with one server, one channel and three people."""

    world: Sandbox
    server: Server
    table: Channel
    ann: Person
    bob: Person
    cleo: Person

    @property
    def everyone(self) -> tuple[Person, ...]:
        return self.ann, self.bob, self.cleo


@asynccontextmanager
async def start_world(clock: SandboxClock | None = None) -> AsyncIterator[Snug]:
    """Run a world on a free port, with a server, a channel and three people."""
    world = Sandbox(clock)
    await world.start()
    server = world.add_guild("The Snug")
    table = server.add_text_channel("poker-night")
    ann, bob, cleo = (world.add_person(name) for name in ("Ann", "Bob", "Cleo"))
    try:
        yield Snug(world, server, table, ann, bob, cleo)
    finally:
        await world.stop()


@asynccontextmanager
async def discord_server(world: Sandbox) -> AsyncIterator[None]:
    """Connect this process's client library to `world` instead of Discord."""
    base, gateway = discord.http.Route.BASE, discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY
    discord.http.Route.BASE = world.api_url
    discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = URL(world.gateway_url)
    try:
        yield
    finally:
        discord.http.Route.BASE = base
        discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = gateway


@asynccontextmanager
async def online(world: Sandbox, client: discord.Client) -> AsyncIterator[None]:
    """Log in `client`, unmodified, to `world` and wait until it is ready; close it afterwards.

    Raises the login's error, or AssertionError if the client ends before it is ready.
    """
    async with discord_server(world):
        running = asyncio.create_task(client.start(TOKEN))
        ready = asyncio.create_task(client_ready(client))
        await asyncio.wait((running, ready), return_when=asyncio.FIRST_COMPLETED)
        try:
            if not ready.done():
                ready.cancel()
                await running  # raises the error that prevented it
                raise AssertionError("the bot stopped before it was ready")
            yield
        finally:
            await client.close()
            await asyncio.gather(running, return_exceptions=True)


async def client_ready(client: discord.Client) -> None:
    await until(lambda: client.http.token is not None)
    await client.wait_until_ready()


async def until(condition: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Poll until the condition is true. Raises TimeoutError after `seconds`."""
    pause = 0.002
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(pause)
            pause = min(pause * 1.2, 0.05)  # short at first: most conditions come true soon


@pytest_asyncio.fixture
async def snug() -> AsyncIterator[Snug]:
    """Give each test a new world, to which nobody is connected yet."""
    async with start_world() as world:
        yield world


async def press_in_command(person: Actor, channel: Place, command: str, label: str) -> ActOutcome:
    """Press a button in a command's reply, such as Change… in the reply to /preferences."""
    message = (await (await person.slash(channel, command)).settle()).message
    assert message is not None
    return await person.click(message, label)
