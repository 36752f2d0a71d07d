"""Faults of Discord, the network and the database that every bot meets: no move is lost.

`test_wire_faults` covers answers that Discord doesn't receive.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from benchmarks.reading import NATURAL
from bot import app
from bot.discord import answers
from bot.operations.process_lifetime import STOP
from bot.sandbox.discord_state import Message
from tests.bot.conftest import Seat
from tests.bot.harness import private_reply, send_cards_directly
from tests.bot.troubled import another_move, run_with_troubled_store
from tests.people import PATIENCE, until

THAI = "Thai Poker"
ANSWERS, POSTS, EDITS = "POST /interactions/*", "POST /channels/*", "PATCH /channels/*"


# -- the table's message -------------------------------------------------------------------------


@pytest.mark.parametrize("lost", [{"times": 2}, {"cut": True}])
async def test_a_new_round_is_posted_once_though_discord_stumbles(
    table: Seat, lost: dict[str, Any]
) -> None:
    at = await table(2)
    await send_cards_directly(at, THAI)
    await at.open(THAI)
    at.world.faults.lose_answer(POSTS, **lost)  # posted, but the bot is told of an error
    await at.begin()
    await at.settle()
    rounds = [message for message in at.public() if "Round 1" in message.text]
    assert len(rounds) == 1
    assert [len(person.dm_messages()) for person in at.people] == [2, 2]
    await another_move(at)


async def test_news_whose_message_was_deleted_at_once_are_posted_again(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2)
    await at.open(THAI)
    create = at.world.messages.create
    deleted: list[str] = []

    async def posted_and_deleted(*args: Any, **kwargs: Any) -> Message:
        message = await create(*args, **kwargs)
        if message.nonce is not None and not deleted:
            deleted.append(message.nonce)
            at.world.messages.delete(message)
        return message

    monkeypatch.setattr(at.world.messages, "create", posted_and_deleted)
    at.world.faults.lose_answer(POSTS)  # the library asks again, and is told "Unknown Message"
    await at.begin()
    await at.settle()
    assert len(deleted) == 1
    rounds = [message for message in at.public() if "Round 1" in message.text]
    assert len(rounds) == 1
    assert "My seat" in at.message().buttons
    await another_move(at)


async def test_an_edit_that_is_rate_limited_shows_the_latest_state_in_the_end(table: Seat) -> None:
    at = await table(2, plays=THAI)
    at.world.faults.rate_limit(EDITS, times=3, retry_after=0.05)
    await private_reply(at.turn().slash(at.channel, "bid", hand="pair of tens"))
    # this answer may overtake the edit that is still waiting; the older one must not stay
    await at.call(at.turn_of(await at.live()), option=0)
    await at.settle()
    assert at.turn() is at.turn_of(await at.live())


async def test_a_channel_found_deleted_while_redrawing_ends_its_match(table: Seat) -> None:
    at = await table(2, plays=THAI)
    live = await at.live()
    at.world.state.channels.pop(at.channel.id)
    at.bot.delivery.tables.update(live)
    await at.bot.delivery.settle_without_seats()
    assert (await at.bot.tables.see(live.table.id)).table.status == "closed"


async def test_a_permission_lost_in_a_match_is_told_and_table_helps_until_it_is_back(
    table: Seat,
) -> None:
    at = await table(2, plays=THAI)
    await at.call(at.turn())
    await at.challenge(at.turn())
    await at.world.faults.deny(at.channel, "send_messages")
    await at.press("Next round")
    assert "Round 2" in at.message().text  # in the message that was pressed
    why = "Please give me this permission first: **Send Messages**."
    await until(lambda: why in at.host.text(at.channel))
    await at.host.slash(at.channel, "table")
    await at.wait_for_note()
    assert "Round 2" in at.message().text
    await another_move(at)


async def test_a_timed_out_bot_says_until_when(table: Seat) -> None:
    at = await table(2, plays=THAI)
    guild, ends = at.channel.guild_id or "", 4_102_444_800
    await at.call(at.turn())
    await at.challenge(at.turn())
    await at.world.faults.time_out_bot(guild, datetime.fromtimestamp(ends, UTC).isoformat())
    await at.press("Next round")
    assert "Round 2" in at.message().text  # in the message that was pressed
    why = f"I can't post here: I'm timed out in this server until <t:{ends}:f>."
    await at.host.slash(at.channel, "table")
    await at.wait_for_note()
    await until(lambda: why in at.host.text(at.channel))
    assert "this permission" not in at.host.text(at.channel)
    await another_move(at)  # presses are answered all the same
    channel = at.world.server("The Snug").add_text_channel("general")
    assert why in await private_reply(at.people[1].slash(channel, "play", game=THAI))
    await at.world.faults.time_out_bot(guild, None)
    assert (await at.people[1].slash(channel, "play", game=THAI)).text


async def test_direct_messages_closed_in_a_match_are_noted_and_not_tried_again(
    table: Seat,
) -> None:
    at = await table(2)
    await send_cards_directly(at, THAI)
    await at.start(THAI)
    ann, bob = at.people
    bob.set_dms_open(False)
    message = bob.dm_messages()[-1]  # which might be edited all the same
    at.world.faults.lose_message(message.channel_id, message.id)
    for number in (2, 3):
        await at.call(at.turn())
        await at.challenge(at.turn())
        refused = [request for request in at.world.state.requests if request.status == 403]
        await at.press("Next round", ann)
        assert f"Round {number}" in at.message().text
        assert f"<@{bob.id}>: press **My seat**" in at.message().text
        assert f"Round {number}" in (await bob.click(at.message(), "My seat")).text
        assert f"Round {number}" in ann.dm_messages()[-1].text
    assert len(refused) == 1  # the third round's cards were not even tried


# -- the database --------------------------------------------------------------------------------


async def test_a_slow_database_defers_the_answer_and_the_move_is_made(
    table: Seat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2, serve=False)
    async with run_with_troubled_store(at, tmp_path) as store:
        await at.start(THAI)
        monkeypatch.setattr(answers, "DEFER_AFTER", 0.1)
        store.may_commit.clear()
        person = at.turn()
        out = await at.call(person)
        assert out.kind == "deferred_update"
        assert at.turn() is person  # nothing is shown before it is stored
        store.may_commit.set()
        await out.settle()
        assert at.turn() is not person
        store.may_commit.clear()
        out = await at.turn().slash(at.channel, "bid", hand="pair of kings")
        assert out.kind == "deferred"
        store.may_commit.set()
        assert "pair of kings" in (await out.settle()).text
        await at.settle()
        assert at.standing() == "Pair of kings"
        monkeypatch.setattr(answers, "DEFER_AFTER", PATIENCE)
        await another_move(at)


@pytest.mark.parametrize("failing", ["commit", "*"])
async def test_a_failing_database_refuses_the_move_honestly_and_the_table_goes_on(
    table: Seat, tmp_path: Path, failing: str
) -> None:
    at = await table(2, serve=False)
    sentence = "The database isn't available right now, so nothing happened. Please try again."
    async with run_with_troubled_store(at, tmp_path) as store:
        await at.start(THAI)
        before = at.message().text
        store.failing = {failing}
        person = at.turn()
        assert await private_reply(at.call(person)) == sentence
        assert await private_reply(person.slash(at.channel, "bid", hand="99")) == sentence
        if failing == "*":  # nobody else writes to a file: the seat is as this process knows it
            assert "Your turn" in await private_reply(person.click(at.message(), "My seat"))
        assert at.message().text == before
        store.failing = set()
        await another_move(at)


async def test_names_that_cannot_be_read_do_not_keep_a_move_from_being_shown(
    table: Seat, tmp_path: Path
) -> None:
    at = await table(2, serve=False)
    async with run_with_troubled_store(at, tmp_path) as store:
        await at.start(THAI)
        store.failing = {"players", "player", "deliveries"}
        await another_move(at)
        await at.challenge(at.turn())
        assert "Showdown" in at.message().text
        await at.press("Next round")
        assert "Round 2" in at.message().text
        seat = (await at.turn().click(at.message(), "My seat")).text
        assert NATURAL.search(seat)


# -- a stop ----------------------------------------------------------------------------------------


async def test_a_redraw_that_a_stop_no_longer_waits_for_is_dropped_without_an_error(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await table(2, plays=THAI)
    monkeypatch.setattr(app, "STOP", replace(STOP, drain=0.01))
    # the library sleeps for as long, and then tries again on a connection that is closed
    at.world.faults.rate_limit(EDITS, retry_after=5.0)
    await private_reply(at.turn().slash(at.channel, "bid", hand="pair of tens"))
    await until(lambda: any(task.get_name() == "table" for task in asyncio.all_tasks()))
    drawing = {task for task in asyncio.all_tasks() if task.get_name() == "table"}
    with capture_logs() as logged:
        await at.bot.stop()
        await asyncio.wait(drawing, timeout=PATIENCE)
    assert [line for line in logged if line["log_level"] == "error"] == []
