"""What a bot of several shards meets: who hears what, how often it may identify, and the closes."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

from bot.sandbox import Sandbox
from bot.sandbox.clock import ManualClock, shard_of
from bot.sandbox.limits import DAY, Admission
from tests.bot.sandbox.raw import Raw, Socket

SHARDS = 3


@asynccontextmanager
async def spoken_to(admission: Admission) -> AsyncIterator[tuple[Raw, ManualClock]]:
    clock = ManualClock(1_700_000_000.0)
    world = Sandbox(clock, admission=admission)
    await world.start()
    try:
        async with Raw(world) as raw:
            yield raw, clock
    finally:
        await world.stop()


async def identified(raw: Raw, shard: int, count: int = SHARDS) -> tuple[Socket, Any]:
    """A socket of a shard that has identified, and the answer to that."""
    socket = await Socket.connect(raw)
    assert (await socket.hear())["op"] == 10
    await socket.identify(shard=[shard, count])
    return socket, await socket.hear()


def servers(world: Sandbox) -> Iterator[Any]:
    """A new server for each shard, in their order."""
    found: dict[int, Any] = {}
    while len(found) < SHARDS:
        made = world.add_guild(f"Server {len(world.state.guilds)}")
        found.setdefault(shard_of(made.id, SHARDS), made)
        world.clock.advance(0.001)  # type: ignore[attr-defined]
    return (found[shard] for shard in range(SHARDS))


async def test_each_shard_hears_of_its_servers_and_the_first_of_direct_messages() -> None:
    async with spoken_to(Admission(SHARDS)) as (raw, _):
        there = list(servers(raw.world))
        ann = raw.world.add_person("Ann")
        channels = [server.add_text_channel("cards") for server in there]
        sockets = []
        for shard in range(SHARDS):
            socket, ready = await identified(raw, shard)
            assert ready["d"]["shard"] == [shard, SHARDS]
            listed = {one["id"] for one in ready["d"]["guilds"]}
            assert listed & {server.id for server in there} == {there[shard].id}
            sockets.append(socket)
        for channel in channels:
            there[channels.index(channel)].add_text_channel("more")
        for shard, socket in enumerate(sockets):
            heard = await socket.hear_event("CHANNEL_CREATE")
            assert heard["d"]["guild_id"] == there[shard].id
        letters = raw.world.places.dm_channel(raw.world.state.users[ann.id])
        pressed = raw.world.interactions.open(3, ann.id, letters, {"custom_id": "mine"})
        assert (await sockets[0].hear_event("INTERACTION_CREATE"))["d"]["id"] == pressed.id
        there[1].add_text_channel("still more")
        later = await sockets[1].hear()  # nothing came before it
        assert (later["t"], later["d"]["guild_id"]) == ("CHANNEL_CREATE", there[1].id)


async def test_two_of_one_remainder_wait_five_seconds_and_others_do_not() -> None:
    admission = Admission(4, max_concurrency=2, identify_seconds=5.0)
    async with spoken_to(admission) as (raw, clock):
        assert (await identified(raw, 0, 4))[1]["t"] == "READY"
        assert (await identified(raw, 1, 4))[1]["t"] == "READY"
        too_soon = (await identified(raw, 2, 4))[1]
        assert (too_soon["op"], too_soon["d"]) == (9, False)
        clock.advance(5.0)
        assert (await identified(raw, 2, 4))[1]["t"] == "READY"
        assert admission.refused == 1
        status, told = await raw.api("GET", "/gateway/bot")
        assert (status, told["shards"]) == (200, 4)
        assert told["session_start_limit"] == {
            "total": 1000,
            "remaining": 996,  # the one that was refused counts too
            "reset_after": (86_400 - 5) * 1000,
            "max_concurrency": 2,
        }


async def test_a_day_has_only_so_many_sessions() -> None:
    async with spoken_to(Admission(sessions_a_day=2)) as (raw, clock):
        for _ in range(2):
            assert (await identified(raw, 0, 1))[1]["t"] == "READY"
        assert (await raw.api("GET", "/gateway/bot"))[1]["session_start_limit"]["remaining"] == 0
        assert (await identified(raw, 0, 1))[1] == 4004
        clock.advance(DAY)
        assert (await identified(raw, 0, 1))[1]["t"] == "READY"


async def test_too_many_servers_for_a_shard_are_refused_until_there_are_more_shards() -> None:
    async with spoken_to(Admission(guilds_a_shard=2)) as (raw, _):
        list(servers(raw.world))
        assert (await identified(raw, 0, 1))[1] == 4011
        assert (await identified(raw, 2, SHARDS))[1]["t"] == "READY"
        assert (await identified(raw, 3, SHARDS))[1] == 4010
