"""Unmodified discord.py against the emulator: closed gateways, limits, lost answers."""

import asyncio
from collections.abc import AsyncIterator

import discord
import pytest
import pytest_asyncio

from bot.sandbox.clock import ManualClock
from bot.sandbox.errors import InteractionFailed
from bot.sandbox.screen import SeenMessage
from tests.bot.sandbox.sample_bot import SampleBot
from tests.bot.sandbox.waiting import Requests
from tests.people import Snug, online, pointed_at, started


@pytest_asyncio.fixture
async def bot(snug: Snug) -> AsyncIterator[SampleBot]:
    client = SampleBot()
    async with online(snug.world, client):
        yield client
    assert snug.world.state.unknown_requests == []


async def opened(snug: Snug) -> SeenMessage:
    outcome = await snug.ann.slash(snug.table, "play", variant="Thai")
    assert outcome.message is not None
    return outcome.message


async def test_real_looking_token_is_refused(snug: Snug) -> None:
    async with pointed_at(snug.world):
        client = SampleBot()
        with pytest.raises(discord.LoginFailure):
            await client.start("MTAxMDEwMTAxMDEwMTAxMDEw.GabCde.abcdefghijklmnopqrstuvwxyz012345")
        await client.close()


async def test_privileged_intents_close_the_gateway_with_4014(snug: Snug) -> None:
    client = SampleBot(intents=discord.Intents(guilds=True, members=True), shard_count=1)
    with pytest.raises(discord.PrivilegedIntentsRequired):
        async with online(snug.world, client):
            raise AssertionError("the gateway let it in")


async def test_bot_resumes_after_a_dropped_socket_and_hears_what_it_missed(
    snug: Snug, bot: SampleBot
) -> None:
    table = await opened(snug)
    await snug.world.gateway.drop_sockets()
    outcome = await snug.ann.click(table, "Join")
    assert outcome.kind == "update"
    await bot.resumed.wait()
    assert bot.presses == [("Ann", "join")]


async def test_bot_identifies_anew_after_an_invalid_session(snug: Snug, bot: SampleBot) -> None:
    connected = asyncio.Event()

    async def on_shard_connect(shard_id: int) -> None:
        connected.set()

    bot.on_shard_connect = on_shard_connect  # type: ignore[attr-defined]
    await snug.world.gateway.invalidate_sessions()
    await connected.wait()
    await opened(snug)


async def test_client_library_waits_out_a_rate_limit(snug: Snug, bot: SampleBot) -> None:
    snug.world.faults.rate_limit("POST /interactions/*", times=2, retry_after=0.02)
    outcome = await snug.ann.slash(snug.table, "odds bid", text="qq")
    assert outcome.text == "odds of qq"
    answers = [r.status for r in snug.world.state.requests if r.route.startswith("/interactions")]
    assert answers == [429, 429, 200]


async def test_rate_limit_without_via_is_not_waited_out(snug: Snug, bot: SampleBot) -> None:
    snug.world.faults.rate_limit("POST /channels/*", via=False)
    channel = bot.get_channel(int(snug.table.id))
    assert isinstance(channel, discord.TextChannel)
    with pytest.raises(discord.HTTPException) as refused:
        await channel.send("x")
    assert refused.value.status == 429


async def test_lost_answer_comes_back_as_already_acknowledged(snug: Snug, bot: SampleBot) -> None:
    table = await opened(snug)
    requests = Requests(snug.world)
    snug.world.faults.lose_answer("POST /interactions/*")
    outcome = await snug.ann.click(table, "Cards")
    assert outcome.kind == "message"  # it was applied, though the bot was told otherwise
    await requests.until(lambda request: request.status == 400)
    assert len([m for m in snug.ann.visible(snug.table) if m.ephemeral]) == 1


async def test_late_delivery_leaves_the_bot_less_than_three_seconds() -> None:
    clock = ManualClock()
    async with started(clock) as snug, online(snug.world, SampleBot()):
        snug.world.faults.delay_interactions(2.0)
        slash = asyncio.create_task(snug.ann.slash(snug.table, "odds bid", text="qq"))
        await clock.until_asleep(2)  # the delay, and the 3 s that run from the start
        # what comes after the delayed one is answered before it
        assert (await snug.bob.slash(snug.table, "odds bid", text="kk")).text == "odds of kk"
        assert not slash.done()
        clock.advance(2.0)
        assert (await slash).text == "odds of qq"
        snug.world.faults.drop_interactions()
        slash = asyncio.create_task(snug.ann.slash(snug.table, "odds bid", text="qq"))
        await clock.until_asleep()
        clock.advance(3.0)
        with pytest.raises(InteractionFailed):
            await slash


async def test_bot_finds_out_which_permissions_it_lacks(snug: Snug, bot: SampleBot) -> None:
    told = bot.wait_for("guild_channel_update")
    await snug.world.faults.deny(snug.table, "send_messages")
    await told
    channel = bot.get_channel(int(snug.table.id))
    assert isinstance(channel, discord.TextChannel)
    assert not channel.permissions_for(channel.guild.me).send_messages
    with pytest.raises(discord.Forbidden) as refused:
        await channel.send("x")
    assert refused.value.code == 50013
    assert (await snug.ann.slash(snug.table, "odds bid", text="qq")).text == "odds of qq"
