"""Acknowledged moves, compared with the database that a disk holds after a power loss.

The database is read with sqlite3 alone, from a copy, since opening a database changes it.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import tempfile
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.groups import Act
from tests.crash.ledger import Key, MatchRow, Row, actions_in, log_of, matches_in
from tests.crash.referee import judge_match


def put(files: dict[str, bytes | None], folder: Path) -> None:
    """Empty `folder` and write `files` into it: contents by relative path; None makes a folder."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if content is None:
            path.mkdir(exist_ok=True)
        else:
            path.write_bytes(content)


@dataclass(frozen=True)
class Contents:
    """The content of a database file. `damage`: what SQLite's own check found wrong, or None."""

    damage: str | None = None
    rows: dict[Key, Row] = field(default_factory=dict)
    interactions: frozenset[int] = frozenset()
    matches: tuple[MatchRow, ...] = ()


def read(files: dict[str, bytes | None], name: str) -> Contents:
    """Return the contents of the database `name` among `files`.

    They are empty if there is no such file or it has no schema, and have only `damage` if SQLite's
    check fails.
    """
    with tempfile.TemporaryDirectory() as temporary:
        put(files, Path(temporary) / "disk")
        file = Path(temporary) / "disk" / name
        if not file.exists():
            return Contents()
        with closing(sqlite3.connect(file)) as connection:
            try:
                return _read(connection)
            except sqlite3.DatabaseError as error:
                return Contents(damage=repr(error))


def _read(connection: sqlite3.Connection) -> Contents:
    check = connection.execute("pragma quick_check").fetchall()
    if check != [("ok",)]:
        return Contents(damage=str(check[0][0]))
    if not connection.execute("select 1 from sqlite_master where name = 'actions'").fetchall():
        return Contents()
    rows = actions_in(connection)
    stored = {row[3] for row in rows.values() if row[3] is not None}
    stored.update(row[0] for row in connection.execute("select id from interactions"))
    return Contents(None, rows, frozenset(stored), tuple(matches_in(connection)))


@dataclass(frozen=True)
class AcknowledgedMove:
    """A move answered by redrawing the table, and how much had been written by then.

    `life` counts the bot's starts; `position` is the length of the disk's journal in bytes.
    """

    move: Act
    life: int
    position: int


@dataclass
class Ledger:
    """The acknowledged moves, what the disk must hold for good, and the violations found."""

    acknowledged: list[AcknowledgedMove] = field(default_factory=list)
    rows: dict[Key, Row] = field(default_factory=dict)
    violations: list[str] = field(default_factory=list)
    examined: int = 0

    def examine(
        self, contents: Contents, when: str, life: int, position: int | None = None
    ) -> bool:
        """Check what a disk holds after a power loss; return whether there was no violation.

        Power was lost in the bot's life number `life`, when the journal had `position` bytes; if
        None, at the life's end. The disk must hold every move acknowledged before. Each violation
        begins with the text `when`.
        """
        self.examined += 1
        violations = (
            [f"does not open: {contents.damage}"] if contents.damage else self._missing(contents)
        )
        if not contents.damage:
            due = [answer for answer in self.acknowledged if _before(answer, life, position)]
            violations += [
                f"lost: an answered {answer.move.kind}, interaction {answer.move.interaction_id}"
                for answer in due
                if answer.move.interaction_id not in contents.interactions
            ]
            violations += _altered_bids(contents, due)
        self.violations += [f"{when}: {violation}" for violation in violations]
        return not violations

    def _missing(self, contents: Contents) -> list[str]:
        return [
            f"gone or rewritten: action {key[1]} of match {key[0]}"
            for key, row in self.rows.items()
            if contents.rows.get(key) != row
        ]

    def keep(self, contents: Contents, when: str) -> None:
        """Remember the rows with which the bot starts next, as none of them may be lost.

        Add a violation for each rule that `contents` breaks. `when` says the moment in words.
        """
        self.rows = contents.rows
        self.violations += [f"{when}: {violation}" for violation in broken_rules(contents)]


def _before(answer: AcknowledgedMove, life: int, position: int | None) -> bool:
    return answer.life < life or (
        answer.life == life and (position is None or answer.position <= position)
    )


def _altered_bids(contents: Contents, due: list[AcknowledgedMove]) -> list[str]:
    moves = [answer.move for answer in due]
    bids = {move.interaction_id: move.bid for move in moves if move.bid is not None}
    return [
        f"altered: action {key[1]} of match {key[0]} is not the bid that was made"
        for key, (_, _, body, interaction, *_) in contents.rows.items()
        if interaction in bids and json.loads(body).get("bid") != bids[interaction]
    ]


def broken_rules(contents: Contents) -> list[str]:
    """Return what the referee finds wrong with the logs, a sentence each."""
    return [
        f"breaks a rule: {sentence}"
        for row in contents.matches
        for sentence in judge_match(row, log_of(contents.rows, row.id), {}).broken
    ]
