"""Starts that Discord delays or refuses, and recovery after an outage."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from subprocess import CompletedProcess
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from aiohttp import web
from structlog.testing import capture_logs

from bot.app import Bot, discord_server
from bot.cli.discord_checks import look
from bot.discord import registering, sessions
from bot.discord.registering import Registration
from bot.discord.sessions import Backoff, NoSession
from bot.from_settings import open_store
from bot.retry import RetryPolicy
from bot.sandbox.world import Sandbox
from bot.settings.config import Settings
from tests.bot.conftest import Seat
from tests.bot.discord.test_resuming import asking, post_unstored_tables
from tests.bot.harness import TOKEN, running_bot, settings
from tests.bot.processes import command, wait_patiently
from tests.people import until

COMMANDS = "PUT /applications/{application_id}/commands"
NOT_TAKEN = "discord: commands not registered; the earlier ones keep working, trying again"


@pytest.mark.thorough
@pytest.mark.parametrize("why", ["a wait of 432 seconds", "a refusal"])
async def test_refused_commands_do_not_end_a_start(table: Seat, tmp_path: Path, why: str) -> None:
    at = await table(2, serve=False)
    async with running_bot(at.world, settings(tmp_path)) as at.bot:
        await at.open("Thai Poker")  # by commands that were registered then
    async with open_store(settings(tmp_path)) as store:
        await store.servers.note_registered(int(at.world.state.bot.id), "of another version")
    if why == "a refusal":
        at.world.faults.refuse(COMMANDS, status=400, code=50035)
    else:
        at.world.faults.rate_limit(COMMANDS, retry_after=432.0)
    with capture_logs() as log:
        async with running_bot(at.world, settings(tmp_path)) as at.bot:
            await at.settle()
            await at.host.slash(at.channel, "table")
            assert "Start" in at.message().buttons
    (line,) = [line for line in log if line["event"] == NOT_TAKEN]
    assert ("400" in line["why"]) if why == "a refusal" else (line["minutes"] == 7.2)


async def test_commands_are_registered_as_soon_as_discord_takes_them(
    table: Seat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registering, "RETRY", RetryPolicy(0.001, 0.001))
    at = await table(2, serve=False)
    at.world.faults.refuse(COMMANDS, times=3, status=400, code=50035)
    async with running_bot(at.world, settings(tmp_path)) as at.bot:
        await until(lambda: at.world.state.commands)
        await at.open("Thai Poker")


async def test_the_next_try_waits_as_discord_asks_and_ever_longer() -> None:
    errors: list[Exception] = [discord.RateLimited(432.0), OSError("no"), KeyError("a mistake")]
    slept: list[float] = []

    async def try_once() -> None:
        if errors:
            raise errors.pop(0)

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    registration = Registration(try_once, sleep)
    with capture_logs():
        await registration.begin()
        await until(lambda: not errors)
    assert slept == [432.0, 60.0, 120.0]


@asynccontextmanager
async def unready(world: Sandbox, chosen: Settings, gateway: str = "") -> AsyncIterator[Bot]:
    """Run a bot without waiting until it is ready."""
    with discord_server(world.api_url, gateway or world.gateway_url):
        async with open_store(chosen) as store:
            bot = Bot(chosen, store)
            running = asyncio.create_task(bot.run(TOKEN))
            try:
                yield bot
            finally:
                await bot.stop()
                running.cancel()
                await asyncio.wait({running})


async def test_a_start_waits_while_few_sessions_are_left_of_the_day_and_says_so(
    table: Seat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "ASKED_AGAIN", 0.001)
    at = await table(1, serve=False)
    world: Sandbox = at.world
    admission = world.gateway.admission
    admission.sessions_a_day = sessions.FEWEST_LEFT - 1
    async with unready(world, settings(tmp_path)) as bot:
        with capture_logs() as log:
            await until(lambda: bot.client.waits.why)
        assert "allows 49 more sessions today" in str(await bot.why_not_ready())
        assert any("49 more sessions" in line.get("why", "") for line in log)
        assert admission.remaining(world.clock.now()) == 49
        admission.sessions_a_day = 1000
        await bot.first_session()
        await bot.ready.wait()


async def test_a_login_that_discord_keeps_waiting_waits(
    table: Seat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []

    async def note_wait(self: sessions.Waits, seconds: float, why: str) -> None:
        waited.append(seconds)

    monkeypatch.setattr(sessions.Waits, "wait", note_wait)
    at = await table(1, serve=False)
    at.world.faults.rate_limit("GET /users/@me", retry_after=86_400.0)
    at.world.faults.rate_limit("GET /users/@me", retry_after=90.0, via=False)
    async with running_bot(at.world, settings(tmp_path)):
        assert waited == [86_400.0, 90.0]


async def test_after_an_outage_the_session_is_resumed_and_not_begun_anew(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "RETRY", RetryPolicy(0.001, 0.001))
    at = await table(2)
    world, http = at.world, at.bot.client.http
    connect, tries = http.ws_connect, []

    async def unreachable(url: str, **_: Any) -> Any:
        tries.append(url)
        raise OSError("Network is unreachable")

    begun = world.gateway.admission.remaining(world.clock.now())
    monkeypatch.setattr(http, "ws_connect", unreachable)
    with capture_logs():
        await world.gateway.drop_sockets()
        await until(lambda: len(tries) > 4)
        assert at.bot.client.lost_for > 0
        assert at.bot.meters.standing().shards == {}
        assert await at.bot.why_not_ready() == "the gateway's connection is lost"
        command = asyncio.create_task(at.host.slash(at.channel, "play", game="Thai Poker"))
        monkeypatch.setattr(http, "ws_connect", connect)
        await world.bot_online()
    await command  # what was sent meanwhile comes after all
    await until(lambda: at.bot.client.is_connected)
    assert at.bot.client.lost_for == 0
    assert world.gateway.admission.remaining(world.clock.now()) == begun


def test_the_pause_between_two_tries_is_at_most_half_a_minute_and_by_chance() -> None:
    now, ranges = [0.0], []

    def chance(least: float, most: float) -> float:
        ranges.append((least, most))
        return most

    backoff = Backoff(lambda: now[0], chance)
    assert backoff.delay() == 0.0  # the first is made at once
    for _ in range(8):
        now[0] += backoff.delay()
    assert ranges == [(0.0, most) for most in (2.0, 4.0, 8.0, 16.0, 30.0, 30.0, 30.0, 30.0)]
    now[0] += 20.0  # for so long there was a session
    assert backoff.delay() == 10.0
    now[0] += 3600.0
    assert backoff.delay() == 0.0


def test_tries_are_few_and_sessions_stay_within_a_days_thousand() -> None:
    now = [0.0]
    backoff = Backoff(lambda: now[0], lambda _, most: most / 2)
    tries = 0
    while now[0] < 120.0:
        now[0] += backoff.delay()
        tries += 1
    assert tries <= 12
    begun = 0
    while now[0] < 86_400.0:
        now[0] += backoff.delay(sessions.RETRY_IDENTIFY)
        begun += 1
    assert begun < 1000 - sessions.FEWEST_LEFT


@pytest.mark.thorough
@pytest.mark.parametrize("answer", ["cut_resumes", "close_gateway"])
async def test_a_session_that_the_gateway_closes_again_and_again_is_given_up(
    table: Seat, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    """Close resumed sessions without a code, as Discord once did for 90 seconds."""
    monkeypatch.setattr(sessions, "RETRY", RetryPolicy(0.001, 0.001))
    at = await table(2)
    gateway = at.world.gateway
    begun = gateway.admission.remaining(at.world.clock.now())
    gateway.cut_resumes(1000)
    with capture_logs() as log:
        if answer == "cut_resumes":
            await gateway.drop_sockets()
        else:
            await gateway.close_gateway(4000)
        await until(
            lambda: (
                gateway.admission.remaining(at.world.clock.now()) < begun
                and at.bot.client.is_connected
            )
        )
    assert 1000 - gateway.cut == sessions.RESUMES
    lines = [line["event"] for line in log if line["event"].startswith("gateway: ")]
    assert lines == [
        "gateway: lost, connecting again",
        "gateway: does not resume the session, beginning another",
    ]
    gateway.cut = 0
    await at.open("Thai Poker")


def test_a_shard_without_a_session_identifies_and_one_with_tries_both_addresses() -> None:
    """Try both addresses: the one that READY names may be gone while Discord is up."""
    own_gateway, resumed, identified = "wss://own", [], []

    class Shard:
        id = 0
        ws: Any

        async def reconnect(self) -> None:
            identified.append(True)

        async def reidentify(self, error: Any) -> None:
            assert error.resume
            resumed.append(str(self.ws.gateway))

    shard = Shard()
    shard.ws = SimpleNamespace(session_id=None, gateway=own_gateway)

    async def tries() -> None:
        sessions.persevere(shard, lambda: False)
        await shard.reconnect()
        shard.ws.session_id = "one"
        for _ in range(4):
            await shard.reconnect()

    asyncio.run(tries())
    common = str(discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY)
    assert identified == [True]
    assert resumed == [common, own_gateway, common, own_gateway]


async def test_unstored_messages_are_found_when_a_server_arrives_late(
    table: Seat, tmp_path: Path
) -> None:
    at = await table(2, serve=False)
    lowest = await post_unstored_tables(at, tmp_path, times=1)
    at.world.gateway.keep_guilds()
    async with running_bot(at.world, settings(tmp_path)) as at.bot:
        assert str((await at.live()).table.message_id) != lowest
        at.world.faults.clear()
        await at.settle()
        assert str((await at.live()).table.message_id) == lowest
        assert [message.id for message in asking(at)] == [lowest]


# -- a gateway that closes for good or is not there: one line, and an exit code --------------------


@asynccontextmanager
async def answering(handle: Callable[[web.Request], Awaitable[web.StreamResponse]]) -> Any:
    """Serve something that isn't Discord, where `handle` answers all requests; yield its port."""
    served = web.Application()
    served.router.add_route("*", "/{path:.*}", handle)
    runner = web.AppRunner(served)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield runner.addresses[0][1]
    finally:
        await runner.cleanup()


def last_line(ended: CompletedProcess[str], exits: int) -> str:
    """Return the last line of an ended bot's standard error.

    Assert that the exit code was `exits`, and that the output has no traceback.
    """
    assert ended.returncode == exits, ended.stderr
    assert "Traceback" not in ended.stderr
    last = ended.stderr.strip().splitlines()[-1]
    assert last.startswith("bluffhouse: ")
    return last


@pytest.mark.thorough
@pytest.mark.parametrize(("code", "exits", "says"), [(4004, 78, "token"), (4011, 78, "shards")])
async def test_a_permanent_close_is_one_line(
    tmp_path: Path, code: int, exits: int, says: str
) -> None:
    async def close(request: web.Request) -> web.StreamResponse:
        """Say HELLO, receive IDENTIFY, and close."""
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"op": 10, "d": {"heartbeat_interval": 40_000}})
        await socket.receive()
        await socket.close(code=code)
        return socket

    async with wait_patiently(tmp_path, players=1) as setup, answering(close) as port:
        variables = setup.settings | {"BLUFFHOUSE_DISCORD__GATEWAY_URL": f"ws://127.0.0.1:{port}"}
        last = last_line(await asyncio.to_thread(command, tmp_path, "run", **variables), exits)
    assert last.startswith("bluffhouse: Discord")
    assert says in last
    assert f"({code})" in last


@pytest.mark.parametrize(
    ("status", "body", "exits"),
    [(200, {}, 78), (200, "Hello", 78), (404, {}, 78), (403, {}, 75)],
)
async def test_an_address_that_is_not_discords_is_one_line(
    tmp_path: Path, status: int, body: object, exits: int
) -> None:
    async def answer(_: web.Request) -> web.StreamResponse:
        return web.json_response(body, status=status)

    async with answering(answer) as port:
        address = f"http://127.0.0.1:{port}"
        variables = {"DISCORD_TOKEN": "sandbox", "BLUFFHOUSE_DISCORD__API_URL": address}
        last = last_line(await asyncio.to_thread(command, tmp_path, "run", **variables), exits)
        (finding,) = await look(TOKEN, address, None)
    assert address in last
    assert ("discord.api_url" in last) is (exits == 78)
    assert not finding.well


async def test_a_gateway_that_is_not_there_is_a_line_a_try_and_no_session(
    tmp_path: Path, table: Seat
) -> None:
    at = await table(1, serve=False)
    with capture_logs() as log:
        async with unready(at.world, settings(tmp_path), "ws://127.0.0.1:9") as bot:
            await until(lambda: any("gateway: lost" in line["event"] for line in log))
            with pytest.raises(NoSession):
                await bot.first_session(within=0.0)


@pytest.mark.long
@pytest.mark.parametrize("how", ["invalidate_sessions", "drop_sockets"])
async def test_a_gateway_that_greets_and_gives_no_session_is_left_for_another(
    table: Seat, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """Have the gateway ignore IDENTIFY and RESUME, but answer heartbeats."""
    monkeypatch.setattr(sessions, "SESSION_WITHIN", 0.5)
    at = await table(2)
    with capture_logs() as log:
        at.world.gateway.ignore_sessions()
        await getattr(at.world.gateway, how)()
        await until(lambda: any("gave no session" in line["event"] for line in log))
        assert await at.bot.why_not_ready() == "the gateway's connection is lost"
        await until(lambda: at.bot.client.is_connected)
    await at.open("Thai Poker")
    assert sum("gateway: lost" in line["event"] for line in log) == 1


async def test_a_shard_that_gets_no_first_session_counts_as_lost_though_others_have_theirs(
    table: Seat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "IDENTIFY_SECONDS", 0.0)
    at = await table(1, serve=False)
    at.world.gateway.ignore_sessions()  # the first shard's
    chosen = Settings.model_validate(settings(tmp_path).model_dump() | {"shards": {"count": 2}})
    async with unready(at.world, chosen) as bot:
        await until(lambda: dict(bot.client.latencies).keys() == {1})
        standing = bot.meters.standing()
        assert standing.lost_for > 0
        assert 0 not in standing.shards
        assert await bot.why_not_ready() is not None


async def test_a_lost_gateway_is_one_line_with_its_code(table: Seat) -> None:
    at = await table(1)
    with capture_logs() as log:
        await at.world.gateway.close_gateway(4000)
        await until(lambda: any("gateway: resumed" in line["event"] for line in log))
    lost = [line for line in log if "gateway: lost" in line["event"]]
    assert [(line["log_level"], line["shard"], line["code"]) for line in lost] == [
        ("warning", 0, 4000)
    ]
    await at.bot.first_session(within=0.0)  # with a session nobody is hurried


async def test_doctor_online_tells_a_good_token_a_bad_one_and_no_discord_apart(table: Seat) -> None:
    at = await table(1, serve=False)
    world: Sandbox = at.world
    well = await look(TOKEN, world.api_url, world.gateway_url)
    assert [(finding.subject, finding.well) for finding in well] == [
        ("discord", True),
        ("gateway", True),
    ]
    (refused,) = await look("wrong", world.api_url, world.gateway_url)
    assert not refused.well
    assert "refuses the token" in refused.text
    (nowhere,) = await look(TOKEN, "http://127.0.0.1:9/api/v10", world.gateway_url)
    assert not nowhere.well
    assert "cannot be reached" in nowhere.text
    _, gateway = await look(TOKEN, world.api_url, "ws://127.0.0.1:9")
    assert (gateway.subject, gateway.well) == ("gateway", False)
    assert "wrong" not in refused.text
