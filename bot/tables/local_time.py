"""Hours of the day: time zones as people type them, and when an hour comes next.

The stored choice is a local hour (20:00 in Warsaw). The moment is computed for each day, so the
hour stays the same when the clocks change. If the change skips the hour, it comes one hour later on
the clock; if the hour comes twice, the first time is used.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from functools import cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from bot.tables.errors import RefusedError

EXAMPLE_ZONE: Final = "Europe/Warsaw"
EXAMPLE_HOUR: Final = "20:30"
SUGGESTED: Final = 3
MINUTES: Final = 24 * 60  # of a day
LONGEST_HOUR: Final = len("08:30 p.m.")
_HOUR: Final = re.compile(
    r"(\d{1,2})(?:[:.]([0-5]\d))?\s*(?:([ap])\.?m\.?)?", re.ASCII | re.IGNORECASE
)
_SPACES: Final = re.compile(r"[\s_]+")


@dataclass(eq=False)
class NotAZone(RefusedError):
    """The text is no time zone, or fits several; `suggestions` are likely zones."""

    typed: str
    suggestions: tuple[str, ...] = ()


@dataclass(eq=False)
class NotAnHour(RefusedError):
    """The text is no time of day."""

    typed: str


@cache
def _zones() -> dict[str, tuple[str, ...]]:
    """Map each text that people may type (a zone's full name or its city) to the zones it fits."""
    zones: dict[str, tuple[str, ...]] = {}
    for name in sorted(available_timezones()):
        region, _, place = name.rpartition("/")
        if region.partition("/")[0] in ("posix", "right", "SystemV") or name == "localtime":
            continue
        for typed in {_normalize(name), _normalize(place)}:
            zones[typed] = (*zones.get(typed, ()), name)
    return zones


def _normalize(text: str) -> str:
    return _SPACES.sub(" ", text.strip()).casefold()


def zone_named(text: str) -> str:
    """Return the time zone that a text names: `Europe/Warsaw`, or just the city.

    Raises `NotAZone` if no zone, or more than one, has that name.
    """
    typed = _normalize(text)
    meant = _zones().get(typed, ())
    whole = [name for name in meant if _normalize(name) == typed]
    if len(whole or meant) == 1:
        return (whole or list(meant))[0]
    if not meant and len(typed) > 2:
        meant = tuple(
            dict.fromkeys(
                name for known, names in _zones().items() if typed in known for name in names
            )
        )
    raise NotAZone(text.strip(), meant[:SUGGESTED])


def minute_named(text: str) -> int:
    """Return the minute of the day that a text means: `20:30`, `20.30`, `20`, `8:30 pm`, `8pm`.

    Raises `NotAnHour` for any other text.
    """
    parts = _HOUR.fullmatch(text.strip())
    hour, half = (int(parts[1]), (parts[3] or "").lower()) if parts is not None else (24, "")
    if parts is None or (half and not 1 <= hour <= 12) or hour > 23:
        raise NotAnHour(text.strip())
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    return hour * 60 + int(parts[2] or 0)


def hour_text(minute: int) -> str:
    """Format a minute of the day as on a clock: `20:30`."""
    return f"{minute // 60}:{minute % 60:02}"


def next_time(zone: str, minute: int, after: int, weekday: int | None = None) -> int:
    """Return the next time later than `after` when it is `minute` of the day in a time zone.

    Both times are in Unix milliseconds. If `weekday` (Monday is 0) is given, only that day of
    the week counts. Raises `NotAZone` for a zone that no longer exists.
    """
    try:
        place = ZoneInfo(zone)
    except (KeyError, ValueError, OSError):
        raise NotAZone(zone) from None
    hour = time(minute // 60, minute % 60)
    day = datetime.fromtimestamp(after / 1000, place).date()
    while True:
        moment = datetime.combine(day, hour, place)
        at = round(moment.astimezone(UTC).timestamp() * 1000)
        if at > after and weekday in (None, day.weekday()):
            return at
        day += timedelta(days=1)
