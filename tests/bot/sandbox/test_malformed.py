"""Requests that no client makes are refused by the local Discord's server, and never break it."""

from __future__ import annotations

import aiohttp
import pytest
from yarl import URL

from tests.bot.sandbox.raw import AUTHORIZATION, Raw, Socket
from tests.people import Snug

DEEP = "[" * 100_000


@pytest.mark.parametrize("path", ["%00", "a%00.js", "..%2f%00", "%00%00.css"])
async def test_a_zero_byte_in_a_path_names_no_file(snug: Snug, path: str) -> None:
    base = snug.world.api_url.partition("/api")[0]
    async with aiohttp.ClientSession() as session:
        url = URL(f"{base}/page/static/{path}", encoded=True)
        async with session.get(url) as answer:
            assert answer.status == 404


async def test_json_that_is_nested_too_deeply_is_refused(snug: Snug) -> None:
    base = snug.world.api_url.partition("/api")[0]
    as_bot = {"Authorization": "Bot sandbox", "Content-Type": "application/json"}
    async with aiohttp.ClientSession() as session:
        async with session.post(f"{base}/page/people", data=DEEP) as answer:
            assert answer.status == 400
            assert "Expected a JSON object" in (await answer.json())["error"]
        url = f"{snug.world.api_url}/channels/{snug.table.id}/messages"
        async with session.post(url, data=DEEP, headers=as_bot) as answer:
            assert answer.status == 400
        async with session.ws_connect(f"{snug.world.gateway_url}?v=10&encoding=json") as socket:
            await socket.receive()
            await socket.send_str(DEEP[:4000])  # longer ones are refused unread
            closed = await socket.receive()
            assert (closed.type, closed.data) == (aiohttp.WSMsgType.CLOSE, 4002)


NO_JSON = ["{", DEEP, "\xff", '{"content": NaN}', '{"content": 1e999}', "{'content': 1}"]


@pytest.mark.parametrize("said", NO_JSON)
@pytest.mark.parametrize("manner", ["json", "form"])
async def test_a_body_that_is_no_json_is_refused_and_the_page_lists_the_requests_still(
    snug: Snug, said: str, manner: str
) -> None:
    url = f"{snug.world.api_url}/channels/{snug.table.id}/messages"
    as_json = {"Content-Type": "application/json"}
    sent: dict[str, object] = {"data": said.encode("latin-1"), "headers": as_json}
    if manner == "form":
        form = aiohttp.FormData()
        form.add_field("payload_json", said, content_type="application/json")
        form.add_field("files[0]", b"x", filename="a.txt")
        sent = {"data": form}
    async with aiohttp.ClientSession(headers=AUTHORIZATION) as session:
        async with session.post(url, **sent) as answer:  # type: ignore[arg-type]
            assert (answer.status, (await answer.json())["code"]) == (400, 50109)
        async with session.get(f"{snug.world.base_url}/page/requests") as listed:
            assert [one["status"] for one in (await listed.json())["requests"]] == [400]


async def test_the_json_of_a_form_may_name_its_type_as_in_discords_examples(snug: Snug) -> None:
    form = aiohttp.FormData()
    form.add_field("payload_json", '{"content": "said"}', content_type="application/json")
    form.add_field("files[0]", b"x", filename="a.txt", content_type="text/plain")
    url = f"{snug.world.api_url}/channels/{snug.table.id}/messages"
    async with Raw(snug.world) as raw:
        answer = await raw.http.post(url, data=form, headers=AUTHORIZATION)
        sent = await answer.json()
    assert answer.status == 200
    assert (sent["content"], sent["attachments"][0]["filename"]) == ("said", "a.txt")


@pytest.mark.parametrize(
    ("query", "field", "code"),
    [
        ("limit=abc", "limit", "NUMBER_TYPE_COERCE"),
        ("limit=101", "limit", "NUMBER_TYPE_MAX"),
        ("limit=0", "limit", "NUMBER_TYPE_MIN"),
        ("before=abc", "before", "NUMBER_TYPE_COERCE"),
        ("before=-1", "before", "NUMBER_TYPE_COERCE"),
        ("after=1", "after", "SANDBOX_NOT_EMULATED"),
        ("around=1", "around", "SANDBOX_NOT_EMULATED"),
    ],
)
async def test_what_is_asked_for_in_the_address_is_checked_as_a_body_is(
    snug: Snug, query: str, field: str, code: str
) -> None:
    async with Raw(snug.world) as raw:
        path = f"/channels/{snug.table.id}/messages?{query}"
        status, answer = await raw.api("GET", path)
    assert (status, answer["code"]) == (400, 50035)
    assert [one["code"] for one in answer["errors"][field]["_errors"]] == [code]


def odd(field: str, *values: object) -> list[dict[str, object]]:
    """A field with each of these values."""
    return [{field: value} for value in values]


ODD: list[object] = [None, 7, "a", [7], {}, {"token": "sandbox"}]
WHOLE = {"token": "sandbox", "intents": 1, "properties": {}}


@pytest.mark.parametrize("operation", [2, 6])
@pytest.mark.parametrize("body", ODD)
async def test_an_odd_introduction_is_closed_with_what_discord_says_to_one(
    snug: Snug, operation: int, body: object
) -> None:
    await _closed(snug, operation, body, 4002)


@pytest.mark.parametrize(
    "changed",
    [
        *odd("intents", "a", None, [1], 1.5, True, -1),
        *odd("shard", "ab", [1], [0, 1, 2], ["a", "b"], [None, 1], {"0": 1}, 7),
        *odd("properties", None, 7, []),
        *odd("token", 7),
    ],
)
async def test_an_introduction_with_an_odd_field_is_closed_so_too(
    snug: Snug, changed: dict[str, object]
) -> None:
    await _closed(snug, 2, WHOLE | changed, 4002)


@pytest.mark.parametrize("odd", [{"seq": "a"}, {"session_id": ["a"]}, {"seq": {}}])
async def test_a_resume_with_an_odd_field_is_closed_so_too(
    snug: Snug, odd: dict[str, object]
) -> None:
    await _closed(snug, 6, {"token": "sandbox", "session_id": "a", "seq": 1} | odd, 4002)


async def _closed(snug: Snug, operation: object, body: object, code: int) -> None:
    async with Raw(snug.world) as raw:
        socket = await Socket.connect(raw)
        await socket.hear()
        await socket.say(operation, body)  # type: ignore[arg-type]
        assert await socket.hear() == code


async def test_an_operation_that_is_no_number_is_closed_so_too(snug: Snug) -> None:
    for operation in ("2", None, [2], True):
        await _closed(snug, operation, WHOLE, 4002)
