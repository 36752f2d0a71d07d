"""What the computing process can be asked, and why it may have no answer.

A question is a frozen dataclass of plain values that knows how it is answered. It travels by
pickle, which finds its class by name again on the other side: it must stand in a module, and what
its answer needs is best imported inside `answer`, so that the bot's process does without.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from enum import Enum
from typing import ClassVar, Final, Generic, TypeVar

T = TypeVar("T")
Stopped = Callable[[], bool]


class Lane(Enum):
    """Where a question waits. No lane waits for another, so each has workers of its own.

    Brief questions and decisions take less than about 50 ms of the processor; their time is held
    against the limit from the start. Decisions are those of computer players, and hints that are
    only looked up: people's other questions are never behind them, however many tables they fill.
    Pictures are of tables that are being played at: they are as urgent as the bot itself, all else
    is less.
    """

    BRIEF = "brief"
    LONG = "long"
    DECISION = "decision"
    PICTURE = "picture"


# how many are answered at once: two, so that one that is not so brief does not hold up all others
AT_ONCE: Final = {Lane.BRIEF: 2, Lane.LONG: 2, Lane.DECISION: 1, Lane.PICTURE: 1}
# How many lie with the process at most. Pictures are short and many: while a busy bot came to read
# each answer before it sent the next question, the process would have nothing to draw.
AHEAD: Final = AT_ONCE | {Lane.PICTURE: 8}


class Question(ABC, Generic[T]):
    """One question with an answer of type `T`; both go through pickle."""

    lane: ClassVar[Lane] = Lane.LONG

    @abstractmethod
    def answer(self, stopped: Stopped) -> T:
        """Work it out; called in a thread of the computing process.

        `stopped()` is True once nobody wants the answer any more: a long question asks every few
        hundredths of a second, and then raises anything. Its first call starts the time that a
        long question has, so it belongs behind whatever is imported, loaded or compiled.
        """


class ComputingError(Exception):
    """A question that got no answer, through no fault of its own."""


class QueueFull(ComputingError):
    """As many questions are waiting as may wait."""


class StillWarming(ComputingError):
    """What it needs is still being loaded."""


class ProcessLost(ComputingError):
    """The computing process ended, or is being ended, before it could answer."""


class TookTooLong(ComputingError):
    """Counting took longer than the `seconds` it was given; waiting and compiling is not in it."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"no answer within {seconds:g} s of counting")
        self.seconds = seconds
