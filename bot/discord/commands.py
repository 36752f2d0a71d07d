"""Mark slash commands by where Discord shows them, and list the games to choose from.

Each command is a method of the class of handlers that answers it; /odds is made in `odds.commands`.

A command about the table in its channel, or about its server's rules or game nights, needs the bot
there, so Discord shows it only in servers that have installed the bot (`in_servers`), even if only
the asker sees the answer. Any other command works wherever a person has the application
(`anywhere`): in servers, in direct messages with the bot and, with a personal installation, in
direct messages with other people.
"""

from __future__ import annotations

from typing import Final, TypeVar

import discord
from discord import app_commands

from engine.variants import VARIANTS

GAMES: Final = [
    app_commands.Choice(name=variant.title, value=key) for key, variant in VARIANTS.items()
]
T = TypeVar("T")


def in_servers(command: T) -> T:
    """Mark a command to show only in servers that have installed the bot."""
    command = app_commands.guild_only()(command)
    command = app_commands.allowed_installs(guilds=True, users=False)(command)
    return app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)(command)


def anywhere(command: T) -> T:
    """Mark a command to show wherever a person has the application."""
    command = app_commands.allowed_installs(guilds=True, users=True)(command)
    return app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)(command)


def needs_bot(interaction: discord.Interaction[discord.Client]) -> bool:
    """Return whether a command, or a keystroke in one, needs the bot as a member of the server."""
    command = interaction.command
    root = getattr(command, "root_parent", None) or command
    installs = getattr(root, "allowed_installs", None)
    return installs is not None and not installs.user
