"""Hours of the day in a time zone, when the clocks are changed too."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.tables.local_time import (
    NotAnHour,
    NotAZone,
    hour_text,
    minute_named,
    next_time,
    zone_named,
)

WARSAW = "Europe/Warsaw"
HOUR = 3_600_000


def at(text: str) -> int:
    """A moment of UTC in milliseconds."""
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


@pytest.mark.parametrize(
    ("typed", "zone"),
    [
        ("Europe/Warsaw", WARSAW),
        (" europe/warsaw ", WARSAW),
        ("warsaw", WARSAW),
        ("new york", "America/New_York"),
        ("America/New York", "America/New_York"),
        ("UTC", "UTC"),
    ],
)
def test_a_time_zone_is_named_whole_or_by_its_city(typed: str, zone: str) -> None:
    assert zone_named(typed) == zone


def test_a_zone_that_is_none_is_asked_back() -> None:
    for typed in ("", "Narnia", "../../etc/passwd", "localtime"):
        with pytest.raises(NotAZone) as refused:
            zone_named(typed)
        assert refused.value.suggestions == ()
    with pytest.raises(NotAZone) as refused:
        zone_named("wars")
    assert refused.value.suggestions == (WARSAW,)


def test_every_zone_is_understood_by_its_own_name() -> None:
    for name in available_timezones() - {"localtime"}:
        assert zone_named(name) == name


@pytest.mark.parametrize(
    ("typed", "minute"),
    [("20:30", 1230), ("20.30", 1230), ("8", 480), ("08:05", 485), ("0", 0)],
)
def test_an_hour_is_typed_in_several_ways(typed: str, minute: int) -> None:
    assert minute_named(typed) == minute


@pytest.mark.parametrize("typed", ["", "24", "20:60", "8pm", "2030", "-1", "٢٠:٣٠"])
def test_an_hour_that_is_none_is_refused(typed: str) -> None:
    with pytest.raises(NotAnHour):
        minute_named(typed)


def test_an_hour_reads_as_a_clock_shows_it() -> None:
    assert (hour_text(1230), hour_text(485), hour_text(0)) == ("20:30", "8:05", "0:00")


def test_a_weekday_s_hour_comes_once_a_week() -> None:
    friday = at("2026-11-27T19:00")  # eight in the evening in Warsaw, in winter
    assert next_time(WARSAW, 1200, at("2026-11-26T20:00"), weekday=4) == friday
    assert next_time(WARSAW, 1200, friday, weekday=4) == friday + 7 * 24 * HOUR


def test_the_hour_stays_when_summer_begins_and_ends() -> None:
    # clocks go forward on 29 March 2026 and back on 25 October 2026
    before_summer = next_time(WARSAW, 1200, at("2026-03-28T00:00"))
    assert next_time(WARSAW, 1200, before_summer) - before_summer == 23 * HOUR
    before_winter = next_time(WARSAW, 1200, at("2026-10-24T00:00"))
    assert next_time(WARSAW, 1200, before_winter) - before_winter == 25 * HOUR


def test_an_hour_that_is_left_out_comes_an_hour_later_by_the_clock() -> None:
    moment = next_time(WARSAW, 150, at("2026-03-28T12:00"))  # 2:30 on 29 March is no hour
    assert datetime.fromtimestamp(moment / 1000, ZoneInfo(WARSAW)).strftime("%H:%M") == "03:30"
    following = next_time(WARSAW, 150, moment)
    assert datetime.fromtimestamp(following / 1000, ZoneInfo(WARSAW)).strftime("%H:%M") == "02:30"


def test_an_hour_that_comes_twice_counts_once() -> None:
    first = next_time(WARSAW, 150, at("2026-10-24T12:00"))
    assert first == at("2026-10-25T00:30")  # still summer time
    assert next_time(WARSAW, 150, first) == at("2026-10-26T01:30")


@given(
    zone=st.sampled_from(["Europe/Warsaw", "America/New_York", "Asia/Kolkata", "Pacific/Apia"]),
    minute=st.integers(0, 24 * 60 - 1),
    weekday=st.none() | st.integers(0, 6),
    after=st.integers(at("2000-01-01T00:00"), at("2037-01-01T00:00")),
)
def test_the_next_time_is_later_soon_and_of_that_day(
    zone: str, minute: int, weekday: int | None, after: int
) -> None:
    moment = next_time(zone, minute, after, weekday)
    days = 7 if weekday is not None else 1
    # Apia left out a whole day once
    assert after < moment <= after + (days * (2 if zone == "Pacific/Apia" else 1)) * 26 * HOUR
    there = datetime.fromtimestamp(moment / 1000, ZoneInfo(zone))
    left_out = there - timedelta(minutes=minute) - there.replace(hour=0, minute=0)
    assert left_out <= timedelta(hours=1) or zone == "Pacific/Apia"
    if weekday is not None and zone != "Pacific/Apia":
        assert there.weekday() == weekday
