"""Channels and servers: who sees which, whom a message pings, and deletion."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from bot.sandbox import Sandbox
from bot.sandbox.client_input import available
from bot.sandbox.discord_state import (
    ANNOUNCEMENT_THREAD,
    PRIVATE_THREAD,
    PUBLIC_THREAD,
    Channel,
    Json,
)
from bot.sandbox.driver import Person
from bot.sandbox.errors import ApiError, CannotDo
from bot.sandbox.messages import mentions_of
from bot.sandbox.permissions import SEND_MESSAGES, VIEW_CHANNEL
from bot.sandbox.remote import RemoteWorld
from bot.sandbox.rules.components import check_allowed_mentions
from tests.bot.sandbox.raw import Raw, Socket, refusal
from tests.people import Snug

HELLO = {"content": "Hello"}


async def heard(snug: Snug, raw: Raw) -> Socket:
    """Return a bot's gateway connection that has received READY and GUILD_CREATE."""
    socket = await Socket.connect_and_greet(raw)
    await socket.identify()
    await socket.hear_event("GUILD_CREATE")
    return socket


async def thread(snug: Snug, below: Channel, **kwargs: object) -> Channel:
    """Open a thread as Ann."""
    await snug.ann.open_thread(below, "aside", **kwargs)  # type: ignore[arg-type]
    return snug.server.channel("aside")


async def code(raw: Raw, channel: Channel, method: str = "POST", path: str = "/messages") -> int:
    """Return the error code of Discord's answer to a request, or 0 if it was accepted."""
    body = None if method in ("GET", "DELETE") else HELLO
    status, answer = await raw.api(method, f"/channels/{channel.id}{path}", body)
    return 0 if status < 300 else int(answer["code"])


async def sent(raw: Raw, channel: Channel) -> Json:
    """Send a message as the bot; return its JSON."""
    status, message = await raw.send(channel.id, HELLO)
    assert status == 200
    container: Json = message
    return container


async def test_a_thread_is_of_the_type_that_its_channel_gives(snug: Snug) -> None:
    assert (await thread(snug, snug.table)).type == PUBLIC_THREAD
    for below, kind in (
        (snug.server.add_announcement_channel("news"), ANNOUNCEMENT_THREAD),
        (snug.server.add_forum("evenings"), PUBLIC_THREAD),
    ):
        await snug.ann.open_thread(below, f"in {below.name}", content="Who plays?")
        channel = snug.server.channel(f"in {below.name}")
        assert channel.type == kind
        assert snug.bob.visible(channel)[0].text == "Who plays?"
    with pytest.raises(CannotDo, match="in a server's channel"):
        await snug.ann.open_thread(snug.server.add_voice_channel("voice"), "below")


async def test_a_private_thread_is_seen_by_its_members_and_by_moderators(snug: Snug) -> None:
    private = await thread(snug, snug.table, private=True)
    assert private.type == PRIVATE_THREAD
    await snug.ann.say(private, f"Hello <@{snug.bob.id}>")
    assert [message.text for message in snug.bob.visible(private)] == [f"Hello <@{snug.bob.id}>"]
    with pytest.raises(CannotDo, match="no such channel"):
        snug.cleo.visible(private)
    snug.server.make_moderator(snug.cleo)
    assert snug.cleo.visible(private)


async def test_the_bot_is_in_a_private_thread_once_it_was_mentioned_there(
    snug: Snug, raw: Raw
) -> None:
    socket = await heard(snug, raw)
    private = await thread(snug, snug.table, private=True)
    bot = snug.world.state.bot
    assert [await code(raw, private, *how) for how in (("POST",), ("GET", ""))] == [50001, 50001]
    await snug.ann.say(private, f"<@{bot.id}> please")
    event = await socket.hear_event("THREAD_CREATE")
    assert event["d"]["id"] == private.id
    assert event["d"]["member"]["user_id"] == bot.id
    assert await code(raw, private) == 0
    event = await socket.hear_event("THREAD_MEMBERS_UPDATE")
    assert event["d"]["added_members"][0]["user_id"] == bot.id
    snug.world.places.remove_from_thread(private, bot)
    event = await socket.hear_event("THREAD_MEMBERS_UPDATE")
    assert event["d"]["removed_member_ids"] == [bot.id]
    assert await code(raw, private) == 50001
    await snug.ann.open_thread(snug.table, "for everybody")
    public = snug.server.channel("for everybody")
    snug.world.places.change_thread(private, archived=True)
    await snug.ann.say(private, "This reopens it, and the bot doesn't hear of it")
    snug.world.places.change_thread(public, archived=True)
    assert (await socket.hear_event("THREAD_UPDATE"))["d"]["id"] == public.id


async def test_writing_in_an_archived_thread_reopens_it_and_edits_need_it_open(
    snug: Snug, raw: Raw
) -> None:
    socket = await heard(snug, raw)
    new_thread = await thread(snug, snug.table)
    message = await sent(raw, new_thread)
    snug.world.places.change_thread(new_thread, archived=True)
    assert (await socket.hear_event("THREAD_UPDATE"))["d"]["thread_metadata"]["archived"]
    for method in ("PATCH", "DELETE"):
        assert await code(raw, new_thread, method, f"/messages/{message['id']}") == 50083
    assert await code(raw, new_thread) == 0
    assert not (await socket.hear_event("THREAD_UPDATE"))["d"]["thread_metadata"]["archived"]
    assert await code(raw, new_thread, "PATCH", f"/messages/{message['id']}") == 0


async def test_the_bot_may_open_an_archived_thread_but_none_that_is_locked(
    snug: Snug, raw: Raw
) -> None:
    new_thread = await thread(snug, snug.table)
    message = await sent(raw, new_thread)
    snug.world.places.change_thread(new_thread, archived=True)
    status, shape = await raw.api("PATCH", f"/channels/{new_thread.id}", {"archived": False})
    assert (status, shape["thread_metadata"]["archived"]) == (200, False)
    snug.world.places.change_thread(new_thread, locked=True)
    answer = await raw.api("PATCH", f"/channels/{new_thread.id}", {"archived": False})
    assert refusal(answer) == (400, 50083)
    assert await code(raw, new_thread) == 50083
    assert await code(raw, new_thread, "PATCH", f"/messages/{message['id']}") == 50083
    with pytest.raises(CannotDo, match="locked"):
        await snug.bob.say(new_thread, "Still there?")


async def test_permissions_of_threads_voice_chats_and_forums(snug: Snug, raw: Raw) -> None:
    new_thread = await thread(snug, snug.table)
    await snug.world.faults.deny(snug.table, "send_messages")
    assert await code(raw, new_thread) == 0  # that is for the channel itself
    await snug.world.faults.deny(snug.table, "send_messages_in_threads")
    assert await code(raw, new_thread) == 50013
    await snug.world.faults.deny(snug.table, "view_channel")
    assert await code(raw, new_thread) == 50001
    voice = snug.server.add_voice_channel("voice")
    assert await code(raw, voice) == 0
    await snug.world.faults.deny(voice, "connect")
    assert await code(raw, voice) == 50001
    assert await code(raw, snug.server.add_forum("evenings")) == 50008


async def test_an_interaction_tells_the_bots_permissions_but_not_its_membership(
    snug: Snug, raw: Raw
) -> None:
    socket = await heard(snug, raw)
    path = f"/applications/{snug.world.state.bot.id}/commands"
    await raw.api("PUT", path, [{"name": "ours", "description": "Ours", "type": 1}])
    private = await thread(snug, snug.table, private=True)

    async def react(channel: Channel) -> tuple[int, Json]:
        user = snug.world.state.users[snug.ann.id]
        body = {"id": "1", "name": "ours", "type": 1, "options": []}
        snug.world.interactions.open(2, user.id, channel, body)
        event = (await socket.hear_event("INTERACTION_CREATE"))["d"]
        return int(event["app_permissions"]), event

    bits, event = await react(private)
    assert bits & SEND_MESSAGES  # though each of its requests is refused
    assert event["channel"]["type"] == PRIVATE_THREAD
    assert "member" not in event["channel"]
    snug.server.remove_bot()
    bits, event = await react(snug.table)
    assert not bits & VIEW_CHANNEL
    assert event["authorizing_integration_owners"] == {"0": snug.server.id}
    group = snug.world.add_group("weekend", snug.ann, snug.bob)
    snug.world.state.users[snug.ann.id].has_app = True
    bits, event = await react(group)
    assert not bits & VIEW_CHANNEL
    assert event["context"] == 2
    assert event["authorizing_integration_owners"] == {"1": snug.ann.id}
    assert await code(raw, group) == 50001


# -- deleted ---------------------------------------------------------------------------------------


async def test_deleting_a_channel_deletes_its_threads_and_pings_and_tells_pages(
    snug: Snug, raw: Raw
) -> None:
    aside = snug.world.places.add_thread(snug.table, "aside", snug.world.state.users[snug.ann.id])
    await raw.send(snug.table.id, {"content": f"<@{snug.ann.id}>"})
    with snug.world.stream.listening(snug.ann.id) as listened:
        await snug.world.faults.lose_channel(snug.table.id)
        _, people = await raw.page("GET", "/page/people")
        assert {person["name"]: person["pings"] for person in people["people"]}["Ann"] == 0
        for method, path, body in (
            ("GET", f"/channels/{aside.id}", None),
            ("POST", f"/channels/{aside.id}/messages", {"content": "x"}),
            ("GET", f"/channels/{snug.table.id}", None),
        ):
            assert refusal(await raw.api(method, path, body)) == (404, 10003)
        await snug.world.faults.lose_guild(snug.server.id)
    events = [listened.get_nowait() for _ in range(listened.qsize())]
    assert [(event["type"], event["id"]) for event in events if event] == [
        ("channel_delete", aside.id),
        ("channel_delete", snug.table.id),
        ("guild_delete", snug.server.id),
    ]


@pytest.mark.parametrize("lost", ["channel", "guild", "message"])
async def test_files_are_deleted_with_their_message_or_channel(
    snug: Snug, raw: Raw, lost: str
) -> None:
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


async def test_an_answer_to_a_command_in_a_deleted_channel_finds_no_channel(
    snug: Snug, raw: Raw
) -> None:
    body = {"id": "1", "name": "play", "type": 1, "options": []}
    interaction = snug.world.interactions.open(2, snug.ann.id, snug.table, body)
    await snug.world.faults.lose_channel(snug.table.id)
    status, answer = await raw.api(
        "POST",
        f"/interactions/{interaction.id}/{interaction.token}/callback",
        {"type": 4, "data": {"content": "x"}},
    )
    assert (status, answer["code"]) == (404, 10003)


# -- whom a message calls --------------------------------------------------------------------------


def message_with(content: str = "", *texts: str) -> Json:
    """Return a message's payload, with `texts` as text displays in a container."""
    inside = [{"type": 10, "content": text} for text in texts]
    return {"content": content, "components": [{"type": 17, "components": inside}]}


def test_everybody_named_in_text_is_mentioned_once_in_order_and_in_code_or_buttons_nobody() -> None:
    assert mentions_of(message_with("<@2> and <@!1>, <@2>", "then <@3>"), None) == ["2", "1", "3"]
    for text in ("`<@1>`", "``a <@1>``", "```\n<@1>\n```", "<#1> <@&1> @1"):
        assert mentions_of(message_with(text), None) == []
    button = {"type": 2, "label": "<@1>", "custom_id": "b"}
    assert mentions_of({"content": "", "components": [button]}, None) == []


def test_allowed_mentions_decide_who_is_pinged() -> None:
    for react, called in (
        ({"parse": []}, []),
        ({}, []),
        ({"parse": ["users"]}, ["1", "2"]),
        ({"parse": ["everyone", "roles"]}, []),
        ({"users": ["2", "9"]}, ["2"]),
        ({"parse": [], "users": [1]}, ["1"]),
    ):
        assert mentions_of(message_with("<@1> <@2>"), react) == called


@pytest.mark.parametrize(
    ("react", "code"),
    [
        ([], "MODEL_TYPE_CONVERT"),
        ({"parse": ["people"]}, "BASE_TYPE_CHOICES"),
        ({"parse": ["users"], "users": ["1"]}, "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE"),
        ({"users": [str(n) for n in range(101)]}, "BASE_TYPE_MAX_LENGTH"),
    ],
)
def test_allowed_mentions_that_discord_refuses(react: Any, code: str) -> None:
    with pytest.raises(ApiError) as refused:
        check_allowed_mentions(react)
    assert refused.value.code == 50035
    assert code in str(refused.value.errors)


def test_allowed_mentions_that_discord_takes() -> None:
    taken: list[Any] = [None, {}, {"parse": ["users"], "users": []}, {"users": ["1"] * 100}]
    for react in taken:
        check_allowed_mentions(react)


# -- unread marks and pings ------------------------------------------------------------------------


def calling(person: Person, **kwargs: object) -> Json:
    """Return the payload of a message that mentions and pings the person."""
    react = {"parse": [], "users": [person.id]}
    return {"content": f"<@{person.id}>, your turn", "allowed_mentions": react} | kwargs


def marks(snug: Snug) -> list[tuple[bool, int]]:
    """Return for each person whether the channel `table` is unread, and its number of pings."""
    return [(person.unread(snug.table), person.pings(snug.table)) for person in snug.everyone]


async def post(snug: Snug, raw: Raw, body: Json) -> Json:
    status, message = await raw.send(snug.table.id, body)
    assert status == 200
    return dict(message)


async def test_a_message_marks_its_channel_unread_for_all_and_pings_the_mentioned(
    snug: Snug, raw: Raw
) -> None:
    message = await post(snug, raw, calling(snug.bob) | {"allowed_mentions": {"parse": []}})
    assert message["mentions"] == []
    assert marks(snug) == [(True, 0), (True, 0), (True, 0)]
    message = await post(snug, raw, calling(snug.bob))
    assert marks(snug) == [(True, 0), (True, 1), (True, 0)]
    assert [user["username"] for user in message["mentions"]] == ["Bob"]
    await snug.ann.read(snug.table)  # which takes away one's own marks and nobody else's
    assert marks(snug) == [(False, 0), (True, 1), (True, 0)]
    await snug.bob.say(snug.table, "coming")  # who writes has read
    assert marks(snug) == [(True, 0), (False, 0), (True, 0)]


async def test_an_edit_never_pings_or_marks_unread_and_a_deletion_removes_only_the_ping(
    snug: Snug, raw: Raw
) -> None:
    message = await post(snug, raw, {"content": "wait"})
    for person in snug.everyone:
        await person.read(snug.table)
    path = f"/channels/{snug.table.id}/messages/"
    _, edited = await raw.api("PATCH", path + message["id"], calling(snug.bob))
    assert [user["username"] for user in edited["mentions"]] == ["Bob"]  # it is highlighted
    silent = {"flags": 1 << 2, "allowed_mentions": {"parse": []}}
    _, edited = await raw.api("PATCH", path + message["id"], silent)
    assert [user["username"] for user in edited["mentions"]] == ["Bob"]  # the words are the same
    assert marks(snug) == [(False, 0)] * 3
    message = await post(snug, raw, calling(snug.bob))
    await raw.api("DELETE", path + message["id"])
    assert marks(snug)[1] == (True, 0)


async def test_a_message_deleted_by_a_moderator_takes_its_ping_away(snug: Snug, raw: Raw) -> None:
    message = await post(snug, raw, calling(snug.bob))
    assert marks(snug)[1] == (True, 1)
    snug.world.faults.lose_message(snug.table.id, message["id"])
    assert marks(snug)[1] == (True, 0)


async def test_every_direct_message_pings_and_earlier_messages_are_not_unread(
    snug: Snug, raw: Raw
) -> None:
    assert (await snug.bob.act("open_dm")).kind == "none"
    mail = snug.bob.dms()[0]
    for words in ("your cards", "your cards again"):
        await raw.send(mail.id, {"content": words})
    assert (snug.bob.unread(mail), snug.bob.pings(mail)) == (True, 2)
    await post(snug, raw, {"content": "early"})
    dora = snug.world.add_person("Dora")
    assert not dora.unread(snug.table)
    await post(snug, raw, {"content": "later"})
    assert dora.unread(snug.table)


async def test_the_page_receives_only_its_own_persons_read_marks(snug: Snug, raw: Raw) -> None:
    with snug.world.stream.listening(snug.bob.id) as events:
        await post(snug, raw, calling(snug.bob))
        await snug.ann.read(snug.table)
        heard = [events.get_nowait() for _ in range(events.qsize())]
    assert [event["type"] for event in heard if event] == ["message_create", "read"]
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

        async def unread_and_pings() -> tuple[bool, int]:
            view = await world.ask("GET", "/page/view", query={"as": bob.id})
            (marks,) = [mark for mark in view["reads"] if mark["channel_id"] == table]
            return marks["unread"], marks["pings"]

        assert await unread_and_pings() == (True, 1)
        people = (await world.ask("GET", "/page/people"))["people"]
        assert [person["pings"] for person in people] == [0, 1, 0]
        await bob.read(table)
        assert await unread_and_pings() == (False, 0)


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
    person = [again.person(name) for name in ("Ann", "Bob", "Cleo")]
    assert [(reader.unread(table), reader.pings(table)) for reader in person] == [
        (True, 0),
        (True, 1),
        (False, 0),
    ]
    await again.stop()


async def test_a_channel_that_the_person_cannot_see_cannot_be_marked_read(
    snug: Snug, raw: Raw
) -> None:
    await snug.bob.act("open_dm")
    for channel in (snug.bob.dms()[0].id, "1"):
        body = {"as": snug.ann.id, "type": "read", "channel": channel}
        _, answer = await raw.page("POST", "/page/act", body)
        assert answer == {"ok": False, "error": "There is no such channel."}


# -- which of the bot's commands a person finds where they are -------------------------------------


def command(name: str, **kwargs: object) -> dict[str, object]:
    """Return a command as the bot registers it."""
    return {"name": name, "description": "Does it", "type": 1} | kwargs


async def register(snug: Snug, raw: Raw, *commands: dict[str, object]) -> None:
    """Register commands for the whole application."""
    path = f"/applications/{snug.world.state.bot.id}/commands"
    status, _ = await raw.api("PUT", path, list(commands))
    assert status == 200


async def test_discords_own_commands_hide_the_bots(snug: Snug, raw: Raw) -> None:
    await register(snug, raw, command("me"), command("ours"))
    with pytest.raises(CannotDo, match="There is no command /me here; there are: /ours"):
        await snug.ann.slash(snug.table, "me")


async def test_a_command_is_offered_only_where_it_was_installed(snug: Snug, raw: Raw) -> None:
    everywhere = {"integration_types": [0, 1], "contexts": [0, 1, 2]}
    servers = {"integration_types": [0], "contexts": [0]}
    commands = (command("both", **everywhere), command("servers", **servers), command("silent"))
    await register(snug, raw, *commands)
    ann = snug.world.state.users[snug.ann.id]
    group = snug.world.add_group("weekend", snug.ann, snug.bob)
    letters = snug.world.places.dm_channel(ann)

    def commands_in(channel: Channel) -> list[str]:
        return [command["name"] for command in available(snug.world.state, ann, channel)]

    assert commands_in(snug.table) == ["both", "servers", "silent"]
    assert commands_in(letters) == ["both", "silent"]
    assert commands_in(group) == []
    snug.server.guild.has_app = False
    assert commands_in(snug.table) == []
    ann.has_app = True
    assert commands_in(snug.table) == [
        "both",
        "silent",
    ]  # who says nothing is wherever that is allowed
    assert commands_in(group) == ["both", "silent"]


async def test_commands_for_an_installation_that_the_application_does_not_allow_are_refused(
    snug: Snug, raw: Raw
) -> None:
    snug.world.state.installs = [0]
    await register(snug, raw, command("servers", integration_types=[0]))
    path = f"/applications/{snug.world.state.bot.id}/commands"
    status, refused = await raw.api("PUT", path, [command("both", integration_types=[0, 1])])
    assert (status, refused["code"]) == (400, 50035)
    assert refused["errors"]["0"]["integration_types"]["1"]["_errors"]
    _, stored = await raw.api("GET", path)
    assert [command["name"] for command in stored] == ["servers"]


# -- scheduled events ------------------------------------------------------------------------------

NOW = datetime.now(UTC)
STARTS = NOW + timedelta(days=3)


def event(**kwargs: Any) -> dict[str, Any]:
    rule = {"start": STARTS.isoformat(), "frequency": 2, "interval": 1}
    return {
        "name": "Game night",
        "scheduled_start_time": STARTS.isoformat(),
        "scheduled_end_time": (STARTS + timedelta(hours=3)).isoformat(),
        "privacy_level": 2,
        "entity_type": 3,
        "entity_metadata": {"location": "#poker-night"},
        "recurrence_rule": rule | {"by_weekday": [STARTS.weekday()]},
    } | kwargs


@pytest_asyncio.fixture
async def event_maker(snug: Snug) -> AsyncIterator[Raw]:
    snug.world.state.guilds[snug.table.guild_id or ""].bot_makes_events = True
    async with Raw(snug.world) as speaking:
        yield speaking


def path(snug: Snug, number: str = "") -> str:
    return f"/guilds/{snug.table.guild_id}/scheduled-events" + (number and f"/{number}")


async def test_an_event_is_made_moved_and_deleted(snug: Snug, event_maker: Raw) -> None:
    status, created_event = await event_maker.api("POST", path(snug), event())
    assert (status, created_event["status"]) == (200, 1)
    later = STARTS + timedelta(hours=1)
    moved = {"scheduled_start_time": later.isoformat(), "recurrence_rule": None}
    status, now = await event_maker.api("PATCH", path(snug, created_event["id"]), moved)
    assert (status, now["scheduled_start_time"]) == (200, later.isoformat())
    assert now["name"] == "Game night"
    assert (await event_maker.api("DELETE", path(snug, created_event["id"])))[0] == 204
    for method, body in (("PATCH", moved), ("DELETE", None)):
        assert refusal(await event_maker.api(method, path(snug, created_event["id"]), body)) == (
            404,
            10070,
        )


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""},
        {"name": "n" * 101},
        {"description": "d" * 1001},
        {"privacy_level": 1},
        {"entity_metadata": {}},
        {"entity_metadata": {"location": "l" * 101}},
        {"scheduled_start_time": "tomorrow"},
        {"scheduled_start_time": "2031-01-01T20:00:00"},
        {"scheduled_start_time": (NOW - timedelta(hours=1)).isoformat()},
        {"scheduled_end_time": None},
        {"scheduled_end_time": STARTS.isoformat()},
        {"recurrence_rule": {"start": STARTS.isoformat(), "frequency": 2, "interval": 1}},
        {
            "recurrence_rule": {
                "start": STARTS.isoformat(),
                "frequency": 2,
                "interval": 1,
                "by_weekday": [(STARTS.weekday() + 1) % 7],
            }
        },
    ],
)
async def test_events_that_discord_refuses_are_refused(
    snug: Snug, event_maker: Raw, wrong: dict[str, Any]
) -> None:
    assert refusal(await event_maker.api("POST", path(snug), event(**wrong))) == (400, 50035)
    assert snug.world.state.events == {}


async def test_without_the_permission_no_event_can_be_made(snug: Snug, event_maker: Raw) -> None:
    snug.world.state.guilds[snug.table.guild_id or ""].bot_makes_events = False
    assert refusal(await event_maker.api("POST", path(snug), event())) == (403, 50013)
    answer = await event_maker.api("POST", "/guilds/1/scheduled-events", event())
    assert refusal(answer) == (403, 50001)
