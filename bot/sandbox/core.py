"""Objects that all parts of the emulator share: state, clock, ids, and the stream of changes.

The parts that change the state (`messages`, `interactions`, ...) get these objects, and those of
the other parts that they need; `emulator.Emulator` connects them.
"""

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from bot.sandbox.clock import SandboxClock, Snowflakes, SystemClock
from bot.sandbox.discord_state import Json, State, User

BACKLOG = 1000  # unsent events per page; beyond that the oldest are lost
COLORS = ("#5865f2", "#eb459e", "#57a55a", "#d9822b", "#3ba7b5", "#a35bd6", "#c9504d", "#7a8a2f")


class Stream:
    """Events for the page: each open page gets those its person may see."""

    def __init__(self) -> None:
        self._listeners: dict[str, set[asyncio.Queue[Json | None]]] = {}

    def publish(self, event: Json, people: Iterable[str] | None = None) -> None:
        """Send `event` to the pages of `people`, or to every page if None."""
        for person in list(self._listeners) if people is None else people:
            for queue in self._listeners.get(person, ()):
                _put(queue, event)

    def reaches(self, people: Iterable[str]) -> bool:
        """Return whether any of `people` has the page open, and so would get an event."""
        return any(self._listeners.get(person) for person in people)

    @contextmanager
    def listening(self, person: str) -> Iterator[asyncio.Queue[Json | None]]:
        """Yield a queue of the person's events; None in it means that the emulator stops."""
        queue: asyncio.Queue[Json | None] = asyncio.Queue(BACKLOG)
        self._listeners.setdefault(person, set()).add(queue)
        try:
            yield queue
        finally:
            self._listeners[person].discard(queue)

    def close(self) -> None:
        """Notify every listener that the emulator stops."""
        for queues in self._listeners.values():
            for queue in queues:
                _put(queue, None)


def _put(queue: "asyncio.Queue[Json | None]", event: Json | None) -> None:
    if queue.full():
        queue.get_nowait()
    queue.put_nowait(event)


class Core:
    """State and services of one emulated Discord. Loading a file replaces `state` as a whole."""

    def __init__(self, clock: SandboxClock | None) -> None:
        self.clock: SandboxClock = clock or SystemClock()
        self.snowflakes = Snowflakes(self.clock)
        bot = User(self.snowflakes.next(), "Bluffhouse", COLORS[0], bot=True)
        self.state = State(bot, users={bot.id: bot})
        self.stream = Stream()
        self.unsaved = asyncio.Event()
        self.base_url = ""  # set once served

    @property
    def gateway_url(self) -> str:
        """The address of the bot's websocket."""
        return self.base_url.replace("http://", "ws://", 1) + "/gateway"

    def save_soon(self) -> None:
        """Request a save of the state."""
        self.unsaved.set()
