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
from tests.bot.harness import Table, running_bot, settings, whispered
from tests.people import until

LIARS, THAI = "Liars' Poker", "Thai Poker"
MOVE: Final = "Play in a thread"
OPEN: Final = "POST /channels/*/messages/*/threads"


async def moved(at: Table) -> Table:
    """The table once its host has moved it."""
    before = at.shown().id
    out = await at.option(at.host, MOVE)
    there = at.elsewhere(at.world.state.channels[before])
    assert f"/{before}). Join it there." in (await out.settle()).text
    await at.settle()
    return there


async def test_a_lobby_moves_into_a_thread_and_is_played_there(table: Seat) -> None:
    at = await table(3)
    await at.open(LIARS)
    old = at.shown()
    there = await moved(at)
    assert there.channel.parent_id == at.channel.id
    assert there.channel.name == LIARS
    assert there.channel.owner_id == at.world.state.bot.id
    assert "Join" in there.shown().buttons
    await until(lambda: f"/{there.channel.id}). Join it there." in at.shown().text)
    assert at.shown().id == old.id
    assert at.shown().buttons == []

    await there.press("Start")
    for person in there.people:
        await person.click(there.shown(), "My seat")
    await there.play_round()
    await there.press("Next round")
    there.assert_no_leak()
    await there.forfeit(there.people[1])
    assert [one.id for one in at.public()] == [old.id], "nothing more is said where it was"
    assert not [one for one in at.people[0].visible(at.channel) if "Your turn" in one.text]


async def test_the_old_message_of_a_moved_table_links_to_its_thread(table: Seat) -> None:
    at = await table(2)
    bob = at.people[1]
    shown = await at.open(THAI)
    options = await at.options(bob)
    there = await moved(at)
    for seen, label in ((shown, "Join"), (shown, "Start"), (options, "Notify me about new tables")):
        out = await bob.forge(seen, seen.button(label))
        if label != "Notify me about new tables":  # which is of the channel
            assert f"This table is in <#{there.channel.id}> now." in (await out.settle()).text
    assert (await there.live()).table.players == tuple(int(one.id) for one in at.people)


async def test_a_redraw_that_discord_takes_late_does_not_bring_the_lobby_back(table: Seat) -> None:
    """The client library repeats it a second later, when the message links to the thread."""
    at = await table(2)
    await at.open(THAI)
    await at.settle()
    at.world.faults.server_error("PATCH /channels/*/messages/*")
    leaves = Ask(int(at.people[1].id), None)
    await at.bot.tables.change((await at.live()).table.id, leaves, plans.leave)
    await until(lambda: any(request.status == 502 for request in at.world.state.requests))
    there = await moved(at)
    assert f"/{there.channel.id}). Join it there." in at.shown().text
    assert at.shown().buttons == []


async def test_a_press_that_is_judged_while_the_lobby_moves_does_not_keep_it(table: Seat) -> None:
    at = await table(2)
    await at.open(THAI)
    delivery, live = at.bot.delivery.tables, await at.live()
    with delivery.answering(live.table.id):
        delivery.update(live)  # a redraw that waits for the press's answer
        there = await moved(at)
    await at.settle()
    assert f"/{there.channel.id}). Join it there." in at.shown().text
    assert at.shown().buttons == []


async def test_after_a_restart_the_table_is_still_in_its_thread(tmp_path: Path) -> None:
    world = Sandbox()
    await world.start()
    world.furnish()
    try:
        people = [world.person("Ann"), world.person("Bob")]
        async with running_bot(world, settings(tmp_path)) as bot:
            at = Table(world, bot, world.server("The Snug").channel("poker-night"), people)
            await at.open(THAI)
            there = await moved(at)
            lobby = there.shown()
        async with running_bot(world, settings(tmp_path)) as bot:
            there.bot = bot
            await there.settle()
            assert there.shown().id == lobby.id
            await there.press("Start")
            await there.play_round()
            assert len(at.public()) == 1
            # and the channel is free for another
            assert (await people[0].slash(at.channel, "play", game=LIARS)).message is not None
    finally:
        await world.stop()


async def test_an_archived_thread_is_opened_again_and_a_locked_one_waits(table: Seat) -> None:
    at = await table(2)
    await at.open(THAI)
    there = await moved(at)
    at.world.places.change_thread(there.channel, archived=True)
    await there.press("Start")
    assert not there.channel.archived
    assert "Round 1" in there.shown().text
    at.world.places.change_thread(there.channel, locked=True)
    person, message = there.turn(), there.shown()
    with pytest.raises(CannotDo, match="locked"):
        await there.call(person)
    assert there.shown().text == message.text
    at.world.places.change_thread(there.channel)
    await there.call(person)
    await until(lambda: there.shown().text != message.text)


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
    said = await whispered(at.option(at.host, MOVE))
    assert said == f"I can't open a thread here. Please give me this permission first: **{named}**."
    assert (await at.live()).table.channel_id == int(at.channel.id)
    await at.press("Start")
    assert "Round 1" in at.shown().text


async def test_a_thread_that_discord_does_not_open_leaves_the_table_where_it_is(
    table: Seat,
) -> None:
    at = await table(2)
    await at.open(THAI)
    at.world.faults.refuse(OPEN, status=400, code=30033)
    said = await whispered(at.option(at.host, MOVE))
    assert said == "Discord didn't open a thread just now. Please try again in a moment."
    await moved(at)


async def test_a_thread_whose_receipt_was_lost_is_found(table: Seat) -> None:
    at = await table(2)
    await at.open(THAI)
    at.world.faults.lose_answer(OPEN)
    await moved(at)


async def test_only_the_host_moves_a_table_and_only_out_of_a_channel(table: Seat) -> None:
    at = await table(2)
    bob = at.people[1]
    await at.open(THAI)
    assert MOVE not in (await at.options(bob)).buttons
    mine = await at.options(at.host)
    out: ActOutcome = await bob.forge(await at.options(bob), mine.button(MOVE))
    assert "Only the host" in (await out.settle()).text
    there = await moved(at)
    assert MOVE not in (await there.options(there.host)).buttons
    voice: Channel = at.world.server("The Snug").add_voice_channel("voice")
    elsewhere = at.elsewhere(voice)
    await elsewhere.open(THAI)
    assert MOVE not in (await elsewhere.options(elsewhere.host)).buttons


async def test_a_deleted_thread_ends_its_table(table: Seat) -> None:
    at = await table(2)
    await at.open(THAI)
    there = await moved(at)
    number = (await there.live()).table.id
    await at.world.faults.lose_channel(there.channel.id)
    await until(lambda: number not in {one.table.id for one in at.bot.tables.runtime.all()})
