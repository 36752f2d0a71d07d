"""What is counted and timed while the bot works, for `/metrics`.

Names follow Prometheus's rules: base units, `_total` for what only grows. No label is ever a
person, a server, a table or a card. A `Meters` has a registry of its own, so that several bots in
one process do not mix.
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

LAG_SECONDS: Final = 0.5  # between two looks at how late the event loop is
REMEMBERED: Final = 1024  # interactions whose answer is awaited
OF_LATE: Final = 60.0  # seconds for which it counts whether the database took a move
ANSWER: Final = re.compile(r"/interactions/(\d+)/")
_QUICK: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
# by which Discord says that an answer came too late, or that another process has answered already
TROUBLE: Final = (429, 10062, 40060)


@dataclass(frozen=True, slots=True)
class BotStatus:
    """What is true of a bot now: read only when somebody asks.

    `tables` by status, people at them, seconds of heartbeat latency by shard (of those connected),
    and for how many seconds a shard has had no connection (0: all have).
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
        """A counter by one label, of which these values are told from the beginning."""
        made = Counter(name, about, [label], registry=self.registry)
        for value in values:
            made.labels(value)
        return made

    def _histogram(self, name: str, about: str) -> Histogram:
        """A histogram of seconds, most of them less than one."""
        return Histogram(name, about, buckets=_QUICK, registry=self.registry)

    # -- what rooms tell -------------------------------------------------------------------------

    def move(self, result: str) -> None:
        """A request to change a table was stored, refused, ..."""
        self._moves.labels(result).inc()
        if result in ("stored", "unavailable"):
            self._moved.append((self._now(), result))

    async def why_moves_are_refused(self) -> str | None:
        """None, or that the database has refused more moves of the last minute than it took.

        A full disk may still take small rows, so what a probe writes does not tell.
        """
        since = self._now() - OF_LATE
        of_late = [result for moment, result in self._moved if moment >= since]
        refused = of_late.count("unavailable")
        if 2 * refused <= len(of_late):
            return None
        return f"{refused} of the {len(of_late)} moves of the last minute were not stored"

    def arrived(self, interaction_id: int) -> None:
        """An interaction came; its answer is timed from now on."""
        self._arrived[interaction_id] = self._now()

    def requested(self, method: str, path: str, status: int, seconds: float = 0.0) -> None:
        """A request to Discord ended with a status after `seconds`; 0: there was no answer."""
        self._requests.labels(method, str(status)).inc()
        if status == 429:
            self._trouble.labels("429").inc()
        found = ANSWER.search(path)
        if found is None or not 200 <= status < 300:
            return
        since = self._arrived.pop(int(found[1]), None)
        if since is not None:
            self._answers.observe(self._now() - since)

    def held_back(self, seconds: float) -> None:
        """A request to Discord was given its turn after so long."""
        self._held_back.observe(seconds)

    def not_taken(self, code: int) -> None:
        """Discord did not take an answer, for the reason that its code names."""
        if code in TROUBLE:
            self._trouble.labels(str(code)).inc()

    def backed_up(self, at: datetime) -> None:
        """The newest copy of the database was made then."""
        self._backup.set(at.timestamp())

    def backup(self, result: str) -> None:
        """A copy of the database was made, or failed."""
        self._backups.labels(result).inc()

    @contextmanager
    def waiting(self) -> Iterator[Callable[[], None]]:
        """Time a writing transaction; what is yielded is called when it has its connection."""
        asked = self._now()
        begun: list[float] = []

        def have() -> None:
            begun.append(self._now())
            self._wait.observe(begun[0] - asked)

        yield have
        if begun:  # one that raises was not committed, and is not timed
            self._commit.observe(self._now() - begun[0])

    async def watch_loop(self) -> None:
        """See how late the event loop is, until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + LAG_SECONDS
            await asyncio.sleep(LAG_SECONDS)
            self._lag.observe(max(loop.time() - due, 0.0))

    # -- what is read ----------------------------------------------------------------------------

    def collect(self) -> Iterable[GaugeMetricFamily]:
        """Called when somebody reads: what is true just now."""
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
        """Everything, in Prometheus's text format."""
        return generate_latest(self.registry)
