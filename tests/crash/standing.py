"""What a running bot still has to do, according to the log now in its file."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from tests.crash.ledger import Delivery, actions_in, log_of, matches_in
from tests.crash.referee import JudgedMatch, judge_match

_PENDING: Final = (
    "select d.match_id, d.round, d.player from deliveries d"
    " join tables t on t.match_id = d.match_id join players p on p.id = d.player"
    " where t.status = 'playing' and d.state = 'pending' and p.choices like '%\"letters\":\"yes\"%'"
)


def ask(file: Path, query: str) -> list[tuple[Any, ...]]:
    """Return the rows of a query on the file of a bot that may be running."""
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        return connection.execute(query).fetchall()


def match_now(file: Path, match: int) -> JudgedMatch:
    """Return the referee's judgement of what is stored of a match so far."""
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as connection:
        (row,) = [match_row for match_row in matches_in(connection) if match_row.id == match]
        return judge_match(row, log_of(actions_in(connection), match), {})


def direct_messages_owed(file: Path) -> list[Delivery]:
    """Return the direct messages still to send, in rounds that are not over.

    A round that is over owes no message, since its showdown showed everybody all cards. If a crash
    prevents a direct message and the round ends before the next start, the message's row stays
    pending for good.
    """
    pending = ask(file, _PENDING)
    being_bid: set[tuple[int, int]] = set()
    for match in {row[0] for row in pending}:
        current = match_now(file, match)
        if current.turn is not None:
            being_bid.add((match, current.rounds[-1].number))
    return [
        (match, number, player) for match, number, player in pending if (match, number) in being_bid
    ]
