"""Log lines about matches for the host: begun, ended, and every move at the level "debug".

They hold ids and kinds only: no bid, no card, no name.
"""

from __future__ import annotations

import structlog
from structlog.contextvars import bind_contextvars, unbind_contextvars

from bot.tables import errors
from bot.tables.live import LiveTable
from bot.tables.model import Change, Table

log = structlog.get_logger(__name__)


def result_of(error: Exception) -> str:
    """Return the moves metric's label for a request that failed, such as "refused"."""
    match error:
        case errors.Repeated():
            return "repeated"
        case errors.MovedOn():
            return "moved_on"
        case errors.StoreUnavailable():
            return "unavailable"
        case _:
            return "refused"


def log_change(after: LiveTable, stored: Table, change: Change) -> None:
    """Log a stored change if the table has a match.

    Later log lines of this task also name that table and match.
    """
    if stored.match_id is None or after.match is None:
        return
    bind_contextvars(table=stored.id, match=stored.match_id, seq=after.match.seq)
    if change.new_match is not None:
        log.info("match: begun", variant=stored.variant, players=len(stored.players))
    for action in change.actions:
        log.debug("move: stored", kind=action.body.get("kind"), by_house=action.by_house)
    if change.ending is not None:
        played = after.match.round.number if after.match.round is not None else 0
        log.info("match: ended", how=change.ending.status.value, rounds=played)


def leave_match() -> None:
    """Stop naming the table and match in log lines: the task goes on to other tables."""
    unbind_contextvars("table", "match", "seq")
