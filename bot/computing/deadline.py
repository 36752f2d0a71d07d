"""How long a question may be worked at."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic


def deadline(seconds: float, clock: Callable[[], float] = monotonic) -> Callable[[], bool]:
    """A callable that is true once so many seconds are over, counted from now by `clock`."""
    end = clock() + seconds
    return lambda: clock() >= end
