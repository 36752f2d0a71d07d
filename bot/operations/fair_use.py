"""Fair use: how often one person may ask for something, so that nobody is kept waiting by them.

A token bucket, kept as one number a person (the generic cell rate algorithm, ITU-T I.371): so many
at once, then as many a period, evenly. Buckets are in this process's memory alone. A full one is as
good as none, so only who asked lately is remembered, and at most `PEOPLE` of them.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Final

from bot.recent import Recent

PEOPLE: Final = 10_000
MINUTE: Final = 60.0
HOUR: Final = 3600.0


class TokenBucket:
    """`number` at once and every `period` (seconds); 0: as many as anybody likes."""

    def __init__(
        self,
        number: int,
        period: float,
        clock: Callable[[], float] = monotonic,
        people: int = PEOPLE,
    ) -> None:
        self._clock = clock
        self._each = period / number if number else 0.0  # seconds until one comes back
        self._period = period
        self._full_at = Recent[int, float](people)  # when a bucket is full again

    def take(self, person: int) -> float:
        """Take one: 0.0 if there was one, else how many seconds it is until there is one."""
        if not self._each:
            return 0.0
        now = self._clock()
        full_at = max(self._full_at.get(person, now), now) + self._each
        late = full_at - now - self._period
        if late > 1e-6:
            return late
        self._full_at[person] = full_at
        return 0.0

    def give_back(self, person: int) -> None:
        """Give back one that was taken for what then could not be done."""
        if person in self._full_at:
            self._full_at[person] -= self._each
