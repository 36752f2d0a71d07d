"""Where Discord shows a command: what each says of itself, as without it the application decides.

A command of tables needs the bot: it is in servers that have installed it. What is answered to the
asker alone, or needs nothing but the answer, is wherever somebody has the application: in servers,
in direct messages with the bot, and with an installation of one's own in those with other people.
"""

from __future__ import annotations

from typing import TypeVar

import discord
from discord import app_commands

T = TypeVar("T")


def in_servers(command: T) -> T:
    """A decorator: the command needs the bot where it is used."""
    command = app_commands.guild_only()(command)
    command = app_commands.allowed_installs(guilds=True, users=False)(command)
    return app_commands.allowed_contexts(guilds=True, dms=False, private_channels=False)(command)


def anywhere(command: T) -> T:
    """A decorator: the command works by its answers alone."""
    command = app_commands.allowed_installs(guilds=True, users=True)(command)
    return app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)(command)


def needs_bot(interaction: discord.Interaction[discord.Client]) -> bool:
    """Whether it is a command that needs the bot, or a keystroke in one."""
    found = interaction.command
    root = getattr(found, "root_parent", None) or found
    installs = getattr(root, "allowed_installs", None)
    return installs is not None and not installs.user
