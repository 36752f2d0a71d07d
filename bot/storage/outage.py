"""One line when the database stops answering, and one when it answers again.

Whoever waited for a connection is told by an exception what became of it. asyncpg leaves another
behind where the way to PostgreSQL is cut while it asks for encryption and nobody waits any more;
asyncio would log that one as an error, with a traceback, whenever it is thrown away.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Final

import structlog

log = structlog.get_logger(__name__)

AGAIN_SECONDS: Final = 60.0  # an outage that lasts is said again so often
_LEFT_BEHIND: Final = "unexpected connection_lost() call"  # in asyncpg's connect_utils


class Outage:
    """Told how each transaction of a kind ended; says in the log what a host wants to know of it.

    `what`: "reading" or "writing". A full disk is read from all the while.
    """

    def __init__(self, what: str, now: Callable[[], float] = time.monotonic) -> None:
        self._what = what
        self._now = now
        self._since: float | None = None
        self._said = 0.0
        self._failed = 0

    def failed(self, error: Exception) -> None:
        """A transaction was not stored because of the database."""
        now = self._now()
        self._failed += 1
        if self._since is None:
            self._since = now
        elif now < self._said + AGAIN_SECONDS:
            return
        self._said = now
        log.error(
            "database: does not do its work, moves are refused meanwhile",
            what=self._what,
            error=str(error),
            failed=self._failed,
        )

    def well(self) -> None:
        """A transaction ended as it should."""
        if self._since is None:
            return
        log.info(
            "database: works again",
            what=self._what,
            seconds=round(self._now() - self._since, 1),
            failed=self._failed,
        )
        self._since, self._failed = None, 0


class LeftBehind(logging.Filter):
    """Holds back asyncio's line about a connection that nobody waited for any more."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Called by logging for every line."""
        error = record.exc_info[1] if isinstance(record.exc_info, tuple) else None
        return not (isinstance(error, ConnectionError) and str(error) == _LEFT_BEHIND)


def quieten() -> None:
    """Hold it back from now on; may be called again."""
    lines = logging.getLogger("asyncio")
    if not any(isinstance(one, LeftBehind) for one in lines.filters):
        lines.addFilter(LeftBehind())
