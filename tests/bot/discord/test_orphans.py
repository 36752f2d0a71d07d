"""What was sent before a crash, and noted nowhere: the next start finds it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from bot.discord.publisher.messages import LOOKED_THROUGH
from bot.sandbox.screen import SeenMessage
from tests.bot.conftest import Seat
from tests.bot.discord.tables.clocked import passes
from tests.bot.discord.tables.test_short_match import FORM
from tests.bot.house import StoppedClock, Table, choose, running_bot, settings
from tests.bot.troubled import another_move, troubled
from tests.people import until

THAI = "Thai Poker"
READ_MESSAGE_HISTORY = 1 << 16


async def lose(at: Table) -> None:
    """Whoever is to act bids too high, and is challenged at the table."""
    form = await at.turn().click(at.shown(), "Bid…")
    await at.turn().submit(form.modal, {"text": "royal flush spades"})
    await at.challenge(at.turn())


def asking(at: Table) -> list[SeenMessage]:
    """The messages of the channel on which somebody can act."""
    shared = [one for one in at.host.visible(at.channel) if not one.ephemeral]
    return [one for one in shared if {"My seat", "Join", "Next round"} & set(one.buttons)]


async def shown_further_down(at: Table, folder: Path, *, times: int, talk: int = 0) -> str:
    """A bot shows the table further down, so often, and is gone before that is noted anywhere.

    ``talk`` messages of other people stand between the one that is noted and the others.
    """
    async with troubled(at, folder) as store:
        await at.start(THAI)
        await at.noted()
        for number in range(talk):
            await at.people[1].say(at.channel, f"Thinking … {number}")
        store.failing = {"note_message"}
        for _ in range(times):
            await at.host.slash(at.channel, "table")
    await at.people[1].say(at.channel, "Is it gone?")
    return asking(at)[-1].id


@pytest.mark.usefixtures("unhurried")
@pytest.mark.parametrize(("times", "talk"), [(1, 0), (2, 0), (1, 2 * LOOKED_THROUGH)])
async def test_a_table_that_was_shown_and_not_noted_is_found(
    table: Seat, tmp_path: Path, times: int, talk: int
) -> None:
    at = await table(2, serve=False)
    lowest = await shown_further_down(at, tmp_path, times=times, talk=talk)
    async with running_bot(at.world, settings(tmp_path)) as at.bot:
        await at.settle()
        assert [one.id for one in asking(at)] == [lowest]
        assert str((await at.live()).table.message_id) == lowest
        await another_move(at)


@pytest.mark.usefixtures("unhurried")
async def test_the_winner_who_was_told_in_an_answer_that_was_not_noted_is_told_once(
    table: Seat, tmp_path: Path
) -> None:
    at = await table(2, serve=False)
    async with troubled(at, tmp_path) as store:
        await at.open(THAI)
        await choose(at, FORM, Length_of_the_match="Shortest, the first out ends it")
        await at.host.click(at.shown(), "Start")
        while "wins the match" not in at.shown().text:
            store.failing = set()
            await at.noted()
            if "Next round" in at.shown().buttons:
                await at.host.click(at.shown(), "Next round")
                await at.settle()
            await at.noted()
            store.failing = {"note_message"}
            await lose(at)
    told = at.shown().id
    async with running_bot(at.world, settings(tmp_path)) as at.bot:
        await at.settle()
    assert [one.id for one in at.public() if "wins the match" in one.text] == [told]


@pytest.mark.usefixtures("unhurried")
async def test_where_the_history_may_not_be_read_the_table_goes_on(
    table: Seat, tmp_path: Path
) -> None:
    at = await table(2, serve=False)
    await shown_further_down(at, tmp_path, times=1)
    at.channel.denied |= READ_MESSAGE_HISTORY
    async with running_bot(at.world, settings(tmp_path)) as at.bot:
        await at.settle()
        assert len(asking(at)) == 2
        await at.host.slash(at.channel, "table")
        await at.settle()
        await another_move(at)


@pytest.mark.usefixtures("unhurried")
async def test_reminders_that_were_not_noted_go_away_and_nothing_else(
    table: Seat, tmp_path: Path
) -> None:
    at = await table(2, serve=False)
    async with troubled(at, tmp_path):
        await at.start(THAI)
        await at.noted()
        link = f"https://discord.com/channels/{at.channel.guild_id}/{at.channel.id}"
        reminder = f"your turn · [to the table]({link}/{at.shown().id})"
        for text in (reminder, f"see {link}/1", "hello"):
            await at.world.messages.create(at.channel, at.world.state.bot, {"content": text})
        await at.people[1].say(at.channel, reminder)  # people may say what they like
    async with running_bot(at.world, settings(tmp_path)) as at.bot:
        await at.settle()
        texts = [one.content for one in at.host.visible(at.channel) if one.content]
        assert texts == [f"see {link}/1", "hello", reminder]


async def posted_and_not_noted(at: Table, folder: Path, clock: StoppedClock) -> str:
    """A bot reminds whoever is to act, and is gone before that is noted; the reminder's id."""
    async with troubled(at, folder, {"note_nudge"}, clock=clock):
        await at.start(THAI)
        await at.noted()
        passes(at, clock, 20)
        await until(at.reminders)
    (left,) = at.reminders()
    return left.id


@pytest.mark.usefixtures("unhurried")
async def test_a_reminder_that_was_not_noted_goes_away_with_its_turn(
    table: Seat, tmp_path: Path
) -> None:
    at, clock = await table(2, serve=False), StoppedClock(time.time())
    left = await posted_and_not_noted(at, tmp_path, clock)
    async with running_bot(at.world, settings(tmp_path), clock=clock) as at.bot:
        await at.settle()
        assert [one.id for one in at.reminders()] == [left]  # its nonce has found it
        await another_move(at)
        await at.settle()
        assert at.reminders() == []


@pytest.mark.usefixtures("unhurried")
async def test_a_reminder_that_is_not_found_again_goes_away_too(
    table: Seat, tmp_path: Path
) -> None:
    at, clock = await table(2, serve=False), StoppedClock(time.time())
    await posted_and_not_noted(at, tmp_path, clock)
    at.world.faults.server_error("POST /channels/*/messages", status=403)
    async with running_bot(at.world, settings(tmp_path), clock=clock) as at.bot:
        await at.settle()
        assert at.reminders() == []
        await another_move(at)


async def test_a_reminder_of_a_match_that_is_over_goes_away_though_another_table_was_opened(
    table: Seat, tmp_path: Path
) -> None:
    at, clock = await table(2, serve=False), StoppedClock(time.time())
    async with troubled(at, tmp_path, clock=clock) as store:
        await at.start(THAI)
        await at.noted()
        passes(at, clock, 20)
        await until(lambda: store.done["note_nudge"])
        at.world.faults.server_error("DELETE /channels/*/messages/*", times=99)
        asked = await (await at.host.slash(at.channel, "leave")).settled()
        assert asked.message is not None
        await at.host.click(asked.message, "Yes, leave")
        await until(lambda: "wins the match" in at.shown().text)
        await at.host.slash(at.channel, "play", game=THAI)
        await until(lambda: "Join" in at.shown().buttons)
        assert len(at.reminders()) == 1
    at.world.faults.clear()
    async with running_bot(at.world, settings(tmp_path), clock=clock) as at.bot:
        await at.settle()
        assert at.reminders() == []
        assert "Join" in at.shown().buttons
