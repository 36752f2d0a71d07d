"""Read a copy of the bot's SQLite file after each kill, without the bot's code.

Opening the file of a killed process makes SQLite recover it. Reading a copy leaves the recovery to
the bot's next start.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

Key = tuple[int, int]  # match and seq
Row = tuple[int, int, str, int | None, int, int]  # match, seq, body, interaction, at, by_house
Delivery = tuple[int, int, int]  # match, round and player

_ACTIONS: Final = "select match_id, seq, body, interaction_id, at, by_house from actions"
_PENDING: Final = "select match_id, round, player from deliveries where state = 'pending'"
_TABLES: Final = (
    "select id, channel_id, status, version, match_id, message_id, deadline, deadline_kind,"
    " nudges, nudge_id from tables"
)
_MATCHES: Final = (
    "select id, table_id, variant, options, players, opener, status from matches order by id"
)


@dataclass(frozen=True)
class TableRow:
    """A stored table; times in milliseconds since 1970."""

    id: int
    channel: int
    status: str
    version: int
    match: int | None
    message: int | None
    deadline: int | None
    kind: str | None
    nudges: int
    nudge: int | None


@dataclass(frozen=True)
class MatchRow:
    """A stored match without its log."""

    id: int
    table: int
    variant: str
    options: dict[str, Any]
    players: list[int]
    opener: int | None
    status: str


def actions_in(connection: sqlite3.Connection) -> dict[Key, Row]:
    """Return every stored action by match and sequence number."""
    return {(row[0], row[1]): row for row in connection.execute(_ACTIONS)}


def matches_in(connection: sqlite3.Connection) -> list[MatchRow]:
    """Return every match, oldest first."""
    return [
        MatchRow(row[0], row[1], row[2], json.loads(row[3]), json.loads(row[4]), *row[5:])
        for row in connection.execute(_MATCHES)
    ]


def log_of(rows: dict[Key, Row], match: int) -> list[Row]:
    """Return the log of a match, in order."""
    return [row for key, row in sorted(rows.items()) if key[0] == match]


@dataclass(frozen=True)
class Death:
    """A moment at which the bot was dead, and what the file held then.

    Times are in milliseconds. `ready_at`: when the bot that died became ready, None if it never
    did. `point`: the named point of the kill, None for a random moment. `lengths`: the last
    action's number by match. `stopping_at`: when the bot got SIGTERM, None if it didn't; after
    SIGTERM the bot serves no deadlines, and only finishes what was asked.
    """

    at: float
    ready_at: float | None
    point: str | None
    tables: dict[int, TableRow] = field(default_factory=dict)
    pending: frozenset[Delivery] = frozenset()
    lengths: dict[int, int] = field(default_factory=dict)  # of logs, by match
    stopping_at: float | None = None


@dataclass
class Ledger:
    """The content of the bot's database file at each death of the bot, and what was wrong with it.

    `rows`: the actions as last read. `rewritten`: sentences about stored actions that changed
    or disappeared. `unsound`: SQLite's complaints.
    """

    file: Path
    rows: dict[Key, Row] = field(default_factory=dict)
    rewritten: list[str] = field(default_factory=list)
    unsound: list[str] = field(default_factory=list)
    deaths: list[Death] = field(default_factory=list)

    @contextmanager
    def open_copy(self) -> Iterator[sqlite3.Connection]:
        """Open a copy of the file. Call this only while the bot is dead or makes no checkpoint."""
        copy = self.file.with_name("looked-at.db")
        for beside in ("", "-wal"):
            target = copy.with_name(copy.name + beside)
            target.unlink(missing_ok=True)
            with suppress(FileNotFoundError):
                shutil.copyfile(self.file.with_name(self.file.name + beside), target)
        copy.with_name(copy.name + "-shm").unlink(missing_ok=True)
        with closing(sqlite3.connect(copy)) as connection:
            yield connection

    def read(self, query: str) -> list[tuple]:
        """Return the rows of a query; an empty list if the database or table doesn't exist yet."""
        with suppress(sqlite3.OperationalError), self.open_copy() as connection:
            return connection.execute(query).fetchall()
        return []

    def look(
        self,
        at: float,
        ready_at: float | None,
        point: str | None,
        *,
        whole: bool,
        stopping_at: float | None = None,
    ) -> Death:
        """Read the file of a dead bot, note what changed and return the death.

        All arguments except `whole` are fields of `Death`. If `whole`, also have SQLite check the
        file's pages.
        """
        now: dict[Key, Row] = {}
        tables: dict[int, TableRow] = {}
        pending: frozenset[Delivery] = frozenset()
        try:
            with suppress(sqlite3.OperationalError), self.open_copy() as connection:
                if whole:
                    check = connection.execute("pragma integrity_check").fetchone()[0]
                    if check != "ok":
                        self.unsound.append(f"integrity_check: {check}")
                now = actions_in(connection)
                rows = (TableRow(*row) for row in connection.execute(_TABLES))
                tables = {row.id: row for row in rows}
                pending = frozenset(connection.execute(_PENDING).fetchall())
        except sqlite3.DatabaseError as error:
            self.unsound.append(f"{type(error).__name__}: {error}")
        for key, row in self.rows.items():
            if now.get(key) != row:
                became = "gone" if key not in now else f"now {now[key][2][:80]}"
                self.rewritten.append(f"match {key[0]}, action {key[1]}: {became}")
        self.rows = now
        lengths: dict[int, int] = {}
        for match, seq in now:
            lengths[match] = max(seq, lengths.get(match, 0))
        death = Death(at, ready_at, point, tables, pending, lengths, stopping_at)
        self.deaths.append(death)
        return death

    def matches(self) -> list[MatchRow]:
        """Return every match, oldest first."""
        with self.open_copy() as connection:
            return matches_in(connection)
