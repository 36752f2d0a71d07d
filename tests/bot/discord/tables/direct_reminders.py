"""Set up players who want their reminders by direct message too."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.sandbox.driver import Person
from tests.bot.discord.tables.clocked import Clocked
from tests.bot.discord.tables.test_lobby import choose_own
from tests.bot.harness import StoppedClock, Table

THAI = "Thai Poker"


async def want_direct_reminders(at: Table, *people: Person) -> None:
    for person in people:
        reply = await choose_own(at, person, Reminders_of_your_turn="By direct message too")
        assert "-# Reminders of your turn: by direct message too" in reply


@asynccontextmanager
async def first_turn_of_two(
    with_clock: Clocked,
) -> AsyncIterator[tuple[Table, StoppedClock, Person]]:
    """Deal a round to two players who also want reminders by direct message.

    Yield the table, its clock and the player whose turn it is.
    """
    async with with_clock(2) as (at, clock):
        await want_direct_reminders(at, *at.people)
        await at.start(THAI)
        yield at, clock, at.turn()


def direct_lines(person: Person) -> list[str]:
    return [message.content for message in person.dm_messages()]
