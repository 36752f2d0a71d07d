"""After a start every table that was there is shown; one opened meanwhile is not shown twice."""

from __future__ import annotations

import time
from pathlib import Path

from bot.from_settings import open_store
from bot.sandbox.world import Sandbox
from bot.tables.model import Status, Table
from bot.tables.table_options import defaults
from tests.bot.conftest import Seat
from tests.bot.house import running_bot, settings

A_DAY = 86_400_000


def lobby(at: int, guild: str, channel: str, host: str) -> Table:
    """A lobby opened at a time, whose message is not noted yet."""
    return Table(
        id=0,
        guild_id=int(guild),
        channel_id=int(channel),
        host_id=int(host),
        status=Status.LOBBY,
        variant="thai_poker",
        options=defaults("thai_poker"),
        players=(int(host),),
        version=1,
        created_at=at,
        updated_at=at,
    )


async def test_a_table_opened_during_the_start_is_shown_by_its_own_answer_alone(
    tmp_path: Path, table: Seat
) -> None:
    at = await table(1, serve=False)
    world: Sandbox = at.world
    guild = at.channel.guild_id
    assert guild is not None
    earlier = at.channel
    meanwhile = world.server("The Snug").add_text_channel("second-table")
    now = time.time_ns() // 1_000_000
    chosen = settings(tmp_path)
    async with open_store(chosen) as store:
        await store.tables.open(lobby(now - A_DAY, guild, earlier.id, at.host.id), None)
        await store.tables.open(lobby(now + A_DAY, guild, meanwhile.id, at.host.id), None)
    async with running_bot(world, chosen) as bot:
        await bot.resuming.settled()
        await bot.publisher.settled()
        assert len(at.host.visible(earlier)) == 1
        assert at.host.visible(meanwhile) == []
