"""Send the requests that `machine` decides on, with one task for each stale surface.

The driver waits for a request's turn, calls `SurfacePlace.perform`, and passes the outcome to
`machine`. A press is answered at once, even while another request is in flight.
"""

from __future__ import annotations

import asyncio
import random
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ClassVar, Final

import discord
import structlog

from bot.discord import answers
from bot.discord.answers import Interaction
from bot.discord.delivery import machine
from bot.discord.delivery.machine import Act, Message, Request, Surface, Target, decide
from bot.discord.outcomes import NOT_TAKEN, NotYet, RequestOutcome, code_of, outcome_of
from bot.discord.pacing import Urgency, urgency
from bot.discord.redraw_queue import RedrawQueue
from bot.retry import RetryPolicy
from bot.tables import errors

log = structlog.get_logger(__name__)

# Seconds before other messages are updated after a move: the player who moved gets their answer
# first, and the others don't notice the delay.
HEAD_START: Final = 0.01
# with up to a quarter more or less at random
RETRY: Final = RetryPolicy(first=0.5, longest=30.0, factor=4.0)
TRIES: Final = 4  # tries at a request that fails with an unforeseen error


Key = tuple[str, int, int]  # a place's kind, table and player


@dataclass(frozen=True, slots=True)
class RequestResult:
    """The result of a request: the messages it made or found, and the version that it drew."""

    messages: tuple[Message, ...] = ()
    version: int | None = None  # None: the version in the request
    outcome: RequestOutcome = RequestOutcome.TAKEN


class SurfacePlace(ABC):
    """One place where the bot shows something; `perform` makes its requests."""

    kind: ClassVar[str]
    finds: ClassVar[bool] = True  # whether a post whose receipt is lost can be found again

    def __init__(self, surface: Surface, table_id: int, player: int = 0) -> None:
        self.surface = surface
        self.table_id = table_id
        self.player = player  # whose it is; 0 if it is everybody's
        self.presses: dict[int, Interaction] = {}  # presses whose answer is in flight or in doubt
        self.task: asyncio.Task[None] | None = None
        self.timer: asyncio.TimerHandle | None = None
        self.tries = 0  # tries in a row that Discord did not take
        self.surprises = 0  # unforeseen errors in a row
        self.after = 0.0  # seconds for which Discord takes nothing, as it said last

    @property
    def key(self) -> Key:
        """Return what `Driver.hold` knows the place by."""
        return self.kind, self.table_id, self.player

    @property
    def waits_for_presses(self) -> bool:
        """Return whether requests wait while a press is being processed; by default, they do."""
        return True

    def want(self, target: Target) -> None:
        """Set what the surface should show."""
        if target != self.surface.target:
            self.surface = machine.change(self.surface, target)

    @abstractmethod
    async def perform(self, request: Request, interaction: Interaction | None) -> RequestResult:
        """Make a request. `interaction`: the press or command that it answers, if any.

        Raises one of `NOT_TAKEN`, `NotYet` or `RefusedError` if the request fails.
        """

    def urgency(self, request: Request) -> Urgency:
        """Return how urgent a request is."""
        return Urgency.REDRAW if request.act in (Act.EDIT, Act.RETIRE) else Urgency.AWAITED

    async def wait_for_turn(  # noqa: B027 - a surface that waits for nothing
        self, request: Request, queue: RedrawQueue, *, hurried: bool
    ) -> None:
        """Wait until a request may be sent; by default, don't wait.

        `hurried`: the bot is stopping and waits for the request.
        """

    def hurry(  # noqa: B027
        self, queue: RedrawQueue, *, always: bool = False
    ) -> None:
        """Give the waiting request its present urgency, or `Urgency.AWAITED` if `always`.

        The base class does nothing.
        """

    def rest(self) -> None:  # noqa: B027
        """Clean up when nothing is left to send. By default, do nothing."""


class Driver:
    """Sends the requests of each place until its message is up to date."""

    def __init__(self, queue: RedrawQueue) -> None:
        self._queue = queue
        self._busy: dict[asyncio.Task[None], SurfacePlace] = {}
        self._held = Counter[Key]()  # presses being processed: their answers redraw the places
        self._held_back: dict[SurfacePlace, None] = {}  # to wake when they are no longer held
        self._finishing = 0
        self._closed = False

    def wake(self, place: SurfacePlace) -> None:
        """Start a task that sends the place's requests, or hurry the running one.

        If there are none now, plan the next retry, or call the place's `rest`. Do nothing while
        requests are held back or wait for a retry, or after `close`.
        """
        if self._closed:
            return
        if place.timer is not None and not place.surface.waiting:
            place.timer.cancel()
            place.timer = None
        if self.is_held(place):
            self._held_back[place] = None
        elif place.timer is not None:
            return
        elif place.task is not None:
            place.hurry(self._queue)
        elif decide(place.surface) is not None:
            place.task = asyncio.create_task(self._run(place), name=place.kind)
            self._busy[place.task] = place
        elif place.surface.waiting:
            self._try_later(place)
        elif not place.surface.in_flight:
            place.rest()

    async def answer(
        self, place: SurfacePlace, interaction: Interaction, *, may_post: bool = True
    ) -> RequestOutcome:
        """Answer a press at once; return the outcome. `may_post`: a new message may answer it."""
        place.surface = machine.press(place.surface, interaction.id, may_post=may_post)
        request = decide(place.surface)
        assert request is not None
        place.presses[interaction.id] = interaction
        return await self._send(place, request)

    async def post(self, place: SurfacePlace, interaction: Interaction) -> RequestOutcome:
        """Answer an interaction with a new message; return the outcome."""
        place.presses[interaction.id] = interaction
        target, number = place.surface.target, place.surface.sent
        key = target.epoch, target.version
        return await self._send(place, Request(number, Act.POST, *key, press=interaction.id))

    @contextmanager
    def hold(self, *keys: Key) -> Iterator[None]:
        """Hold back the requests of these places while the block processes a press."""
        self._held.update(keys)
        try:
            yield
        finally:
            self._held -= Counter(keys)
            held_back, self._held_back = self._held_back, {}
            for place in held_back:
                self.wake(place)

    def is_held(self, place: SurfacePlace) -> bool:
        """Return whether a place's requests are held back."""
        return place.waits_for_presses and self._held[place.key] > 0

    @property
    def is_busy(self) -> bool:
        """Return whether any background task is sending requests."""
        return bool(self._busy)

    async def settle(self, *, but: str = "") -> None:
        """Wait until every message is up to date or waits for a retry.

        Don't wait for messages of kind `but`.
        """
        self._finishing += 1
        try:
            while busy := [task for task, place in self._busy.items() if place.kind != but]:
                for place in self._busy.values():
                    place.hurry(self._queue, always=True)
                await asyncio.wait(busy, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._finishing -= 1

    async def settle_place(self, place: SurfacePlace) -> None:
        """Wait until a place's message is up to date or waits for a retry."""
        while place.task is not None:
            await asyncio.wait({place.task})

    def close(self) -> None:
        """Send nothing more, as the connection to Discord is about to be closed."""
        self._closed = True
        for task in self._busy:
            task.cancel()

    async def _run(self, place: SurfacePlace) -> None:
        try:
            first = decide(place.surface)
            if first is not None and first.act is not Act.POST:
                await asyncio.sleep(HEAD_START)
            while not self.is_held(place) and (request := decide(place.surface)) is not None:
                with urgency(place.urgency(request)):
                    await place.wait_for_turn(request, self._queue, hurried=self._finishing > 0)
                    # show changes made meanwhile too
                    if self.is_held(place) or (request := decide(place.surface)) is None:
                        break
                    await self._send(place, request)
        except Exception:
            log.exception("delivery: a task ended", kind=place.kind)
        finally:
            if place.task is not None:
                del self._busy[place.task]
            place.task = None
        self.wake(place)  # not reached if the task was cancelled or its loop has closed

    async def _send(self, place: SurfacePlace, request: Request) -> RequestOutcome:
        """Make one request, update the place's surface with the outcome, and wake the place."""
        place.surface = machine.begin(place.surface, request)
        interaction = place.presses.get(request.press or 0)
        result = RequestResult(outcome=RequestOutcome.NOT_YET)
        try:
            result = await self._perform(place, request, interaction)
        finally:
            drawn, outcome = request, result.outcome
            if result.version is not None:
                drawn = request._replace(version=max(request.version, result.version))
            if outcome is RequestOutcome.TAKEN:
                place.tries = place.surprises = 0
                place.after = 0.0
            elif request.press is None or request.act is Act.FIND:
                place.tries += 1
            place.surface = machine.learn(place.surface, drawn, outcome, result.messages)
            if request.press is not None and place.surface.lost_answer != request.press:
                place.presses.pop(request.press, None)
            self.wake(place)
        return outcome

    async def _perform(
        self, place: SurfacePlace, request: Request, interaction: Interaction | None
    ) -> RequestResult:
        act = request.act.name.lower()
        try:
            if request.act is Act.ACKNOWLEDGE and interaction is not None:
                await answers.acknowledge(interaction)
                return RequestResult()
            return await place.perform(request, interaction)
        except NotYet as error:
            place.after = error.after
            outcome = RequestOutcome.NOT_YET
        except NOT_TAKEN as error:
            outcome = outcome_of(error)
            place.after = error.retry_after if isinstance(error, discord.RateLimited) else 0.0
            name, code = type(error).__name__, code_of(error)
            if request.press is not None and request.act is not Act.FIND:
                answers.not_taken(error)
                if request.act is Act.POST and code in answers.PERHAPS_TAKEN:
                    outcome = RequestOutcome.MAYBE
            else:
                log.warning("delivery: not taken", kind=place.kind, act=act, error=name, code=code)
            if outcome is RequestOutcome.MAYBE and request.act is Act.POST and not place.finds:
                outcome = RequestOutcome.REFUSED
        except errors.StoreUnavailable as error:
            log.warning("delivery: the database failed", kind=place.kind, reason=repr(error))
            outcome = RequestOutcome.NOT_YET
        # the table was closed meanwhile, or is damaged (which is logged)
        except errors.RefusedError as refusal:
            log.info("delivery: left out", act=act, kind=place.kind, refusal=type(refusal).__name__)
            outcome = RequestOutcome.REFUSED
        except Exception:
            log.exception("delivery: not shown", kind=place.kind, act=act)
            place.surprises += 1
            hopeless = place.surprises >= TRIES
            outcome = RequestOutcome.REFUSED if hopeless else RequestOutcome.NOT_YET
        return RequestResult(outcome=outcome)

    def _try_later(self, place: SurfacePlace) -> None:
        wait = RETRY.pause(max(place.tries, 1))
        wait = max(wait * random.uniform(0.75, 1.25), place.after)

        def again() -> None:
            place.timer = None
            place.surface = place.surface._replace(waiting=False)
            self.wake(place)

        place.timer = asyncio.get_running_loop().call_later(wait, again)
