"""Fair use: limits how often one person may ask for something, so that nobody else has to wait.

Each person has a token bucket, which allows a burst, then an even rate. It is stored as one number
(the generic cell rate algorithm, ITU-T I.371), only in this process's memory. A full bucket needs
no entry, so only recent people are remembered, and at most `PEOPLE` of them.
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
    """A bucket of `number` tokens for each person, refilled evenly over `period` seconds.

    With `number` 0 there is no limit.
    """

    def __init__(
        self,
        number: int,
        period: float,
        clock: Callable[[], float] = monotonic,
        people: int = PEOPLE,
    ) -> None:
        self._clock = clock
        self._each = period / number if number else 0.0  # seconds to refill one
        self._period = period
        self._full_at = Recent[int, float](people)  # when a bucket is full again

    def take(self, person: int) -> float:
        """Take one token. Return 0.0, or if there is none, the seconds until the next."""
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
        """Put back a token that was taken for something that then could not be done."""
        if person in self._full_at:
            self._full_at[person] -= self._each
