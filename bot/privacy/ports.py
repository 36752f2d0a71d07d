"""What forgetting and showing need of the store, as a protocol, and what it answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from bot.tables.model import Player, StoredMatch

UNREAD: Final = "cannot_be_read"


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was done to forget somebody."""

    nameless: int  # who stands in their place now
    matches: int  # in which that is so
    practices: int  # practice matches that were deleted
    shown: tuple[int, ...]  # tables not closed yet, whose messages have to change
    # damaged tables and matches, such as "match 7", where words that they typed may be left: what
    # cannot be read cannot be told apart
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Purged:
    """What one step of deleting has deleted; `unmet` are people who are met nowhere any more."""

    rows: int  # matches or tables; 0 when none was left
    unmet: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class KeptOf:
    """A match that somebody played, with where and how it ended for them.

    `unread`: what of it cannot be read. None: nothing can, or not which seat was theirs.
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
    """Everything stored of a person but their matches, which are many.

    `rows` are those that name them, by table of the database: columns and values. What cannot be
    read of a row is left out, and its columns are in `UNREAD`.
    """

    player: Player | None
    matches: tuple[int, ...]  # numbers
    rows: dict[str, list[dict[str, Any]]] = field(default_factory=dict)


class DossierStore(Protocol):
    """What is shown of a person. Every function may raise `bot.tables.errors.StoreUnavailable`."""

    async def dossier(self, player: int) -> Dossier:
        """What is stored of somebody."""

    async def personal_matches(self, player: int, matches: Sequence[int]) -> list[KeptOf]:
        """These of their matches, as far as they are stored, by number."""


class PrivacyStore(DossierStore, Protocol):
    """And what is forgotten. Every function may raise the same."""

    async def forget(self, player: int) -> Forgotten | None:
        """Put a nameless player in somebody's place, in one transaction.

        None if nothing is stored of them. Raises `errors.StillSeated`.
        """

    async def live_seat(self, player: int) -> tuple[int, int] | None:
        """Server and channel of a live table where somebody plays; None if there is none.

        Who is out of its match, or has left it, does not; a practice is none, and neither is a
        damaged table.
        """


class RetentionStore(Protocol):
    """What is not kept for ever. Every function may raise the same."""

    async def rewrite_if_due(self, largest: int | None = None) -> bool:
        """Rewrite the database's file if somebody was forgotten since the last time.

        Whether nothing is left to do; a file of more than `largest` bytes is left as it is.
        """

    async def purge_old(self, before: int, most: int) -> Purged:
        """Delete up to `most` matches that ended before then (ms), else as many old tables."""

    async def purge_guild(self, guild_id: int, most: int) -> Purged:
        """Delete up to `most` matches or tables of a server; when none is left, all else of it."""

    async def live_tables_of(self, guild_id: int) -> list[int]:
        """The live tables of a server."""

    async def stored_guilds(self) -> set[int]:
        """Every server of which anything is stored."""

    async def departed_guilds(self) -> dict[int, int]:
        """The servers that the bot is known to have been removed from, and since when (ms)."""

    async def note_departed(self, guilds: Iterable[int], now: int) -> None:
        """Remember that the bot was removed from servers; what was noted before stays."""

    async def note_returned(self, guilds: Sequence[int]) -> None:
        """Forget that the bot was ever removed from servers."""
