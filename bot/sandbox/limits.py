"""How often the bot may ask: sessions it may begin, requests of all together, of a channel, of a
token.

That of all together is enforced where it is asked for; the others always, save in a world whose
clock stands still until a test moves it: there it would never be time for one more.

Sources: https://discord.com/developers/docs/topics/rate-limits; for a channel's, the headers that
Discord answers to new and edited messages (5 in 5 s); for a token's and for all tokens of a
channel, what people measured (discord-api-docs #2701, #3763: 5 in 2 s, 30 in 60 s); for messages
older than an hour, discord-api-docs #4413 and what people measured (3 in 20 s). For sessions,
https://discord.com/developers/docs/events/gateway#rate-limiting and #sharding.
"""

from collections import defaultdict, deque
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

OLD = 3600.0  # seconds after which edits of a message are counted apart
KEPT = 1000  # rows; of more, those that no limit looks at are dropped
DAY = 86_400.0  # seconds
SESSIONS_A_DAY = 1000
GUILDS_A_SHARD = 2500


@dataclass(frozen=True)
class Limit:
    """So many requests within any span of so many seconds; 0 enforces none."""

    most: int
    seconds: float


@dataclass(frozen=True)
class Allowance:
    """What is left after a request, or why there was nothing left for it.

    `refused_for`: seconds until one is taken again. `scope`: Discord's word for whose limit it was:
    of the "user", which is the bot, "global", or "shared" with other requests of that channel.
    """

    limit: int
    remaining: int
    reset_after: float
    refused_for: float = 0.0
    scope: str = "user"


@dataclass
class RateLimits:
    """The limits, and what was asked for of late.

    `everywhere`: requests of the whole bot, answers to presses aside: 50 a second at Discord.
    `a_channel`: new messages in one channel, and edits of those in it. `a_token`: requests by an
    interaction's token; `all_tokens`: by all tokens of one channel. `old_edits`: edits in a channel
    of messages older than an hour.
    """

    everywhere: Limit = Limit(0, 1.0)
    a_channel: Limit = Limit(5, 5.0)
    a_token: Limit = Limit(5, 2.0)
    all_tokens: Limit = Limit(30, 60.0)
    old_edits: Limit = Limit(3, 20.0)
    refused: int = 0
    _made: defaultdict[Hashable, deque[float]] = field(
        default_factory=lambda: defaultdict(deque), repr=False
    )

    def ask(self, route: str, channel: str, now: float) -> Allowance | None:
        """What a request at `now` (Unix seconds) meets; None where no limit is for it.

        `channel`: where it makes or edits a message; "" for any other request.
        """
        found = self._ask(now, (self.everywhere, "all", "global"))
        if channel and (found is None or not found.refused_for):
            return self._ask(now, (self.a_channel, (route, channel), "user"))
        return found if found is not None and found.refused_for else None

    def ask_by_token(self, token: str, channel: str, now: float) -> Allowance | None:
        """What a request by an interaction's token in `channel` meets; None: no limit is for it."""
        of_all = (self.all_tokens, ("tokens of", channel), "shared")
        return self._ask(now, (self.a_token, ("token", token), "user"), of_all)

    def ask_for_old(self, channel: str, now: float) -> Allowance | None:
        """What an edit in `channel` of a message that is `OLD` meets; None: no limit is for it."""
        return self._ask(now, (self.old_edits, ("old", channel), "user"))

    def _ask(self, now: float, *wanted: tuple[Limit, Hashable, str]) -> Allowance | None:
        """One more of each, if there is room for all; what the first says of it."""
        found = [(limit, self._made[key], scope) for limit, key, scope in wanted if limit.most]
        for limit, made, scope in found:
            while made and made[0] <= now - limit.seconds:
                made.popleft()
            if len(made) >= limit.most:
                self.refused += 1
                wait = made[0] + limit.seconds - now
                return Allowance(limit.most, 0, wait, wait, scope)
        for _, made, _ in found:
            made.append(now)
        if len(self._made) > KEPT:
            self._forget_idle(now)
        if not found:
            return None
        limit, made, scope = found[0]
        left = limit.most - len(made)
        return Allowance(limit.most, left, made[0] + limit.seconds - now, scope=scope)

    def _forget_idle(self, now: float) -> None:
        longest = max(one.seconds for one in (self.a_channel, self.all_tokens, self.old_edits))
        for key, made in list(self._made.items()):
            if not made or made[-1] < now - longest:
                del self._made[key]


def unlimited() -> RateLimits:
    """Limits that refuse nothing."""
    none = Limit(0, 1.0)
    return RateLimits(none, none, none, none, none)


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
