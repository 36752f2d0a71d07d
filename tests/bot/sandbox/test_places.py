"""Channels of every type: who sees them, and what Discord lets the bot do there."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from bot.sandbox.discord_state import (
    ANNOUNCEMENT_THREAD,
    PRIVATE_THREAD,
    PUBLIC_THREAD,
    Channel,
    Json,
)
from bot.sandbox.errors import CannotDo
from bot.sandbox.permissions import SEND_MESSAGES, VIEW_CHANNEL
from tests.bot.sandbox.raw import Raw, Socket
from tests.people import Snug

HELLO = {"content": "Hello"}


@pytest_asyncio.fixture
async def raw(snug: Snug) -> AsyncIterator[Raw]:
    async with Raw(snug.world) as speaking:
        yield speaking


async def heard(snug: Snug, raw: Raw) -> Socket:
    """A bot's connection, past its READY and the server."""
    socket = await Socket.connect(raw)
    await socket.hear()
    await socket.identify()
    await socket.hear_event("GUILD_CREATE")
    return socket


async def thread(snug: Snug, below: Channel, **more: object) -> Channel:
    """A thread of Ann's."""
    await snug.ann.open_thread(below, "aside", **more)  # type: ignore[arg-type]
    return snug.server.channel("aside")


async def code(raw: Raw, channel: Channel, method: str = "POST", path: str = "/messages") -> int:
    """Discord's code of an answer; 0: it was taken."""
    body = None if method in ("GET", "DELETE") else HELLO
    status, answer = await raw.api(method, f"/channels/{channel.id}{path}", body)
    return 0 if status < 300 else int(answer["code"])


async def sent(raw: Raw, channel: Channel) -> Json:
    """A message of the bot's."""
    status, message = await raw.send(channel.id, HELLO)
    assert status == 200
    found: Json = message
    return found


async def test_a_thread_is_of_the_type_that_its_channel_gives(snug: Snug) -> None:
    assert (await thread(snug, snug.table)).type == PUBLIC_THREAD
    for below, kind in (
        (snug.server.add_announcement_channel("news"), ANNOUNCEMENT_THREAD),
        (snug.server.add_forum("evenings"), PUBLIC_THREAD),
    ):
        await snug.ann.open_thread(below, f"in {below.name}", content="Who plays?")
        made = snug.server.channel(f"in {below.name}")
        assert made.type == kind
        assert snug.bob.visible(made)[0].text == "Who plays?"
    with pytest.raises(CannotDo, match="in a server's channel"):
        await snug.ann.open_thread(snug.server.add_voice_channel("voice"), "below")


async def test_a_private_thread_is_seen_by_its_members_and_by_moderators(snug: Snug) -> None:
    made = await thread(snug, snug.table, private=True)
    assert made.type == PRIVATE_THREAD
    await snug.ann.say(made, f"Hello <@{snug.bob.id}>")
    assert [one.text for one in snug.bob.visible(made)] == [f"Hello <@{snug.bob.id}>"]
    with pytest.raises(CannotDo, match="no such channel"):
        snug.cleo.visible(made)
    snug.server.make_moderator(snug.cleo)
    assert snug.cleo.visible(made)


async def test_the_bot_is_in_a_private_thread_once_it_was_mentioned_there(
    snug: Snug, raw: Raw
) -> None:
    socket = await heard(snug, raw)
    made = await thread(snug, snug.table, private=True)
    bot = snug.world.state.bot
    assert [await code(raw, made, *how) for how in (("POST",), ("GET", ""))] == [50001, 50001]
    await snug.ann.say(made, f"<@{bot.id}> please")
    event = await socket.hear_event("THREAD_CREATE")
    assert event["d"]["id"] == made.id
    assert event["d"]["member"]["user_id"] == bot.id
    assert await code(raw, made) == 0
    event = await socket.hear_event("THREAD_MEMBERS_UPDATE")
    assert event["d"]["added_members"][0]["user_id"] == bot.id
    snug.world.places.remove_from_thread(made, bot)
    event = await socket.hear_event("THREAD_MEMBERS_UPDATE")
    assert event["d"]["removed_member_ids"] == [bot.id]
    assert await code(raw, made) == 50001


async def test_who_writes_in_an_archived_thread_opens_it_and_nothing_in_it_is_changed_before(
    snug: Snug, raw: Raw
) -> None:
    socket = await heard(snug, raw)
    made = await thread(snug, snug.table)
    message = await sent(raw, made)
    snug.world.places.change_thread(made, archived=True)
    assert (await socket.hear_event("THREAD_UPDATE"))["d"]["thread_metadata"]["archived"]
    for method in ("PATCH", "DELETE"):
        assert await code(raw, made, method, f"/messages/{message['id']}") == 50083
    assert await code(raw, made) == 0
    assert not (await socket.hear_event("THREAD_UPDATE"))["d"]["thread_metadata"]["archived"]
    assert await code(raw, made, "PATCH", f"/messages/{message['id']}") == 0


async def test_the_bot_may_open_an_archived_thread_but_none_that_is_locked(
    snug: Snug, raw: Raw
) -> None:
    made = await thread(snug, snug.table)
    message = await sent(raw, made)
    snug.world.places.change_thread(made, archived=True)
    status, shape = await raw.api("PATCH", f"/channels/{made.id}", {"archived": False})
    assert (status, shape["thread_metadata"]["archived"]) == (200, False)
    snug.world.places.change_thread(made, locked=True)
    status, refused = await raw.api("PATCH", f"/channels/{made.id}", {"archived": False})
    assert (status, refused["code"]) == (400, 50083)
    assert await code(raw, made) == 50083
    assert await code(raw, made, "PATCH", f"/messages/{message['id']}") == 50083
    with pytest.raises(CannotDo, match="locked"):
        await snug.bob.say(made, "Still there?")


async def test_permissions_of_threads_voice_chats_and_forums(snug: Snug, raw: Raw) -> None:
    made = await thread(snug, snug.table)
    await snug.world.faults.deny(snug.table, "send_messages")
    assert await code(raw, made) == 0  # that is for the channel itself
    await snug.world.faults.deny(snug.table, "send_messages_in_threads")
    assert await code(raw, made) == 50013
    await snug.world.faults.deny(snug.table, "view_channel")
    assert await code(raw, made) == 50001
    voice = snug.server.add_voice_channel("voice")
    assert await code(raw, voice) == 0
    await snug.world.faults.deny(voice, "connect")
    assert await code(raw, voice) == 50001
    assert await code(raw, snug.server.add_forum("evenings")) == 50008


async def test_an_interaction_tells_what_the_bot_may_do_there_but_not_where_it_is_no_member(
    snug: Snug, raw: Raw
) -> None:
    socket = await heard(snug, raw)
    path = f"/applications/{snug.world.state.bot.id}/commands"
    await raw.api("PUT", path, [{"name": "ours", "description": "Ours", "type": 1}])
    made = await thread(snug, snug.table, private=True)

    async def allowed(channel: Channel) -> tuple[int, Json]:
        user = snug.world.state.users[snug.ann.id]
        body = {"id": "1", "name": "ours", "type": 1, "options": []}
        snug.world.interactions.open(2, user.id, channel, body)
        event = (await socket.hear_event("INTERACTION_CREATE"))["d"]
        return int(event["app_permissions"]), event

    bits, event = await allowed(made)
    assert bits & SEND_MESSAGES  # though each of its requests is refused
    assert event["channel"]["type"] == PRIVATE_THREAD
    assert "member" not in event["channel"]
    snug.server.remove_bot()
    bits, event = await allowed(snug.table)
    assert not bits & VIEW_CHANNEL
    assert event["authorizing_integration_owners"] == {"0": snug.server.id}
    group = snug.world.add_group("weekend", snug.ann, snug.bob)
    snug.world.state.users[snug.ann.id].has_app = True
    bits, event = await allowed(group)
    assert not bits & VIEW_CHANNEL
    assert event["context"] == 2
    assert event["authorizing_integration_owners"] == {"1": snug.ann.id}
    assert await code(raw, group) == 50001
