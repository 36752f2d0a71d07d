"""Game nights: an hour of the week, who comes, and what happens by itself around it.

A night is an hour of a place (`local_time`), so it stays the same hour when the clocks are changed.
Each goes through the same stages, a stored deadline each: the table opens and whoever comes is
called, it closes if nobody is there, and the next one is announced.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from bot.tables.errors import RefusedError
from bot.tables.local_time import next_time

MINUTE: Final = 60_000  # milliseconds
CALLED_BEFORE: Final = 10 * MINUTE  # the hour
WAITS: Final = 20 * MINUTE  # a table for the first who joins
LASTS: Final = 180 * MINUTE  # a night in the server's events, and until the next is announced
LATEST: Final = 30 * MINUTE  # after the hour, a bot that was away opens the table; later it says so
MOST: Final = 5  # of a server
MOST_COMERS: Final = 50


class Stage(StrEnum):
    """The next event of a night."""

    CALL = "call"  # the table opens, and whoever comes is called
    CLOSE = "close"  # if nobody is at the table, it closes
    RENEW = "renew"  # the next one is announced, or it was the only one


@dataclass(frozen=True, slots=True)
class Night:
    """A game night of a channel. `starts_at` is its next hour, or the one under way."""

    id: int
    guild_id: int
    channel_id: int
    host_id: int  # who planned it
    game: str
    weekday: int  # Monday is 0
    minute: int  # of the day
    zone: str  # of tz
    weekly: bool
    language: str
    starts_at: int
    due_at: int
    stage: Stage = Stage.CALL
    message_id: int | None = None  # the message that announces it
    event_id: int | None = None  # Discord's scheduled event; 0: somebody has deleted it
    table_id: int | None = None  # the table that was opened for it
    comers: tuple[int, ...] = ()

    @property
    def deadline_kind(self) -> Stage:
        """The event that its deadline triggers."""
        return self.stage


class TooManyNights(RefusedError):
    """A server has as many nights as it may."""


class TooManyComers(RefusedError):
    """Too many people are coming: no more can be pinged."""


class MayNotPlan(RefusedError):
    """The person is no moderator and may not create events."""


def schedule_next(night: Night, now: int) -> Night:
    """Return the night at its next hour, with all answers cleared.

    The hour is later than `now` and than the hour before: a night may be over before it begins.
    """
    starts = next_time(night.zone, night.minute, max(now, night.starts_at), night.weekday)
    return replace(
        night,
        starts_at=starts,
        due_at=starts - CALLED_BEFORE,
        stage=Stage.CALL,
        table_id=None,
        comers=(),
    )


def toggle_coming(night: Night, player: int) -> Night:
    """Return the night with `player` coming, or not coming if they were. Raises `TooManyComers`."""
    if player in night.comers:
        return replace(night, comers=tuple(comer for comer in night.comers if comer != player))
    if len(night.comers) >= MOST_COMERS:
        raise TooManyComers
    return replace(night, comers=(*night.comers, player))


def is_missed(night: Night, now: int) -> bool:
    """Return whether its hour is too long ago to open a table."""
    return now > night.starts_at + LATEST
