"""A stand-in for the computing process: answers in threads of this one, and can be held up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from bot.computing.process import Computing
from bot.computing.question import Question

T = TypeVar("T")


class Bench(Computing):
    """`hold` some kinds of questions; `go` lets them be answered."""

    def __init__(self) -> None:
        super().__init__()
        self.kinds: tuple[type[Question[Any]], ...] = ()
        self.go = asyncio.Event()
        self.begun: asyncio.Queue[Question[Any]] = asyncio.Queue()  # held ones
        self.dropped: asyncio.Queue[Question[Any]] = asyncio.Queue()  # held ones, unwanted
        self.raises: dict[type[Question[Any]], Exception] = {}
        self.answered: list[Question[Any]] = []

    def hold(self, *kinds: type[Question[Any]]) -> None:
        """Have these wait from now on."""
        self.kinds = kinds

    def start(self, *, warm: bool = False) -> None:
        """There is nothing to start."""

    async def close(self) -> None:
        """There is nothing to end."""

    async def ask(self, question: Question[T], limit: float | None = None) -> T:
        """The answer, in time."""
        if isinstance(question, self.kinds):
            self.begun.put_nowait(question)
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
