"""What Discord says of commands in the languages of the house, by its own localisations.

Descriptions and choices are in the language of each person's client. Names are English in every
client: a message names commands to readers whose clients speak other languages than it, and a
command by another name than the client's is posted as chat.
"""

from __future__ import annotations

from typing import Final

import discord
from discord import app_commands

from bot.language.catalogues import ENGLISH, by_locale

_NAMES: Final = {
    app_commands.TranslationContextLocation.command_name,
    app_commands.TranslationContextLocation.group_name,
    app_commands.TranslationContextLocation.parameter_name,
}


class HouseTranslator(app_commands.Translator):
    """Looks texts of commands up in the catalogues."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContextTypes,
    ) -> str | None:
        """Called by discord.py for each text and locale; None for what stays in English."""
        if context.location in _NAMES:
            return None
        return translated(string.message, str(locale))


def translated(text: str, locale: str) -> str | None:
    """A text of a command in the language of a locale; None where that has no other."""
    found = by_locale(locale)
    if found.key == ENGLISH:
        return None
    said = found.catalogue.gettext(text)
    return said if said != text else None
