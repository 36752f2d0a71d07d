"""Who may look back on a match: whoever played it, and whoever sees the channel it was played in.

Most is told by what comes with an interaction. Of a channel elsewhere in the server Discord is
asked: which roles see it is half of what a client knows of a server, and nothing else wants it.
"""

from __future__ import annotations

import discord

from bot.discord.answers import Interaction
from bot.tables.model import KeptMatch


async def may_see(interaction: Interaction, kept: KeptMatch) -> bool:
    """Whether the asker may be shown this match, once it is over."""
    if interaction.user.id in kept.match.players:
        return True
    if kept.channel_id < 0:  # a practice is its player's own
        return False
    if interaction.channel_id == kept.channel_id:
        # who uses a command in a channel sees it, but perhaps not what was said there before
        return interaction.permissions.read_message_history
    guild = interaction.guild
    if guild is None or guild.id != kept.guild_id:
        return False
    if not isinstance(interaction.user, discord.Member):
        return False
    try:
        return await _sees(interaction.user, await guild.fetch_channel(kept.channel_id))
    except (discord.NotFound, discord.Forbidden, discord.InvalidData):
        return False  # it is gone, or the bot does not see it any more


async def _sees(member: discord.Member, channel: discord.abc.GuildChannel | discord.Thread) -> bool:
    """Whether a member sees a channel and what was said there before. Raises as Discord answers.

    Who is in a private thread is not known here, so only who manages threads passes for one.
    """
    if not isinstance(channel, discord.Thread):
        allowed = channel.permissions_for(member)
        return allowed.view_channel and allowed.read_message_history
    parent = await channel.guild.fetch_channel(channel.parent_id)
    if isinstance(parent, discord.Thread) or not await _sees(member, parent):
        return False
    return not channel.is_private() or parent.permissions_for(member).manage_threads
