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


class CompilingAside:
    """A clock that stands still while kernels are compiled: time begins behind that.

    It is told of it by `engine.odds.loading.COMPILING`; `first` is called when it begins.
    """

    def __init__(self, first: Callable[[], object]) -> None:
        self._first = first
        self._begun: list[float] = []  # under way: a kernel has others compiled
        self._aside = 0.0

    def __call__(self) -> float:
        """Seconds."""
        begun = self._begun[:1]  # another thread may end it between two looks
        return (begun[0] if begun else monotonic()) - self._aside

    def compiles(self, begins: bool) -> None:
        """A kernel begins to be compiled, or is done."""
        if begins:
            self._begun.append(monotonic())
            if len(self._begun) == 1 and not self._aside:
                self._first()
            return
        if len(self._begun) == 1:  # first: a look in between sees no time that was compiled
            self._aside += monotonic() - self._begun[0]
        self._begun.pop()


@contextmanager
def alarm(seconds: float, clock: Callable[[], float] = monotonic) -> Iterator[None]:
    """Raise `OutOfTime` in what runs inside, if it is not done in so many seconds of `clock`.

    For what cannot be asked to stop, such as a reader. Nothing is raised outside of the main
    thread, nor on Windows, which has no such signal.
    """
    end = clock() + seconds
    if not hasattr(signal, "setitimer") or threading.current_thread() != threading.main_thread():
        yield
        return

    def ring(*_: Any) -> None:
        if (left := end - clock()) <= 0:
            raise OutOfTime
        signal.setitimer(signal.ITIMER_REAL, max(0.001, left), _AGAIN)  # it has stood still

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
