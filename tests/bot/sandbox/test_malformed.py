"""Requests that no client makes are refused by the local Discord's server, and never break it."""

from __future__ import annotations

import aiohttp
import pytest
from yarl import URL

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
