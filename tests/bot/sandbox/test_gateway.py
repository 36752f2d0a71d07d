"""The gateway's protocol, spoken by hand."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from bot.sandbox.clock import EPOCH_MS, ManualClock, Snowflakes, seconds_of, shard_of
from tests.bot.sandbox.raw import Raw, Socket
from tests.bot.sandbox.waiting import bot_going
from tests.people import Snug


@pytest_asyncio.fixture
async def raw(snug: Snug) -> AsyncIterator[Raw]:
    async with Raw(snug.world) as speaking:
        yield speaking


async def test_hello_heartbeat_ready_and_guilds(snug: Snug, raw: Raw) -> None:
    socket = await Socket.connect(raw)
    assert (await socket.hear())["op"] == 10
    await socket.say(1, None)
    assert (await socket.hear())["op"] == 11
    await socket.identify()
    ready = await socket.hear()
    assert (ready["t"], ready["s"]) == ("READY", 1)
    assert ready["d"]["guilds"] == [{"id": snug.server.id, "unavailable": True}]
    assert (await socket.hear())["d"]["name"] == "The Snug"


async def test_the_answer_to_a_heartbeat_does_not_overtake_the_note_of_its_sending(
    snug: Snug, raw: Raw
) -> None:
    """discord.py notes in another thread, and a little later, when it sent a heartbeat."""
    socket = await Socket.connect(raw)
    assert (await socket.hear())["d"]["heartbeat_interval"] < 10_000  # above that it warns
    await socket.say(1, None)
    await socket.identify()  # sent after the heartbeat, answered before it
    assert [(await socket.hear())["t"] for _ in range(2)] == ["READY", "GUILD_CREATE"]
    assert await socket.hear() == {"op": 11}


@pytest.mark.parametrize(
    ("identity", "code"),
    [
        ({"token": "wrong"}, 4004),
        ({"token": "MTAxMDEwMTAx.GabCde.abcdefghijkl"}, 4004),
        ({"intents": 1 << 15}, 4014),
        ({"intents": 1 | 1 << 9}, 4013),
        ({"shard": [2, 2]}, 4010),
    ],
)
async def test_bad_identity_closes_the_connection(
    snug: Snug, raw: Raw, identity: dict[str, object], code: int
) -> None:
    socket = await Socket.connect(raw)
    await socket.hear()
    await socket.identify(**identity)
    assert await socket.hear() == code


@pytest.mark.parametrize("operation", [4, 8, 99])  # voice, members, none of Discord's
async def test_what_is_not_emulated_closes_the_connection(
    snug: Snug, raw: Raw, operation: int
) -> None:
    socket = await Socket.connect(raw)
    await socket.hear()
    await socket.identify()
    await socket.hear_event("GUILD_CREATE")
    await socket.say(operation, {})
    assert await socket.hear() == 4001


async def test_without_intents_only_interactions_are_heard(snug: Snug, raw: Raw) -> None:
    socket = await Socket.connect(raw)
    await socket.hear()
    await socket.identify(intents=0)
    assert (await socket.hear())["t"] == "READY"
    for event in ("CHANNEL_CREATE", "INTERACTION_CREATE"):
        await snug.world.gateway.dispatch(event, {}, snug.server.id)
    assert (await socket.hear())["t"] == "INTERACTION_CREATE"


async def test_speaking_before_identifying_is_refused(snug: Snug, raw: Raw) -> None:
    socket = await Socket.connect(raw)
    await socket.hear()
    await socket.say(3, {})
    assert await socket.hear() == 4003


async def test_resume_replays_what_was_missed(snug: Snug, raw: Raw) -> None:
    socket = await Socket.connect(raw)
    await socket.hear()
    await socket.identify()
    ready, guild = await socket.hear(), await socket.hear()
    async with bot_going(snug.world, snug.ann):
        await snug.world.gateway.drop_sockets()
    await snug.world.gateway.dispatch("INTERACTION_CREATE", {"id": "missed"}, snug.server.id)
    again = await Socket.connect(raw)
    await again.hear()
    resume = {"token": "sandbox", "session_id": ready["d"]["session_id"], "seq": guild["s"]}
    await again.say(6, resume)
    missed = await again.hear()
    assert (missed["t"], missed["s"]) == ("INTERACTION_CREATE", guild["s"] + 1)
    assert missed["d"] == {"id": "missed"}
    assert (await again.hear())["t"] == "RESUMED"


async def test_resume_of_an_unknown_or_cleanly_closed_session_is_invalid(
    snug: Snug, raw: Raw
) -> None:
    socket = await Socket.connect(raw)
    await socket.hear()
    await socket.identify()
    session = (await socket.hear())["d"]["session_id"]
    async with bot_going(snug.world, snug.ann):
        await socket.socket.close()
    for unknown in (session, "nobody"):
        again = await Socket.connect(raw)
        await again.hear()
        await again.say(6, {"token": "sandbox", "session_id": unknown, "seq": 1})
        assert await again.hear() == {"op": 9, "d": False}


async def test_guild_events_go_to_its_shard_and_direct_ones_to_shard_zero(
    snug: Snug, raw: Raw
) -> None:
    clock, server = snug.world.clock, snug.server
    assert isinstance(clock, ManualClock)
    while shard_of(server.id, 2) != 1:
        clock.advance(0.001)
        server = snug.world.add_guild("The Den")
    sockets = [await Socket.connect(raw) for _ in range(2)]
    for shard, socket in enumerate(sockets):
        await socket.hear()
        await socket.identify(shard=[shard, 2])
        guilds = (await socket.hear())["d"]["guilds"]
        assert (server.id in [guild["id"] for guild in guilds]) == (shard == 1)
    for _ in range(2):  # what came to the wrong one would come before the second
        for guild_id in (None, server.id):
            await snug.world.gateway.dispatch("INTERACTION_CREATE", {"in": guild_id}, guild_id)
    for socket, guild_id in zip(sockets, (None, server.id), strict=True):
        heard = [(await socket.hear_event("INTERACTION_CREATE"))["d"] for _ in range(2)]
        assert heard == [{"in": guild_id}] * 2


def test_snowflakes_rise_and_tell_their_time() -> None:
    clock = ManualClock()
    snowflakes = Snowflakes(clock)
    first, second = snowflakes.next(), snowflakes.next()
    assert int(second) == int(first) + 1
    assert seconds_of(first) == clock.now()
    assert int(first) == (int(clock.now() * 1000) - EPOCH_MS) << 22
