"""The bot's connection to Discord: what arrives is handed to the desk, nothing is decided here."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, cast

import discord
import structlog
from discord import app_commands

from bot.discord import answers
from bot.discord.commands import tables as table_commands
from bot.discord.desk import Desk
from bot.discord.failures import MOVED_ON
from bot.discord.layout import FORM_ID, TableItem, is_ours, parsed

# nobody is called by voice here: no warning that its libraries are missing
discord.VoiceClient.warn_nacl = False
discord.VoiceClient.warn_dave = False

log = structlog.get_logger(__name__)
Interaction = discord.Interaction[Any]


class HouseTree(app_commands.CommandTree[Any]):
    """The slash commands; what they raise becomes one sentence."""

    async def on_error(
        self, interaction: Interaction, error: app_commands.AppCommandError, /
    ) -> None:
        """Called by discord.py for whatever a command raised."""
        cause = error.__cause__ if isinstance(error, app_commands.CommandInvokeError) else error
        desk: Desk = interaction.client.desk
        await desk.refuse_here(interaction, cause if isinstance(cause, Exception) else error)


class House(discord.Client):
    """The client. `desk` and `ready` are set by `bot.app` before it runs."""

    desk: Desk

    def __init__(self, first_ready: Callable[[], Awaitable[None]]) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            max_ratelimit_timeout=60.0,
            guild_ready_timeout=0.5,  # nothing here waits for the list of servers to be whole
        )
        self._first_ready: Callable[[], Awaitable[None]] | None = first_ready
        self.tree = HouseTree(self)
        for command in table_commands.COMMANDS:
            self.tree.add_command(command)

    async def setup_hook(self) -> None:
        """Called once after login: register the dynamic item and the commands."""
        self.add_dynamic_items(TableItem)
        await self.tree.sync()

    async def on_ready(self) -> None:
        """Called whenever a session has begun anew; tables are shown again only the first time."""
        log.info("discord: ready", guilds=len(self.guilds))
        first, self._first_ready = self._first_ready, None
        if first is not None:
            await first()

    async def on_interaction(self, interaction: Interaction) -> None:
        """What the library would drop: forms opened before a restart, controls nobody knows."""
        submitted = cast("dict[str, Any]", interaction.data or {})
        custom_id = str(submitted.get("custom_id", ""))
        if interaction.type is discord.InteractionType.modal_submit:
            match = FORM_ID.fullmatch(custom_id)
            if match is not None:
                await self.desk.submit(interaction, parsed(match))
                return
        elif interaction.type is not discord.InteractionType.component or is_ours(custom_id):
            return
        await answers.whisper(interaction, MOVED_ON)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        """A deleted channel ends its table."""
        await self.desk.channel_gone(channel.id)

    async def on_raw_thread_delete(self, thread: discord.RawThreadDeleteEvent) -> None:
        """So does a deleted thread."""
        await self.desk.channel_gone(thread.thread_id)
