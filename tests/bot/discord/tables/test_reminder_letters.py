"""Reminders by direct message, to who chose them: sent with the table's, gone with the turn."""

from __future__ import annotations

from pathlib import Path

from bot.sandbox.driver import Person
from tests.bot.discord.tables.clocked import Clocked, passes, pinged, reminded, served
from tests.bot.discord.tables.test_clocks import THAI
from tests.bot.discord.tables.test_preferences import choose as choose_own
from tests.bot.house import Table, choose
from tests.people import until


async def asked_for(at: Table, *people: Person) -> None:
    """They want their reminders by direct message too."""
    for person in people:
        said = await choose_own(at, person, Reminders_of_your_turn="By direct message too")
        assert "-# Reminders of your turn: by direct message too" in said


def letters(person: Person) -> list[str]:
    return [one.content for one in person.dm_messages()]


async def test_the_letter_comes_with_the_reminder_and_goes_when_its_reader_acts(
    clocked: Clocked,
) -> None:
    async with clocked(2) as (at, clock):
        await asked_for(at, *at.people)
        await at.start(THAI)
        first = at.turn()
        await reminded(at, clock, 20)
        (letter,) = letters(first)
        assert letter.startswith(f"It is your turn in <#{at.channel.id}>: you open round 1")
        assert len(at.reminders()) == 1
        await reminded(at, clock, 40, 2)  # half of the clock: another in the place of the first
        assert len(letters(first)) == 1
        await at.call(first)
        await at.settle()
        assert letters(first) == []
        second = at.turn()
        assert letters(second) == []
        await reminded(at, clock, 20, 3)
        (letter,) = letters(second)
        assert f"{first.name} said **" in letter


async def test_who_has_not_asked_gets_no_letter(clocked: Clocked) -> None:
    async with clocked(2) as (at, clock):
        await at.start(THAI)
        await reminded(at, clock, 20)
        assert [letters(one) for one in at.people] == [[], []]


async def test_a_letter_is_taken_back_after_a_restart_in_between(
    clocked: Clocked, tmp_path: Path
) -> None:
    async with clocked(2) as (at, clock):
        await asked_for(at, *at.people)
        await at.start(THAI)
        await reminded(at, clock, 20)
        first = at.turn()
        assert len(letters(first)) == 1
    async with served(at, tmp_path, clock, turn_minutes=2):
        await at.settle()
        assert len(letters(first)) == 1  # neither gone nor doubled
        await at.call(first)
        await at.settle()
        assert letters(first) == []
        assert at.reminders() == []


async def test_closed_direct_messages_are_noted_quietly_and_the_table_s_reminder_stands(
    clocked: Clocked,
) -> None:
    async with clocked(2) as (at, clock):
        await asked_for(at, *at.people)
        for person in at.people:
            person.set_dms_open(False)
        await at.start(THAI)
        first = at.turn()
        await reminded(at, clock, 20)
        await reminded(at, clock, 40, 2)
        assert pinged(at) == [[first.id], [first.id]]
        refused = [one for one in at.world.state.requests if one.status == 403]
        assert len(refused) == 1  # the second was not even tried
        assert "direct messages are closed" not in at.shown().text  # no cards were to be sent
        await at.call(first)
        await at.settle()
        assert at.reminders() == []


async def test_where_the_house_reminds_nobody_no_letter_is_sent_either(clocked: Clocked) -> None:
    async with clocked(2) as (at, clock):
        await asked_for(at, *at.people)
        await at.open(THAI)
        await choose(at, "Time and messages…", Reminders="Never")
        await at.host.click(at.shown(), "Start")
        await at.settle()
        passes(at, clock, 60)
        await at.settle()
        assert [letters(one) for one in at.people] == [[], []]


async def test_what_discord_could_not_delete_is_deleted_soon_after(clocked: Clocked) -> None:
    async with clocked(2) as (at, clock):
        await asked_for(at, *at.people)
        await at.start(THAI)
        first = at.turn()
        await reminded(at, clock, 20)
        at.world.faults.server_error("DELETE /channels/*", status=503)
        await at.call(first)
        await until(lambda: not at.reminders() and not letters(first))
        await at.settle()
        table = (await at.live()).table
        assert (table.nudge_id, table.letter_id) == (None, None)
