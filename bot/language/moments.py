"""Times as people see them: by Discord's clock, which may differ from this machine's.

Each reader's device counts down to a moment that Discord writes as `<t:...>`. If this machine's
clock were half a minute ahead, a turn would end half a minute before its countdown.
"""

from __future__ import annotations

import statistics
from collections import deque
from email.utils import parsedate_to_datetime
from typing import Final

import structlog

log = structlog.get_logger(__name__)

APART: Final = 2.0  # seconds; a smaller difference may be rounding and latency
_QUICK: Final = 1.0  # seconds; a slower answer says little about when its date was written
_REMEMBERED: Final = 9


def seconds_ahead(date: str | None, asked: float, answered: float) -> float | None:
    """Return how many seconds this machine's clock is ahead of the server's; negative: behind.

    `date` is the answer's `Date` header; `asked` and `answered` are the Unix times (seconds) of the
    request and its answer. Accurate to about a second; None without a valid date, or if the answer
    took too long.
    """
    if date is None or answered - asked > _QUICK:
        return None
    try:
        their_time = parsedate_to_datetime(date).timestamp() + 0.5  # whole seconds, rounded down
    except (ValueError, OverflowError):
        return None
    return (asked + answered) / 2 - their_time


class HostClock:
    """Tracks how far this machine's clock is ahead of Discord's.

    `ahead` is in milliseconds, the median over the latest answers; 0 if the clocks differ by less
    than `APART`.
    """

    def __init__(self) -> None:
        self.ahead = 0
        self._seen: deque[float] = deque(maxlen=_REMEMBERED)
        self._said = False

    def note_answer(self, date: str | None, asked: float, answered: float) -> None:
        """Update `ahead` from Discord's answer to a request; arguments as in `seconds_ahead`.

        Logs a warning the first time the clocks differ.
        """
        sample = seconds_ahead(date, asked, answered)
        if sample is None:
            return
        self._seen.append(sample)
        median = statistics.median(self._seen)
        self.ahead = round(median * 1000) if abs(median) >= APART else 0
        if self.ahead and not self._said:
            self._said = True
            log.warning(
                "discord: this machine's clock is not Discord's; people are shown Discord's. Have"
                " it set by NTP",
                seconds_ahead=round(median, 1),
            )


host_clock: Final = HostClock()  # one for the whole machine


def stamp(at: int, style: str) -> str:
    """Return Discord's markup for a moment (Unix ms).

    `style` is Discord's letter for how to show the moment, such as `R` for a relative time.
    """
    return f"<t:{(at - host_clock.ahead) // 1000}:{style}>"
