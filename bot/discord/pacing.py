"""How fast requests are sent to Discord, and which of them go first.

Discord takes about fifty requests a second of one bot, answers to presses aside, and refuses what
is beyond. discord.py learns of that limit by being refused, and then sends what waits in no order.
Here requests are held back before they are sent: what players wait for goes first (a deal, a
showdown, cards), redraws of tables after it, what a start catches up with last. Each fifth request
is that of whoever has waited longest, so that nobody waits for ever.

What need not go at once is sent evenly, not as a heap at the beginning of each second: a deal that
comes in the middle of it finds room.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from enum import IntEnum
from typing import Final

import yarl

SECOND: Final = 1.0
IN_TURN: Final = 5  # each so many-th request is that of whoever has waited longest
_FREE: Final = ("/interactions/", "/webhooks/")  # of which Discord counts none


class Urgency(IntEnum):
    """Who goes first. The gap between two requests of a kind is so many times the shortest."""

    AWAITED = 0
    REDRAW = 1
    CATCHING_UP = 2


_urgency: ContextVar[Urgency] = ContextVar("urgency", default=Urgency.AWAITED)


@contextlib.contextmanager
def urgency(of: Urgency) -> Iterator[None]:
    """Requests that are made in the block, and by tasks begun in it, are of this urgency."""
    token = _urgency.set(of)
    try:
        yield
    finally:
        _urgency.reset(token)


def counts(url: yarl.URL) -> bool:
    """Whether a request is among those of which Discord takes only so many."""
    return url.scheme.startswith("http") and not any(one in url.path for one in _FREE)


class Pace:
    """Gives out turns: no more than `a_second` in any second; 0: as many as are asked for."""

    def __init__(
        self, a_second: float, now: Callable[[], float] | None = None, held: float = SECOND
    ) -> None:
        self._most = max(1, int(a_second)) if a_second else 0
        self._window = held * self._most / a_second if a_second else held
        self._clock = now
        self._sent: deque[float] = deque(maxlen=max(1, self._most))
        self._latest = dict.fromkeys(Urgency, float("-inf"))
        self._waiting: dict[Urgency, deque[tuple[int, asyncio.Future[None]]]] = {
            one: deque() for one in Urgency
        }
        self._asked = self._given = 0
        self._timer: asyncio.TimerHandle | None = None

    def _now(self) -> float:
        return (self._clock or asyncio.get_running_loop().time)()

    @property
    def waiting(self) -> int:
        """How many requests are held back."""
        return sum(not one.done() for queue in self._waiting.values() for _, one in queue)

    async def turn(self) -> None:
        """Wait until one more request may be sent."""
        if not self._most:
            return
        future = asyncio.get_running_loop().create_future()
        self._asked += 1
        self._waiting[_urgency.get()].append((self._asked, future))
        self.give()
        try:
            await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled():
                self.give()  # its turn passes; nothing is sent for it
            raise

    def give(self) -> None:
        """Give every turn that is due; called again by itself when the next one is."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        while (now := self._now()) >= (due := self._room()):
            chosen = self._chosen(now)
            if chosen is None:
                break
            _, future = self._waiting[chosen].popleft()
            if future.done():  # who asked has gone
                continue
            self._sent.append(now)
            self._latest[chosen] = now
            self._given += 1
            future.set_result(None)
        wait = max(due, self._next()) - now
        if wait < float("inf"):
            self._timer = asyncio.get_running_loop().call_later(max(wait, 0.0), self.give)

    def _room(self) -> float:
        """When one more would not be too many in a second."""
        full = len(self._sent) == self._most
        return self._sent[0] + self._window if full else float("-inf")

    def _due(self, one: Urgency) -> float:
        """When this kind may send again: the less urgent, the further apart."""
        return self._latest[one] + one * self._window / self._most

    def _next(self) -> float:
        return min(map(self._due, self._candidates()), default=float("inf"))

    def _candidates(self) -> list[Urgency]:
        """The most urgent kind that waits; when it is the turn of who waits longest, every kind."""
        waiting = [one for one in Urgency if self._waiting[one]]
        return waiting if self._given % IN_TURN == IN_TURN - 1 else waiting[:1]

    def _chosen(self, now: float) -> Urgency | None:
        able = [one for one in self._candidates() if self._due(one) <= now]
        return min(able, key=lambda one: self._waiting[one][0][0], default=None)
