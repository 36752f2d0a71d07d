"""Results of exporting, summarising and deleting people's data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from bot.tables.model import Player, StoredMatch

UNREAD: Final = "cannot_be_read"


@dataclass(frozen=True, slots=True)
class Forgotten:
    """The result of forgetting a person."""

    nameless: int  # the player who replaces them
    matches: int  # number of matches where the nameless player replaces them
    practices: int  # number of deleted practice matches
    to_redraw: tuple[int, ...]  # open tables whose messages must change
    # damaged tables and matches, such as "match 7", which may still hold words that the person
    # typed
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Purged:
    """The result of one deletion step; `unmet` are people who no longer appear anywhere."""

    rows: int  # deleted matches or tables; 0 if none was left
    unmet: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class PersonalMatch:
    """A match that a person played, where it was played, and their result.

    `unread`: why parts can't be read. `match` is None if no part can be read, or if the person's
    seat is unknown.
    """

    number: int
    match: StoredMatch | None
    guild_id: int | None = None
    channel_id: int | None = None
    place: int | None = None
    rounds: int | None = None
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dossier:
    """Everything stored about a person except their matches, of which there are many.

    `rows`: the rows that name them, by database table, each as columns and values. Unreadable
    values are left out, and their columns listed under `UNREAD`.
    """

    player: Player | None
    matches: tuple[int, ...]  # ids
    rows: dict[str, list[dict[str, Any]]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DataSummary:
    """A summary of a person's stored data.

    `known`: whether anything is stored, as each row that is about a person has their id.
    """

    name: str | None
    hidden: bool
    matches: int
    listens: int  # channels that notify them of new tables
    digest: bool = False
    nights: int = 0  # game nights they have signed up for
    ranges: int = 0  # of hands, that they named
    known: bool = False
    preferences: bool = False
    language: bool = False  # of their Discord
    direct_messages: bool = False  # whether they arrive
    tables: int = 0
    stats: bool = False
    daily_results: bool = False
    quiz: bool = False
    planned_nights: int = 0
    reminders: bool = False
