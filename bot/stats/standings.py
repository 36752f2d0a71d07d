"""Values that questions about stored records are answered with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


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
