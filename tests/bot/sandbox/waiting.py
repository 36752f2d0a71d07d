"""Wait for events of the local Discord, without polling and without a time limit."""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from bot.sandbox import Sandbox
from bot.sandbox.discord_state import RecordedRequest
from bot.sandbox.driver import Person


class Requests(deque[RecordedRequest]):
    """The bot's requests, which a test can wait for."""

    def __init__(self, world: Sandbox) -> None:
        super().__init__(world.state.requests, world.state.requests.maxlen)
        self._arrived = asyncio.Event()
        world.state.requests = self

    def append(self, request: RecordedRequest) -> None:
        super().append(request)
        self._arrived.set()

    async def until(self, fits: Callable[[RecordedRequest], bool]) -> None:
        """Wait for a request that fits; return at once if there already is one."""
        while not any(map(fits, self)):
            self._arrived.clear()
            await self._arrived.wait()


@asynccontextmanager
async def bot_going(world: Sandbox, watcher: Person) -> AsyncIterator[None]:
    """Run a block that ends the bot's connection; wait until the local Discord has noticed."""
    with world.stream.listening(watcher.id) as events:
        yield
        while await events.get() != {"type": "bot", "online": False}:
            pass
