"""Which servers the bot is in, as it hears of it by wire: removed, invited, down for a while."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

from bot.app import Bot
from bot.privacy.housekeeping import DAY
from tests.bot.conftest import Seat
from tests.bot.house import StoppedClock, Table, running_bot, settings
from tests.people import PATIENCE

THAI = "Thai Poker"


async def departed(bot: Bot) -> set[int]:
    return set(await bot.housekeeping._store.departed())


async def known_as(bot: Bot, guilds: set[int]) -> None:
    """Wait until just these servers are known to have removed the bot."""
    async with asyncio.timeout(PATIENCE):
        while await departed(bot) != guilds:  # noqa: ASYNC110 - Discord's word signals nobody
            await asyncio.sleep(0.002)


async def moved_in(at: Table) -> int:
    """Open a table; the server's id."""
    await at.open(THAI)
    await at.settle()
    return int(at.channel.guild_id or 0)


async def test_a_removal_is_noted_an_invitation_cancels_it_and_an_outage_is_neither(
    table: Seat,
) -> None:
    at = await table(1)
    snug, server = await moved_in(at), at.world.server("The Snug")
    den = at.world.add_guild("The Den")
    there = at.elsewhere(den.add_text_channel("cards"))
    await there.open(THAI)
    server.take_down()
    den.remove_bot()  # heard of after the outage
    await known_as(at.bot, {int(den.id)})
    server.invite_bot()  # there again
    den.invite_bot()
    await known_as(at.bot, set())
    assert at.bot.client.get_guild(snug) is not None


async def test_a_removal_while_the_bot_is_away_is_found_and_an_outage_at_the_start_is_none(
    table: Seat, tmp_path: Path
) -> None:
    at = await table(1, serve=False)
    den = at.world.add_guild("The Den")
    clock = StoppedClock(at.world.clock.now())
    async with running_bot(at.world, settings(tmp_path), clock=clock) as bot:
        at = replace(at, bot=bot)
        snug = await moved_in(at)
        await moved_in(at.elsewhere(den.add_text_channel("cards")))
    den.remove_bot()
    at.world.server("The Snug").take_down()
    async with running_bot(at.world, settings(tmp_path), clock=clock) as bot:
        await known_as(bot, {int(den.id)})
        clock.at += 31 * DAY
        await bot.housekeeping.tidy()
        assert await bot.housekeeping._store.stored_guilds() == {snug}
        live = await bot.tables.in_channel(int(at.channel.id))
        assert live.table.guild_id == snug
