"""Unread marks and pings: what calls a person, and what is left of it."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from bot.sandbox import Sandbox
from bot.sandbox.discord_state import Json
from bot.sandbox.driver import Person
from bot.sandbox.remote import RemoteWorld
from tests.bot.sandbox.raw import Raw
from tests.people import Snug


@pytest_asyncio.fixture
async def raw(snug: Snug) -> AsyncIterator[Raw]:
    async with Raw(snug.world) as speaking:
        yield speaking


def calling(person: Person, **more: object) -> Json:
    """A message that names and calls the person."""
    allowed = {"parse": [], "users": [person.id]}
    return {"content": f"<@{person.id}>, your turn", "allowed_mentions": allowed} | more


def marks(snug: Snug) -> list[tuple[bool, int]]:
    """Everybody's mark at the table: unread, pings."""
    return [(one.unread(snug.table), one.pings(snug.table)) for one in snug.everyone]


async def post(snug: Snug, raw: Raw, body: Json) -> Json:
    status, message = await raw.send(snug.table.id, body)
    assert status == 200
    return dict(message)


async def test_a_message_marks_unread_for_all_and_pings_whom_it_calls(snug: Snug, raw: Raw) -> None:
    message = await post(snug, raw, calling(snug.bob))
    assert marks(snug) == [(True, 0), (True, 1), (True, 0)]
    assert [user["username"] for user in message["mentions"]] == ["Bob"]


async def test_a_mention_that_is_not_allowed_pings_nobody(snug: Snug, raw: Raw) -> None:
    message = await post(snug, raw, calling(snug.bob) | {"allowed_mentions": {"parse": []}})
    assert message["mentions"] == []
    assert marks(snug) == [(True, 0), (True, 0), (True, 0)]


async def test_reading_takes_ones_own_marks_away_and_nobody_elses(snug: Snug, raw: Raw) -> None:
    await post(snug, raw, {"content": f"<@{snug.ann.id}> <@{snug.bob.id}>"})
    await snug.ann.read(snug.table)
    assert marks(snug) == [(False, 0), (True, 1), (True, 0)]


async def test_who_writes_has_read_the_channel(snug: Snug, raw: Raw) -> None:
    await post(snug, raw, calling(snug.bob))
    await snug.bob.say(snug.table, "coming")
    assert marks(snug) == [(True, 0), (False, 0), (True, 0)]


async def test_an_edit_never_pings_nor_marks_unread(snug: Snug, raw: Raw) -> None:
    message = await post(snug, raw, {"content": "wait"})
    for one in snug.everyone:
        await one.read(snug.table)
    path = f"/channels/{snug.table.id}/messages/{message['id']}"
    _, edited = await raw.api("PATCH", path, calling(snug.bob))
    assert [user["username"] for user in edited["mentions"]] == ["Bob"]  # it is highlighted
    assert marks(snug) == [(False, 0)] * 3


async def test_an_edit_of_other_things_keeps_whom_the_words_mention(snug: Snug, raw: Raw) -> None:
    message = await post(snug, raw, calling(snug.bob))
    path = f"/channels/{snug.table.id}/messages/{message['id']}"
    _, edited = await raw.api("PATCH", path, {"flags": 1 << 2, "allowed_mentions": {"parse": []}})
    assert [user["username"] for user in edited["mentions"]] == ["Bob"]


async def test_a_deleted_message_leaves_the_unread_mark_and_not_the_ping(
    snug: Snug, raw: Raw
) -> None:
    message = await post(snug, raw, calling(snug.bob))
    await raw.api("DELETE", f"/channels/{snug.table.id}/messages/{message['id']}")
    assert marks(snug)[1] == (True, 0)


async def test_every_direct_message_is_a_ping(snug: Snug, raw: Raw) -> None:
    opened = await snug.bob.act("open_dm")
    assert opened.kind == "none"
    mail = snug.bob.dms()[0]
    await raw.send(mail.id, {"content": "your cards"})
    await raw.send(mail.id, {"content": "your cards again"})
    assert (snug.bob.unread(mail), snug.bob.pings(mail)) == (True, 2)


async def test_what_was_said_before_one_came_is_no_news(snug: Snug, raw: Raw) -> None:
    await post(snug, raw, {"content": "early"})
    dora = snug.world.add_person("Dora")
    assert not dora.unread(snug.table)
    await post(snug, raw, {"content": "later"})
    assert dora.unread(snug.table)


async def test_the_page_is_told_of_its_own_marks_alone(snug: Snug, raw: Raw) -> None:
    with snug.world.stream.listening(snug.bob.id) as events:
        await post(snug, raw, calling(snug.bob))
        await snug.ann.read(snug.table)
        heard = [events.get_nowait() for _ in range(events.qsize())]
    assert [one["type"] for one in heard if one] == ["message_create", "read"]
    assert heard[-1] == {
        "type": "read",
        "channel_id": snug.table.id,
        "unread": True,
        "pings": 1,
        "last": snug.bob.id,  # nothing yet: what is older than a person counts as read
    }


async def test_marks_are_the_same_over_http(snug: Snug, raw: Raw) -> None:
    await post(snug, raw, calling(snug.bob))
    async with RemoteWorld(snug.world.base_url) as world:
        bob, table = await world.person("Bob"), await world.channel("poker-night")

        async def seen() -> tuple[bool, int]:
            view = await world.ask("GET", "/page/view", query={"as": bob.id})
            (marks,) = [one for one in view["reads"] if one["channel_id"] == table]
            return marks["unread"], marks["pings"]

        assert await seen() == (True, 1)
        people = (await world.ask("GET", "/page/people"))["people"]
        assert [one["pings"] for one in people] == [0, 1, 0]
        await bob.read(table)
        assert await seen() == (False, 0)


async def test_marks_outlive_a_restart_of_the_emulator(tmp_path: Path) -> None:
    world = Sandbox(state_file=tmp_path / "state.json")
    await world.start()
    world.furnish()
    table = world.server("The Snug").channel("poker-night").id
    async with Raw(world) as raw:
        await raw.send(table, calling(world.person("Bob")))
    await world.person("Cleo").read(table)
    await world.stop()
    again = Sandbox(state_file=tmp_path / "state.json")
    await again.start()
    seen = [again.person(name) for name in ("Ann", "Bob", "Cleo")]
    assert [(one.unread(table), one.pings(table)) for one in seen] == [
        (True, 0),
        (True, 1),
        (False, 0),
    ]
    await again.stop()


@pytest.mark.parametrize("place", ["reading", "nowhere"])
async def test_a_channel_that_is_not_ones_own_cannot_be_read(
    snug: Snug, raw: Raw, place: str
) -> None:
    await snug.bob.act("open_dm")
    channel = snug.bob.dms()[0].id if place == "reading" else "1"
    body = {"as": snug.ann.id, "type": "read", "channel": channel}
    _, answer = await raw.page("POST", "/page/act", body)
    assert answer == {"ok": False, "error": "There is no such channel."}
