"""A start that Discord keeps waiting, commands it does not take, coming back after an outage."""

from __future__ import annotations

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from structlog.testing import capture_logs

from bot.app import Bot, pointed_at
from bot.discord import registering, sessions
from bot.discord.registering import Registration
from bot.discord.sessions import Backoff
from bot.from_settings import open_store
from bot.sandbox.world import Sandbox
from tests.bot.conftest import Seat
from tests.bot.discord.test_orphans import asking, shown_further_down
from tests.bot.house import TOKEN, running_bot, settings
from tests.people import until

COMMANDS = "PUT /applications/{application_id}/commands"
NOT_TAKEN = "discord: commands not registered; those it has go on, trying again"


@pytest.mark.parametrize("why", ["a wait of 432 seconds", "a refusal"])
async def test_commands_that_discord_does_not_take_end_no_start(
    table: Seat, tmp_path: Path, why: str
) -> None:
    at = await table(2, serve=False)
    async with running_bot(at.world, settings(tmp_path)) as at.bot:
        await at.open("Thai Poker")  # by commands that were registered then
    async with open_store(settings(tmp_path)) as store:
        await store.servers.note_registered(int(at.world.state.bot.id), "of another version")
    if why == "a refusal":
        at.world.faults.refuse(COMMANDS, status=400, code=50035)
    else:
        at.world.faults.rate_limit(COMMANDS, retry_after=432.0)
    with capture_logs() as said:
        async with running_bot(at.world, settings(tmp_path)) as at.bot:
            await at.settle()
            await at.host.slash(at.channel, "table")
            assert "Start" in at.shown().buttons
    (line,) = [one for one in said if one["event"] == NOT_TAKEN]
    assert ("400" in line["why"]) if why == "a refusal" else (line["minutes"] == 7.2)


async def test_commands_are_registered_as_soon_as_discord_takes_them(
    table: Seat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registering, "FIRST_PAUSE", 0.001)
    at = await table(2, serve=False)
    at.world.faults.refuse(COMMANDS, times=3, status=400, code=50035)
    async with running_bot(at.world, settings(tmp_path)) as at.bot:
        await until(lambda: at.world.state.commands)
        await at.open("Thai Poker")


async def test_the_next_try_comes_when_discord_says_and_ever_later() -> None:
    errors: list[Exception] = [discord.RateLimited(432.0), OSError("no"), KeyError("a mistake")]
    slept: list[float] = []

    async def attempt() -> None:
        if errors:
            raise errors.pop(0)

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    registration = Registration(attempt, sleep)
    with capture_logs():
        await registration.begin()
        await until(lambda: not errors)
    assert slept == [432.0, 60.0, 120.0]


async def test_a_start_waits_while_few_sessions_are_left_of_the_day_and_says_so(
    table: Seat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "ASKED_AGAIN", 0.001)
    at = await table(1, serve=False)
    world: Sandbox = at.world
    admission = world.gateway.admission
    admission.sessions_a_day = sessions.FEWEST_LEFT - 1
    with pointed_at(world.api_url, world.gateway_url):
        async with open_store(settings(tmp_path)) as store:
            bot = Bot(settings(tmp_path), store)
            with capture_logs() as said:
                running = asyncio.create_task(bot.run(TOKEN))
                await until(lambda: bot.client.waits.why)
            assert "allows 49 more sessions today" in str(await bot.why_not_ready())
            assert any("49 more sessions" in one.get("why", "") for one in said)
            assert admission.remaining(world.clock.now()) == 49
            admission.sessions_a_day = 1000
            await bot.first_session()
            await bot.ready.wait()
            await bot.stop()
            await running


async def test_a_login_that_discord_keeps_waiting_waits(
    table: Seat, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []

    async def noted(self: sessions.Waits, seconds: float, why: str) -> None:
        waited.append(seconds)

    monkeypatch.setattr(sessions.Waits, "wait", noted)
    at = await table(1, serve=False)
    at.world.faults.rate_limit("GET /users/@me", retry_after=86_400.0)
    at.world.faults.rate_limit("GET /users/@me", retry_after=90.0, via=False)
    async with running_bot(at.world, settings(tmp_path)):
        assert waited == [86_400.0, 90.0]


async def test_after_an_outage_the_session_is_resumed_and_not_begun_anew(
    table: Seat, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "LONGEST_PAUSE", 0.001)
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
        asked = asyncio.create_task(at.host.slash(at.channel, "play", game="Thai Poker"))
        monkeypatch.setattr(http, "ws_connect", connect)
        await world.bot_online()
    await asked  # what was sent meanwhile comes after all
    await until(lambda: at.bot.client.connected)
    assert at.bot.client.lost_for == 0
    assert world.gateway.admission.remaining(world.clock.now()) == begun


def test_the_pause_between_two_tries_is_at_most_half_a_minute_and_by_chance() -> None:
    now, asked = [0.0], []

    def chance(least: float, most: float) -> float:
        asked.append((least, most))
        return most

    backoff = Backoff(lambda: now[0], chance)
    for _ in range(8):
        now[0] += backoff.delay()
    assert asked == [(0.0, most) for most in (2.0, 4.0, 8.0, 16.0, 30.0, 30.0, 30.0, 30.0)]
    now[0] += 3600.0
    assert backoff.delay() == 2.0


def test_a_shard_without_a_session_identifies_and_one_with_tries_both_addresses() -> None:
    """The address that READY names may be gone for good while Discord is there."""
    own, resumed, identified = "wss://own", [], []

    class Shard:
        id = 0
        ws: Any

        async def reconnect(self) -> None:
            identified.append(True)

        async def reidentify(self, error: Any) -> None:
            assert error.resume
            resumed.append(str(self.ws.gateway))

    shard = Shard()
    shard.ws = SimpleNamespace(session_id=None, gateway=own)

    async def tries() -> None:
        sessions.persevere(shard, lambda: False)
        await shard.reconnect()
        shard.ws.session_id = "one"
        for _ in range(4):
            await shard.reconnect()

    asyncio.run(tries())
    common = str(discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY)
    assert identified == [True]
    assert resumed == [common, own, common, own]


@pytest.mark.usefixtures("unhurried")
async def test_what_was_left_in_a_channel_is_found_when_its_server_comes_late(
    table: Seat, tmp_path: Path
) -> None:
    at = await table(2, serve=False)
    lowest = await shown_further_down(at, tmp_path, times=1)
    at.world.gateway.keep_guilds()
    async with running_bot(at.world, settings(tmp_path)) as at.bot:
        assert str((await at.live()).table.message_id) != lowest
        at.world.faults.clear()
        await at.settle()
        assert str((await at.live()).table.message_id) == lowest
        assert [one.id for one in asking(at)] == [lowest]
