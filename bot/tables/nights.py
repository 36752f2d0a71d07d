"""Game nights: an hour, weekly or once, who is coming, and the automatic events around it.

A night is a local hour (`local_time`), so it stays the same hour when the clocks change. Each goes
through the same stages, and each stage has a stored deadline: the table opens and the people who
are coming are pinged, an empty table closes, and the next night is announced or a single one is
deleted.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from bot.tables.errors import RefusedError
from bot.tables.local_time import next_time

MINUTE: Final = 60_000  # milliseconds
CALLED_BEFORE: Final = 10 * MINUTE  # how long before the hour to ping people
WAITS: Final = 20 * MINUTE  # how long the table waits for the first player
# length of a night in the server's events; after it, the next is announced
LASTS: Final = 180 * MINUTE
# a bot that was offline opens the table if it is no later than this; after that it apologises
LATEST: Final = 30 * MINUTE
MOST: Final = 5  # nights for each server
MOST_COMERS: Final = 50


class Stage(StrEnum):
    """The next event of a night."""

    CALL = "call"  # open the table and ping the people who are coming
    CLOSE = "close"  # close the table if it is empty
    RENEW = "renew"  # announce the next night, or delete one that isn't weekly


@dataclass(frozen=True, slots=True)
class Night:
    """A game night in a channel. `starts_at`: when the current one began, or the next begins.

    `starts_at` and `due_at` are in wall-clock milliseconds.
    """

    id: int
    guild_id: int
    channel_id: int
    host_id: int  # who planned it
    game: str
    weekday: int  # Monday is 0
    minute: int  # of the day
    zone: str  # a name of the tz database
    weekly: bool
    language: str
    starts_at: int
    due_at: int
    stage: Stage = Stage.CALL
    message_id: int | None = None  # the message that announces it
    event_id: int | None = None  # Discord's scheduled event; 0: it was deleted
    table_id: int | None = None  # the table that was opened for it
    comers: tuple[int, ...] = ()

    @property
    def deadline_kind(self) -> Stage:
        """The event that the night's deadline triggers."""
        return self.stage


class TooManyNights(RefusedError):
    """The server already has as many nights as allowed."""


class TooManyComers(RefusedError):
    """No more people can be pinged for this night, so no more may sign up."""


class MayNotPlan(RefusedError):
    """Only moderators and people who may create events may plan nights."""


def schedule_next(night: Night, now: int) -> Night:
    """Return the night at its next date and hour, with all answers cleared.

    The new time is later than `now` (ms) and than the night's last time: a night whose table
    can't be opened is rescheduled before its time has come.
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


def sign_up(night: Night, player: int) -> Night:
    """Return the night with `player` coming.

    Raises `TooManyComers` if nobody else can sign up.
    """
    if player in night.comers:
        return night
    if len(night.comers) >= MOST_COMERS:
        raise TooManyComers
    return replace(night, comers=(*night.comers, player))


def withdraw(night: Night, player: int) -> Night:
    """Return the night without `player` among those who come."""
    return replace(night, comers=tuple(comer for comer in night.comers if comer != player))


def is_missed(night: Night, now: int) -> bool:
    """Return whether, at `now` (ms), the night's hour is too long ago to open a table."""
    return now > night.starts_at + LATEST
