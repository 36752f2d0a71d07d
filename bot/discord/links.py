"""Addresses of a table in Discord, for texts that lead there."""

from __future__ import annotations

from bot.tables.records import Table


def channel_link(table: Table) -> str:
    """The address of the table's channel."""
    return f"https://discord.com/channels/{table.guild_id}/{table.channel_id}"


def message_link(table: Table) -> str | None:
    """The address of the table's message, None while it has none."""
    return f"{channel_link(table)}/{table.message_id}" if table.message_id is not None else None
