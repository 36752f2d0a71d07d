"""Pace the requests to Discord, and decide which go first.

`tracing` delays each of the library's requests, and reports them to the meters.

Discord takes about fifty requests a second from one bot, not counting answers to presses, and
refuses more. discord.py learns of that limit only by being refused, and then sends the waiting
requests in no order. Here requests are delayed before they are sent. Requests that players wait for
go first (a deal, a showdown, cards), then redraws of tables, then catching up after a start. Every
fifth request is the one that has waited longest, so that none waits for ever.

Less urgent requests are spread evenly, not sent in a burst at the beginning of each second, so that
a deal in the middle of the second finds room.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextvars import ContextVar
from enum import IntEnum
from types import MappingProxyType, SimpleNamespace
from typing import Final

import aiohttp
import yarl

from bot.discord.duplicate_instance import DuplicateInstances
from bot.language.moments import host_clock
from bot.operations.metrics import Meters

SECOND: Final = 1.0
MINUTE: Final = 60.0
# requests a minute in one channel; Discord takes thirty, and the rest is left to answers
BY_TOKENS: Final = 24
IN_TURN: Final = 5  # one request in this many is the one that has waited longest
_FREE: Final = ("/interactions/", "/webhooks/")  # paths that don't count towards Discord's limit


class Urgency(IntEnum):
    """The kinds of requests, the most urgent first.

    The value is the least gap between two requests of a kind; 1 is the gap at which one kind alone
    would use up the limit.
    """

    AWAITED = 0
    REDRAW = 1
    CATCHING_UP = 2


# How many requests a minute each less urgent kind leaves free for the seat of the player to act.
# REDRAW: the seat of the player who has just bid, which still says that it's their turn.
# CATCHING_UP: work that can wait, such as deleting earlier seats.
RESERVED: Final = {Urgency.REDRAW: 4, Urgency.CATCHING_UP: 12}
_urgency: ContextVar[Urgency] = ContextVar("urgency", default=Urgency.AWAITED)


@contextlib.contextmanager
def urgency(of: Urgency) -> Iterator[None]:
    """Set the urgency of requests made in the block, and of tasks started in it."""
    token = _urgency.set(of)
    try:
        yield
    finally:
        _urgency.reset(token)


def counts(url: yarl.URL) -> bool:
    """Return whether a request counts towards Discord's limit."""
    return url.scheme.startswith("http") and not any(path in url.path for path in _FREE)


class ByChannel:
    """Limits each channel's requests for private messages, which use interactions' tokens.

    Discord takes thirty requests a minute by all tokens of a channel, and says so only by
    refusing more (discord-api-docs #3763). The seat of the player to act goes first, then the
    seat of the player who has just bid, then the deletion of earlier seats. Less urgent
    requests leave room for more urgent ones.
    """

    def __init__(self, paced: bool, now: Callable[[], float] | None = None) -> None:
        self._paced = paced
        self._clock = now
        self._paces: dict[int, Pace] = {}

    async def turn(self, channel: int, key: Hashable) -> None:
        """Wait until one more request may be sent in a channel. `key` must not be waiting yet."""
        if not self._paced:
            return
        await self._pace(channel).turn(key)

    def spend(self, channel: int) -> None:
        """Count one more request in a channel; it was sent without waiting for its turn."""
        if self._paced:
            self._pace(channel).spend()

    def _pace(self, channel: int) -> Pace:
        if channel not in self._paces:
            self._paces = {key: pace for key, pace in self._paces.items() if not pace.idle}
            self._paces[channel] = Pace(BY_TOKENS, self._clock, MINUTE, RESERVED)
        return self._paces[channel]

    def has_room(self, channel: int) -> bool:
        """Return whether even the least urgent request may be sent in a channel at once."""
        return channel not in self._paces or self._paces[channel].has_room

    def has_room_for_awaited(self, channel: int) -> bool:
        """Return whether an awaited request may be sent in a channel at once."""
        return channel not in self._paces or self._paces[channel].has_room_for_awaited

    def hurry(self, channel: int, key: Hashable, to: Urgency = Urgency.AWAITED) -> None:
        """Make the waiting request of `key` at least as urgent as `to`."""
        if channel in self._paces:
            self._paces[channel].hurry(key, to)


class Pace:
    """Limits requests to `per_window` in any window of `held` seconds.

    If `per_window` is 0, there is no limit. `reserved`: how many requests of a window a less urgent
    kind must leave to the others.
    """

    def __init__(
        self,
        per_window: float,
        now: Callable[[], float] | None = None,
        held: float = SECOND,
        reserved: Mapping[Urgency, int] = MappingProxyType({}),
    ) -> None:
        self._most = max(1, int(per_window)) if per_window else 0
        self._window = held * self._most / per_window if per_window else held
        self._clock = now
        self._reserved = reserved
        self._sent: deque[float] = deque(maxlen=max(1, self._most))
        self._latest = dict.fromkeys(Urgency, float("-inf"))
        self._waiting: dict[Urgency, deque[tuple[int, asyncio.Future[None]]]] = {
            kind: deque() for kind in Urgency
        }
        self._named: dict[Hashable, asyncio.Future[None]] = {}
        self._asked = self._given = 0
        self._timer: asyncio.TimerHandle | None = None

    def _now(self) -> float:
        return (self._clock or asyncio.get_running_loop().time)()

    @property
    def waiting(self) -> int:
        """Return how many requests are held back."""
        return sum(not future.done() for queue in self._waiting.values() for _, future in queue)

    @property
    def left(self) -> int:
        """Return how many more requests could be sent at once, after the waiting ones.

        Without a limit, the number means nothing.
        """
        since = self._now() - self._window
        return self._most - sum(sent > since for sent in self._sent) - self.waiting

    @property
    def share_used(self) -> float:
        """Return how much of the limit is used by sent and waiting requests; 1 is all of it.

        Return 0 without a limit.
        """
        return 1 - self.left / self._most if self._most else 0.0

    @property
    def has_room(self) -> bool:
        """Return whether even the least urgent request may be sent at once."""
        return self._now() >= max(self._room(), self._room_beside_kept(Urgency.CATCHING_UP))

    @property
    def has_room_for_awaited(self) -> bool:
        """Return whether one more awaited request could be sent at once.

        Awaited requests that are still waiting are counted as sent.
        """
        awaited = sum(not future.done() for _, future in self._waiting[Urgency.AWAITED])
        since = self._now() - self._window
        return not self._most or sum(sent > since for sent in self._sent) + awaited < self._most

    @property
    def idle(self) -> bool:
        """Whether no request waits, and none was sent within the last window."""
        return not self.waiting and (not self._sent or self._now() >= self._sent[-1] + self._window)

    async def turn(self, key: Hashable = None) -> None:
        """Wait until one more request of the current urgency may be sent.

        If `key` is given, `hurry` can raise the urgency meanwhile.
        """
        if not self._most:
            return
        future = asyncio.get_running_loop().create_future()
        self._asked += 1
        self._waiting[_urgency.get()].append((self._asked, future))
        if key is not None:
            self._named[key] = future
        self.give()
        try:
            await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled():
                self.give()  # it loses its turn; nothing is sent for it
            raise
        finally:
            if key is not None:
                del self._named[key]

    def spend(self) -> None:
        """Count one more request, which was sent without waiting for a turn."""
        self._sent.append(self._now())

    def hurry(self, key: Hashable, to: Urgency = Urgency.AWAITED) -> None:
        """Make the waiting request of `key` at least as urgent as `to` from now on."""
        future = self._named.get(key)
        for queue in (self._waiting[kind] for kind in Urgency if kind > to):
            for entry in [waiter for waiter in queue if waiter[1] is future]:
                queue.remove(entry)
                self._waiting[to].append(entry)
                self.give()

    def give(self) -> None:
        """Release every request that may be sent now; if more wait, schedule the next `give`."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        while (now := self._now()) >= (due := self._room()):
            chosen = self._chosen(now)
            if chosen is None:
                break
            _, future = self._waiting[chosen].popleft()
            if future.done():  # the caller has been cancelled
                continue
            self._sent.append(now)
            self._latest[chosen] = now
            self._given += 1
            future.set_result(None)
        wait = max(due, self._next()) - now
        if wait < float("inf"):
            self._timer = asyncio.get_running_loop().call_later(max(wait, 0.0), self.give)

    def _room(self) -> float:
        """Return from what time (by `_now`) one more request may be sent; -inf if at any time."""
        full = len(self._sent) == self._most
        return self._sent[0] + self._window if full else float("-inf")

    def _due(self, kind: Urgency) -> float:
        """Return when a request of this kind may be sent, by `_now`.

        The less urgent the kind, the larger the gaps between its requests. Kinds other than
        `AWAITED` also leave the reserved turns free.
        """
        due = self._latest[kind] + kind * self._window / self._most
        return max(due, self._room_beside_kept(kind))

    def _room_beside_kept(self, kind: Urgency) -> float:
        """Return when a request of this kind would leave `_reserved[kind]` turns free.

        The time is by `_now`; -inf: at once.
        """
        reserved = self._reserved.get(kind, 0)
        others = self._most - reserved
        held = reserved and len(self._sent) >= others
        return self._sent[-others] + self._window if held else float("-inf")

    def _next(self) -> float:
        return min(map(self._due, self._candidates()), default=float("inf"))

    def _candidates(self) -> list[Urgency]:
        """Return the urgencies to choose from: the highest that waits; every fifth time, all."""
        waiting = [kind for kind in Urgency if self._waiting[kind]]
        return waiting if self._given % IN_TURN == IN_TURN - 1 else waiting[:1]

    def _chosen(self, now: float) -> Urgency | None:
        able = [kind for kind in self._candidates() if self._due(kind) <= now]
        return min(able, key=lambda kind: self._waiting[kind][0][0], default=None)


def tracing(meters: Meters, duplicates: DuplicateInstances, pace: Pace) -> aiohttp.TraceConfig:
    """Return the trace configuration to pass to discord.py as `http_trace`.

    If a request counts towards Discord's limit, the trace delays it until `pace` gives it a
    turn. The trace reports every request's outcome to `meters` and `duplicates`, and Discord's
    time to `host_clock`.
    """
    trace = aiohttp.TraceConfig()

    async def on_start(
        _: aiohttp.ClientSession, context: SimpleNamespace, request: aiohttp.TraceRequestStartParams
    ) -> None:
        if counts(request.url):
            started = time.perf_counter()
            await pace.turn()
            meters.note_delay(time.perf_counter() - started)
        context.at = time.time()

    async def on_end(
        _: aiohttp.ClientSession, context: SimpleNamespace, request: aiohttp.TraceRequestEndParams
    ) -> None:
        duplicates.note_request(request.url.path, taken=request.response.ok)
        meters.note_request(request.method, request.url.path, request.response.status)
        host_clock.note_answer(request.response.headers.get("Date"), context.at, time.time())

    async def on_exception(
        _: aiohttp.ClientSession,
        context: SimpleNamespace,
        request: aiohttp.TraceRequestExceptionParams,
    ) -> None:
        duplicates.note_request(request.url.path, taken=False)
        meters.note_request(request.method, request.url.path, 0)

    trace.on_request_start.append(on_start)
    trace.on_request_end.append(on_end)
    trace.on_request_exception.append(on_exception)
    return trace
