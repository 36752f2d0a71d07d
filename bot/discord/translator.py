"""Commands in the languages of the house, by Discord's own localisations.

Discord shows a command's name and description in the language of each person's client; English is
what it shows where there is no other.
"""

from __future__ import annotations

import discord
from discord import app_commands

from bot.languages import ENGLISH, by_locale

# what discord.py calls a thing, and the context that its text has in the catalogue
_CONTEXTS = {
    app_commands.TranslationContextLocation.command_name: "command",
    app_commands.TranslationContextLocation.group_name: "command",
    app_commands.TranslationContextLocation.parameter_name: "parameter",
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
        return translated(string.message, str(locale), _CONTEXTS.get(context.location))


def translated(text: str, locale: str, context: str | None = None) -> str | None:
    """A text of a command in the language of a locale; None where that has no other."""
    found = by_locale(locale)
    if found.key == ENGLISH:
        return None
    catalogue = found.catalogue
    said = catalogue.pgettext(context, text) if context else catalogue.gettext(text)
    return said if said != text else None
