"""The local Discord's answers and events, checked against Discord's own description of its API.

Some requests have forms that only other client libraries use, and that Discord accepts too.
"""

from __future__ import annotations

import asyncio
import base64
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from bot.sandbox import client_input
from bot.sandbox.discord_state import Interaction, Json
from bot.sandbox.rest import ROUTES
from tests.bot.sandbox.page_browser import ONE_PIXEL
from tests.bot.sandbox.raw import DESCRIPTION, Raw, Socket, refusal
from tests.people import Snug

GUILDS, COMPONENT, AUTOCOMPLETE, MODAL_SUBMIT = 1, 3, 4, 5
MESSAGE, DEFER, DEFER_UPDATE, UPDATE, CHOICES, MODAL = 4, 5, 6, 7, 8, 9
PLAY: Json = {"id": "1", "name": "play", "type": 1, "options": []}
PRESS: Json = {"id": 1, "custom_id": "press", "component_type": 2}
BUTTON: Json = {"type": 2, "style": 1, "label": "Press", "custom_id": "press"}
SELECT: Json = {"type": 3, "custom_id": "pick", "options": [{"label": "Ace", "value": "A"}]}
EVERYTHING: Json = {
    "flags": 1 << 15,
    "components": [
        {"type": 10, "content": "Before"},
        {
            "type": 17,
            "components": [
                {"type": 12, "items": [{"media": {"url": "attachment://a.png"}}]},
                {"type": 12, "items": [{"media": {"url": "https://example.org/a.png"}}]},
                {"type": 14},
                {"type": 9, "components": [{"type": 10, "content": "In"}], "accessory": BUTTON},
                {"type": 1, "components": [BUTTON | {"custom_id": "other"}]},
                {"type": 1, "components": [SELECT]},
            ],
        },
    ],
}
FORM: Json = {
    "title": "Your bid",
    "custom_id": "bid",
    "components": [
        {"type": 10, "content": "In words, or from the list."},
        {"type": 18, "label": "In words", "component": {"type": 4, "custom_id": "w", "style": 1}},
        {"type": 18, "label": "Kind", "id": 2, "component": SELECT},
        {
            "type": 1,
            "components": [{"type": 4, "custom_id": "note", "style": 2, "label": "Note"}],
        },
    ],
}
IMAGE = "data:image/png;base64," + base64.b64encode(ONE_PIXEL).decode()


async def post_everything(snug: Snug, raw: Raw, body: Json = EVERYTHING) -> Json:
    """Post `body`, by default a message with one component of every kind; return the message."""
    status, message = await raw.send(snug.table.id, body, files=[("a.png", ONE_PIXEL)])
    assert status == 200
    container: Json = message
    return container


def open_interaction(snug: Snug, kind: int, body: Json, message: Json | None = None) -> Interaction:
    """Open an interaction of Ann's, without waiting for its answer."""
    return snug.world.interactions.open(
        kind, snug.ann.id, snug.table, body, message_id=message["id"] if message else None
    )


async def answer(raw: Raw, interaction: Interaction, kind: int, data: Json | None = None) -> Any:
    """Answer an interaction, and return what Discord replies to the bot."""
    body = {"type": kind} | ({"data": data} if data is not None else {})
    address = f"/interactions/{interaction.id}/{interaction.token}/callback?with_response=true"
    status, response = await raw.api("POST", address, body)
    assert status == 200
    return response


# -- answers ---------------------------------------------------------------------------------------


async def test_every_answer_fits_discords_description(snug: Snug, raw: Raw) -> None:
    """Send requests to every route; `Raw` checks each answer."""
    world, table = snug.world, snug.table
    application = world.state.bot.id
    world.state.guilds[snug.server.id].bot_makes_events = True
    aside = world.places.add_thread(table, "aside", world.state.users[snug.ann.id])
    for path in ("/users/@me", "/oauth2/applications/@me", "/gateway", "/gateway/bot"):
        assert (await raw.api("GET", path))[0] == 200
    commands = f"/applications/{application}/commands"
    text = {"type": 3, "name": "text", "description": "A text"}
    for body, status in ((PLAY | {"description": "Play"}, 201), (PLAY | {"description": "P"}, 200)):
        assert (await raw.api("POST", commands, body))[0] == status
    groups = [{"name": "odds", "description": "Odds", "options": [text]}]
    _, registered = await raw.api("PUT", commands, groups)
    assert (await raw.api("GET", commands))[1] == registered
    assert (await raw.api("DELETE", f"{commands}/{registered[0]['id']}"))[0] == 204
    emojis = f"/applications/{application}/emojis"
    status, emoji = await raw.api("POST", emojis, {"name": "ace", "image": IMAGE})
    assert status == 201
    assert (await raw.api("GET", emojis))[1] == {"items": [emoji]}
    assert (await raw.api("DELETE", f"{emojis}/{emoji['id']}"))[0] == 204
    _, letters = await raw.api("POST", "/users/@me/channels", {"recipient_id": snug.ann.id})
    places = [table, aside, snug.server.add_voice_channel("voice"), snug.server.add_forum("posts")]
    for channel in (letters["id"], *(place.id for place in places)):
        assert (await raw.api("GET", f"/channels/{channel}"))[0] == 200
    assert (await raw.api("PATCH", f"/channels/{aside.id}", {"archived": False}))[0] == 200
    message = await post_everything(snug, raw)
    await raw.send(table.id, {"content": f"<@{snug.ann.id}>", "nonce": "7"})
    path = f"/channels/{table.id}/messages"
    assert len((await raw.api("GET", path))[1]) == 2
    assert (await raw.api("GET", f"{path}/{message['id']}"))[1] == message
    edit = {"components": [{"type": 10, "content": "After"}]}
    assert (await raw.api("PATCH", f"{path}/{message['id']}", edit))[0] == 200
    hung = f"{path}/{message['id']}/threads"
    status, thread = await raw.api("POST", hung, {"name": "aside", "auto_archive_duration": 1440})
    assert (status, thread["id"], thread["parent_id"]) == (201, message["id"], table.id)
    assert (await raw.api("POST", hung, {"name": "again"}))[1]["code"] == 160004
    assert (await raw.api("DELETE", f"{path}/{message['id']}"))[0] == 204
    await answer_everything(snug, raw)
    await plan_an_event(snug, raw)
    asked_for = {
        (request.method, request.route) for request in world.state.requests if request.status < 300
    }
    assert asked_for == {(route.method, route.template) for route in ROUTES}


async def answer_everything(snug: Snug, raw: Raw) -> None:
    """Answer interactions of every kind in every way, then use a command's token for messages."""
    body = {"content": "x"}
    source = await post_everything(snug, raw)
    updated = {"components": [{"type": 10, "content": "Pressed"}]}
    command = open_interaction(snug, 2, PLAY)
    await answer(raw, command, MESSAGE, body)
    await answer(raw, open_interaction(snug, 2, PLAY), DEFER)
    await answer(raw, open_interaction(snug, 2, PLAY), DEFER, {"flags": 64})
    typing = PLAY | {"options": [{"name": "text", "type": 3, "value": "a", "focused": True}]}
    await answer(raw, open_interaction(snug, AUTOCOMPLETE, typing), CHOICES, {"choices": []})
    await answer(raw, open_interaction(snug, COMPONENT, PRESS, source), DEFER_UPDATE)
    await answer(raw, open_interaction(snug, COMPONENT, PRESS, source), UPDATE, updated)
    press = open_interaction(snug, COMPONENT, PRESS, source)
    await answer(raw, press, MODAL, FORM)
    submitted = {"custom_id": "bid", "components": []}
    for opener in (press.id, None):
        interaction = snug.world.interactions.open(
            5, snug.ann.id, snug.table, submitted, message_id=source["id"], opener_id=opener
        )
        await answer(raw, interaction, MESSAGE, body)
    base = f"/webhooks/{snug.world.state.bot.id}/{command.token}"
    _, further = await raw.api("POST", base, {"content": "further"})
    assert (await raw.api("GET", f"{base}/messages/@original"))[0] == 200
    for name in ("@original", further["id"]):
        assert (await raw.api("PATCH", f"{base}/messages/{name}", {"content": "y"}))[0] == 200
        assert (await raw.api("DELETE", f"{base}/messages/{name}"))[0] == 204


async def plan_an_event(snug: Snug, raw: Raw) -> None:
    """Create, change and delete a weekly event of the server."""
    starts = datetime.now(UTC) + timedelta(days=1)
    rule = {"frequency": 2, "interval": 1, "by_weekday": [starts.weekday()]}
    event = {
        "name": "Game night",
        "privacy_level": 2,
        "entity_type": 3,
        "entity_metadata": {"location": "The Snug"},
        "scheduled_start_time": starts.isoformat(),
        "scheduled_end_time": (starts + timedelta(hours=3)).isoformat(),
        "recurrence_rule": rule | {"start": starts.isoformat()},
    }
    path = f"/guilds/{snug.server.id}/scheduled-events"
    status, interaction = await raw.api("POST", path, event)
    assert status == 200
    changed = {"recurrence_rule": event["recurrence_rule"], "name": "Late night"}
    assert (await raw.api("PATCH", f"{path}/{interaction['id']}", changed))[0] == 200
    assert (await raw.api("DELETE", f"{path}/{interaction['id']}"))[0] == 204


async def test_the_answer_to_a_deferral_holds_no_message(snug: Snug, raw: Raw) -> None:
    source = await post_everything(snug, raw)
    body = await answer(raw, open_interaction(snug, 2, PLAY), DEFER)
    assert body["interaction"]["response_message_loading"]
    assert "resource" not in body
    assert "resource" not in await answer(
        raw, open_interaction(snug, COMPONENT, PRESS, source), DEFER_UPDATE
    )
    body = await answer(raw, open_interaction(snug, 2, PLAY), MESSAGE, {"content": "x"})
    assert body["resource"]["message"]["id"] == body["interaction"]["response_message_id"]


async def test_a_picture_keeps_the_id_of_its_medium_while_it_is_shown(snug: Snug, raw: Raw) -> None:
    def pictures_of(message: Json) -> list[Json]:
        galleries = message["components"][1]["components"][:2]
        return [gallery["items"][0]["media"] for gallery in galleries]

    message = await post_everything(snug, raw)
    file, linked = pictures_of(message)
    assert len({file["id"], linked["id"], file["attachment_id"]}) == 3
    body = EVERYTHING | {"attachments": [{"id": file["attachment_id"], "filename": "a.png"}]}
    path = f"/channels/{snug.table.id}/messages/{message['id']}"
    _, edited = await raw.api("PATCH", path, body)
    assert pictures_of(edited) == [file, linked]


# -- events ----------------------------------------------------------------------------------------


def find_event_faults(event: Json) -> list[str]:
    """Return the faults of an event in those of its fields that Discord describes."""
    payload, name = event["d"], event["t"]
    events = []
    if name == "READY":
        return DESCRIPTION.part_faults("UserPIIResponse", payload["user"])
    if name == "GUILD_CREATE":
        events += DESCRIPTION.part_faults("GuildResponse", payload)
        for member in payload["members"]:
            events += DESCRIPTION.part_faults("GuildMemberResponse", member)
    channels = [*payload.get("channels", []), *payload.get("threads", [])]
    for channel in [
        *channels,
        payload.get("channel", payload if name == "CHANNEL_CREATE" else None),
    ]:
        if channel is not None:
            events += DESCRIPTION.answer_faults("GET", "/channels/{channel_id}", 200, channel)
    parts = (
        ("GuildMemberResponse", payload.get("member")),
        ("UserResponse", payload.get("user")),
        ("MessageResponse", payload.get("message")),
        ("ResolvedObjectsResponse", payload.get("data", {}).get("resolved")),
    )
    for schema, part in parts:
        if part is not None:
            events += DESCRIPTION.part_faults(schema, part)
    return events


async def test_gateway_events_fit_discords_description(snug: Snug, raw: Raw) -> None:
    snug.world.places.add_thread(snug.table, "aside", snug.world.state.users[snug.ann.id])
    snug.server.add_voice_channel("voice")
    snug.server.add_forum("posts")
    look = {
        "name": "look",
        "description": "Look",
        "options": [{"type": 6, "name": "player", "description": "Whom"}],
    }
    await raw.api("PUT", f"/applications/{snug.world.state.bot.id}/commands", [look])
    source = await post_everything(snug, raw)
    socket = await Socket.connect_and_greet(raw)
    await socket.identify()
    heard = [await socket.hear_event("READY"), await socket.hear_event("GUILD_CREATE")]
    snug.server.add_text_channel("more")
    heard.append(await socket.hear_event("CHANNEL_CREATE"))
    letters = snug.world.places.dm_channel(snug.world.state.users[snug.ann.id])
    snug.world.interactions.open(2, snug.ann.id, letters, PLAY)
    open_interaction(snug, COMPONENT, PRESS, source)
    heard += [await socket.hear_event("INTERACTION_CREATE") for _ in range(2)]
    body = client_input.interaction_body(
        snug.world.state,
        client_input.TypedCommand(
            snug.world.state.users[snug.ann.id], snug.table, "look", {"player": snug.bob.id}
        ),
    )
    open_interaction(snug, 2, body)
    heard.append(looked := await socket.hear_event("INTERACTION_CREATE"))
    assert [find_event_faults(event) for event in heard] == [[]] * len(heard)
    (member,) = looked["d"]["data"]["resolved"]["members"].values()
    assert not member.keys() & {"user", "deaf", "mute"}
    assert looked["d"]["member"].keys() >= {"user", "deaf", "mute"}


async def test_the_parts_of_a_form_are_numbered_as_those_of_a_message(snug: Snug, raw: Raw) -> None:
    press = open_interaction(snug, COMPONENT, PRESS, await post_everything(snug, raw))
    await answer(raw, press, MODAL, FORM)
    socket = await Socket.connect_and_greet(raw)
    await socket.identify()
    await socket.hear_event("GUILD_CREATE")
    typed = {"w": "two aces", "pick": ["A"], "note": "sure"}
    submitting = snug.ann.act("submit", interaction_id=press.id, values=typed)
    async with asyncio.TaskGroup() as group:
        group.create_task(submitting)
        heard = await socket.hear_event("INTERACTION_CREATE")
        interaction = snug.world.state.interactions[heard["d"]["id"]]
        await answer(raw, interaction, MESSAGE, {"content": "x"})
    parts = heard["d"]["data"]["components"]
    assert [(part["type"], part["id"]) for part in parts] == [(10, 1), (18, 3), (18, 2), (1, 6)]
    assert [part["component"]["id"] for part in parts[1:3]] == [4, 5]
    field = {"type": 4, "id": 7, "custom_id": "note", "value": "sure"}
    assert parts[3]["components"] == [field]


# -- what Discord takes ----------------------------------------------------------------------------


async def test_a_client_may_speak_in_binary_frames_and_name_its_token_a_bots(
    snug: Snug, raw: Raw
) -> None:
    socket = await Socket.connect_and_greet(raw)
    identity = {"token": "Bot sandbox", "intents": GUILDS, "properties": {}}
    await socket.socket.send_bytes(json.dumps({"op": 2, "d": identity}).encode())
    ready = await socket.hear()
    assert ready["t"] == "READY"
    await snug.world.gateway.drop_sockets()
    again = await Socket.connect_and_greet(raw)
    session = {"token": "Bot sandbox", "session_id": ready["d"]["session_id"], "seq": 1}
    await again.say(6, session)
    await again.hear_event("RESUMED")


@pytest.mark.parametrize("payload", [b"\xff\xfe\xff", b"{", b""])
async def test_a_binary_frame_that_is_no_json_closes_the_connection(
    snug: Snug, raw: Raw, payload: bytes
) -> None:
    socket = await Socket.connect_and_greet(raw)
    await socket.socket.send_bytes(payload)
    assert await socket.hear() == 4002


async def test_a_token_may_begin_with_the_id_of_a_bot(snug: Snug, raw: Raw) -> None:
    """Identify with a token that begins with an encoded id, which hikari reads."""
    socket = await Socket.connect_and_greet(raw)
    await socket.identify(token="MTIz.sandbox")
    assert (await socket.hear())["t"] == "READY"


async def test_foreign_tokens_are_refused_also_with_the_word_bot_in_front(
    snug: Snug, raw: Raw
) -> None:
    for token in (
        "Bot MTAxMDEwMTAx.GabCde.abcdefghijkl",
        "MTIz.sandbox.abcdefghijkl",
        "Bot Bot sandbox",
        "Bot ",
    ):
        socket = await Socket.connect_and_greet(raw)
        await socket.identify(token=token)
        assert await socket.hear() == 4004


async def test_a_deferral_may_have_allowed_mentions_but_no_content(snug: Snug, raw: Raw) -> None:
    source = await post_everything(snug, raw)
    nobody = {"allowed_mentions": {"parse": [], "users": [snug.ann.id]}}
    await answer(raw, open_interaction(snug, 2, PLAY), DEFER, nobody | {"flags": 64})
    await answer(raw, open_interaction(snug, COMPONENT, PRESS, source), DEFER_UPDATE, nobody)
    for wrong in ({"content": "x"}, {"allowed_mentions": {"parse": 7}}):
        interaction = open_interaction(snug, 2, PLAY)
        address = f"/interactions/{interaction.id}/{interaction.token}/callback"
        refused = await raw.api("POST", address, {"type": DEFER, "data": nobody | wrong})
        assert refusal(refused) == (400, 50035)


@pytest.mark.parametrize(
    ("declared", "status"), [("jpg", 201), ("jpeg", 201), ("webp", 201), ("bmp", 400)]
)
async def test_a_picture_may_be_of_another_kind_than_it_is_declared(
    snug: Snug, raw: Raw, declared: str, status: int
) -> None:
    path = f"/applications/{snug.world.state.bot.id}/emojis"
    image = IMAGE.replace("png", declared)
    assert (await raw.api("POST", path, {"name": "ace", "image": image}))[0] == status
