"""The commands that look back: each parses and hands over to the desk."""

from __future__ import annotations

from typing import Final

from discord import app_commands
from discord.ext import commands

from bot.boards.history import placed, title_of
from bot.discord.answers import Interaction
from bot.discord.contexts import anywhere
from bot.discord.replays.desk import ReplayDesk
from bot.tables import refusals

MOST_MATCH: Final = 10**15 - 1
Match = app_commands.Range[int, 1, MOST_MATCH]


class ReplayCommands(commands.Cog):
    """/history, /replay and /coach."""

    def __init__(self, desk: ReplayDesk) -> None:
        self._desk = desk

    @app_commands.command()
    @anywhere
    async def history(self, interaction: Interaction) -> None:
        """Your matches that are over; only you see the list."""
        await self._desk.history(interaction)

    @app_commands.command()
    @anywhere
    @app_commands.describe(match="The number of a match, as /history shows it")
    async def replay(self, interaction: Interaction, match: Match | None = None) -> None:
        """Step through a match that is over, all cards open; only you see it."""
        await self._desk.replay(interaction, match)

    @app_commands.command()
    @anywhere
    @app_commands.describe(match="The number of a match, as /history shows it")
    async def coach(self, interaction: Interaction, match: Match | None = None) -> None:
        """Your three costliest decisions of a match that is over; only you see them."""
        await self._desk.coach(interaction, match)

    @replay.autocomplete("match")
    @coach.autocomplete("match")
    async def complete_match(
        self, interaction: Interaction, current: str
    ) -> list[app_commands.Choice[int]]:
        """The asker's latest matches."""
        try:
            lines = await self._desk.suggest(interaction)
        except refusals.RefusedError:
            return []
        return [
            app_commands.Choice(
                name=f"{one.match_id}: {title_of(one.variant)}, {placed(one)}", value=one.match_id
            )
            for one in lines
            if str(one.match_id).startswith(str(current).strip())
        ]
