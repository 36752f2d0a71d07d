"""The command that looks back: it parses and hands over to `handlers`."""

from __future__ import annotations

from typing import Final

from discord import app_commands
from discord.ext import commands

from bot.boards.history import placed, title_of
from bot.discord.answers import Interaction
from bot.discord.contexts import anywhere
from bot.discord.replays.handlers import ReplayHandlers
from bot.tables import errors

MOST_MATCH: Final = 10**15 - 1
Match = app_commands.Range[int, 1, MOST_MATCH]


class ReplayCommands(commands.Cog):
    """/history."""

    def __init__(self, handlers: ReplayHandlers) -> None:
        self._handlers = handlers

    @app_commands.command()
    @anywhere
    @app_commands.describe(match="The number of a match to replay; the list of yours without it")
    async def history(self, interaction: Interaction, match: Match | None = None) -> None:
        """Your matches that are over, their replays, and the coach; only you see them."""
        if match is None:
            await self._handlers.history(interaction)
        else:
            await self._handlers.replay(interaction, match)

    @history.autocomplete("match")
    async def complete_match(
        self, interaction: Interaction, current: str
    ) -> list[app_commands.Choice[int]]:
        """The asker's latest matches."""
        try:
            lines = await self._handlers.suggest(interaction)
        except errors.RefusedError:
            return []
        return [
            app_commands.Choice(
                name=f"{one.match_id}: {title_of(one.variant)}, {placed(one)}", value=one.match_id
            )
            for one in lines
            if str(one.match_id).startswith(str(current).strip())
        ]
