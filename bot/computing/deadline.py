"""How long a question may be worked at."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any, Final

_AGAIN: Final = 1.0  # seconds: what is raised in a destructor, say, is lost


class OutOfTime(BaseException):
    """Raised in the midst of whatever ran. No `Exception`: nothing on the way takes it for one."""


def deadline(seconds: float, clock: Callable[[], float] = monotonic) -> Callable[[], bool]:
    """A callable that is true once so many seconds are over, counted from now by `clock`."""
    end = clock() + seconds
    return lambda: clock() >= end


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Raise `OutOfTime` in what runs inside, if it is not done in so many seconds.

    For what cannot be asked to stop, such as a compiler. Nothing is raised outside of the main
    thread, nor on Windows, which has no such signal.
    """
    if not hasattr(signal, "setitimer") or threading.current_thread() != threading.main_thread():
        yield
        return

    def ring(*_: Any) -> None:
        raise OutOfTime

    def report(lost: Any) -> None:
        if lost.exc_type is not OutOfTime:  # which rings again
            usual(lost)

    usual, sys.unraisablehook = sys.unraisablehook, report
    before = signal.signal(signal.SIGALRM, ring)
    other, every = signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
    began = monotonic()
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        sys.unraisablehook = usual
        if other:  # somebody's own alarm goes on
            signal.setitimer(signal.ITIMER_REAL, max(0.001, other - monotonic() + began), every)
