"""The bot's side of the computing process: starts it, asks it, starts it again when it dies.

A question that was being answered when the process died is asked once more, since it need not be
to blame; if it dies again, the question fails. Should the process die again and again, it is
started after ever longer pauses, and in a pause every question fails at once.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from collections import deque
from collections.abc import Sequence
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
    framed,
    receive,
    resident_megabytes,
)
from bot.computing.question import AHEAD, Lane, ProcessLost, Question, QueueFull, TookTooLong
from bot.language.catalogues import spoken

log = structlog.get_logger(__name__)
T = TypeVar("T")

MOST_ASKED: Final = 64  # of people, under way and waiting; and as many decisions
MOST_PICTURES: Final = 128  # one that is not drawn there takes the bot's own time
_PEOPLES: Final = (Lane.BRIEF, Lane.LONG)
TRIES: Final = 2
PAUSES: Final = (0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 60.0)  # seconds before it is started again
USEFUL_LIFE: Final = 30.0  # seconds; whoever lived that long starts the pauses anew
_SECRET: Final = ("DISCORD_TOKEN", "BLUFFHOUSE_")  # settings that are none of its business


@dataclass(eq=False, slots=True)
class _Asked:
    """A question and who waits for its answer."""

    number: int
    lane: Lane
    message: bytes
    answer: asyncio.Future[Any]
    limit: float | None
    tries: int = 0
    ending: asyncio.TimerHandle | None = None  # when it has been counted for too long


class Computing:
    """One computing process, started by the first question or by `start`.

    Not for use from several event loops.
    """

    def __init__(self, pauses: Sequence[float] = PAUSES, most_asked: int = MOST_ASKED) -> None:
        self._pauses = pauses
        self._most_asked = most_asked
        self._numbers = count(1)
        self._waiting: dict[Lane, deque[_Asked]] = {lane: deque() for lane in Lane}
        self._sent: dict[int, _Asked] = {}
        self._process: asyncio.subprocess.Process | None = None
        self._running: asyncio.Task[None] | None = None
        self._pausing = False
        self._closed = False
        self.warmed = asyncio.Event()  # the kernels are loaded
        self._to_be_warm = False
        self._warms = False  # every process loads its kernels before it is asked

    @property
    def pid(self) -> int | None:
        """The process's id while it runs."""
        return self._process.pid if self._process is not None else None

    @property
    def warming(self) -> bool:
        """Whether the kernels are still to be loaded, or compiled: a question might wait for that.

        Where nobody has them loaded they are loaded when they are asked for, and this is False.
        """
        return self._to_be_warm and not self.warmed.is_set()

    @property
    def at_hand(self) -> bool:
        """Whether a process runs that has loaded what it is to load: a brief wait for it is brief.

        Nothing is started by asking.
        """
        loaded = self.warmed.is_set() or not self._warms
        return self._process is not None and loaded and not self._closed

    def plan_warming(self) -> None:
        """The kernels will be loaded before long, by `start`."""
        self._to_be_warm = True

    def start(self, *, warm: bool = False) -> None:
        """Start the process in the background, if it does not run.

        `warm`: it loads its kernels before it is asked for them.
        """
        if self._closed:
            return
        if warm and not self._warms:
            self._to_be_warm = self._warms = True
            self._tell(framed(Warm()))
        if self._running is None:
            self._running = asyncio.create_task(self._run(), name="computing")

    async def close(self) -> None:
        """End the process; questions under way fail with `ProcessLost`."""
        self._closed = True
        self._fail_all()
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()
        if self._running is not None:
            self._running.cancel()
            await asyncio.wait({self._running})

    async def ask(self, question: Question[T], limit: float | None = None) -> T:
        """The answer, which may be `limit` seconds in the counting. Cancelling it frees the worker.

        Raises `QueueFull`, `ProcessLost`, `TookTooLong`, what the question raises, and what pickle
        raises for one that cannot be sent.
        """
        if self._closed or self._pausing:
            raise ProcessLost
        lane = question.lane
        most = MOST_PICTURES if lane is Lane.PICTURE else self._most_asked
        if self._asked_with(lane) >= most:
            raise QueueFull
        number = next(self._numbers)
        message = framed(AnswerRequest(number, question, spoken().key))
        future = asyncio.get_running_loop().create_future()
        asked = _Asked(number, lane, message, future, limit)
        self.start()
        self._waiting[asked.lane].append(asked)
        self._send_waiting()
        try:
            answer: T = await future
            return answer
        finally:
            self._forget(asked)

    # -- questions --------------------------------------------------------------------------------

    def _send_waiting(self) -> None:
        if self._process is None:
            return
        for lane, most in AHEAD.items():
            waiting = self._waiting[lane]
            busy = self._busy(lane)
            while waiting and busy < most:
                asked = waiting.popleft()
                asked.tries += 1
                self._sent[asked.number] = asked
                self._tell(asked.message)
                busy += 1

    def _busy(self, lane: Lane) -> int:
        """How many questions of a lane are with the process."""
        return sum(asked.lane is lane for asked in self._sent.values())

    def _asked_with(self, lane: Lane) -> int:
        """How many questions are under way and waiting: of a lane, and people's of both theirs."""
        lanes = _PEOPLES if lane in _PEOPLES else (lane,)
        return sum(self._busy(one) + len(self._waiting[one]) for one in lanes)

    def _forget(self, asked: _Asked) -> None:
        """Nobody waits for the answer any more: it was given, or is not wanted."""
        if asked.ending is not None:
            asked.ending.cancel()
        if asked in self._waiting[asked.lane]:
            self._waiting[asked.lane].remove(asked)
        elif asked.number in self._sent:  # its thread is taken until the process says otherwise
            self._tell(framed(Stop(asked.number)))

    def _tell(self, message: bytes) -> None:
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

    def _begin_limit(self, asked: _Asked) -> None:
        if asked.limit is None or asked.answer.done():
            return
        late = TookTooLong(asked.limit)

        def end() -> None:
            if not asked.answer.done():
                asked.answer.set_exception(late)

        asked.ending = asyncio.get_running_loop().call_later(asked.limit, end)

    def _fail_all(self) -> None:
        everybody = [*self._sent.values()]
        for waiting in self._waiting.values():
            everybody += waiting
            waiting.clear()
        self._sent.clear()
        for asked in everybody:
            if not asked.answer.done():
                asked.answer.set_exception(ProcessLost())

    def _ask_again(self) -> None:
        """The process is gone: what it had is asked anew, but not for ever."""
        for asked in reversed(self._sent.values()):
            if asked.ending is not None:
                asked.ending.cancel()
            if asked.answer.done():
                continue
            if asked.tries < TRIES:
                self._waiting[asked.lane].appendleft(asked)
            else:
                asked.answer.set_exception(ProcessLost())
        self._sent.clear()

    # -- the process ------------------------------------------------------------------------------

    async def _run(self) -> None:
        """Keep a process running until closed."""
        loop = asyncio.get_running_loop()
        deaths = 0
        while True:
            began = loop.time()
            code = await self._live()
            lived = loop.time() - began
            deaths = 1 if lived >= USEFUL_LIFE else deaths + 1
            pause = self._pauses[min(deaths, len(self._pauses)) - 1]
            log.warning(
                "computing: the process has ended", code=code, lived=round(lived, 1), pause=pause
            )
            self._ask_again()
            if pause:
                self._pausing = True
                self._fail_all()
                await asyncio.sleep(pause)
                self._pausing = False

    async def _live(self) -> int | None:
        """One life of the process; its exit code, None if it could not be started."""
        kept = {key: value for key, value in os.environ.items() if not key.startswith(_SECRET)}
        command = [sys.executable, "-m", "bot.computing.worker"]
        pipe = asyncio.subprocess.PIPE
        try:
            process = await asyncio.create_subprocess_exec(
                *command, stdin=pipe, stdout=pipe, stderr=pipe, env=kept
            )
        except OSError as error:
            log.warning("computing: the process cannot be started", error=str(error))
            return None
        assert process.stdout is not None
        assert process.stderr is not None
        self._process = process
        log.info("computing: started", pid=process.pid)
        said = asyncio.create_task(_log_lines(process.stderr), name="computing says")
        try:
            if self._warms:
                self._tell(framed(Warm()))
            self._send_waiting()
            while (message := await receive(process.stdout)) is not None:
                self._hear(message)
        except Exception:  # an answer that cannot be read: nothing after it can be trusted
            log.exception("computing: not understood")
        finally:
            self._process = None
            self.warmed.clear()
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            code = await process.wait()
            await said
            if process.stdin is not None:
                process.stdin.close()
        return code


async def _log_lines(stream: asyncio.StreamReader) -> None:
    """What the process says beside its answers: warnings, and why it dies."""
    while True:
        try:
            line = await stream.readline()
        except ValueError:  # longer than any line worth reading
            continue
        if not line:
            return
        log.warning("computing: said", line=line.decode(errors="replace").rstrip())
