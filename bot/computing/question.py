"""Questions for the computing process, and the reasons for not getting an answer.

A question is a frozen dataclass of plain values that knows how to compute its answer. It is sent by
pickle, which finds the class by name on the other side, so the class must be defined in a module.
Import what the answer needs inside `answer`, so that the bot's process doesn't load it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from enum import Enum
from typing import ClassVar, Final, Generic, TypeVar

T = TypeVar("T")
Stopped = Callable[[], bool]


class Lane(Enum):
    """A queue of questions. Each has its own number of threads, so no lane waits for another.

    Brief questions and decisions take less than about 50 ms of processor time. Decisions are
    computer players' actions and looked-up hints. The time limit of a long question starts when the
    question first calls `stopped`; other time limits start when a thread takes the question.
    Pictures are for tables in play, so they have the bot's own priority; other questions have a
    lower one.
    """

    BRIEF = "brief"
    LONG = "long"
    DECISION = "decision"
    PICTURE = "picture"


# questions answered in parallel: two, so that a slower one doesn't block all others
AT_ONCE: Final = {Lane.BRIEF: 2, Lane.LONG: 2, Lane.DECISION: 1, Lane.PICTURE: 1}
# The most sent to the process at once. Pictures are short and many: if a busy bot sent the next
# only after reading an answer, the process would be idle in between.
AHEAD: Final = AT_ONCE | {Lane.PICTURE: 8}


class Question(ABC, Generic[T]):
    """A question whose answer has type `T`. Both are sent by pickle."""

    lane: ClassVar[Lane] = Lane.LONG

    @abstractmethod
    def answer(self, stopped: Stopped) -> T:
        """Compute the answer. Called in a thread of the computing process.

        `stopped()` is true once the answer is no longer needed: a long question calls it every few
        hundredths of a second, and once it is true, returns or raises anything. The first call
        starts the time limit of a long question, so make it after importing, loading and compiling.
        """


class ComputingError(Exception):
    """A question got no answer, for a reason that is not the question's fault."""


class QueueFull(ComputingError):
    """Too many questions are already waiting."""


class StillWarming(ComputingError):
    """Something that the question needs is still loading."""


class ProcessLost(ComputingError):
    """The computing process ended, or is ending, before it could answer."""


class TookTooLong(ComputingError):
    """Computing took longer than `seconds`, not counting waiting and compiling."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"no answer within {seconds:g} s of counting")
        self.seconds = seconds
