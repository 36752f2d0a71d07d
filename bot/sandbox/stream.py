"""Events for the people watching: each open page gets those its person may see, and no other."""

import asyncio
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from bot.sandbox.state import Json

BACKLOG = 1000


class Stream:
    """Hands every event to the listeners of the people it is for."""

    def __init__(self) -> None:
        self._listeners: dict[str, set[asyncio.Queue[Json | None]]] = {}

    def publish(self, event: Json, people: Iterable[str] | None = None) -> None:
        """Send `event` to the pages of `people`, or to every page if None."""
        for person in list(self._listeners) if people is None else people:
            for queue in self._listeners.get(person, ()):
                if queue.full():
                    queue.get_nowait()
                queue.put_nowait(event)

    def reaches(self, people: Iterable[str]) -> bool:
        """Whether one of `people` has a page open: an event for nobody need not be made."""
        return any(self._listeners.get(person) for person in people)

    @contextmanager
    def listening(self, person: str) -> Iterator[asyncio.Queue[Json | None]]:
        """A queue of the person's events; None in it means that the emulator stops."""
        queue: asyncio.Queue[Json | None] = asyncio.Queue(BACKLOG)
        self._listeners.setdefault(person, set()).add(queue)
        try:
            yield queue
        finally:
            self._listeners[person].discard(queue)

    def close(self) -> None:
        """Tell every listener that the emulator stops."""
        for queues in self._listeners.values():
            for queue in queues:
                if queue.full():
                    queue.get_nowait()
                queue.put_nowait(None)
