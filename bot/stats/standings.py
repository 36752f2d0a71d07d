"""Answers to questions about stored records: a season, a rank, and a match's rules."""

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
    """A player's `place` among `of` people with established ratings; no place while provisional."""

    place: int | None
    of: int


@dataclass(frozen=True, slots=True)
class PinnedRules:
    """The rules of a stored match."""

    variant: str
    version: int
    options: dict[str, Any]
