"""Protocols of the store for showing and forgetting people, and their results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from bot.tables.model import Player, StoredMatch

UNREAD: Final = "cannot_be_read"


@dataclass(frozen=True, slots=True)
class Forgotten:
    """The result of forgetting a person."""

    nameless: int  # the player who replaces them
    matches: int  # number of matches where it does
    practices: int  # number of deleted practice matches
    to_redraw: tuple[int, ...]  # open tables whose messages must change
    # damaged tables and matches, such as "match 7", which may still hold words that they typed
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Purged:
    """The result of one deletion step; `unmet` are people who no longer appear anywhere."""

    rows: int  # deleted matches or tables; 0 if none was left
    unmet: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class PersonalMatch:
    """A match that a person played, with its place and their result.

    `unread`: why parts can't be read. `match` is None if nothing can, or if their seat is unknown.
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
    """Everything stored about a person except their matches, which are many.

    `rows`: the rows that name them, by database table: columns and values. Unreadable values are
    left out, and their columns listed under `UNREAD`.
    """

    player: Player | None
    matches: tuple[int, ...]  # ids
    rows: dict[str, list[dict[str, Any]]] = field(default_factory=dict)


class DossierStore(Protocol):
    """Reads a person's data. Every method may raise `bot.tables.errors.StoreUnavailable`."""

    async def dossier(self, player: int) -> Dossier:
        """Return what is stored about a person."""

    async def personal_matches(self, player: int, matches: Sequence[int]) -> list[PersonalMatch]:
        """Return those of their matches that are still stored, by id."""


class PrivacyStore(DossierStore, Protocol):
    """Reads and forgets a person's data. Every method may raise `StoreUnavailable`."""

    async def forget(self, player: int) -> Forgotten | None:
        """Replace a person by a nameless player, in one transaction.

        Return None if nothing is stored about them. Raises `errors.StillSeated`.
        """

    async def live_seat(self, player: int) -> tuple[int, int] | None:
        """Return server and channel of a live table where a person plays; None if there is none.

        People who are out of the match, or have left it, don't play. Practices and damaged tables
        don't count.
        """


class RetentionStore(Protocol):
    """Deletes old data. Every method may raise `StoreUnavailable`."""

    async def rewrite_if_due(self, largest: int | None = None) -> bool:
        """Rewrite the database's file if somebody was forgotten since the last time.

        Return whether nothing is left to do. Files larger than `largest` bytes are not rewritten.
        """

    async def purge_old(self, before: int, most: int) -> Purged:
        """Delete up to `most` matches that ended before then (ms), or else as many old tables."""

    async def purge_guild(self, guild_id: int, most: int) -> Purged:
        """Delete up to `most` matches or tables of a server; when none is left, all else of it."""

    async def live_tables_of(self, guild_id: int) -> list[int]:
        """Return the live tables of a server."""

    async def stored_guilds(self) -> set[int]:
        """Return every server with stored data."""

    async def departed_guilds(self) -> dict[int, int]:
        """Return the servers that have removed the bot, with the time it was noticed (ms)."""

    async def note_departed(self, guilds: Iterable[int], now: int) -> None:
        """Note that servers have removed the bot; earlier notes stay."""

    async def note_returned(self, guilds: Sequence[int]) -> None:
        """Delete the notes that servers have removed the bot."""
