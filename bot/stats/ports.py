"""What is asked of stored records, as a protocol; a server is a Discord guild, given by its id."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from bot.stats.folding import Pair, PersonTotals, Scope


@dataclass(frozen=True, slots=True)
class Season:
    """A season of a server: its matches are those that ended from `started_at` (ms) on."""

    number: int  # from 1
    name: str
    started_at: int
    matches: int = 0  # recorded in it so far


@dataclass(frozen=True, slots=True)
class LeaderboardRank:
    """The place of an established rating among the established; None while it is provisional."""

    place: int | None
    of: int


@dataclass(frozen=True, slots=True)
class PinnedRules:
    """The rules that a stored match was played by."""

    variant: str
    version: int
    options: dict[str, Any]


class RecordStore(Protocol):
    """Every function is one transaction and may raise `bot.tables.errors.StoreUnavailable`."""

    async def person(self, guild_id: int, scope: Scope, player: int) -> PersonTotals | None:
        """Somebody's row; None if they have played no match that counts there."""

    async def rank(self, guild_id: int, scope: Scope, row: PersonTotals) -> LeaderboardRank:
        """Where that row stands on the leaderboard."""

    async def leaderboard(
        self, guild_id: int, scope: Scope, offset: int, most: int
    ) -> list[PersonTotals]:
        """Established ratings from the highest down, then provisional ones."""

    async def on_leaderboard(self, guild_id: int, scope: Scope) -> int:
        """How many people are on it."""

    async def rivals(
        self, guild_id: int, scope: Scope, player: int
    ) -> tuple[Pair | None, Pair | None]:
        """Whom they most often finish ahead of, and who most often ahead of them, by margin.

        Each is None if there is nobody with a margin at all.
        """

    async def seasons(self, guild_id: int) -> list[Season]:
        """The seasons of a server, the newest first; the newest is the current one.

        Empty before its first match that counts.
        """

    async def begin_season(self, guild_id: int, after: int, name: str, now: int) -> Season:
        """Begin the season that follows season `after`. Raises `Stale` if that is not current."""

    async def rules_of(self, match_ids: tuple[int, ...]) -> dict[int, PinnedRules]:
        """The rules that these matches were played by, as far as they are stored."""
