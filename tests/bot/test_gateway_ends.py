"""A gateway that closes for good or is not there: one line, and an exit code."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import web
from structlog.testing import capture_logs

from bot.app import Bot, pointed_at
from bot.cli.discord_checks import look
from bot.discord import sessions
from bot.discord.sessions import NoSession
from bot.from_settings import open_store
from bot.sandbox.world import Sandbox
from bot.settings.config import Settings
from tests.bot.conftest import Seat
from tests.bot.house import TOKEN, settings
from tests.bot.processes import command, unhurried
from tests.people import until


@asynccontextmanager
async def closing_gateway(code: int) -> AsyncIterator[str]:
    """A gateway that greets, hears who is there, and closes."""

    async def handle(request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"op": 10, "d": {"heartbeat_interval": 40_000}})
        await socket.receive()
        await socket.close(code=code)
        return socket

    served = web.Application()
    served.router.add_get("/", handle)
    runner = web.AppRunner(served)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    try:
        yield f"ws://127.0.0.1:{port}"
    finally:
        await runner.cleanup()


@pytest.mark.parametrize(("code", "exits", "says"), [(4004, 78, "token"), (4011, 78, "shards")])
async def test_a_close_for_good_is_one_line(
    tmp_path: Path, code: int, exits: int, says: str
) -> None:
    async with unhurried(tmp_path, players=1) as here, closing_gateway(code) as gateway:
        told = here.settings | {"BLUFFHOUSE_DISCORD__GATEWAY_URL": gateway}
        ended = await asyncio.to_thread(command, tmp_path, "run", **told)
    assert ended.returncode == exits, ended.stderr
    assert "Traceback" not in ended.stderr
    last = ended.stderr.strip().splitlines()[-1]
    assert last.startswith("bluffhouse: Discord")
    assert says in last
    assert f"({code})" in last


@asynccontextmanager
async def answering(status: int, body: object) -> AsyncIterator[str]:
    """Something that is not Discord, and answers all requests alike."""

    async def handle(_: web.Request) -> web.Response:
        return web.json_response(body, status=status)

    served = web.Application()
    served.router.add_route("*", "/{path:.*}", handle)
    runner = web.AppRunner(served)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


@pytest.mark.parametrize(
    ("status", "body", "exits"),
    [(200, {}, 78), (200, [], 78), (200, "Hello", 78), (404, {}, 78), (403, {}, 75)],
)
async def test_an_address_that_is_not_discords_is_one_line(
    tmp_path: Path, status: int, body: object, exits: int
) -> None:
    async with answering(status, body) as address:
        told = {"DISCORD_TOKEN": "sandbox", "BLUFFHOUSE_DISCORD__API_URL": address}
        ended = await asyncio.to_thread(command, tmp_path, "run", **told)
        looked = await look(TOKEN, address, None)
    assert ended.returncode == exits, ended.stderr
    assert "Traceback" not in ended.stderr
    last = ended.stderr.strip().splitlines()[-1]
    assert last.startswith("bluffhouse: ")
    assert address in last
    assert ("discord.api_url" in last) is (exits == 78)
    (found,) = looked
    assert not found.well


async def test_a_gateway_that_is_not_there_is_a_line_a_try_and_no_session(
    tmp_path: Path, table: Seat
) -> None:
    at = await table(1, serve=False)
    world: Sandbox = at.world
    chosen = settings(tmp_path)
    with pointed_at(world.api_url, "ws://127.0.0.1:9"), capture_logs() as said:
        async with open_store(chosen) as store:
            bot = Bot(chosen, store)
            running = asyncio.create_task(bot.run(TOKEN))
            try:
                await until(lambda: any("gateway: lost" in line["event"] for line in said))
                with pytest.raises(NoSession):
                    await bot.first_session(within=0.0)
            finally:
                running.cancel()
                await asyncio.wait({running})
                await bot.stop()


@pytest.mark.parametrize("how", ["invalidate_sessions", "drop_sockets"])
async def test_a_gateway_that_greets_and_gives_no_session_is_left_for_another(
    table: Seat, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """Neither an IDENTIFY nor a RESUME is answered; heartbeats are."""
    monkeypatch.setattr(sessions, "SESSION_WITHIN", 0.5)
    at = await table(2)
    with capture_logs() as said:
        at.world.gateway.ignore_sessions()
        await getattr(at.world.gateway, how)()
        await until(lambda: any("gave no session" in line["event"] for line in said))
        assert await at.bot.why_not_ready() == "the gateway's connection is lost"
        await until(lambda: at.bot.client.connected)
    await at.open("Thai Poker")
    assert sum("gateway: lost" in line["event"] for line in said) == 1


async def test_a_shard_that_gets_no_first_session_counts_as_lost_though_others_have_theirs(
    table: Seat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "IDENTIFY_SECONDS", 0.0)
    at = await table(1, serve=False)
    at.world.gateway.ignore_sessions()  # the first shard's
    chosen = Settings.model_validate(settings(tmp_path).model_dump() | {"shards": {"count": 2}})
    with pointed_at(at.world.api_url, at.world.gateway_url):
        async with open_store(chosen) as store:
            bot = Bot(chosen, store)
            running = asyncio.create_task(bot.run(TOKEN))
            try:
                await until(lambda: dict(bot.client.latencies).keys() == {1})
                standing = bot.meters.standing()
                assert standing.lost_for > 0
                assert 0 not in standing.shards
                assert await bot.why_not_ready() is not None
            finally:
                await bot.stop()
                await running


@pytest.mark.parametrize("code", [1001, 4000])
async def test_a_lost_gateway_is_one_line_with_its_code(table: Seat, code: int) -> None:
    at = await table(1)
    with capture_logs() as said:
        await at.world.gateway.close_gateway(code)
        await until(lambda: any("gateway: resumed" in line["event"] for line in said))
    lost = [line for line in said if "gateway: lost" in line["event"]]
    assert [(line["log_level"], line["shard"], line["code"]) for line in lost] == [
        ("warning", 0, code)
    ]


async def test_with_a_session_nobody_is_hurried(table: Seat) -> None:
    at = await table(1)
    await at.bot.first_session(within=0.0)


async def test_the_doctor_online_tells_a_good_token_from_a_bad_one_and_nowhere(table: Seat) -> None:
    at = await table(1, serve=False)
    world: Sandbox = at.world
    well = await look(TOKEN, world.api_url, world.gateway_url)
    assert [(one.subject, one.well) for one in well] == [("discord", True), ("gateway", True)]
    (refused,) = await look("wrong", world.api_url, world.gateway_url)
    assert not refused.well
    assert "refuses the token" in refused.text
    (nowhere,) = await look(TOKEN, "http://127.0.0.1:9/api/v10", world.gateway_url)
    assert not nowhere.well
    assert "cannot be reached" in nowhere.text
    _, gateway = await look(TOKEN, world.api_url, "ws://127.0.0.1:9")
    assert (gateway.subject, gateway.well) == ("gateway", False)
    assert "wrong" not in refused.text
