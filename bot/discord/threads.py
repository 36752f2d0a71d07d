"""Threads that are archived: nothing in one can be changed until somebody opens it again.

Discord archives a thread in which nobody has written for a while. Whoever may write there may open
it, unless a moderator has locked it.
"""

from __future__ import annotations

import asyncio
from typing import Final

import aiohttp
import discord
import structlog

log = structlog.get_logger(__name__)

ARCHIVED: Final = 50083  # what Discord says of a change in a thread that is archived or locked
WITHIN: Final = 5.0  # seconds; whoever pressed something there waits for it


async def opened(client: discord.Client, channel_id: int) -> bool:
    """Open a thread again that is archived; False where it cannot be."""
    try:
        async with asyncio.timeout(WITHIN):
            thread = await client.fetch_channel(channel_id)
            if not isinstance(thread, discord.Thread) or (thread.locked and not thread.archived):
                return False
            await thread.edit(archived=False)
    except (discord.DiscordException, aiohttp.ClientError, OSError) as error:
        log.info("threads: not opened", channel=channel_id, error=type(error).__name__)
        return False
    return True
