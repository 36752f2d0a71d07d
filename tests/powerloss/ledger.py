"""What people were told, held against what a disk holds after a power loss.

The file is read with sqlite3 alone, from a copy: whoever opens a database changes it.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import tempfile
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.played import Move
from bot.tables.table_options import game_options
from engine.actions import from_json
from engine.errors import EngineError
from engine.play import start
from engine.variants import ruleset
from tests.dealing import play

Key = tuple[int, int]  # match and seq
Row = tuple[str, int | None]  # body and interaction


def put(files: dict[str, bytes | None], folder: Path) -> None:
    """Have a folder hold just these files; None is a folder."""
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
class Found:
    """What a database file holds. `damage`: what SQLite's own check says against it, or None."""

    damage: str | None = None
    rows: dict[Key, Row] = field(default_factory=dict)
    interactions: frozenset[int] = frozenset()
    matches: tuple[tuple, ...] = ()


def read(files: dict[str, bytes | None], name: str) -> Found:
    """Open a database as it was left. Where there is none, or no schema yet, nothing is in it."""
    with tempfile.TemporaryDirectory() as temporary:
        put(files, Path(temporary) / "disk")
        file = Path(temporary) / "disk" / name
        if not file.exists():
            return Found()
        with closing(sqlite3.connect(file)) as connection:
            try:
                return _read(connection)
            except sqlite3.DatabaseError as error:
                return Found(damage=repr(error))


def _read(connection: sqlite3.Connection) -> Found:
    told = connection.execute("pragma quick_check").fetchall()
    if told != [("ok",)]:
        return Found(damage=str(told[0][0]))
    if not connection.execute("select 1 from sqlite_master where name = 'actions'").fetchall():
        return Found()
    rows = {
        (match, seq): (body, interaction)
        for match, seq, body, interaction in connection.execute(
            "select match_id, seq, body, interaction_id from actions"
        )
    }
    stored = {interaction for _, interaction in rows.values() if interaction is not None}
    stored.update(row[0] for row in connection.execute("select id from interactions"))
    matches = connection.execute(
        "select id, variant, variant_version, options, players, opener from matches order by id"
    )
    return Found(None, rows, frozenset(stored), tuple(matches))


@dataclass(frozen=True)
class Told:
    """A move that was answered by the table drawn anew, and how much was written by then.

    `life` counts the bot's starts, `position` is the length of its journal in bytes.
    """

    move: Move
    life: int
    position: int


@dataclass
class Ledger:
    """What was told, and what has been on the disk for certain. `faults` is what was found."""

    told: list[Told] = field(default_factory=list)
    rows: dict[Key, Row] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    examined: int = 0

    def examine(self, found: Found, when: str, life: int, position: int | None = None) -> bool:
        """Whether a disk holds all it must, of a cut in a life: at a position, or at its end."""
        self.examined += 1
        faults = [f"does not open: {found.damage}"] if found.damage else self._missing(found)
        if not found.damage:
            due = [one for one in self.told if _before(one, life, position)]
            faults += [
                f"lost: an answered {one.move.kind}, interaction {one.move.interaction_id}"
                for one in due
                if one.move.interaction_id not in found.interactions
            ]
            faults += _altered(found, due)
        self.faults += [f"{when}: {fault}" for fault in faults]
        return not faults

    def _missing(self, found: Found) -> list[str]:
        return [
            f"gone or rewritten: action {key[1]} of match {key[0]}"
            for key, row in self.rows.items()
            if found.rows.get(key) != row
        ]

    def keep(self, found: Found, when: str) -> None:
        """What the bot is started on from now on: whatever is there must stay, and be a match."""
        self.rows = found.rows
        self.faults += [f"{when}: {fault}" for fault in broken_rules(found)]


def _before(one: Told, life: int, position: int | None) -> bool:
    return one.life < life or (one.life == life and (position is None or one.position <= position))


def _altered(found: Found, due: list[Told]) -> list[str]:
    bids = {one.move.interaction_id: one.move.bid for one in due if one.move.bid is not None}
    return [
        f"altered: action {key[1]} of match {key[0]} is not the bid that was made"
        for key, (body, interaction) in found.rows.items()
        if interaction in bids and json.loads(body).get("bid") != bids[interaction]
    ]


def broken_rules(found: Found) -> list[str]:
    """Matches whose log has a hole or cannot be played by the rules."""
    broken = []
    for match_id, variant, version, options, players, opener in found.matches:
        log = sorted((key[1], row[0]) for key, row in found.rows.items() if key[0] == match_id)
        if [seq for seq, _ in log] != list(range(1, len(log) + 1)):
            broken.append(f"breaks a rule: the log of match {match_id} has a hole")
            continue
        try:
            begun = start(
                ruleset(variant, game_options(json.loads(options)), version),
                json.loads(players),
                opener,
            )
            play(begun, *(from_json(json.loads(body)) for _, body in log))
        except EngineError as error:
            broken.append(f"breaks a rule: match {match_id}: {error!r}")
    return broken
