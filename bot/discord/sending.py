"""Send the bot's own messages: each only once, with few pings, and also in archived threads.

*Once*: if Discord gets the same nonce again, it returns the first message instead of
sending another. If the first has been deleted, for example by a moderator, Discord answers
*Unknown Message*. A message that is still needed is then sent with another nonce. That
nonce is made from the first, so a later try finds the message again.

*Pings*: every message and edit says in full whom it may ping. discord.py leaves its default
out of an edit without plain content, and Discord would then highlight the table's message
for everybody mentioned there. In such an edit, fields that `AllowedMentions` leaves out
allow pings of everyone and of all roles.

*Threads*: a thread that has been quiet for a while is archived, and nothing in it can be
changed. Anybody who may write in it may reopen it, unless a moderator has locked it.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Iterable
from typing import Final, TypeVar

import aiohttp
import discord
import structlog

from bot.discord.outcomes import HAS_THREAD, UNKNOWN_MESSAGE

DELETED_AT_MOST: Final = 5  # further nonces to try if each time the message was deleted
T = TypeVar("T")
NOBODY: Final = discord.AllowedMentions.none()
log = structlog.get_logger(__name__)
WITHIN: Final = 5.0  # seconds; the person who pressed something waits for it
SEARCHED: Final = 100  # messages of a channel to search: the most that Discord gives at once
SEARCH_WITHIN: Final = 3.0  # seconds; a post waits for the search


async def post_once(nonce: str, send: Callable[..., Awaitable[T]]) -> T:
    """Return the result of `send(nonce=...)`; use another nonce if the message was deleted.

    Raises whatever `send` raises.
    """
    for _ in range(DELETED_AT_MOST):
        try:
            return await send(nonce=nonce)
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
        nonce = hashlib.blake2s(nonce.encode(), digest_size=12).hexdigest()
    return await send(nonce=nonce)


async def own_latest(client: discord.Client, channel_id: int) -> list[discord.Message] | None:
    """Return the bot's own messages among a channel's latest 100.

    Return None if there is no message at all, or the bot may not read them. Raises Discord's
    errors, and `TimeoutError`.
    """
    channel = client.get_partial_messageable(channel_id)
    async with asyncio.timeout(SEARCH_WITHIN):
        latest = [message async for message in channel.history(limit=SEARCHED)]
    if not latest:  # this is Discord's answer if the bot may not read the history
        return None
    return [message for message in latest if message.author == client.user]


def only(players: Iterable[int]) -> discord.AllowedMentions:
    """Return mentions that allow these users (their Discord ids) and nobody else."""
    return discord.AllowedMentions(
        everyone=False,
        roles=False,
        replied_user=False,
        users=[discord.Object(player) for player in players],
    )


async def open_thread(
    client: discord.Client, guild_id: int, channel_id: int, message_id: int, name: str
) -> int:
    """Open a public thread from a message, or find the existing one; return its id.

    A thread has the id of its first message, so no second one is opened. Raises Discord's errors,
    and TimeoutError.
    """
    channel = client.get_partial_messageable(channel_id, guild_id=guild_id)
    try:
        async with asyncio.timeout(WITHIN):
            await channel.get_partial_message(message_id).create_thread(name=name)
    except discord.HTTPException as error:
        if error.code != HAS_THREAD:
            raise
    return message_id


async def reopen_thread(client: discord.Client, channel_id: int | None) -> bool:
    """Reopen an archived thread; return False if that is not possible."""
    if channel_id is None:
        return False
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
