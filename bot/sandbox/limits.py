"""Rate limits for the bot: of sessions, of all requests, per channel and per token.

The limit for all requests applies only if it is switched on. The others always apply, except in a
world with a manual clock, where waiting for a limit would never end.

Limits with response headers are leaky buckets: each request adds its share, the bucket drains
evenly, and X-RateLimit-Reset-After grows with use. Limits without headers are windows: each request
counts until the limit's seconds have passed.

Sources: https://discord.com/developers/docs/topics/rate-limits; per channel, the headers of
Discord's answers to new and edited messages (5 in 5 s); per token and for all tokens of a channel,
measurements (discord-api-docs #2701, #3763: 5 in 2 s, 30 in 60 s); for messages older than an hour,
discord-api-docs #4413 and measurements (3 in 20 s); for leaky buckets, hikari's
`hikari.impl.buckets` (since November 2022). For sessions,
https://discord.com/developers/docs/events/gateway#rate-limiting and #sharding.
"""

import math
from collections import deque
from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

OLD = 3600.0  # seconds after which edits of a message count separately
KEPT = 1000  # usages; beyond that, idle ones are dropped
ROUNDING = 0.001  # seconds: the precision of headers and of sums
DAY = 86_400.0  # seconds
SESSIONS_A_DAY = 1000
GUILDS_A_SHARD = 2500


@dataclass(frozen=True)
class Limit:
    """At most `most` requests in `seconds`; 0 means no limit."""

    most: int
    seconds: float


@dataclass(frozen=True)
class Allowance:
    """The part of a limit that is left, or how long a refused request must wait.

    `reset_after`: seconds until a bucket has drained, or until a window's oldest request no longer
    counts. `refused_for`: seconds until a request is accepted; 0 if this one was. `scope`:
    Discord's word for the limit's owner: "user" (the bot), "global", or "shared" with other
    requests of that channel.
    """

    limit: int
    remaining: int
    reset_after: float
    refused_for: float = 0.0
    scope: str = "user"


class _Usage(Protocol):
    """The recent requests under one limit: `_Window` or `_Bucket`. Times are in Unix seconds."""

    def allowance(self, limit: Limit, now: float) -> Allowance:
        """Return the allowance that one more request would get. Don't count it."""

    def count(self, limit: Limit, now: float) -> None:
        """Count one more request."""

    def is_idle(self, limit: Limit, now: float) -> bool:
        """Return whether no earlier request counts towards the limit now."""


class _Window:
    """Requests that each count until the limit's seconds have passed."""

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
    """A limit that applies to a request, and the key that requests under the limit share."""

    limit: Limit
    key: Hashable
    scope: str
    usage: type[_Window] | type[_Bucket] = _Window


@dataclass
class RateLimits:
    """The limits, and the recent requests under each.

    `everywhere`: all the bot's requests except answers to interactions; Discord allows 50 a second.
    `a_channel`: new messages in a channel and, counted separately, edits of its messages.
    `a_token`: requests with one interaction's token. `all_tokens`: requests with any token of a
    channel. `old_edits`: edits in a channel of messages older than an hour.
    """

    everywhere: Limit = Limit(0, 1.0)
    a_channel: Limit = Limit(5, 5.0)
    a_token: Limit = Limit(5, 2.0)
    all_tokens: Limit = Limit(30, 60.0)
    old_edits: Limit = Limit(3, 20.0)
    refused: int = 0
    _used: dict[Hashable, tuple[Limit, _Usage]] = field(default_factory=dict, repr=False)

    def ask(self, route: str, channel: str, now: float) -> Allowance | None:
        """Count a request at `now` (Unix seconds). Return the allowance to report, if any.

        `channel`: the channel in which the request creates or edits a message; "" for other
        requests, which get an allowance only if they are refused.
        """
        allowance = self._ask(now, _Counted(self.everywhere, "all", "global"))
        if channel and (allowance is None or not allowance.refused_for):
            return self._ask(now, _Counted(self.a_channel, (route, channel), "user", _Bucket))
        return allowance if allowance is not None and allowance.refused_for else None

    def ask_by_token(self, token: str, channel: str, now: float) -> Allowance | None:
        """Count a request with an interaction's token in `channel`, and return its allowance.

        If a limit refuses the request, count nothing and return that limit's allowance. Return None
        if no limit is set.
        """
        return self._ask(
            now,
            _Counted(self.a_token, ("token", token), "user", _Bucket),
            _Counted(self.all_tokens, ("tokens of", channel), "shared"),
        )

    def ask_for_old(self, channel: str, now: float) -> Allowance | None:
        """Count an edit in `channel` of a message older than `OLD` seconds; return its allowance.

        Return None if edits of old messages have no limit.
        """
        return self._ask(now, _Counted(self.old_edits, ("old", channel), "user"))

    def _ask(self, now: float, *rules: _Counted) -> Allowance | None:
        """Count one more request if all limits allow it; return the first limit's allowance.

        If a limit refuses, count nothing and return that limit's allowance. If no limit is set,
        return None.
        """
        counted = [(rule, self._usage(rule)) for rule in rules if rule.limit.most]
        met = [replace(use.allowance(rule.limit, now), scope=rule.scope) for rule, use in counted]
        refused = next((allowance for allowance in met if allowance.refused_for), None)
        if refused is not None:
            self.refused += 1
            return refused
        for rule, use in counted:
            use.count(rule.limit, now)
        if len(self._used) > KEPT:
            self._used = {
                key: (limit, use)
                for key, (limit, use) in self._used.items()
                if not use.is_idle(limit, now)
            }
        return met[0] if met else None

    def _usage(self, counted: _Counted) -> _Usage:
        return self._used.setdefault(counted.key, (counted.limit, counted.usage()))[1]


def no_limits() -> RateLimits:
    """Return limits that refuse nothing."""
    none = Limit(0, 1.0)
    return RateLimits(none, none, none, none, none)


@dataclass
class Admission:
    """The limits on sessions, as `/gateway/bot` reports them. `now` is in Unix seconds.

    `identify_seconds`: the least time between two identifies of shards whose numbers have the same
    remainder when divided by `max_concurrency`. It is 5 at Discord. The default, 0, is no limit,
    for a bot that restarts often.
    """

    shards: int = 1
    max_concurrency: int = 1
    identify_seconds: float = 0.0
    sessions_a_day: int = SESSIONS_A_DAY
    guilds_a_shard: int = GUILDS_A_SHARD
    _latest: dict[int, float] = field(default_factory=dict)  # Unix seconds by remainder
    _today: deque[float] = field(default_factory=deque)
    refused: int = 0  # identifies that came too soon

    def admits(self, shard: int, now: float) -> bool:
        """Return whether a shard may identify now. Counts the attempt either way."""
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
        """Return how many more sessions may begin now, after those of the last 24 hours."""
        self._forget(now)
        return max(0, self.sessions_a_day - len(self._today))

    def advice(self, now: float) -> dict[str, Any]:
        """Return the answer of `/gateway/bot`, without the address."""
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
