"""The messages between the bot and its computing process: pickled, each behind its length.

Both ends are the same code, and only they hold the two pipes, so pickle is safe here. An error is
sent in parts, because many errors cannot be made anew from their `args` alone.
"""

from __future__ import annotations

import os
import pickle
import traceback
from asyncio import IncompleteReadError, StreamReader
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final, Self

from bot.computing.question import Question

_LENGTH: Final = 4  # bytes, most significant first
_PICKLE: Final = 5


@dataclass(frozen=True, slots=True)
class AnswerRequest:
    """To the worker: answer this, in a language of the house if it says anything."""

    number: int
    question: Question[Any]
    language: str


@dataclass(frozen=True, slots=True)
class Stop:
    """To the worker: nobody wants the answer any more."""

    number: int


@dataclass(frozen=True, slots=True)
class Warm:
    """To the worker: load the kernels, so that nobody's first question waits for them."""


@dataclass(frozen=True, slots=True)
class Counting:
    """From the worker: all is loaded and compiled, and counting begins."""

    number: int


@dataclass(frozen=True, slots=True)
class Answered:
    """From the worker: the answer."""

    number: int
    answer: Any


@dataclass(frozen=True, slots=True)
class Failed:
    """From the worker: what the question raised."""

    number: int
    kind: type[Exception]
    args: tuple[Any, ...]
    facts: dict[str, Any]
    trace: str

    @classmethod
    def of(cls, number: int, error: Exception) -> Self:
        """The error taken apart."""
        trace = "".join(traceback.format_exception(error))
        return cls(number, type(error), error.args, dict(vars(error)), trace)

    def error(self) -> Exception:
        """The error put together again; where it came from is its cause."""
        made = self.kind.__new__(self.kind, *self.args)
        vars(made).update(self.facts)
        made.__cause__ = WorkerTraceback(self.trace)
        return made


@dataclass(frozen=True, slots=True)
class Warmed:
    """From the worker: the kernels are loaded. How long that took, and what it holds in memory."""

    seconds: float
    megabytes: float | None


class WorkerTraceback(Exception):
    """A traceback of the other process, as text."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


def framed(message: object) -> bytes:
    """A message as it goes through the pipe. Raises what pickle raises."""
    body = pickle.dumps(message, _PICKLE)
    return len(body).to_bytes(_LENGTH, "big") + body


def read_message(pipe: BinaryIO) -> Any | None:
    """The next message; None when the other end is closed."""
    head = pipe.read(_LENGTH)
    if len(head) < _LENGTH:
        return None
    length = int.from_bytes(head, "big")
    body = pipe.read(length)
    return pickle.loads(body) if len(body) == length else None


async def receive(pipe: StreamReader) -> Any | None:
    """What comes next through a pipe of the event loop; None at its end."""
    try:
        head = await pipe.readexactly(_LENGTH)
        body = await pipe.readexactly(int.from_bytes(head, "big"))
    except (IncompleteReadError, ConnectionError):
        return None
    return pickle.loads(body)


_STATM: Final = Path("/proc/self/statm")


def resident_megabytes() -> float | None:
    """Resident memory in MB, None where the system does not tell (it does on Linux)."""
    try:
        pages = int(_STATM.read_text().split()[1])
    except OSError:
        return None
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 1e6, 1)
