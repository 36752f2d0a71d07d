"""An event loop whose time passes only while nobody has anything to do; and who is alive in it."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Coroutine, Generator
from contextvars import ContextVar
from typing import Any, Final

EPOCH: Final = 1_767_225_600.0  # 2026-01-01, when every evening begins


class NothingWillHappen(AssertionError):
    """Everybody waits, and for nothing that will come."""


class VirtualLoop(asyncio.SelectorEventLoop):
    """Time jumps to the next thing that is due. Raises `NothingWillHappen` if there is none."""

    def __init__(self) -> None:
        self._at = 0.0
        super().__init__(_Impatient(self))
        self.set_task_factory(_task)

    def time(self) -> float:
        """Virtual seconds since the loop was made."""
        return self._at

    def pass_on(self, seconds: float) -> None:
        """Nobody has anything to do for so long."""
        self._at += seconds


class _Impatient(selectors.SelectSelector):
    """Waits for no file: the loop's own pipe is all that there is."""

    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        found = super().select(0)
        if not found and timeout is None:
            raise NothingWillHappen("nobody has anything to do, now or later")
        if not found and timeout:
            self._loop.pass_on(timeout)
        return found


class Life:
    """One life of the bot's process: what it does ends with it, at once and without a last word."""

    def __init__(self) -> None:
        self.dead = False
        self.tasks: set[asyncio.Task[Any]] = set()
        self.ends: list[Any] = []  # called at its death, such as a connection's close

    def check(self) -> None:
        """The dead do nothing more. Raises asyncio.CancelledError, which all code passes on."""
        if self.dead:
            raise asyncio.CancelledError("this process is dead")

    async def kill(self) -> None:
        """As `kill -9`: nothing of it is stored, sent or answered from here on."""
        self.dead = True
        while tasks := [task for task in self.tasks if not task.done()]:
            for task in tasks:
                task.cancel()
            await asyncio.wait(tasks, timeout=1)
        for end in self.ends:
            end()


LIFE: ContextVar[Life | None] = ContextVar("LIFE", default=None)


def _task(
    loop: asyncio.AbstractEventLoop,
    coro: Coroutine[Any, Any, Any] | Generator[Any, None, Any],
    **more: Any,
) -> asyncio.Task[Any]:
    """A task that belongs to the life in which it was made."""
    task: asyncio.Task[Any] = asyncio.Task(coro, loop=loop, **more)
    context = more.get("context")
    life = context.get(LIFE) if context is not None else LIFE.get()
    if life is not None:
        life.tasks.add(task)
        task.add_done_callback(life.tasks.discard)
    return task


class LoopClock:
    """The local Discord's time, in seconds since 1970."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def now(self) -> float:
        """Seconds since the Unix epoch."""
        return EPOCH + self._loop.time()

    async def sleep(self, seconds: float) -> None:
        """Return once `seconds` have passed."""
        await asyncio.sleep(seconds)


class WallClock:
    """The time of the machine on which the bot runs, in milliseconds; somebody may set it."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.ahead = 0.0  # seconds

    def now(self) -> int:
        """Milliseconds since 1970."""
        return int((EPOCH + self._loop.time() + self.ahead) * 1000)
