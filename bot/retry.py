"""The policy for retries after failures: callers choose the pauses and the number of retries."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Final

_FAR: Final = 60  # doublings, after which every policy has reached its longest pause


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Growing pauses: the first takes `first` seconds, each later one `factor` times as long.

    No pause is longer than `longest` seconds. The first `at_once` retries don't wait. `retries`:
    the number of retries; None: no limit.
    """

    first: float
    longest: float
    factor: float = 2.0
    at_once: int = 0
    retries: int | None = None

    def pause(self, failures: int) -> float:
        """Return the seconds to wait after `failures` failures in a row (1 or more)."""
        step = failures - self.at_once - 1
        if step < 0:
            return 0.0
        return min(self.first * self.factor ** min(step, _FAR), self.longest)

    def pauses(self) -> Iterator[float]:
        """Yield the seconds to wait before each retry."""
        for failures in count(1):
            if self.retries is not None and failures > self.retries:
                return
            yield self.pause(failures)
