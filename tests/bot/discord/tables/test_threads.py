"""A table that moves from its lobby into a thread, and goes on there."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from bot.sandbox.discord_state import Channel
from bot.sandbox.driver import ActOutcome
from bot.sandbox.errors import CannotDo
from bot.sandbox.world import Sandbox
from bot.tables import plans
from bot.tables.requests import Ask
from tests.bot.conftest import Seat
from tests.bot.harness import Table, private_reply, running_bot, settings
from tests.people import until

LIARS, THAI = "Liars' Poker", "Thai Poker"
MOVE: Final = "Play in a thread"
OPEN: Final = "POST /channels/*/messages/*/threads"


async def move_to_thread(at: Table) -> Table:
    """Move the lobby to a thread as its host; return the table there."""
    before = at.message().id
    out = await at.option(at.host, MOVE)
    thread = at.elsewhere(at.world.state.channels[before])
    assert f"/{before}). Join it there." in (await out.settle()).text
    await at.settle()
    return thread


async def test_a_lobby_moves_into_a_thread_and_is_played_there(table: Seat) -> None:
    at = await table(3)
    await at.open(LIARS)
    old = at.message()
    thread = await move_to_thread(at)
    assert thread.channel.parent_id == at.channel.id
    assert thread.channel.name == LIARS
    assert thread.channel.owner_id == at.world.state.bot.id
    assert "Join" in thread.message().buttons
    await until(lambda: f"/{thread.channel.id}). Join it there." in at.message().text)
    assert at.message().id == old.id
    assert at.message().buttons == []

    await thread.press("Start")
    for person in thread.people:
        await person.click(thread.message(), "My seat")
    await thread.play_round()
    await thread.press("Next round")
    thread.assert_no_leak()
    await thread.forfeit(thread.people[1])
    assert [message.id for message in at.public()] == [old.id], "nothing more is said where it was"
    assert not [
        message for message in at.people[0].visible(at.channel) if "Your turn" in message.text
    ]


async def test_the_old_message_of_a_moved_table_links_to_its_thread(table: Seat) -> None:
    at = await table(2)
    bob = at.people[1]
    lobby = await at.open(THAI)
    options = await at.options(bob)
    thread = await move_to_thread(at)
    for message, label in (
        (lobby, "Join"),
        (lobby, "Start"),
        (options, "Notify me about new tables"),
    ):
        out = await bob.forge(message, message.button(label))
        if label != "Notify me about new tables":  # which is of the channel
            assert f"This table is in <#{thread.channel.id}> now." in (await out.settle()).text
    assert (await thread.live()).table.players == tuple(int(person.id) for person in at.people)


async def test_a_redraw_that_discord_takes_late_does_not_bring_the_lobby_back(table: Seat) -> None:
    """Fail a redraw: the client library repeats it after the message links to the thread."""
    at = await table(2)
    await at.open(THAI)
    await at.settle()
    at.world.faults.server_error("PATCH /channels/*/messages/*")
    leaves = Ask(int(at.people[1].id), None)
    await at.bot.tables.change((await at.live()).table.id, leaves, plans.leave)
    await until(lambda: any(request.status == 502 for request in at.world.state.requests))
    thread = await move_to_thread(at)
    assert f"/{thread.channel.id}). Join it there." in at.message().text
    assert at.message().buttons == []


async def test_a_press_that_is_judged_while_the_lobby_moves_does_not_keep_it(table: Seat) -> None:
    at = await table(2)
    await at.open(THAI)
    delivery, live = at.bot.delivery.tables, await at.live()
    with delivery.answering(live.table.id):
        delivery.update(live)  # a redraw that waits for the press's answer
        thread = await move_to_thread(at)
    await at.settle()
    assert f"/{thread.channel.id}). Join it there." in at.message().text
    assert at.message().buttons == []


async def test_after_a_restart_the_table_is_still_in_its_thread(tmp_path: Path) -> None:
    world = Sandbox()
    await world.start()
    world.furnish()
    try:
        people = [world.person("Ann"), world.person("Bob")]
        async with running_bot(world, settings(tmp_path)) as bot:
            at = Table(world, bot, world.server("The Snug").channel("poker-night"), people)
            await at.open(THAI)
            thread = await move_to_thread(at)
            lobby = thread.message()
        async with running_bot(world, settings(tmp_path)) as bot:
            thread.bot = bot
            await thread.settle()
            assert thread.message().id == lobby.id
            await thread.press("Start")
            await thread.play_round()
            assert len(at.public()) == 1
            # and the channel is free for another
            assert (await people[0].slash(at.channel, "play", game=LIARS)).message is not None
    finally:
        await world.stop()


async def test_an_archived_thread_is_opened_again_and_a_locked_one_waits(table: Seat) -> None:
    at = await table(2)
    await at.open(THAI)
    thread = await move_to_thread(at)
    at.world.places.change_thread(thread.channel, archived=True)
    await thread.press("Start")
    assert not thread.channel.archived
    assert "Round 1" in thread.message().text
    at.world.places.change_thread(thread.channel, locked=True)
    person, message = thread.turn(), thread.message()
    with pytest.raises(CannotDo, match="locked"):
        await thread.call(person)
    assert thread.message().text == message.text
    at.world.places.change_thread(thread.channel)
    await thread.call(person)
    await until(lambda: thread.message().text != message.text)


@pytest.mark.parametrize(
    ("denied", "named"),
    [
        ("create_public_threads", "Create Public Threads"),
        ("send_messages_in_threads", "Send Messages in Threads"),
    ],
)
async def test_a_missing_permission_is_named_and_the_table_stays(
    table: Seat, denied: str, named: str
) -> None:
    at = await table(2)
    await at.open(THAI)
    await at.world.faults.deny(at.channel, denied)
    reply = await private_reply(at.option(at.host, MOVE))
    assert (
        reply == f"I can't open a thread here. Please give me this permission first: **{named}**."
    )
    assert (await at.live()).table.channel_id == int(at.channel.id)
    await at.press("Start")
    assert "Round 1" in at.message().text


async def test_a_thread_that_discord_does_not_open_leaves_the_table_where_it_is(
    table: Seat,
) -> None:
    at = await table(2)
    await at.open(THAI)
    at.world.faults.refuse(OPEN, status=400, code=30033)
    reply = await private_reply(at.option(at.host, MOVE))
    assert reply == "Discord didn't open a thread just now. Please try again in a moment."
    await move_to_thread(at)


async def test_a_thread_whose_receipt_was_lost_is_found(table: Seat) -> None:
    at = await table(2)
    await at.open(THAI)
    at.world.faults.lose_answer(OPEN)
    await move_to_thread(at)


async def test_only_the_host_moves_a_table_and_only_out_of_a_channel(table: Seat) -> None:
    at = await table(2)
    bob = at.people[1]
    await at.open(THAI)
    assert MOVE not in (await at.options(bob)).buttons
    mine = await at.options(at.host)
    out: ActOutcome = await bob.forge(await at.options(bob), mine.button(MOVE))
    assert "Only the host" in (await out.settle()).text
    thread = await move_to_thread(at)
    assert MOVE not in (await thread.options(thread.host)).buttons
    voice: Channel = at.world.server("The Snug").add_voice_channel("voice")
    elsewhere = at.elsewhere(voice)
    await elsewhere.open(THAI)
    assert MOVE not in (await elsewhere.options(elsewhere.host)).buttons


async def test_a_deleted_thread_ends_its_table(table: Seat) -> None:
    at = await table(2)
    await at.open(THAI)
    thread = await move_to_thread(at)
    number = (await thread.live()).table.id
    await at.world.faults.lose_channel(thread.channel.id)
    await until(lambda: number not in {live.table.id for live in at.bot.tables.runtime.all()})
