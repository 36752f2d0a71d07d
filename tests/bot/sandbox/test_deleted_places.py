"""A channel or a server that is deleted: what was in it is gone with it, and everybody is told."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from bot.sandbox.discord_state import Channel
from tests.bot.sandbox.raw import Raw
from tests.people import Snug


@pytest_asyncio.fixture
async def raw(snug: Snug) -> AsyncIterator[Raw]:
    async with Raw(snug.world) as speaking:
        yield speaking


async def _thread(snug: Snug) -> Channel:
    return snug.world.places.add_thread(snug.table, "aside", snug.world.state.users[snug.ann.id])


async def test_a_thread_goes_with_its_channel(snug: Snug, raw: Raw) -> None:
    thread = await _thread(snug)
    await snug.world.faults.lose_channel(snug.table.id)
    for method, path, body in (
        ("GET", f"/channels/{thread.id}", None),
        ("POST", f"/channels/{thread.id}/messages", {"content": "x"}),
        ("GET", f"/channels/{snug.table.id}", None),
    ):
        status, answer = await raw.api(method, path, body)
        assert (status, answer["code"]) == (404, 10003)


@pytest.mark.parametrize("lost", ["channel", "guild", "message"])
async def test_files_go_with_what_they_were_sent_to(snug: Snug, raw: Raw, lost: str) -> None:
    _, sent = await raw.send(snug.table.id, {"content": "x"}, files=[("a.png", b"x")])
    url = sent["attachments"][0]["url"]
    async with raw.http.get(url) as response:
        assert response.status == 200
    if lost == "channel":
        await snug.world.faults.lose_channel(snug.table.id)
    elif lost == "guild":
        await snug.world.faults.lose_guild(snug.server.id)
    else:
        snug.world.faults.lose_message(snug.table.id, sent["id"])
    async with raw.http.get(url) as response:
        assert response.status == 404
    assert snug.world.state.attachments == {}


async def test_pages_are_told_of_a_channel_a_thread_and_a_server_that_are_gone(snug: Snug) -> None:
    thread = await _thread(snug)
    with snug.world.stream.listening(snug.ann.id) as heard:
        await snug.world.faults.lose_channel(snug.table.id)
        await snug.world.faults.lose_guild(snug.server.id)
    events = [heard.get_nowait() for _ in range(heard.qsize())]
    assert [(one["type"], one["id"]) for one in events if one] == [
        ("channel_delete", thread.id),
        ("channel_delete", snug.table.id),
        ("guild_delete", snug.server.id),
    ]


async def test_an_answer_to_what_was_asked_in_a_channel_since_deleted_finds_no_channel(
    snug: Snug, raw: Raw
) -> None:
    body = {"id": "1", "name": "play", "type": 1, "options": []}
    asked = snug.world.interactions.open(2, snug.ann.id, snug.table, body)
    await snug.world.faults.lose_channel(snug.table.id)
    status, answer = await raw.api(
        "POST",
        f"/interactions/{asked.id}/{asked.token}/callback",
        {"type": 4, "data": {"content": "x"}},
    )
    assert (status, answer["code"]) == (404, 10003)


async def test_what_was_said_in_a_deleted_channel_is_unread_for_nobody(
    snug: Snug, raw: Raw
) -> None:
    await raw.send(snug.table.id, {"content": f"<@{snug.ann.id}>"})
    await snug.world.faults.lose_channel(snug.table.id)
    _, people = await raw.page("GET", "/page/people")
    assert {one["name"]: one["pings"] for one in people["people"]}["Ann"] == 0
