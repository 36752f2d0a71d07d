"""The protocol for stored records. A server is a Discord guild, given by its id."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from bot.stats.folding import Pair, PersonTotals, Scope


@dataclass(frozen=True, slots=True)
class Season:
    """A season of a server, with the matches that ended from `started_at` (ms) on."""

    number: int  # from 1
    name: str
    started_at: int
    matches: int = 0  # recorded so far


@dataclass(frozen=True, slots=True)
class LeaderboardRank:
    """A rating's rank among the established ones; `place` is None while it is provisional."""

    place: int | None
    of: int


@dataclass(frozen=True, slots=True)
class PinnedRules:
    """The rules of a stored match."""

    variant: str
    version: int
    options: dict[str, Any]


class RecordStore(Protocol):
    """Every method is one transaction and may raise `bot.tables.errors.StoreUnavailable`."""

    async def person(self, guild_id: int, scope: Scope, player: int) -> PersonTotals | None:
        """Return a person's row; None without a match that counts there."""

    async def rank(self, guild_id: int, scope: Scope, row: PersonTotals) -> LeaderboardRank:
        """Return that row's rank on the leaderboard."""

    async def leaderboard(
        self, guild_id: int, scope: Scope, offset: int, most: int
    ) -> list[PersonTotals]:
        """Return established ratings from the highest down, then provisional ones."""

    async def on_leaderboard(self, guild_id: int, scope: Scope) -> int:
        """Return the number of people on it."""

    async def rivals(
        self, guild_id: int, scope: Scope, player: int
    ) -> tuple[Pair | None, Pair | None]:
        """Return whom they finish ahead of by the widest margin, and who finishes ahead of them.

        Each is None without such a margin.
        """

    async def seasons(self, guild_id: int) -> list[Season]:
        """Return the seasons of a server, newest first; the newest is the current one.

        Empty before its first match that counts.
        """

    async def begin_season(self, guild_id: int, after: int, name: str, now: int) -> Season:
        """Begin the season after season `after`. Raises `Stale` if that is not the current one."""

    async def rules_of(self, match_ids: tuple[int, ...]) -> dict[int, PinnedRules]:
        """Return the rules of these matches, as far as they are still stored."""
