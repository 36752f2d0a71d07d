"""A database that fails for a while: pending work is done when it is back."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from bot.boards.table import table_board
from bot.discord.delivery import driver
from bot.discord.delivery.driver import RequestResult
from bot.discord.delivery.machine import Act, Request
from bot.discord.delivery.tables import TablePlace
from bot.discord.errors import BROKEN, MOVED_ON
from bot.discord.tables.lobby import Lobby
from bot.retry import RetryPolicy
from bot.tables.errors import StoreUnavailable
from tests.bot.conftest import Seat
from tests.bot.harness import (
    choose,
    private_reply,
    private_texts,
    running_bot,
    send_cards_directly,
    settings,
)
from tests.bot.troubled import Troubled, another_move, run_with_troubled_store
from tests.people import until

THAI = "Thai Poker"
READ_MESSAGE_HISTORY = 1 << 16
EDITS = "PATCH /channels/*"


pytestmark = pytest.mark.usefixtures("impatient")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the driver retry failed requests after 2 ms."""
    monkeypatch.setattr(driver, "RETRY", RetryPolicy(0.002, 0.002))


async def test_a_message_that_could_not_be_noted_shows_every_move_and_is_noted_later(
    table: Seat, tmp_path: Path
) -> None:
    at = await table(2, serve=False)
    async with run_with_troubled_store(at, tmp_path) as store:
        await at.open(THAI)
        await at.settle()
        store.done.clear()
        store.failing = {"note_message"}
        await at.host.click(at.message(), "Start")
        await until(lambda: "Round 1" in at.message().text)
        dealt = at.message().id
        await another_move(at)
        await private_reply(at.turn().slash(at.channel, "bid", hand="pair of kings"))
        await until(lambda: at.standing() == "Pair of kings")
        assert at.message().id == dealt  # no second message either
        store.failing = set()
        await until(lambda: store.done["note_message"])
        assert str((await store.tables.in_channel(int(at.channel.id))).message_id) == dealt
        await another_move(at)


@pytest.mark.parametrize("denied", [0, READ_MESSAGE_HISTORY])
async def test_a_start_shows_the_table_as_it_stands_though_its_message_was_never_noted(
    table: Seat, tmp_path: Path, denied: int
) -> None:
    """Find the message in the channel's history, or by its nonce if the history may not be read."""
    at = await table(2, serve=False)
    at.channel.denied |= denied
    async with run_with_troubled_store(at, tmp_path) as store:
        await at.open(THAI)
        await at.wait_for_note()
        store.failing = {"note_message"}
        await at.host.click(at.message(), "Start")
        await until(lambda: "Round 1" in at.message().text)
        dealt = at.message().id
        at.world.faults.server_error(EDITS, times=10_000)
        await private_reply(at.turn().slash(at.channel, "bid", hand="pair of kings"))
    at.world.faults.clear()
    async with running_bot(at.world, settings(tmp_path)) as at.bot:
        await at.settle()
        assert at.standing() == "Pair of kings"
        assert at.message().id == dealt  # the old message would ask for an act for ever
        await another_move(at)


@pytest.mark.parametrize("starts", [False, True])
async def test_a_table_of_which_no_message_was_ever_noted_is_found(
    table: Seat, tmp_path: Path, starts: bool
) -> None:
    at = await table(2, serve=False)
    async with run_with_troubled_store(at, tmp_path) as store:
        store.failing = {"note_message"}
        await at.open(THAI)
        if starts:
            await at.host.click(at.message(), "Start")
            await until(lambda: "Round 1" in at.message().text)
        table_id = at.message().id
    async with running_bot(at.world, settings(tmp_path)) as at.bot:
        await at.settle()
        assert at.message().id == table_id
        acts = {"My seat", "Join"}
        asking = [message for message in at.host.visible(at.channel) if acts & set(message.buttons)]
        assert [message.id for message in asking] == [table_id]


@pytest.mark.parametrize("failing", ["deliveries", "note_delivery"])
async def test_hole_cards_that_the_database_held_back_are_sent_once_while_the_round_lives(
    table: Seat, tmp_path: Path, failing: str
) -> None:
    at = await table(2, serve=False)
    async with run_with_troubled_store(at, tmp_path) as store:
        await send_cards_directly(at, THAI)
        await at.open(THAI)
        await until(
            lambda: all(person.dm_messages() for person in at.people)
        )  # who sits is greeted
        greeted = [len(person.dm_messages()) for person in at.people]
        store.failing = {failing}
        await at.host.click(at.message(), "Start")
        await until(lambda: "Round 1" in at.message().text)
        await another_move(at)
        store.failing = set()
        await until(lambda: store.done["note_delivery"] == len(at.people))
        sent = [len(person.dm_messages()) for person in at.people]
        assert sent == [before + 1 for before in greeted]


async def test_a_reminder_that_could_not_be_noted_is_sent_once_and_taken_back(
    table: Seat, tmp_path: Path
) -> None:
    at = await table(2, serve=False)
    async with run_with_troubled_store(at, tmp_path) as store:
        await at.open(THAI)
        await choose(at, "Messages…", Reminders="every")
        store.failing = {"note_nudge"}
        await at.host.click(at.message(), "Start")
        await until(at.reminders)
        first = at.turn()
        await another_move(at)
        await until(
            lambda: [f"<@{first.id}>" in reminder.content for reminder in at.reminders()] == [False]
        )
        store.failing = set()
        await at.settle()
        assert len(at.reminders()) == 1


async def test_an_unexpected_error_while_drawing_is_retried(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2, plays=THAI)
    failures = iter((RuntimeError("unforeseen"),) * 2)

    def wrong(*args: Any, **kwargs: Any) -> Any:
        failure = next(failures, None)
        if failure is not None:
            raise failure
        return table_board(*args, **kwargs)

    monkeypatch.setattr("bot.discord.delivery.boards.table_board", wrong)
    await private_reply(at.turn().slash(at.channel, "bid", hand="pair of kings"))
    await until(lambda: at.standing() == "Pair of kings")


@pytest.mark.parametrize("cut_off", [False, True], ids=["unnoted", "cut off"])
async def test_a_table_that_opened_is_not_reported_as_failed(
    table: Seat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cut_off: bool
) -> None:
    """Fail to store the table's message, or, if `cut_off`, to announce the table."""

    async def unavailable(*_: object) -> None:
        raise StoreUnavailable

    at = await table(2, serve=False)
    async with run_with_troubled_store(at, tmp_path) as store:
        if cut_off:
            monkeypatch.setattr(Lobby, "announce", unavailable)
        else:
            store.failing = {"note_message"}
        out = await at.host.slash(at.channel, "play", game=THAI)
        assert out.message is not None
        await at.bot.client.drain()
        lines = private_texts(at.host, at.channel)
        assert not any("nothing happened" in line for line in lines)
        if cut_off:
            assert any("it may not have counted" in line for line in lines)
        else:
            assert at.seat(at.host)  # what comes after it came too


async def test_a_reminder_that_was_never_noted_is_found_again_by_a_start_and_goes_with_its_turn(
    table: Seat, tmp_path: Path
) -> None:
    at = await table(2, serve=False)

    async with run_with_troubled_store(at, tmp_path) as store:
        await at.open(THAI)
        await choose(at, "Messages…", Reminders="On every turn")
        store.failing = {"note_nudge"}
        await at.host.click(at.message(), "Start")
        await until(at.reminders)
    (posted,) = at.reminders()
    async with running_bot(at.world, settings(tmp_path)) as at.bot:
        await at.settle()
        assert [reminder.id for reminder in at.reminders()] == [posted.id]
        await another_move(at)
        await at.settle()
        assert len(at.reminders()) == 1
        assert at.reminders()[0].id != posted.id


def crashing(store: Troubled, act: Act) -> Callable[..., Awaitable[RequestResult]]:
    """Return a stand-in for `TablePlace.perform` that fails from the first `act` request on.

    From then on every call of the store fails too.
    """
    perform = TablePlace.perform

    async def perform_and_crash(place: TablePlace, request: Request, *args: Any) -> RequestResult:
        if request.act is act:
            store.failing = {"*"}
        if store.failing:
            raise RuntimeError("crash")
        return await perform(place, request, *args)

    return perform_and_crash


async def test_after_a_crash_no_old_message_asks_for_a_move(
    table: Seat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2, serve=False)
    async with run_with_troubled_store(at, tmp_path) as store:
        await at.start(THAI)
        await another_move(at)
        await at.settle()  # or whoever moved notices that the table moved on, and folds

        with monkeypatch.context() as patch:
            patch.setattr(TablePlace, "perform", crashing(store, Act.RETIRE))
            await private_reply(at.turn().slash(at.channel, "challenge"))
            await until(lambda: "Showdown" in at.message().text and store.failing)
    async with running_bot(at.world, settings(tmp_path)) as at.bot:
        await at.settle()
        asking = [
            message for message in at.host.visible(at.channel) if "**to act**" in message.text
        ]
        assert asking == []
        assert sum("Showdown" in message.text for message in at.host.visible(at.channel)) == 1


async def test_a_winner_who_was_not_shown_before_a_crash_is_shown_by_the_next_start(
    table: Seat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2, serve=False)
    async with run_with_troubled_store(at, tmp_path) as store:
        await at.start(THAI)
        await another_move(at)
        await at.settle()
        leaver, winner = at.turn(), next(person for person in at.people if person is not at.turn())

        with monkeypatch.context() as patch:
            patch.setattr(TablePlace, "perform", crashing(store, Act.POST))
            question = await (await leaver.slash(at.channel, "leave")).settle()
            await leaver.click(question.seen, "Yes, leave")
            await until(lambda: store.failing)
    assert not [message for message in at.public() if "wins" in message.text]
    async with running_bot(at.world, settings(tmp_path)) as at.bot:
        await at.settle()
        assert f"<@{winner.id}>" in at.message().text
        assert "Play again" in at.message().buttons
        ids = [message.id for message in at.public()]
    async with running_bot(at.world, settings(tmp_path)) as at.bot:
        await at.settle()
        assert [message.id for message in at.public()] == ids  # told once


async def test_hole_cards_that_failed_too_often_are_tried_again_with_the_next_change(
    table: Seat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed = 0

    def wrong(*args: Any, **kwargs: Any) -> Any:
        nonlocal failed
        failed += 1
        raise RuntimeError("unforeseen")

    at = await table(2, serve=False)
    async with run_with_troubled_store(at, tmp_path) as store:
        await send_cards_directly(at, THAI)
        await at.open(THAI)
        await until(
            lambda: all(person.dm_messages() for person in at.people)
        )  # who sits is greeted
        before = [len(person.dm_messages()) for person in at.people]
        with monkeypatch.context() as patched:
            patched.setattr("bot.discord.people.People.write", wrong)
            await at.host.click(at.message(), "Start")
            await until(lambda: failed == driver.TRIES * len(at.people))
            await at.settle()
        await another_move(at)
        await until(lambda: store.done["note_delivery"] == len(at.people))
        assert [len(person.dm_messages()) - 1 for person in at.people] == before


async def short_of_memory(*_: object) -> None:
    raise MemoryError


async def test_an_unexpected_error_in_a_command_is_not_reported_as_unknown_command(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Fail every look-up of the table, even the one that explaining the error needs."""
    at = await table(2, plays=THAI)
    monkeypatch.setattr(at.bot.tables, "in_channel", short_of_memory)
    assert await private_reply(at.turn().slash(at.channel, "bid", hand="99")) == BROKEN
    monkeypatch.undo()
    await another_move(at)


async def test_a_refused_command_is_answered_although_the_table_cannot_be_read(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2, plays=THAI)
    waiting = next(person for person in at.people if person is not at.turn())
    monkeypatch.setattr(at.bot.tables, "see", short_of_memory)
    assert await private_reply(waiting.slash(at.channel, "bid", hand="99")) == MOVED_ON
