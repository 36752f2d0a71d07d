"""Test the alarm: it wakes a sleeper for an earlier deadline, and loses no ring meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from bot.tables.scheduler import Alarm
from tests.sessions.loop import VirtualLoop

MINUTE, HOUR = 60.0, 3600.0
UNTIL = 1000  # what the wall clock will say then
Said = Callable[[Alarm], None]


def sleep_time(
    *, before: Said = lambda _: None, awake: Said = lambda _: None, asleep: Said
) -> float:
    """Return how long a sleep of an hour lasts, in seconds, if the alarm is changed meanwhile.

    `before` changes the alarm before the sleeper looks at the deadlines, `awake` during that look,
    and `asleep` a minute into the sleep.
    """

    async def night() -> float:
        loop, alarm = asyncio.get_running_loop(), Alarm()
        before(alarm)
        alarm.awake()
        awake(alarm)
        loop.call_later(MINUTE, asleep, alarm)
        await alarm.sleep(HOUR, until=UNTIL)
        return loop.time()

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.run(night())


def do_nothing(_: Alarm) -> None:
    """Do nothing to the alarm."""


def a_deadline(at: int | None) -> Said:
    return lambda alarm: alarm.deadline(at)


def test_a_sleep_ends_by_itself() -> None:
    assert sleep_time(asleep=do_nothing) == HOUR


def test_a_sleeper_wakes_for_a_deadline_that_comes_sooner_and_when_it_rings() -> None:
    assert sleep_time(asleep=a_deadline(UNTIL - 1)) == MINUTE
    assert sleep_time(asleep=Alarm.ring) == MINUTE


@pytest.mark.parametrize("at", [UNTIL, 10**15, None])
def test_a_sleeper_sleeps_on_for_a_later_deadline_or_none(at: int | None) -> None:
    assert sleep_time(asleep=a_deadline(at)) == HOUR


def test_a_ring_while_awake_prevents_the_next_sleep() -> None:
    assert sleep_time(awake=a_deadline(10**15), asleep=do_nothing) == 0
    assert sleep_time(awake=Alarm.ring, asleep=do_nothing) == 0
    assert sleep_time(awake=a_deadline(None), asleep=do_nothing) == HOUR


def test_an_earlier_ring_is_covered_by_the_check_of_all_deadlines() -> None:
    assert sleep_time(before=a_deadline(UNTIL - 1), asleep=do_nothing) == HOUR
    assert sleep_time(before=Alarm.ring, asleep=a_deadline(UNTIL - 1)) == MINUTE
