"""An event loop whose time jumps ahead when no task can run, and `Life`, a run of the bot."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine, Generator
from contextvars import ContextVar
from random import Random
from typing import Any, Final

EPOCH: Final = 1_767_225_600.0  # 2026-01-01, when every session begins


class NothingWillHappen(AssertionError):
    """All tasks wait for things that will never happen."""


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop whose time jumps to the next due timer if no task can run.

    If no timer is set then either, the loop raises `NothingWillHappen`. `chance` picks the next
    task to run; None keeps the tasks' order.
    """

    def __init__(self, chance: Random | None = None) -> None:
        self._at = 0.0
        self._chance = chance
        self.woken = True  # another thread may have written to the loop's own pipe
        super().__init__(_Impatient(self))
        self.set_task_factory(_task)

    def time(self) -> float:
        """Return virtual seconds since the loop was made."""
        return self._at

    def pass_on(self, seconds: float) -> None:
        """Move the loop's time forward by `seconds`."""
        self._at += seconds

    def _write_to_self(self) -> None:
        self.woken = True
        super()._write_to_self()  # type: ignore[misc]

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """Call `func` here and now: a thread takes real time, while virtual time goes on."""
        future = self.create_future()
        try:
            future.set_result(func(*args))
        except Exception as error:
            future.set_exception(error)
        return future

    def shuffle(self) -> None:
        """Reorder the tasks that can run, since asyncio promises no order.

        Other callbacks keep their places: they run in the order in which they were
        scheduled.
        """
        ready: Any = self._ready  # type: ignore[attr-defined]
        if self._chance is None or len(ready) < 2:
            return
        places = [place for place, handle in enumerate(ready) if _is_task(handle)]
        if len(places) > 1:
            tasks = [ready[place] for place in places]
            self._chance.shuffle(tasks)
            for place, task in zip(places, tasks, strict=True):
                ready[place] = task


def _is_task(handle: Any) -> bool:
    """Return whether a handle runs a task (by the same test as asyncio's own log)."""
    return isinstance(getattr(handle._callback, "__self__", None), asyncio.Task)


class _Impatient(selectors.SelectSelector):
    """A selector that never waits; it reads the loop's own pipe when a thread wrote to it."""

    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        self._loop.shuffle()
        if timeout == 0:  # a task can run, so the pipe can wait
            return []
        events = super().select(0) if self._loop.woken or timeout is None else []
        self._loop.woken = False
        if not events and timeout is None:
            raise NothingWillHappen("nobody has anything to do, now or later")
        if not events and timeout:
            self._loop.pass_on(timeout)
        return events


class Life:
    """One life of the bot's process. When it is killed, its tasks end without cleaning up."""

    def __init__(self) -> None:
        self.dead = False
        self.tasks: dict[asyncio.Task[Any], None] = {}  # in the order in which they were made
        self.ends: list[Any] = []  # called at its death, such as a connection's close

    def check(self) -> None:
        """Raise asyncio.CancelledError, which all code passes on, if this life is over."""
        if self.dead:
            raise asyncio.CancelledError("this process is dead")

    async def kill(self) -> None:
        """End the process as `kill -9` would: from now on nothing is stored, sent or answered."""
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
    **kwargs: Any,
) -> asyncio.Task[Any]:
    """Create a task, and add it to the tasks of the life in which it is created."""
    task: asyncio.Task[Any] = asyncio.Task(coro, loop=loop, **kwargs)
    context = kwargs.get("context")
    life = context.get(LIFE) if context is not None else LIFE.get()
    if life is not None:
        life.tasks[task] = None
        task.add_done_callback(lambda finished: life.tasks.pop(finished, None))
        if life.dead:  # a dead process starts nothing; otherwise a worker's successor would live on
            task.cancel()
    return task


class LoopClock:
    """The local Discord's clock, in seconds since 1970."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def now(self) -> float:
        """Return seconds since 1970."""
        return EPOCH + self._loop.time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class WallClock:
    """The clock of the bot's machine, in milliseconds. Set `ahead` to make it jump."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self.ahead = 0.0  # seconds

    def now(self) -> int:
        """Return milliseconds since 1970."""
        return int((EPOCH + self._loop.time() + self.ahead) * 1000)
