"""In which language something is said to everybody: where a table stands, or something is asked."""

from __future__ import annotations

from bot.discord.answers import Interaction
from bot.language.catalogues import by_locale, spoken
from bot.tables import errors
from bot.tables.service import Tables


def guild_language(interaction: Interaction) -> str:
    """The key of the language that the server has chosen in Discord."""
    return by_locale(str(interaction.guild_locale or "")).key


async def public_language(interaction: Interaction, tables: Tables) -> str:
    """The key of the language that everybody sees where something is asked.

    That is the server's own choice, or else that of its Discord; in private it is the person's.
    """
    if interaction.guild_id is None:
        return spoken().key
    discords = guild_language(interaction)
    try:
        return await tables.language_in(interaction.guild_id, discords)
    except errors.StoreUnavailable:
        return discords
