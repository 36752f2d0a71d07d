"""A stand-in for the computing process, which answers in threads and can hold questions."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

from bot.computing.process import Computing
from bot.computing.question import Question

T = TypeVar("T")
Work = asyncio.Task[Any]
# set when a person's question is held, whichever bench does it
_held: WeakKeyDictionary[Work, asyncio.Event] = WeakKeyDictionary()


async def over_or_held(work: Work) -> bool:
    """Wait until a question is answered or a `Bench` holds it; return whether its task is done."""
    event = _held.setdefault(work, asyncio.Event())
    waiting = asyncio.create_task(event.wait())
    await asyncio.wait({work, waiting}, return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    return work.done()


class Bench(Computing):
    """A stand-in for the computing process; it holds some kinds of questions until `go` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.kinds: tuple[type[Question[Any]], ...] = ()
        self.go = asyncio.Event()
        self.begun: asyncio.Queue[Question[Any]] = asyncio.Queue()  # held ones
        self.dropped: asyncio.Queue[Question[Any]] = asyncio.Queue()  # held ones, unwanted
        self.raises: dict[type[Question[Any]], Exception] = {}
        self.answered: list[Question[Any]] = []

    def hold(self, *kinds: type[Question[Any]]) -> None:
        """Hold questions of these kinds, and no others, from now on."""
        self.kinds = kinds

    def start(self, *, warm: bool = False) -> None:
        """Do nothing: there is no process to start."""

    async def close(self) -> None:
        """Do nothing: there is no process to end."""

    async def ask(self, question: Question[T], limit: float | None = None) -> T:
        """Return the question's answer, or raise the exception that `raises` has for its kind.

        If the kind is held, wait for `go` first. `limit` is ignored.
        """
        if isinstance(question, self.kinds):
            self.begun.put_nowait(question)
            asking = asyncio.current_task()
            assert asking is not None
            _held.setdefault(asking, asyncio.Event()).set()
            try:
                await self.go.wait()
            except asyncio.CancelledError:
                self.dropped.put_nowait(question)
                raise
        error = self.raises.get(type(question))
        if error is not None:
            raise error
        work: Callable[[Callable[[], bool]], T] = question.answer
        answer = await asyncio.to_thread(work, lambda: False)
        self.answered.append(question)
        return answer
