"""Discord's limits of requests, as the local one enforces them where it is told to."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator

import aiohttp
import pytest
import pytest_asyncio

from bot.sandbox.clock import ManualClock
from bot.sandbox.discord_state import Channel
from bot.sandbox.limits import KEPT, Limit, RateLimits
from bot.sandbox.world import Sandbox
from tests.bot.sandbox.raw import Raw
from tests.people import Snug, started

TOKEN = {"Authorization": "Bot sandbox"}


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock(time.time())


@pytest_asyncio.fixture
async def snug(clock: ManualClock) -> AsyncIterator[Snug]:
    async with started(clock) as made:
        yield made


@pytest_asyncio.fixture
async def raw(snug: Snug) -> AsyncIterator[Raw]:
    async with Raw(snug.world) as speaking:
        yield speaking


def test_no_second_takes_more_than_the_limit_of_all() -> None:
    limits = RateLimits(everywhere=Limit(3, 1.0))
    for at in (0.0, 0.1, 0.2):
        assert limits.ask("GET /a", "", at) is None
    found = limits.ask("POST /b", "7", 0.4)
    assert found is not None
    assert found.scope == "global"
    assert abs(found.refused_for - 0.6) < 1e-9
    assert limits.ask("GET /b", "", 1.05) is None
    assert limits.refused == 1


def test_a_channels_limit_is_one_routes_and_says_what_is_left() -> None:
    limits = RateLimits(a_channel=Limit(2, 5.0))
    first, second, third = (limits.ask("POST /m", "1", at) for at in (0.0, 1.0, 2.0))
    assert first is not None
    assert second is not None
    assert third is not None
    assert (first.remaining, first.reset_after) == (1, 5.0)
    assert (second.remaining, second.reset_after, second.refused_for) == (0, 4.0, 0.0)
    assert (third.refused_for, third.scope) == (3.0, "user")
    for route, channel in (("PATCH /m", "1"), ("POST /m", "2")):
        other = limits.ask(route, channel, 2.0)
        assert other is not None
        assert other.refused_for == 0
    assert limits.ask("GET /users/@me", "", 2.0) is None


def test_by_a_token_five_in_two_seconds_and_by_all_of_a_channel_thirty_in_a_minute() -> None:
    limits = RateLimits()
    found = [limits.ask_by_token("a", "1", 0.1 * n) for n in range(6)]
    assert [one.refused_for > 0 for one in found if one] == [False] * 5 + [True]
    assert found[-1] is not None
    assert found[-1].scope == "user"
    for n in range(25):
        later = limits.ask_by_token(f"b{n}", "1", 3.0 + n)
        assert later is not None
        assert not later.refused_for
    last = limits.ask_by_token("c", "1", 40.0)
    assert last is not None
    assert (last.scope, last.refused_for) == ("shared", 20.0)
    elsewhere = limits.ask_by_token("c", "2", 40.0)
    assert elsewhere is not None
    assert not elsewhere.refused_for


def test_what_no_limit_looks_at_any_more_is_forgotten() -> None:
    limits = RateLimits()
    for n in range(5 * KEPT):
        limits.ask_by_token(str(n), str(n), float(n))
    assert len(limits._made) < 2 * KEPT


async def test_a_world_is_limited_as_discord_is_but_where_its_clock_stands_still() -> None:
    assert Sandbox().limits.a_channel == Limit(5, 5.0)
    assert Sandbox().limits.all_tokens == Limit(30, 60.0)
    assert Sandbox(ManualClock()).limits.all_tokens.most == 0


async def test_a_refusal_has_what_discords_client_looks_for() -> None:
    clock = ManualClock(1_800_000_000.0)
    world = Sandbox(clock)
    await world.start()
    channel = world.add_guild("The Snug").add_text_channel("poker-night")
    world.limits = RateLimits(everywhere=Limit(3, 1.0), a_channel=Limit(1, 5.0))
    said = {"content": "x"}
    address = f"{world.api_url}/channels/{channel.id}/messages"
    async with aiohttp.ClientSession(headers=TOKEN) as session:
        taken = await session.post(address, json=said)
        again = await session.post(address, json=said)
        await session.get(f"{world.api_url}/users/@me")
        everywhere = await session.get(f"{world.api_url}/users/@me")
        clock.advance(5.0)
        later = await session.post(address, json=said)
        told = [await one.json() for one in (again, everywhere)]
    await world.stop()
    assert [one.status for one in (taken, again, everywhere, later)] == [200, 429, 429, 200]
    assert taken.headers["X-RateLimit-Remaining"] == "0"
    assert again.headers["X-RateLimit-Scope"] == "user"
    assert everywhere.headers["X-RateLimit-Global"] == "true"
    assert [one["global"] for one in told] == [False, True]
    assert all(one.headers["Via"] for one in (again, everywhere))
    assert 0 < told[1]["retry_after"] <= 1


async def test_the_sixth_message_and_the_sixth_edit_of_a_channel_come_too_soon(
    snug: Snug, raw: Raw
) -> None:
    snug.world.limits = RateLimits()
    sent = [await raw.send(snug.table.id, {"content": "x"}) for _ in range(6)]
    assert [status for status, _ in sent] == [200] * 5 + [429]
    path = f"/channels/{snug.table.id}/messages/{sent[0][1]['id']}"
    edits = [await raw.api("PATCH", path, {"content": str(n)}) for n in range(6)]
    assert [status for status, _ in edits] == [200] * 5 + [429]
    assert 0 < edits[-1][1]["retry_after"] <= 5
    assert (await raw.api("GET", path))[0] == 200


async def test_answers_by_token_are_limited_by_their_token_and_by_their_channel(
    snug: Snug, raw: Raw, clock: ManualClock
) -> None:
    snug.world.limits = RateLimits()
    path = await _answered(snug, raw)
    statuses = [(await raw.api("POST", path, {"content": "x"}))[0] for _ in range(6)]
    assert statuses == [200] * 5 + [429]
    for _ in range(5):
        clock.advance(2.0)
        statuses = [(await raw.api("POST", path, {"content": "x"}))[0] for _ in range(5)]
        assert statuses == [200] * 5
    clock.advance(2.0)
    other = await _answered(snug, raw)
    async with raw.http.post(snug.world.api_url + other, json={"content": "x"}) as answer:
        assert answer.status == 429
        assert answer.headers["X-RateLimit-Scope"] == "shared"
        assert answer.headers["Via"]


async def test_an_edit_too_many_of_messages_older_than_an_hour_is_refused_for_good(
    snug: Snug, raw: Raw, clock: ManualClock
) -> None:
    snug.world.limits = RateLimits()
    _, sent = await raw.send(snug.table.id, {"content": "x"})
    path = f"/channels/{snug.table.id}/messages/{sent['id']}"
    clock.advance(3601.0)
    edits = [await raw.api("PATCH", path, {"content": str(n)}) for n in range(4)]
    assert [status for status, _ in edits] == [200] * 3 + [429]
    assert edits[-1][1]["code"] == 30046
    clock.advance(20.0)
    assert (await raw.api("PATCH", path, {"content": "later"}))[0] == 200


@pytest.mark.parametrize("where", ["a server without the bot", "a group of people"])
async def test_where_only_a_person_has_installed_the_bot_five_messages_follow_an_answer(
    snug: Snug, raw: Raw, where: str
) -> None:
    snug.world.places.remove_bot(snug.world.state.guilds[snug.server.id])
    group = snug.world.add_group("weekend", snug.ann, snug.bob)
    path = await _answered(snug, raw, group if where == "a group of people" else snug.table)
    said = [await raw.api("POST", path, {"content": "x"}) for _ in range(6)]
    assert [status for status, _ in said] == [200] * 5 + [400]
    assert said[-1][1]["code"] == 40094


async def test_in_a_direct_message_as_many_follow_as_in_a_server(snug: Snug, raw: Raw) -> None:
    state, places = snug.world.state, snug.world.places
    path = await _answered(snug, raw, places.dm_channel(state.users[snug.ann.id]))
    said = [await raw.api("POST", path, {"content": "x"}) for _ in range(6)]
    assert [status for status, _ in said] == [200] * 6


async def _answered(snug: Snug, raw: Raw, channel: Channel | None = None) -> str:
    """Where messages that follow the answer to a command are sent to."""
    body = {"id": "1", "name": "play", "type": 1, "options": []}
    asked = snug.world.interactions.open(2, snug.ann.id, channel or snug.table, body)
    answer = {"type": 4, "data": {"content": "x"}}
    await raw.api("POST", f"/interactions/{asked.id}/{asked.token}/callback", answer)
    return f"/webhooks/{snug.world.state.bot.id}/{asked.token}"
