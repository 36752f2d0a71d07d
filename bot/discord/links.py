"""Build addresses in Discord: links to a table, and the bot's invitation."""

from __future__ import annotations

from typing import Final

import discord

from bot.tables.model import Table

# permissions of the invite link: see, send, attach, embed, read history, send in threads
PERMISSIONS: Final = discord.Permissions(
    view_channel=True,
    send_messages=True,
    attach_files=True,
    embed_links=True,
    read_message_history=True,
    send_messages_in_threads=True,
)


def invite_link(application: int) -> str:
    """Return the link that adds the bot and its commands to a server."""
    scopes = ("bot", "applications.commands")
    return discord.utils.oauth_url(application, permissions=PERMISSIONS, scopes=scopes)


def channel_link(table: Table) -> str:
    """Return the address of the table's channel."""
    return f"https://discord.com/channels/{table.guild_id}/{table.channel_id}"


def message_link(table: Table) -> str | None:
    """Return the address of the table's message; None if it has no message yet."""
    return f"{channel_link(table)}/{table.message_id}" if table.message_id is not None else None


def direct_message_link(channel_id: int, message_id: int | None) -> str | None:
    """Return the address of a direct message; None if its id is not known."""
    where = f"https://discord.com/channels/@me/{channel_id}"
    return f"{where}/{message_id}" if message_id is not None else None
