"""How often the bot may ask: sessions it may begin, requests of all together, of a channel, of a
token.

That of all together is enforced where it is asked for; the others always, save in a world whose
clock stands still until a test moves it: there it would never be time for one more.

The limits in the headers of answers are leaky buckets: each request adds its share, the bucket
drains evenly, and X-RateLimit-Reset-After grows with use. The limits that no header tells count
the requests of the last seconds.

Sources: https://discord.com/developers/docs/topics/rate-limits; for a channel's, the headers that
Discord answers to new and edited messages (5 in 5 s); for a token's and for all tokens of a
channel, what people measured (discord-api-docs #2701, #3763: 5 in 2 s, 30 in 60 s); for messages
older than an hour, discord-api-docs #4413 and what people measured (3 in 20 s); that buckets leak,
hikari's `hikari.impl.buckets` (since November 2022). For sessions,
https://discord.com/developers/docs/events/gateway#rate-limiting and #sharding.
"""

import math
from collections import deque
from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

OLD = 3600.0  # seconds after which edits of a message are counted apart
KEPT = 1000  # usages; above that, idle ones are dropped
ROUNDING = 0.001  # seconds: headers are no finer, and sums of times no more exact
DAY = 86_400.0  # seconds
SESSIONS_A_DAY = 1000
GUILDS_A_SHARD = 2500


@dataclass(frozen=True)
class Limit:
    """At most `most` requests in `seconds`; 0 enforces nothing."""

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


class _Usage(Protocol):
    """The recent requests under one limit."""

    def allowance(self, limit: Limit, now: float) -> Allowance:
        """Return what one more request meets, without counting it."""

    def count(self, limit: Limit, now: float) -> None:
        """Count one more request."""

    def is_idle(self, limit: Limit, now: float) -> bool:
        """Whether no request counts any more."""


class _Window:
    """Requests that each count for the limit's seconds."""

    def __init__(self) -> None:
        self._made: deque[float] = deque()

    def allowance(self, limit: Limit, now: float) -> Allowance:
        while self._made and self._made[0] <= now - limit.seconds:
            self._made.popleft()
        reset_after = (self._made[0] if self._made else now) + limit.seconds - now
        left = limit.most - len(self._made) - 1
        if left < 0:
            return Allowance(limit.most, 0, reset_after, refused_for=reset_after)
        return Allowance(limit.most, left, reset_after)

    def count(self, limit: Limit, now: float) -> None:
        self._made.append(now)

    def is_idle(self, limit: Limit, now: float) -> bool:
        return not self._made or self._made[-1] <= now - limit.seconds


class _Bucket:
    """A leaky bucket: each request takes its share of the limit's seconds to drain."""

    def __init__(self) -> None:
        self._empty_at = float("-inf")

    def allowance(self, limit: Limit, now: float) -> Allowance:
        share = limit.seconds / limit.most
        drains_for = max(self._empty_at - now, 0.0)
        room = limit.seconds - drains_for + ROUNDING
        if room < share:
            return Allowance(limit.most, 0, drains_for, refused_for=share - room + ROUNDING)
        return Allowance(limit.most, math.floor(room / share) - 1, drains_for + share)

    def count(self, limit: Limit, now: float) -> None:
        self._empty_at = max(self._empty_at, now) + limit.seconds / limit.most

    def is_idle(self, limit: Limit, now: float) -> bool:
        return self._empty_at <= now


@dataclass(frozen=True)
class _Counted:
    """A limit that a request falls under, and the requests that share it."""

    limit: Limit
    key: Hashable
    scope: str
    usage: type[_Window] | type[_Bucket] = _Window


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
    _used: dict[Hashable, tuple[Limit, _Usage]] = field(default_factory=dict, repr=False)

    def ask(self, route: str, channel: str, now: float) -> Allowance | None:
        """What a request at `now` (Unix seconds) meets; None where no limit is for it.

        `channel`: where it makes or edits a message; "" for any other request.
        """
        found = self._ask(now, _Counted(self.everywhere, "all", "global"))
        if channel and (found is None or not found.refused_for):
            return self._ask(now, _Counted(self.a_channel, (route, channel), "user", _Bucket))
        return found if found is not None and found.refused_for else None

    def ask_by_token(self, token: str, channel: str, now: float) -> Allowance | None:
        """What a request by an interaction's token in `channel` meets; None: no limit is for it."""
        return self._ask(
            now,
            _Counted(self.a_token, ("token", token), "user", _Bucket),
            _Counted(self.all_tokens, ("tokens of", channel), "shared"),
        )

    def ask_for_old(self, channel: str, now: float) -> Allowance | None:
        """What an edit in `channel` of a message that is `OLD` meets; None: no limit is for it."""
        return self._ask(now, _Counted(self.old_edits, ("old", channel), "user"))

    def _ask(self, now: float, *wanted: _Counted) -> Allowance | None:
        """One more of each, if there is room for all; what the first says of it."""
        counted = [(one, self._usage(one)) for one in wanted if one.limit.most]
        met = [replace(use.allowance(one.limit, now), scope=one.scope) for one, use in counted]
        refused = next((allowance for allowance in met if allowance.refused_for), None)
        if refused is not None:
            self.refused += 1
            return refused
        for one, use in counted:
            use.count(one.limit, now)
        if len(self._used) > KEPT:
            self._used = {
                key: (limit, use)
                for key, (limit, use) in self._used.items()
                if not use.is_idle(limit, now)
            }
        return met[0] if met else None

    def _usage(self, counted: _Counted) -> _Usage:
        return self._used.setdefault(counted.key, (counted.limit, counted.usage()))[1]


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
