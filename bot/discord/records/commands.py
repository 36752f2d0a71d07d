"""/stats, /leaderboard and /season: each parses and asks the records' desk."""

from __future__ import annotations

from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.boards.records import ALL_SEASONS, called
from bot.discord.answers import Interaction
from bot.discord.contexts import anywhere, in_servers
from bot.discord.records.desk import RecordsDesk
from bot.languages import tr
from bot.tables import refusals
from engine.variants import VARIANTS

GAMES: Final = [app_commands.Choice(name=one.title, value=key) for key, one in VARIANTS.items()]
MOST_CHOICES: Final = 25
SEASON: Final = "Which season; the current one if you leave it out"
GAME: Final = "Which game; all of them if you leave it out"


class RecordCommands(commands.Cog):
    """The commands about records; anybody may ask, for the whole channel to see."""

    def __init__(self, desk: RecordsDesk) -> None:
        self._desk = desk

    @app_commands.command()
    @anywhere
    @app_commands.describe(player="Whose; yours if you leave it out", game=GAME, season=SEASON)
    @app_commands.choices(game=GAMES)
    async def stats(
        self,
        interaction: Interaction,
        player: discord.User | None = None,
        game: app_commands.Choice[str] | None = None,
        season: str = "",
    ) -> None:
        """How somebody plays: wins, boldness, challenges, whom they beat."""
        whose = interaction.user
        if player is not None and interaction.guild_id is not None:
            whose = player
        await self._desk.stats(interaction, whose, game.value if game else "", season)

    @app_commands.command()
    @in_servers
    @app_commands.describe(game=GAME, season=SEASON)
    @app_commands.choices(game=GAMES)
    async def leaderboard(
        self,
        interaction: Interaction,
        game: app_commands.Choice[str] | None = None,
        season: str = "",
    ) -> None:
        """Who plays best in this server, by rating."""
        await self._desk.leaderboard(interaction, game.value if game else "", season)

    @stats.autocomplete("season")
    @leaderboard.autocomplete("season")
    async def complete_season(
        self, interaction: Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        """The server's seasons whose names have what was typed, and all of them."""
        try:
            seasons = await self._desk.seasons(interaction.guild_id or 0)
        except refusals.RefusedError:
            return []
        choices = [(called(one).drawn, str(one.number)) for one in seasons]
        choices.append((tr(ALL_SEASONS), "all"))
        return [
            app_commands.Choice(name=name, value=value)
            for name, value in choices
            if current.casefold() in name.casefold()
        ][:MOST_CHOICES]

    @app_commands.command()
    @in_servers
    async def season(self, interaction: Interaction) -> None:
        """Moderators: begin a new season; older leaderboards are kept."""
        await self._desk.show_seasons(interaction)
