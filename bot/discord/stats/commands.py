"""/records: it parses and asks the records' handlers."""

from __future__ import annotations

from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.boards.stats import ALL_SEASONS, called
from bot.discord.answers import Interaction
from bot.discord.contexts import anywhere
from bot.discord.stats.daily import DailyHandlers
from bot.discord.stats.handlers import StatsHandlers
from bot.language.catalogues import tr
from bot.tables import errors
from engine.variants import VARIANTS

GAMES: Final = [app_commands.Choice(name=one.title, value=key) for key, one in VARIANTS.items()]
MOST_CHOICES: Final = 25
STATISTICS: Final = "statistics"
RECORDS: Final = [
    app_commands.Choice(name="Statistics", value=STATISTICS),
    app_commands.Choice(name="Leaderboard", value="leaderboard"),
    app_commands.Choice(name="Deal of the day", value="daily"),
    app_commands.Choice(name="Seasons, for moderators", value="seasons"),
]
SEASON: Final = "Which season; the current one if you leave it out"
GAME: Final = "Which game; all of them if you leave it out"


class RecordCommands(commands.Cog):
    """The command about records; anybody may ask, for the whole channel to see."""

    def __init__(self, handlers: StatsHandlers, daily: DailyHandlers) -> None:
        self._handlers = handlers
        self._daily = daily

    @app_commands.command()
    @anywhere
    @app_commands.describe(
        what="Statistics if you leave it out",
        player="Whose statistics; yours if you leave it out",
        game=GAME,
        season=SEASON,
    )
    @app_commands.choices(what=RECORDS, game=GAMES)
    async def records(
        self,
        interaction: Interaction,
        what: app_commands.Choice[str] | None = None,
        player: discord.User | None = None,
        game: app_commands.Choice[str] | None = None,
        season: str = "",
    ) -> None:
        """How somebody plays, who plays best in this server, and its seasons."""
        of_game = game.value if game is not None else ""
        match what.value if what is not None else STATISTICS:
            case "leaderboard":
                await self._handlers.leaderboard(interaction, of_game, season)
            case "daily":
                await self._daily.show_boards(interaction)
            case "seasons":
                await self._handlers.show_seasons(interaction)
            case _:
                here = player if interaction.guild_id is not None else None
                await self._handlers.stats(interaction, here or interaction.user, of_game, season)

    @records.autocomplete("season")
    async def complete_season(
        self, interaction: Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        """The server's seasons whose names have what was typed, and all of them."""
        try:
            seasons = await self._handlers.seasons(interaction.guild_id or 0)
        except errors.RefusedError:
            return []
        choices = [(called(one).drawn, str(one.number)) for one in seasons]
        choices.append((tr(ALL_SEASONS), "all"))
        return [
            app_commands.Choice(name=name, value=value)
            for name, value in choices
            if current.casefold() in name.casefold()
        ][:MOST_CHOICES]
