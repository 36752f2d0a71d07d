"""How many requests the bot may make: Discord's limit of all together, and that of a channel.

None is enforced unless it is given: a bot that is tried out or tested may be as fast as it can.
Sources: https://discord.com/developers/docs/topics/rate-limits and, for a channel's, the
X-RateLimit headers that Discord answers to new messages (5 in 5 s).
"""

from collections import defaultdict, deque
from dataclasses import dataclass, field

SECOND = 1.0


@dataclass(frozen=True)
class Allowance:
    """What is left after a request, or why there was nothing left for it.

    `refused_for`: seconds until one is taken again. `everywhere`: it was the limit of all together.
    """

    limit: int
    remaining: int
    reset_after: float
    refused_for: float = 0.0
    everywhere: bool = False


@dataclass
class RateLimits:
    """Each limit is for any span of its seconds; 0 enforces none.

    `everywhere`: requests a second of the whole bot, answers to presses aside: 50 at Discord.
    `a_channel`: requests of one route in one channel within `seconds`.
    """

    everywhere: int = 0
    a_channel: int = 0
    seconds: float = 5.0
    refused: int = 0
    _all: deque[float] = field(default_factory=deque)
    _of: defaultdict[tuple[str, str], deque[float]] = field(
        default_factory=lambda: defaultdict(deque)
    )

    def ask(self, route: str, channel: str, now: float) -> Allowance | None:
        """What a request at `now` (Unix seconds) meets; None where no limit is for it."""
        if self.everywhere:
            wait = _wait(self._all, self.everywhere, SECOND, now)
            if wait > 0:
                self.refused += 1
                return Allowance(self.everywhere, 0, wait, wait, everywhere=True)
            self._all.append(now)
        if not (self.a_channel and channel):
            return None
        made = self._of[route, channel]
        wait = _wait(made, self.a_channel, self.seconds, now)
        if wait > 0:
            self.refused += 1
            return Allowance(self.a_channel, 0, wait, wait)
        made.append(now)
        return Allowance(self.a_channel, self.a_channel - len(made), made[0] + self.seconds - now)


def _wait(made: deque[float], most: int, seconds: float, now: float) -> float:
    """How long until one more may be made; what is over is forgotten."""
    while made and made[0] <= now - seconds:
        made.popleft()
    return made[0] + seconds - now if len(made) >= most else 0.0
