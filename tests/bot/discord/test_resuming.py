"""What follows a start: tables are resumed a few at a time, and unstored messages are found."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection
from pathlib import Path
from typing import Any, cast

import discord
import pytest
from structlog.testing import capture_logs

from bot.discord.delivery import resuming
from bot.discord.delivery.delivery import TableDelivery
from bot.discord.delivery.resuming import AT_ONCE, Resuming
from bot.discord.sending import SEARCHED
from bot.sandbox.screen import SeenMessage
from bot.services.tables import Tables
from bot.tables import errors
from bot.tables.computer_turns import ComputerTurns
from bot.tables.live import LiveTable
from bot.tables.model import Status
from bot.tables.model import Table as StoredTable
from tests.bot.conftest import Seat
from tests.bot.discord.tables.clocked import passes
from tests.bot.harness import (
    Held,
    StoppedClock,
    Table,
    choose,
    private_reply,
    running_bot,
    settings,
)
from tests.bot.troubled import another_move, run_with_troubled_store
from tests.people import until


def lobby(number: int) -> StoredTable:
    return StoredTable(number, 1, number, 2, Status.LOBBY, "thai_poker", {}, (2,), 1, 0, 0)


class ShownTables:
    """A stand-in for tables, delivery and computer players.

    The resumption of a table ends once the test calls `let` with the table's id.
    """

    def __init__(self) -> None:
        self.trouble: dict[int, list[Exception]] = {}
        self.begun: list[int] = []
        self.up_to_date: list[int] = []
        self.thought: list[int] = []
        self.gates: dict[int, asyncio.Event] = {}
        self.done = asyncio.Event()
        self.resuming = Resuming(
            cast(Tables, self), cast(TableDelivery, self), cast(ComputerTurns, self)
        )

    async def see(self, number: int) -> LiveTable:
        if waiting := self.trouble.get(number):
            raise waiting.pop()
        return LiveTable(lobby(number))

    def on_change(self, live: LiveTable, *, unseen: bool) -> None:
        assert unseen
        self.thought.append(live.table.id)

    async def resume(self, live: LiveTable, *, up_to_date: bool) -> None:
        self.begun.append(live.table.id)
        if up_to_date:
            self.up_to_date.append(live.table.id)
        await self.gates.setdefault(live.table.id, asyncio.Event()).wait()

    def let(self, *numbers: int) -> None:
        for number in numbers:
            self.gates.setdefault(number, asyncio.Event()).set()

    def start(self, count: int, up_to_date: Collection[int] = ()) -> None:
        self.resuming.start(map(lobby, range(1, count + 1)), self.done.set, up_to_date)

    async def turn_over(self) -> None:
        for _ in range(20):
            await asyncio.sleep(0)


async def test_a_few_at_once_in_the_order_in_which_they_are_given() -> None:
    shown_tables = ShownTables()
    shown_tables.start(AT_ONCE + 2)
    await shown_tables.turn_over()
    assert shown_tables.begun == list(range(1, AT_ONCE + 1))
    shown_tables.let(2)
    await shown_tables.turn_over()
    assert shown_tables.begun == list(range(1, AT_ONCE + 2))
    assert not shown_tables.done.is_set()
    shown_tables.let(*range(1, AT_ONCE + 3))
    await shown_tables.resuming.settle()
    assert shown_tables.done.is_set()
    assert shown_tables.thought == shown_tables.begun == list(range(1, AT_ONCE + 3))


async def test_without_tables_it_is_done_at_once() -> None:
    shown_tables = ShownTables()
    shown_tables.start(0)
    await shown_tables.resuming.settle()
    assert shown_tables.done.is_set()


@pytest.mark.parametrize(
    "error",
    [errors.NoTable(), errors.Damaged("its log is none", table=1), RuntimeError("unforeseen")],
)
async def test_a_failing_table_delays_no_other(error: Exception) -> None:
    shown_tables = ShownTables()
    shown_tables.trouble = {number: [error] for number in range(1, AT_ONCE + 1)}
    shown_tables.let(AT_ONCE + 1)
    with capture_logs() as logged:
        shown_tables.start(AT_ONCE + 1)
        await shown_tables.resuming.settle()
    assert shown_tables.begun == [AT_ONCE + 1]
    assert {line["table"] for line in logged} == set(shown_tables.trouble)


async def test_a_database_that_does_not_answer_is_asked_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(resuming, "RETRY_SECONDS", 0.001)
    shown_tables = ShownTables()
    shown_tables.trouble = {1: [errors.StoreUnavailable(), errors.StoreUnavailable()]}
    shown_tables.let(1, 2)
    shown_tables.start(2)
    await shown_tables.resuming.settle()
    assert sorted(shown_tables.begun) == [1, 2]


async def test_a_stop_finishes_tables_in_progress_and_begins_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(resuming, "RETRY_SECONDS", 1e9)  # who waits so long is woken
    shown_tables = ShownTables()
    shown_tables.trouble = {1: [errors.StoreUnavailable()]}
    shown_tables.start(AT_ONCE + 5)
    await shown_tables.turn_over()
    shown_tables.resuming.stop()
    shown_tables.let(*range(1, AT_ONCE + 6))
    await shown_tables.resuming.settle()
    assert shown_tables.begun == list(range(1, AT_ONCE))
    assert not shown_tables.done.is_set()


async def test_resuming_marks_the_tables_that_are_up_to_date() -> None:
    shown_tables = ShownTables()
    shown_tables.let(1, 2, 3)
    shown_tables.start(3, up_to_date={1, 3})
    await shown_tables.resuming.settle()
    assert sorted(shown_tables.begun) == [1, 2, 3]
    assert sorted(shown_tables.up_to_date) == [1, 3]


# -- what was sent before a crash ------------------------------------------------------------------

THAI = "Thai Poker"
READ_MESSAGE_HISTORY = 1 << 16


async def lose(at: Table) -> None:
    """Bid too high as the player in turn, and challenge as the next player."""
    form = await at.turn().click(at.message(), "Type…")
    await at.turn().submit(form.modal, {"text": "royal flush spades"})
    await at.challenge(at.turn())


def asking(at: Table) -> list[SeenMessage]:
    """Return the channel's public messages with a button to join, to see a seat or to deal."""
    shared = [message for message in at.host.visible(at.channel) if not message.ephemeral]
    return [
        message for message in shared if {"My seat", "Join", "Next round"} & set(message.buttons)
    ]


async def post_unstored_tables(at: Table, folder: Path, *, times: int, talk: int = 0) -> str:
    """Start a match; have its bot post the table again, store none of the posts, and stop.

    `times`: the number of posts. `talk`: the number of other people's messages between the stored
    message and the posts. Return the last post's id.
    """
    async with run_with_troubled_store(at, folder) as store:
        await at.start(THAI)
        await at.wait_for_note()
        for number in range(talk):
            await at.people[1].say(at.channel, f"Thinking … {number}")
        store.failing = {"note_message"}
        for _ in range(times):
            await at.host.slash(at.channel, "table")
    await at.people[1].say(at.channel, "Is it gone?")
    return asking(at)[-1].id


@pytest.mark.parametrize(("times", "talk"), [(1, 0), (2, 0), (1, 2 * SEARCHED)])
async def test_a_table_that_was_shown_and_not_noted_is_found(
    table: Seat, tmp_path: Path, times: int, talk: int
) -> None:
    at = await table(2, serve=False)
    lowest = await post_unstored_tables(at, tmp_path, times=times, talk=talk)
    async with running_bot(at.world, settings(tmp_path)) as at.bot:
        await at.settle()
        assert [message.id for message in asking(at)] == [lowest]
        assert str((await at.live()).table.message_id) == lowest
        await another_move(at)


async def test_the_winner_who_was_told_in_an_answer_that_was_not_noted_is_told_once(
    table: Seat, tmp_path: Path
) -> None:
    at = await table(2, serve=False)
    async with run_with_troubled_store(at, tmp_path) as store:
        await at.open(THAI)
        await choose(at, "Time…", Length_of_the_match="Shortest: ends when the first player is out")
        await at.host.click(at.message(), "Start")
        while "wins the match" not in at.message().text:
            store.failing = set()
            await at.wait_for_note()
            if "Next round" in at.message().buttons:
                await at.press("Next round")
            await at.wait_for_note()
            store.failing = {"note_message"}
            await lose(at)
    table_message = at.message().id
    async with running_bot(at.world, settings(tmp_path)) as at.bot:
        await at.settle()
    assert [message.id for message in at.public() if "wins the match" in message.text] == [
        table_message
    ]


async def test_where_the_history_may_not_be_read_the_table_goes_on(
    table: Seat, tmp_path: Path
) -> None:
    at = await table(2, serve=False)
    await post_unstored_tables(at, tmp_path, times=1)
    at.channel.denied |= READ_MESSAGE_HISTORY
    async with running_bot(at.world, settings(tmp_path)) as at.bot:
        await at.settle()
        assert len(asking(at)) == 1  # the one before says where it is since before the crash
        await at.host.slash(at.channel, "table")
        await at.settle()
        await another_move(at)


async def test_only_unstored_reminders_are_deleted(table: Seat, tmp_path: Path) -> None:
    at = await table(2, serve=False)
    async with run_with_troubled_store(at, tmp_path):
        await at.start(THAI)
        await at.wait_for_note()
        link = f"https://discord.com/channels/{at.channel.guild_id}/{at.channel.id}"
        reminder = f"your turn · [to the table]({link}/{at.message().id})"
        for text in (reminder, f"see {link}/1", "hello"):
            await at.world.messages.create(at.channel, at.world.state.bot, {"content": text})
        await at.people[1].say(at.channel, reminder)  # people may say what they like
    async with running_bot(at.world, settings(tmp_path)) as at.bot:
        await at.settle()
        texts = [message.content for message in at.host.visible(at.channel) if message.content]
        assert texts == [f"see {link}/1", "hello", reminder]


async def post_unstored_reminder(at: Table, folder: Path, clock: StoppedClock) -> str:
    """Have a bot post a reminder and stop without storing it; return the reminder's id."""
    async with run_with_troubled_store(at, folder, {"note_nudge"}, clock=clock):
        await at.start(THAI)
        await at.wait_for_note()
        passes(at, clock, 20)
        await until(at.reminders)
    (left,) = at.reminders()
    return left.id


async def test_a_reminder_that_was_not_noted_goes_away_with_its_turn(
    table: Seat, tmp_path: Path
) -> None:
    at, clock = await table(2, serve=False), StoppedClock(time.time())
    left = await post_unstored_reminder(at, tmp_path, clock)
    async with running_bot(at.world, settings(tmp_path), clock=clock) as at.bot:
        await at.settle()
        assert [message.id for message in at.reminders()] == [left]  # its nonce has found it
        for person in at.people:  # else who has pressed nothing since the start is reminded
            await person.click(at.message(), "My seat")
        await another_move(at)
        await at.settle()
        assert at.reminders() == []


async def test_a_reminder_that_is_not_found_again_goes_away_too(
    table: Seat, tmp_path: Path
) -> None:
    at, clock = await table(2, serve=False), StoppedClock(time.time())
    await post_unstored_reminder(at, tmp_path, clock)
    at.world.faults.server_error("POST /channels/*/messages", status=403)
    async with running_bot(at.world, settings(tmp_path), clock=clock) as at.bot:
        await at.settle()
        assert at.reminders() == []
        await another_move(at)


async def test_a_reminder_of_a_match_that_is_over_goes_away_though_another_table_was_opened(
    table: Seat, tmp_path: Path
) -> None:
    at, clock = await table(2, serve=False), StoppedClock(time.time())
    async with run_with_troubled_store(at, tmp_path, clock=clock) as store:
        await at.start(THAI)
        await at.wait_for_note()
        passes(at, clock, 20)
        await until(lambda: store.done["note_nudge"])
        at.world.faults.server_error("DELETE /channels/*/messages/*", times=99)
        question = await (await at.host.slash(at.channel, "leave")).settle()
        await at.host.click(question.seen, "Yes, leave")
        await until(lambda: "wins the match" in at.message().text)
        await at.host.slash(at.channel, "play", game=THAI)
        await until(lambda: "Join" in at.message().buttons)
        assert len(at.reminders()) == 1
    at.world.faults.clear()
    async with running_bot(at.world, settings(tmp_path), clock=clock) as at.bot:
        await at.settle()
        assert at.reminders() == []
        assert "Join" in at.message().buttons


# -- a table pressed before the bot has heard that its answer was taken ----------------------------


async def test_a_table_whose_answer_is_late_is_shown_once(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(3)
    command = discord.InteractionType.application_command

    def opens(response: Any, *_: object) -> bool:
        return response._parent.type is command

    response = discord.InteractionResponse
    heard = Held(monkeypatch, response, "send_message", after=True, when=opens)
    out = await at.host.slash(at.channel, "play", game=THAI)
    await at.people[1].click(out.seen, "Join")
    await at.bot.delivery.settle()  # another message would come now
    reply = await private_reply(at.people[2].click(out.seen, "Leave"))
    assert reply == "You're not at this table."
    heard.let.set()
    await at.settle()
    assert [message.id for message in at.public()] == [out.seen.id]
    assert "2 of 10" in at.message().text
