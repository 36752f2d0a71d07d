"""How many sessions the bot may begin: Discord's limits of identifying, and of servers a shard.

Sources: https://discord.com/developers/docs/events/gateway#rate-limiting and #sharding
"""

from collections import deque
from dataclasses import dataclass, field
from typing import Any

DAY = 86_400.0  # seconds
SESSIONS_A_DAY = 1000
GUILDS_A_SHARD = 2500


@dataclass
class Admission:
    """What `/gateway/bot` advises, and what is enforced.

    `identify_seconds` is between two identifies of those shards that have the same remainder by
    `max_concurrency`: 5 at Discord; 0, for a bot that is started again and again, enforces none.
    """

    shards: int = 1
    max_concurrency: int = 1
    identify_seconds: float = 0.0
    sessions_a_day: int = SESSIONS_A_DAY
    guilds_a_shard: int = GUILDS_A_SHARD
    _latest: dict[int, float] = field(default_factory=dict)  # by remainder, in Unix seconds
    _today: deque[float] = field(default_factory=deque)
    refused: int = 0  # identifies that came too soon

    def admits(self, shard: int, now: float) -> bool:
        """Whether a shard may identify now; it counts either way."""
        self._forget(now)
        self._today.append(now)
        bucket = shard % self.max_concurrency
        latest = self._latest.get(bucket)
        if latest is not None and now < latest + self.identify_seconds:
            self.refused += 1
            return False
        self._latest[bucket] = now
        return True

    def remaining(self, now: float) -> int:
        """How many more sessions may begin today."""
        self._forget(now)
        return max(0, self.sessions_a_day - len(self._today))

    def advice(self, now: float) -> dict[str, Any]:
        """What `/gateway/bot` says, the address aside."""
        remaining = self.remaining(now)
        since = self._today[0] if self._today else now
        return {
            "shards": self.shards,
            "session_start_limit": {
                "total": self.sessions_a_day,
                "remaining": remaining,
                "reset_after": int(max(0.0, since + DAY - now) * 1000),
                "max_concurrency": self.max_concurrency,
            },
        }

    def _forget(self, now: float) -> None:
        while self._today and self._today[0] <= now - DAY:
            self._today.popleft()
