"""The alarm: a sleeper wakes for what comes sooner, and misses nothing said while it was awake."""

from __future__ import annotations

import asyncio

from bot.tables.alarm import Alarm

LONG = 3600.0


async def asleep(alarm: Alarm, *, until: int) -> asyncio.Task[None]:
    """Somebody who sleeps for an hour of real time, until `until` by the wall clock."""
    sleeping = asyncio.create_task(alarm.sleep(LONG, until=until))
    await asyncio.sleep(0)
    return sleeping


async def test_a_sleeper_wakes_for_a_deadline_that_comes_sooner() -> None:
    alarm = Alarm()
    alarm.awake()
    sleeping = await asleep(alarm, until=1000)
    alarm.deadline(999)
    await sleeping


async def test_a_sleeper_sleeps_on_for_a_later_deadline_or_none() -> None:
    alarm = Alarm()
    alarm.awake()
    sleeping = await asleep(alarm, until=1000)
    alarm.deadline(1000)
    alarm.deadline(None)
    await asyncio.sleep(0)
    assert not sleeping.done()
    alarm.ring()
    await sleeping


async def test_what_is_said_while_awake_keeps_the_sleeper_awake() -> None:
    alarm = Alarm()
    alarm.awake()
    alarm.deadline(10**15)
    await alarm.sleep(LONG, until=1000)


async def test_a_sleep_ends_by_itself() -> None:
    alarm = Alarm()
    alarm.awake()
    await alarm.sleep(0.001, until=1000)
