"""Time limits for questions."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any, Final

# seconds between repeats: an exception raised in a destructor, for example, is lost
_AGAIN: Final = 1.0


class OutOfTime(BaseException):
    """Raised by `alarm` in the middle of running code.

    Not an `Exception`, so that no handler catches it.
    """


def deadline(seconds: float, clock: Callable[[], float] = monotonic) -> Callable[[], bool]:
    """Return a function that returns True once `seconds` have passed from now, by `clock`."""
    end = clock() + seconds
    return lambda: clock() >= end


class CompilingAside:
    """A clock that stops while kernels are compiled, so that limits exclude compilation.

    `engine.odds.loading.COMPILING` notifies it. `first` is called when compilation first begins.
    """

    def __init__(self, first: Callable[[], object]) -> None:
        self._first = first
        self._begun: list[float] = []  # nested, as compiling a kernel may compile others
        self._aside = 0.0

    def __call__(self) -> float:
        """Return monotonic time in seconds, without the time spent compiling."""
        begun = self._begun[:1]  # a copy, as another thread may end it meanwhile
        return (begun[0] if begun else monotonic()) - self._aside

    def compiles(self, begins: bool) -> None:
        """Stop the clock when the compilation of a kernel `begins`; start it again when it ends."""
        if begins:
            self._begun.append(monotonic())
            if len(self._begun) == 1 and not self._aside:
                self._first()
            return
        # before the pop, so that a reader in between never counts compiling
        if len(self._begun) == 1:
            self._aside += monotonic() - self._begun[0]
        self._begun.pop()


@contextmanager
def alarm(seconds: float, clock: Callable[[], float] = monotonic) -> Iterator[None]:
    """Raise `OutOfTime` in the block if it takes longer than `seconds` of `clock`.

    For code that can't check a deadline, such as a parser. Does nothing outside the main thread, or
    on Windows, which lacks the signal.
    """
    end = clock() + seconds
    if not hasattr(signal, "setitimer") or threading.current_thread() != threading.main_thread():
        yield
        return

    def ring(*_: Any) -> None:
        if (left := end - clock()) <= 0:
            raise OutOfTime
        signal.setitimer(
            signal.ITIMER_REAL, max(0.001, left), _AGAIN
        )  # the clock had stopped meanwhile

    def report(lost: Any) -> None:
        if lost.exc_type is not OutOfTime:  # it will be raised again
            usual(lost)

    usual, sys.unraisablehook = sys.unraisablehook, report
    before = signal.signal(signal.SIGALRM, ring)
    remaining, every = signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
    began = monotonic()
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        sys.unraisablehook = usual
        if remaining:  # restore an outer alarm
            signal.setitimer(signal.ITIMER_REAL, max(0.001, remaining - monotonic() + began), every)
