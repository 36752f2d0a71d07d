"""The messages between the bot and its computing process: pickled, each preceded by its length.

Both ends run the same code, and only they hold the two pipes, so pickle is safe here. An error is
sent in parts, because many errors cannot be rebuilt from their `args` alone.
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
    """To the worker: answer a question; `language` is for its texts.

    If `limited`, the question has a time limit, so the worker reports when computing begins.
    """

    number: int
    question: Question[Any]
    language: str
    limited: bool


@dataclass(frozen=True, slots=True)
class Stop:
    """To the worker: the answer is no longer needed."""

    number: int


@dataclass(frozen=True, slots=True)
class Warm:
    """To the worker: load the kernels, so that the first question is fast."""


@dataclass(frozen=True, slots=True)
class Counting:
    """From the worker: computing has begun, so the question's time limit starts."""

    number: int


@dataclass(frozen=True, slots=True)
class Answered:
    """From the worker: the answer."""

    number: int
    answer: Any


@dataclass(frozen=True, slots=True)
class Failed:
    """From the worker: the exception raised instead of an answer."""

    number: int
    kind: type[Exception]
    args: tuple[Any, ...]
    facts: dict[str, Any]
    trace: str

    @classmethod
    def from_error(cls, number: int, error: Exception) -> Self:
        """Return the message for an exception."""
        trace = "".join(traceback.format_exception(error))
        return cls(number, type(error), error.args, dict(vars(error)), trace)

    def error(self) -> Exception:
        """Rebuild the exception, with the worker's traceback as its cause."""
        error = self.kind.__new__(self.kind, *self.args)
        vars(error).update(self.facts)
        error.__cause__ = WorkerTraceback(self.trace)
        return error


@dataclass(frozen=True, slots=True)
class Warmed:
    """From the worker: the kernels are loaded.

    `seconds`: how long that took; `megabytes`: the worker's resident memory, None if unknown.
    """

    seconds: float
    megabytes: float | None


class WorkerTraceback(Exception):
    """A traceback of the other process, as text."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


def frame_message(message: object) -> bytes:
    """Return a message as bytes for the pipe. Raises what pickle raises."""
    body = pickle.dumps(message, _PICKLE)
    return len(body).to_bytes(_LENGTH, "big") + body


def read_message(pipe: BinaryIO) -> Any | None:
    """Return the next message; None when the other end is closed."""
    head = pipe.read(_LENGTH)
    if len(head) < _LENGTH:
        return None
    length = int.from_bytes(head, "big")
    body = pipe.read(length)
    return pickle.loads(body) if len(body) == length else None


async def receive(pipe: StreamReader) -> Any | None:
    """Return the next message from an event loop's pipe; None at its end."""
    try:
        head = await pipe.readexactly(_LENGTH)
        body = await pipe.readexactly(int.from_bytes(head, "big"))
    except (IncompleteReadError, ConnectionError):
        return None
    return pickle.loads(body)


_STATM: Final = Path("/proc/self/statm")


def resident_megabytes() -> float | None:
    """Return this process's resident memory in MB; None if unknown, as outside Linux."""
    try:
        pages = int(_STATM.read_text().split()[1])
    except OSError:
        return None
    return round(pages * os.sysconf("SC_PAGE_SIZE") / 1e6, 1)
