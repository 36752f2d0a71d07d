"""Discord's limits of requests, as the local one enforces them where it is told to."""

from __future__ import annotations

import aiohttp

from bot.sandbox.clock import ManualClock
from bot.sandbox.limits import RateLimits
from bot.sandbox.world import Sandbox

TOKEN = {"Authorization": "Bot sandbox"}


async def test_no_second_takes_more_than_the_limit_of_all() -> None:
    limits = RateLimits(everywhere=3)
    for at in (0.0, 0.1, 0.2):
        assert limits.ask("GET /a", "", at) is None
    found = limits.ask("GET /b", "7", 0.4)
    assert found is not None
    assert found.everywhere
    assert abs(found.refused_for - 0.6) < 1e-9
    assert limits.ask("GET /b", "7", 1.05) is None
    assert limits.refused == 1


async def test_a_channels_limit_is_one_routes_and_says_what_is_left() -> None:
    limits = RateLimits(a_channel=2)
    first, second, third = (limits.ask("POST /m", "1", at) for at in (0.0, 1.0, 2.0))
    assert first is not None
    assert second is not None
    assert third is not None
    assert (first.remaining, first.reset_after) == (1, 5.0)
    assert (second.remaining, second.reset_after, second.refused_for) == (0, 4.0, 0.0)
    assert (third.refused_for, third.everywhere) == (3.0, False)
    for route, channel in (("PATCH /m", "1"), ("POST /m", "2")):
        other = limits.ask(route, channel, 2.0)
        assert other is not None
        assert other.refused_for == 0
    assert limits.ask("GET /users/@me", "", 2.0) is None


async def test_a_refusal_has_what_discords_client_looks_for() -> None:
    clock = ManualClock(1_800_000_000.0)
    world = Sandbox(clock)
    await world.start()
    channel = world.add_guild("The Snug").add_text_channel("poker-night")
    world.limits = RateLimits(everywhere=3, a_channel=1)
    address = f"{world.api_url}/channels/{channel.id}/messages"
    async with aiohttp.ClientSession(headers=TOKEN) as session:
        taken = await session.get(address)
        again = await session.get(address)
        await session.get(f"{world.api_url}/users/@me")
        everywhere = await session.get(f"{world.api_url}/users/@me")
        clock.advance(5.0)
        later = await session.get(address)
        told = [await one.json() for one in (again, everywhere)]
    await world.stop()
    assert [one.status for one in (taken, again, everywhere, later)] == [200, 429, 429, 200]
    assert taken.headers["X-RateLimit-Remaining"] == "0"
    assert again.headers["X-RateLimit-Scope"] == "user"
    assert everywhere.headers["X-RateLimit-Global"] == "true"
    assert [one["global"] for one in told] == [False, True]
    assert all(one.headers["Via"] for one in (again, everywhere))
    assert 0 < told[1]["retry_after"] <= 1
