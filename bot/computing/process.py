"""The bot's side of the computing process: start it, send questions, restart it if it dies.

If the process dies during a question, the question is sent once more, since it may not be
the cause. If the process dies again, the question fails. If the process keeps dying, the
pauses before a restart grow. During a pause every question fails at once.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections import deque
from dataclasses import dataclass
from itertools import count
from typing import Any, Final, TypeVar

import structlog

from bot.computing.protocol import (
    Answered,
    AnswerRequest,
    Counting,
    Failed,
    Stop,
    Warm,
    Warmed,
    frame_message,
    receive,
    resident_megabytes,
)
from bot.computing.question import AHEAD, Lane, ProcessLost, Question, QueueFull, TookTooLong
from bot.language.catalogues import spoken
from bot.retry import RetryPolicy

log = structlog.get_logger(__name__)
T = TypeVar("T")

MOST_ASKED: Final = 64  # pending questions from people; and as many pending decisions
MOST_PICTURES: Final = 128  # pending pictures; the bot draws further ones itself
_OF_PEOPLE: Final = (Lane.BRIEF, Lane.LONG)
TRIES: Final = 2
RESTARTS: Final = RetryPolicy(first=1.0, longest=60.0, at_once=1)
USEFUL_LIFE: Final = 30.0  # seconds; if a process lived longer, the pauses start again
# environment variables that the process must not see
_SECRET: Final = ("DISCORD_TOKEN", "BLUFFHOUSE_")


@dataclass(eq=False, slots=True)
class _Pending:
    """A question waiting for its answer."""

    number: int
    lane: Lane
    message: bytes
    answer: asyncio.Future[Any]
    limit: float | None
    tries: int = 0
    ending: asyncio.TimerHandle | None = None  # fires at the time limit


class Computing:
    """One computing process, started by the first question or by `start`.

    Use it from one event loop only.
    """

    def __init__(self, restarts: RetryPolicy = RESTARTS, most_asked: int = MOST_ASKED) -> None:
        self._restarts = restarts
        self._most_asked = most_asked
        self._numbers = count(1)
        self._waiting: dict[Lane, deque[_Pending]] = {lane: deque() for lane in Lane}
        self._sent: dict[int, _Pending] = {}
        self._process: asyncio.subprocess.Process | None = None
        self._running: asyncio.Task[None] | None = None
        self._pausing = False
        self._closed = False
        self.warmed = asyncio.Event()  # set once the kernels are loaded
        self._to_be_warm = False
        self._warms = False  # whether each process loads its kernels at its start

    @property
    def pid(self) -> int | None:
        """The process's id; None while no process runs."""
        return self._process.pid if self._process is not None else None

    @property
    def warming(self) -> bool:
        """Whether kernels are still being loaded or compiled, so that a question might wait.

        False if they are only loaded on demand.
        """
        return self._to_be_warm and not self.warmed.is_set()

    @property
    def at_hand(self) -> bool:
        """Whether the process runs and isn't loading kernels, so that an answer comes soon."""
        loaded = self.warmed.is_set() or not self._warms
        return self._process is not None and loaded and not self._closed

    def plan_warming(self) -> None:
        """Make `warming` true from now on: `start` will load the kernels later."""
        self._to_be_warm = True

    def start(self, *, warm: bool = False) -> None:
        """Start the process in the background, if it isn't running.

        `warm`: load the kernels at once.
        """
        if self._closed:
            return
        if warm and not self._warms:
            self._to_be_warm = self._warms = True
            self._send(frame_message(Warm()))
        if self._running is None:
            self._running = asyncio.create_task(self._run(), name="computing")

    async def close(self) -> None:
        """End the process. Pending questions fail with `ProcessLost`."""
        self._closed = True
        self._fail_all()
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
        if self._running is not None:
            self._running.cancel()
            await asyncio.wait({self._running})

    async def ask(self, question: Question[T], limit: float | None = None) -> T:
        """Return the answer, computed within `limit` seconds if given. Cancelling frees the worker.

        Raises `QueueFull`, `ProcessLost`, `TookTooLong`, what the question raises, and what pickle
        raises for a question that can't be sent.
        """
        if self._closed or self._pausing:
            raise ProcessLost
        lane = question.lane
        most = MOST_PICTURES if lane is Lane.PICTURE else self._most_asked
        if self._count_pending(lane) >= most:
            raise QueueFull
        number = next(self._numbers)
        limited = limit is not None
        message = frame_message(AnswerRequest(number, question, spoken().key, limited))
        future = asyncio.get_running_loop().create_future()
        pending = _Pending(number, lane, message, future, limit)
        self.start()
        self._waiting[pending.lane].append(pending)
        self._send_waiting()
        try:
            answer: T = await future
            return answer
        finally:
            self._forget(pending)

    # -- questions --------------------------------------------------------------------------------

    def _send_waiting(self) -> None:
        if self._process is None:
            return
        for lane, most in AHEAD.items():
            waiting = self._waiting[lane]
            busy = self._busy(lane)
            while waiting and busy < most:
                pending = waiting.popleft()
                pending.tries += 1
                self._sent[pending.number] = pending
                self._send(pending.message)
                busy += 1

    def _busy(self, lane: Lane) -> int:
        """Return how many of a lane's questions were sent to the process and not answered yet."""
        return sum(pending.lane is lane for pending in self._sent.values())

    def _count_pending(self, lane: Lane) -> int:
        """Return how many questions are pending in a lane.

        The brief and the long lane are counted together.
        """
        lanes = _OF_PEOPLE if lane in _OF_PEOPLE else (lane,)
        return sum(self._busy(member) + len(self._waiting[member]) for member in lanes)

    def _forget(self, pending: _Pending) -> None:
        """Drop an answered or abandoned question. If it is being computed, stop the work."""
        if pending.ending is not None:
            pending.ending.cancel()
        if pending in self._waiting[pending.lane]:
            self._waiting[pending.lane].remove(pending)
        elif pending.number in self._sent:  # its thread is busy until the process reports back
            self._send(frame_message(Stop(pending.number)))

    def _send(self, message: bytes) -> None:
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.write(message)

    def _hear(self, message: object) -> None:
        match message:
            case Counting(number) if number in self._sent:
                self._begin_limit(self._sent[number])
            case Answered(number) | Failed(number) if number in self._sent:
                answer = self._sent.pop(number).answer
                if not answer.done():
                    if isinstance(message, Failed):
                        answer.set_exception(message.error())
                    else:
                        answer.set_result(message.answer)
                self._send_waiting()
            case Warmed(seconds, megabytes):
                self.warmed.set()
                log.info(
                    "computing: warm",
                    seconds=round(seconds, 1),
                    worker_mb=megabytes,
                    bot_mb=resident_megabytes(),
                )

    def _begin_limit(self, pending: _Pending) -> None:
        if pending.limit is None or pending.answer.done():
            return
        late = TookTooLong(pending.limit)

        def end() -> None:
            if not pending.answer.done():
                pending.answer.set_exception(late)

        pending.ending = asyncio.get_running_loop().call_later(pending.limit, end)

    def _fail_all(self) -> None:
        questions = [*self._sent.values()]
        for waiting in self._waiting.values():
            questions += waiting
            waiting.clear()
        self._sent.clear()
        for pending in questions:
            if not pending.answer.done():
                pending.answer.set_exception(ProcessLost())

    def _requeue(self) -> None:
        """Queue a dead process's questions again, or fail those tried too often."""
        for pending in reversed(self._sent.values()):
            if pending.ending is not None:
                pending.ending.cancel()
            if pending.answer.done():
                continue
            if pending.tries < TRIES:
                self._waiting[pending.lane].appendleft(pending)
            else:
                pending.answer.set_exception(ProcessLost())
        self._sent.clear()

    # -- the process ------------------------------------------------------------------------------

    async def _run(self) -> None:
        """Run a process, and start a new one each time it ends."""
        loop = asyncio.get_running_loop()
        deaths = 0
        while True:
            began = loop.time()
            code = await self._live()
            lived = loop.time() - began
            deaths = 1 if lived >= USEFUL_LIFE else deaths + 1
            pause = self._restarts.pause(deaths)
            log.warning(
                "computing: the process has ended", code=code, lived=round(lived, 1), pause=pause
            )
            self._requeue()
            if pause:
                self._pausing = True
                self._fail_all()
                await asyncio.sleep(pause)
                self._pausing = False

    async def _live(self) -> int | None:
        """Run one process until it ends. Return its exit code; None if it could not be started."""
        environment = {
            key: value for key, value in os.environ.items() if not key.startswith(_SECRET)
        }
        command = [sys.executable, "-P", "-m", "bot.computing.worker"]
        pipe = asyncio.subprocess.PIPE
        try:
            process = await asyncio.create_subprocess_exec(
                *command, stdin=pipe, stdout=pipe, stderr=pipe, env=environment
            )
        except OSError as error:
            log.warning("computing: the process cannot be started", error=str(error))
            return None
        assert process.stdout is not None
        assert process.stderr is not None
        self._process = process
        log.info("computing: started", pid=process.pid)
        log_task = asyncio.create_task(_log_lines(process.stderr), name="computing says")
        try:
            if self._warms:
                self._send(frame_message(Warm()))
            self._send_waiting()
            while (message := await receive(process.stdout)) is not None:
                self._hear(message)
        except Exception:  # after an unreadable answer nothing can be trusted
            log.exception("computing: not understood")
        finally:
            self._process = None
            self.warmed.clear()
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            code = await process.wait()
            await log_task
            if process.stdin is not None:
                process.stdin.close()
        return code


async def _log_lines(stream: asyncio.StreamReader) -> None:
    """Log what the process prints to standard error: warnings, and why it dies."""
    while True:
        try:
            line = await stream.readline()
        except ValueError:  # longer than any line worth reading
            continue
        if not line:
            return
        log.warning("computing: said", line=line.decode(errors="replace").rstrip())
