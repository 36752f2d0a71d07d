"""Counters and timers of a working bot, for `/metrics`.

Names follow Prometheus's rules: base units, and `_total` for what only grows. A label is never a
person, server, table or card. A `Meters` has its own registry, so that several bots in one process
do not mix.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from importlib.metadata import version
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    GCCollector,
    Histogram,
    PlatformCollector,
    ProcessCollector,
    generate_latest,
)
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from bot.recent import Recent

LAG_SECONDS: Final = 0.5  # seconds between two measurements of the event loop's delay
REMEMBERED: Final = 1024  # interactions awaiting an answer that are remembered
OF_LATE: Final = 60.0  # seconds over which refused moves are counted
ANSWER: Final = re.compile(r"/interactions/(\d+)/")
_QUICK: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
# Discord's errors for an answer that came too late, or after another process's
TROUBLE: Final = (429, 10062, 40060)


@dataclass(frozen=True, slots=True)
class BotStatus:
    """A bot's current state, read only on request.

    `tables`: the number of live tables by status. `people`: how many sit at them. `shards`: the
    heartbeat latency in seconds, by connected shard. `lost_for`: for how many seconds a shard has
    had no connection (0: all have one).
    """

    tables: dict[str, int]
    people: int
    shards: dict[int, float]
    lost_for: float = 0.0


class Meters(Collector):
    """The counters of one bot."""

    def __init__(self, now: Callable[[], float] = time.perf_counter) -> None:
        self._now = now
        self._arrived = Recent[int, float](REMEMBERED)
        self._moved: deque[tuple[float, str]] = deque(maxlen=REMEMBERED)
        self.standing: Callable[[], BotStatus] = lambda: BotStatus({}, 0, {})
        self.registry = CollectorRegistry()
        self._moves = self._counter(
            "bluffhouse_moves",
            "What became of the requests to change a table: stored, refused, repeated (the same"
            " press again), moved_on (the table was elsewhere), unavailable (the database)",
            "result",
            *("stored", "refused", "repeated", "moved_on", "unavailable"),
        )
        self._answers = self._histogram(
            "bluffhouse_answer_seconds",
            "From an interaction's arrival to Discord's word that it took the first answer",
        )
        self._requests = Counter(
            "bluffhouse_discord_requests",
            "Requests to Discord's REST interface by method and status (0: no answer)",
            ["method", "status"],
            registry=self.registry,
        )
        self._held_back = self._histogram(
            "bluffhouse_discord_turn_seconds",
            "How long a request to Discord was held back, so that no more are sent than it takes",
        )
        self._trouble = self._counter(
            "bluffhouse_discord_trouble",
            "429: asked to wait; 10062: an answer came too late; 40060: it had one already",
            "code",
            *map(str, TROUBLE),
        )
        self._lag = self._histogram(
            "bluffhouse_loop_lag_seconds", "How late the event loop came to what was due"
        )
        self._wait = self._histogram(
            "bluffhouse_database_wait_seconds", "From asking for a writing transaction to having it"
        )
        self._commit = self._histogram(
            "bluffhouse_database_commit_seconds",
            "A writing transaction from its beginning to its commit",
        )
        self._backup = Gauge(
            "bluffhouse_last_backup_timestamp_seconds",
            "When the newest copy of the database was made by itself; 0: never",
            registry=self.registry,
        )
        self._backups = self._counter(
            "bluffhouse_backups",
            "Copies of the database that were to be made by themselves: made, failed",
            "result",
            *("made", "failed"),
        )
        ProcessCollector(registry=self.registry)
        PlatformCollector(registry=self.registry)
        GCCollector(registry=self.registry)
        self.registry.register(self)

    def _counter(self, name: str, about: str, label: str, *values: str) -> Counter:
        """Return a counter with one label, whose `values` are shown as 0 from the start."""
        counter = Counter(name, about, [label], registry=self.registry)
        for value in values:
            counter.labels(value)
        return counter

    def _histogram(self, name: str, about: str) -> Histogram:
        """Return a histogram of seconds, most of them less than one."""
        return Histogram(name, about, buckets=_QUICK, registry=self.registry)

    # -- events -----------------------------------------------------------------------------------

    def count_move(self, result: str) -> None:
        """Count a request to change a table by its result: "stored", "refused", ..."""
        self._moves.labels(result).inc()
        if result in ("stored", "unavailable"):
            self._moved.append((self._now(), result))

    async def why_moves_are_refused(self) -> str | None:
        """Return a sentence if the database refused most moves of the last minute, else None.

        A full disk may still accept small rows, so a probe that writes would not notice.
        """
        since = self._now() - OF_LATE
        of_late = [result for moment, result in self._moved if moment >= since]
        refused = of_late.count("unavailable")
        if 2 * refused <= len(of_late):
            return None
        return f"{refused} of the {len(of_late)} moves of the last minute were not stored"

    def note_interaction(self, interaction_id: int) -> None:
        """Start timing the answer to an interaction."""
        self._arrived[interaction_id] = self._now()

    def note_request(self, method: str, path: str, status: int) -> None:
        """Count a request by its `status` (0: no answer); time an interaction's first answer."""
        self._requests.labels(method, str(status)).inc()
        if status == 429:
            self._trouble.labels("429").inc()
        interaction = ANSWER.search(path)
        if interaction is None or not 200 <= status < 300:
            return
        since = self._arrived.pop(int(interaction[1]), None)
        if since is not None:
            self._answers.observe(self._now() - since)

    def note_delay(self, seconds: float) -> None:
        """Observe how long a request to Discord was held back."""
        self._held_back.observe(seconds)

    def note_refused_answer(self, code: int) -> None:
        """Count an answer that Discord refused with a known error code."""
        if code in TROUBLE:
            self._trouble.labels(str(code)).inc()

    def note_backup_time(self, at: datetime) -> None:
        """Set the time of the newest copy of the database."""
        self._backup.set(at.timestamp())

    def count_backup(self, result: str) -> None:
        """Count a copy of the database that was made or failed."""
        self._backups.labels(result).inc()

    @contextmanager
    def waiting(self) -> Iterator[Callable[[], None]]:
        """Time a writing transaction: the wait until it begins, then the time until it is stored.

        Yields a function to call once the transaction has begun. If the transaction fails, only the
        wait counts.
        """
        requested_at = self._now()
        begun: list[float] = []

        def note_begun() -> None:
            begun.append(self._now())
            self._wait.observe(begun[0] - requested_at)

        yield note_begun
        if begun:  # not reached after an exception: only commits are timed
            self._commit.observe(self._now() - begun[0])

    async def watch_loop(self) -> None:
        """Measure how late the event loop is, until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + LAG_SECONDS
            await asyncio.sleep(LAG_SECONDS)
            self._lag.observe(max(loop.time() - due, 0.0))

    # -- reading ----------------------------------------------------------------------------------

    def collect(self) -> Iterable[GaugeMetricFamily]:
        """Yield the gauges with their current values. Called by Prometheus's registry."""
        standing = self.standing()
        tables = GaugeMetricFamily(
            "bluffhouse_tables", "Tables that are live, by what they are", labels=["status"]
        )
        for status, number in sorted(standing.tables.items()):
            tables.add_metric([status], number)
        yield tables
        yield GaugeMetricFamily(
            "bluffhouse_people", "People who sit at live tables", value=standing.people
        )
        shards = GaugeMetricFamily(
            "bluffhouse_shard_latency_seconds",
            "From a heartbeat to its answer, of each shard that is connected",
            labels=["shard"],
        )
        for shard, seconds in sorted(standing.shards.items()):
            shards.add_metric([str(shard)], seconds)
        yield shards
        yield GaugeMetricFamily(
            "bluffhouse_gateway_lost_seconds",
            "For how long a shard has had no connection to Discord; 0: all have one",
            value=standing.lost_for,
        )
        about = GaugeMetricFamily("bluffhouse_build_info", "What runs here", labels=["version"])
        about.add_metric([version("bluffhouse")], 1)
        yield about

    def text(self) -> bytes:
        """Return all metrics in Prometheus's text format."""
        return generate_latest(self.registry)
