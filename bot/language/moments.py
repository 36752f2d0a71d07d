"""Moments as people are shown them: by Discord's clock, though this machine's may be apart from it.

What Discord writes a moment as (`<t:...>`) each reader's device counts down by itself. A clock of
this machine that is half a minute ahead would have a turn end half a minute before its countdown.
"""

from __future__ import annotations

import statistics
from collections import deque
from email.utils import parsedate_to_datetime
from typing import Final

import structlog

log = structlog.get_logger(__name__)

APART: Final = 2.0  # seconds; less is not told from how Discord rounds and how long answers take
_QUICK: Final = 1.0  # seconds: an answer that took longer says little about when it was written
_REMEMBERED: Final = 9


def seconds_ahead(date: str | None, asked: float, answered: float) -> float | None:
    """How far this machine is ahead of who wrote `Date` in an answer, by its Unix seconds.

    To about a second; None: that cannot be told from it.
    """
    if date is None or answered - asked > _QUICK:
        return None
    try:
        there = parsedate_to_datetime(date).timestamp() + 0.5  # whole seconds, rounded down
    except (ValueError, OverflowError):
        return None
    return (asked + answered) / 2 - there


class HostClock:
    """How far this machine's clock is ahead of Discord's, in milliseconds; 0: as good as not."""

    def __init__(self) -> None:
        self.ahead = 0
        self._seen: deque[float] = deque(maxlen=_REMEMBERED)
        self._said = False

    def answered(self, date: str | None, asked: float, answered: float) -> None:
        """Discord has answered a request, with this `Date`."""
        seen = seconds_ahead(date, asked, answered)
        if seen is None:
            return
        self._seen.append(seen)
        found = statistics.median(self._seen)
        self.ahead = round(found * 1000) if abs(found) >= APART else 0
        if self.ahead and not self._said:
            self._said = True
            log.warning(
                "discord: this machine's clock is not Discord's; people are shown Discord's. Have"
                " it set by NTP",
                seconds_ahead=round(found, 1),
            )


host_clock: Final = HostClock()  # a machine has one


def stamp(at: int, style: str) -> str:
    """A moment in milliseconds of this machine as Discord has it shown, such as `R` for a span."""
    return f"<t:{(at - host_clock.ahead) // 1000}:{style}>"
