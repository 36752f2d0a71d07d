"""Who may look back on a match: whoever played it, and whoever sees the channel it was played in.

All of it is told from what comes with an interaction and from what is known of a server without any
privileged intent: its channels, their overwrites and roles, and the roles of whoever asks.
"""

from __future__ import annotations

import discord

from bot.discord.answers import Interaction
from bot.tables.model import KeptMatch


def may_see(interaction: Interaction, kept: KeptMatch) -> bool:
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
    channel = guild.get_channel_or_thread(kept.channel_id)
    return isinstance(interaction.user, discord.Member) and sees(interaction.user, channel)


def sees(member: discord.Member, channel: object) -> bool:
    """Whether a member sees a channel and what was said there before.

    Who is in a private thread is not known here, so only who manages threads passes for one.
    """
    if not isinstance(channel, discord.abc.GuildChannel | discord.Thread):
        return False
    allowed = channel.permissions_for(member)
    if isinstance(channel, discord.Thread) and channel.is_private() and not allowed.manage_threads:
        return False
    return allowed.view_channel and allowed.read_message_history
