"""Messages, files, channels and faults over plain HTTP, without a client library."""

import json
import struct
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.bot.sandbox.raw import Raw
from tests.people import Snug

PICTURED = {
    "flags": 1 << 15,
    "components": [{"type": 12, "items": [{"media": {"url": "attachment://a.png"}}]}],
}
PNG = b"\x89PNG\r\n\x1a\n" + bytes(8) + struct.pack(">II", 40, 30) + bytes(8)


@pytest_asyncio.fixture
async def raw(snug: Snug) -> AsyncIterator[Raw]:
    async with Raw(snug.world) as speaking:
        yield speaking


async def test_unknown_route_is_answered_404_and_remembered(snug: Snug, raw: Raw) -> None:
    status, body = await raw.api("GET", "/channels/1/pins")
    assert (status, body["code"]) == (404, 0)
    assert snug.world.state.unknown_requests == ["GET /api/v10/channels/1/pins"]


@pytest.mark.parametrize("flags", [1 << 2, 1 << 6, 1 << 12])
async def test_flags_that_are_not_emulated_are_refused(snug: Snug, raw: Raw, flags: int) -> None:
    status, body = await raw.send(snug.table.id, {"content": "x", "flags": flags})
    assert (status, body["code"]) == (400, 50035)
    assert body["errors"]["flags"]["_errors"][0]["code"] == "BITFIELD_TYPE_INVALID"


async def test_request_without_a_sandbox_token_is_unauthorized(snug: Snug, raw: Raw) -> None:
    for token in ("", "Bot abc", "sandbox", "Bot sandboxed.GabCde.abcdefgh"):
        status, _ = await raw.api("GET", "/users/@me", headers={"Authorization": token})
        assert status == 401
    assert (await raw.api("GET", "/users/@me"))[0] == 200


async def test_json_has_no_charset_in_its_content_type(snug: Snug, raw: Raw) -> None:
    async with raw.http.get(snug.world.api_url + "/gateway") as response:
        assert response.headers["Content-Type"] == "application/json"


async def test_picture_is_served_where_its_component_points(snug: Snug, raw: Raw) -> None:
    body = PICTURED | {"attachments": [{"id": 0, "filename": "a.png", "description": "a board"}]}
    _, sent = await raw.send(snug.table.id, body, files=[("a.png", PNG)])
    media = sent["components"][0]["items"][0]["media"]
    assert (media["width"], media["height"]) == (40, 30)
    async with raw.http.get(media["url"]) as response:
        assert response.content_type == "image/png"
        assert await response.read() == PNG
    assert sent["attachments"] == [], "what components show is not among them"


@pytest.mark.parametrize(
    ("named", "kept"),
    [
        (("id", "filename"), True),
        (("id",), False),  # seen refused on the real Discord in October 2026
        ((), False),
        (None, False),  # no `attachments` at all
    ],
)
async def test_an_edit_shows_a_file_that_is_there_if_it_names_it_by_id_and_name(
    snug: Snug, raw: Raw, named: tuple[str, ...] | None, kept: bool
) -> None:
    _, sent = await raw.send(snug.table.id, PICTURED, files=[("a.png", PNG)])
    path = f"/channels/{snug.table.id}/messages/{sent['id']}"
    media = sent["components"][0]["items"][0]["media"]
    file = {"id": media["attachment_id"], "filename": "a.png"}
    body = dict(PICTURED)
    if named is not None:
        body["attachments"] = [{key: file[key] for key in named}] if named else []
    status, edited = await raw.api("PATCH", path, body)
    if kept:
        assert edited["components"][0]["items"][0]["media"] == media
    else:
        assert (status, edited["code"]) == (400, 50035)
        assert "REFERENCED_ATTACHMENT_NOT_FOUND" in json.dumps(edited["errors"])


async def test_an_edit_of_the_words_alone_leaves_the_files(snug: Snug, raw: Raw) -> None:
    _, sent = await raw.send(snug.table.id, {"content": "one"}, files=[("a.png", PNG)])
    path = f"/channels/{snug.table.id}/messages/{sent['id']}"
    _, edited = await raw.api("PATCH", path, {"content": "two"})
    assert edited["attachments"] == sent["attachments"]


async def test_a_message_has_ten_files_at_most_new_and_kept_ones_together(
    snug: Snug, raw: Raw
) -> None:
    files = [(f"{n}.png", PNG) for n in range(10)]
    _, sent = await raw.send(snug.table.id, {"content": "x"}, files=files)
    assert len(sent["attachments"]) == 10
    path = f"/channels/{snug.table.id}/messages/{sent['id']}"
    status, _ = await raw.api("PATCH", path, {"content": "y"}, files=files[:1])
    assert status == 400
    status, _ = await raw.send(snug.table.id, {"content": "x"}, files=[*files, ("ten.png", PNG)])
    assert status == 400


async def test_a_nonce_whose_message_was_deleted_makes_no_other(snug: Snug, raw: Raw) -> None:
    body = {"content": "x", "nonce": "7", "enforce_nonce": True}
    _, sent = await raw.send(snug.table.id, body)
    await raw.api("DELETE", f"/channels/{snug.table.id}/messages/{sent['id']}")
    status, refused = await raw.send(snug.table.id, body)
    assert (status, refused["code"]) == (404, 10008)
    assert (await raw.send(snug.table.id, body | {"nonce": "8"}))[0] == 200
    assert (await raw.send(snug.table.id, body | {"enforce_nonce": False}))[0] == 200


@pytest.mark.parametrize(
    ("given", "stored"),
    [
        ("a b.png", "a_b.png"),
        ("_board.png", "board.png"),
        ("hello (world).png", "hello_world.png"),
        ("żółw.png", "zow.png"),
        ("../../etc/passwd", "etc_passwd"),
        ("画像", "unknown"),
        ("hand-0a1b.png", "hand-0a1b.png"),
    ],
)
async def test_a_file_is_stored_and_shown_by_the_name_that_discord_makes_of_its_own(
    snug: Snug, raw: Raw, given: str, stored: str
) -> None:
    def board(name: str) -> dict[str, object]:
        shown = {"type": 12, "items": [{"media": {"url": f"attachment://{name}"}}]}
        return {"flags": 1 << 15, "components": [shown]}

    status, sent = await raw.send(snug.table.id, board(stored), files=[(given, PNG)])
    assert status == 200
    assert sent["components"][0]["items"][0]["media"]["url"].endswith(f"/{stored}")
    named = {"attachments": [{"id": 0, "filename": given}]}
    status, _ = await raw.send(snug.table.id, board(stored) | named, files=[("x.png", PNG)])
    assert status == 200
    if given != stored:
        status, answer = await raw.send(snug.table.id, board(given), files=[(given, PNG)])
        assert (status, answer["code"]) == (400, 50035)
        assert "REFERENCED_ATTACHMENT_NOT_FOUND" in str(answer["errors"])


async def test_edit_keeps_only_the_attachments_it_names(snug: Snug, raw: Raw) -> None:
    files = [("a.png", PNG), ("b.png", PNG)]
    _, sent = await raw.send(snug.table.id, {"content": "two"}, files=files)
    path = f"/channels/{snug.table.id}/messages/{sent['id']}"
    kept = sent["attachments"][1]
    _, edited = await raw.api("PATCH", path, {"attachments": [{"id": kept["id"]}]})
    assert [one["id"] for one in edited["attachments"]] == [kept["id"]]
    async with raw.http.get(sent["attachments"][0]["url"]) as response:
        assert response.status == 404
    _, edited = await raw.api("PATCH", path, {"attachments": [{"id": 0}]}, files=[("c.png", PNG)])
    assert [one["filename"] for one in edited["attachments"]] == ["c.png"]


async def test_messages_are_listed_newest_first_and_paged(snug: Snug, raw: Raw) -> None:
    sent = [(await raw.send(snug.table.id, {"content": str(n)}))[1]["id"] for n in range(5)]
    path = f"/channels/{snug.table.id}/messages"
    _, newest = await raw.api("GET", f"{path}?limit=2")
    assert [message["content"] for message in newest] == ["4", "3"]
    _, before = await raw.api("GET", f"{path}?limit=2&before={sent[3]}")
    assert [message["content"] for message in before] == ["2", "1"]


async def test_deleted_message_is_unknown(snug: Snug, raw: Raw) -> None:
    _, sent = await raw.send(snug.table.id, {"content": "x"})
    path = f"/channels/{snug.table.id}/messages/{sent['id']}"
    assert (await raw.api("DELETE", path))[0] == 204
    status, body = await raw.api("GET", path)
    assert (status, body["code"]) == (404, 10008)


async def test_other_peoples_messages_cannot_be_edited(snug: Snug, raw: Raw) -> None:
    said = (await snug.ann.say(snug.table, "mine")).message
    assert said is not None
    path = f"/channels/{snug.table.id}/messages/{said.id}"
    status, body = await raw.api("PATCH", path, {"content": "yours"})
    assert (status, body["code"]) == (403, 50005)


async def test_missing_permissions_of_a_channel(snug: Snug, raw: Raw) -> None:
    for permission, code in (("send_messages", 50013), ("view_channel", 50001)):
        await snug.world.faults.deny(snug.table, permission)
        status, body = await raw.send(snug.table.id, {"content": "x"})
        assert (status, body["code"]) == (403, code)
    await snug.world.faults.deny(snug.table)
    assert (await raw.send(snug.table.id, {"content": "x"}))[0] == 200


async def test_rate_limit_hits_the_next_requests_of_its_route(snug: Snug, raw: Raw) -> None:
    snug.world.faults.rate_limit("POST /channels/*", times=2, retry_after=0.25)
    assert (await raw.api("GET", f"/channels/{snug.table.id}"))[0] == 200
    for _ in range(2):
        status, body = await raw.send(snug.table.id, {"content": "x"})
        assert (status, body["retry_after"]) == (429, 0.25)
    assert (await raw.send(snug.table.id, {"content": "x"}))[0] == 200
    assert len(snug.ann.visible(snug.table)) == 1


async def test_server_error_does_nothing_and_a_lost_answer_does_it(snug: Snug, raw: Raw) -> None:
    snug.world.faults.server_error(status=503)
    assert (await raw.send(snug.table.id, {"content": "never"}))[0] == 503
    snug.world.faults.lose_answer("POST /channels/{channel_id}/messages")
    assert (await raw.send(snug.table.id, {"content": "done"}))[0] == 500
    assert snug.ann.text(snug.table) == "done"


async def test_every_request_is_recorded_by_its_template(snug: Snug, raw: Raw) -> None:
    await raw.send(snug.table.id, {"content": "x"}, files=[("a.png", PNG)])
    seen = snug.world.state.requests[-1]
    assert (seen.method, seen.route) == ("POST", "/channels/{channel_id}/messages")
    assert seen.path == f"/channels/{snug.table.id}/messages"
    assert (seen.body, seen.files, seen.status) == ({"content": "x"}, ("a.png",), 200)


async def test_command_keeps_its_id_when_the_list_is_overwritten(snug: Snug, raw: Raw) -> None:
    path = f"/applications/{snug.world.state.bot.id}/commands"
    command = {"name": "play", "description": "d", "type": 1}
    _, first = await raw.api("PUT", path, [command])
    _, second = await raw.api("PUT", path, [{"name": "look", "description": "d"}, command])
    assert first[0]["id"] == second[1]["id"]
    assert second[0]["id"] != second[1]["id"]
    assert (await raw.api("GET", path))[1] == second


async def test_direct_messages_with_a_stranger_cannot_be_opened(snug: Snug, raw: Raw) -> None:
    status, body = await raw.api("POST", "/users/@me/channels", {"recipient_id": "12"})
    assert (status, body["code"]) == (400, 50033)


async def test_ephemeral_message_cannot_be_fetched_from_its_channel(snug: Snug, raw: Raw) -> None:
    hidden = await snug.world.messages.create(
        snug.table, snug.world.state.bot, {"content": "secret"}, visible_to=snug.ann.id
    )
    path = f"/channels/{snug.table.id}/messages"
    assert (await raw.api("GET", f"{path}/{hidden.id}"))[0] == 404
    assert (await raw.api("GET", path))[1] == []
