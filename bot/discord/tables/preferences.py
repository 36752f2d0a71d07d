"""Answer /settings and /preferences: a server's usual rules, and a person's choices and data.

Open tables keep their rules; new ones begin with the usual rules. **My data…** lets people export,
hide or delete what is stored about them. It covers only the person who pressed, never a person
named in a custom id.
"""

from __future__ import annotations

import io
import zipfile
from typing import Final

from discord import app_commands
from discord.ext.commands import Cog

from bot.boards.board import Address
from bot.boards.preferences import own_board, settings_board
from bot.boards.privacy import forgetting_board, forgotten_board, privacy_board
from bot.discord import answers
from bot.discord.answers import Interaction
from bot.discord.commands import GAMES, anywhere, in_servers
from bot.discord.forms import open_form, options_form, preferences_form, read_chosen
from bot.discord.people import People
from bot.discord.press import Press, changed_fields, check_moderator, guild_of
from bot.discord.router import on_form, on_press
from bot.language.catalogues import N_, speak, tr
from bot.services.privacy import Privacy
from bot.services.tables import Tables
from bot.tables import errors
from bot.tables.preferences import PREFERENCES, language_of
from bot.tables.table_options import LANGUAGE, options_of
from engine.ruleset import Options
from engine.variants import VARIANTS


class PreferenceHandlers(Cog):
    """Answers commands and presses about preferences."""

    def __init__(self, tables: Tables, people: People) -> None:
        self._tables = tables
        self._people = people

    # -- a server's usual rules --------------------------------------------------------------------

    @app_commands.command()
    @in_servers
    @app_commands.describe(game="Which game's tables")
    @app_commands.choices(game=GAMES)
    async def settings(self, interaction: Interaction, game: app_commands.Choice[str]) -> None:
        "Moderators: default rules for new tables in this server."
        await self.show(interaction, game.value)

    async def show(self, interaction: Interaction, game: str) -> None:
        """Show the usual rules of new tables, with the buttons that change them."""
        usual = await self._usual(interaction, game)
        await answers.show(interaction, settings_board(game, usual), ephemeral=True)

    @on_press("usual", "usualpace", "usualmessages", "usuallanguage")
    async def open_usual(self, interaction: Interaction, press: Press) -> None:
        """Open the form for some of the usual rules: those of the pressed button."""
        game = _game(press)
        usual = await self._usual(interaction, game)
        form = options_form(game, usual, press.verb, Address(0), game)
        await open_form(interaction, form)

    @on_form("usual", "usualpace", "usualmessages", "usuallanguage")
    async def submit_usual(self, interaction: Interaction, press: Press) -> None:
        """Store what was changed in a form; keep the other rules."""
        game = _game(press)
        usual = await self._usual(interaction, game)
        now = {**usual, **read_chosen(options_of(game), changed_fields(interaction, press))}
        keeping = self._keep(guild_of(interaction), game, now)
        await answers.in_time(interaction, keeping, ephemeral=True)
        await answers.redraw(interaction, settings_board(game, now))

    async def _keep(self, guild: int, game: str, now: Options) -> None:
        """Store the usual rules of one game; store their language for all games."""
        await self._tables.keep_usual(guild, game, now)
        for other_game in VARIANTS:
            if other_game != game:
                usual = await self._tables.usual(guild, other_game)
                if usual[LANGUAGE.key] != now[LANGUAGE.key]:
                    both = {**usual, LANGUAGE.key: now[LANGUAGE.key]}
                    await self._tables.keep_usual(guild, other_game, both)

    async def _usual(self, interaction: Interaction, game: str) -> Options:
        """Return the server's usual rules. Raises `RefusedError`, such as `NotModerator`."""
        check_moderator(interaction)
        query = self._tables.usual(guild_of(interaction), game)
        return await answers.in_time(interaction, query, ephemeral=True, changes=False)

    # -- a person's own choices --------------------------------------------------------------------

    @app_commands.command()
    @anywhere
    async def preferences(self, interaction: Interaction) -> None:
        "Card style, notifications, language and your data."
        await self.show_own(interaction)

    async def show_own(self, interaction: Interaction) -> None:
        """Show the asker's choices, with the buttons that change them and show the stored data."""
        known = await self._people.known(interaction.user.id)
        await answers.show(interaction, own_board(known), ephemeral=True)

    @on_press("me")
    async def open_own(self, interaction: Interaction, _: Press) -> None:
        """Open the form for the asker's choices."""
        known = await self._people.known(interaction.user.id)
        await open_form(interaction, preferences_form(known))

    @on_form("me")
    async def submit_own(self, interaction: Interaction, press: Press) -> None:
        """Store the asker's choices, and show the current ones."""
        chosen = read_chosen(PREFERENCES, changed_fields(interaction, press))
        choosing = self._people.choose(interaction.user.id, chosen)
        known = await answers.in_time(interaction, choosing, ephemeral=True)
        speak(language_of(known))
        await answers.redraw(interaction, own_board(known))


def _game(press: Press) -> str:
    """Return the game that a control is for. Raises `MovedOn` if the control is forged."""
    if press.choice not in VARIANTS:
        raise errors.MovedOn
    return press.choice


# -- what is kept of a person ----------------------------------------------------------------------

LARGEST: Final = 9 * 1024 * 1024  # bytes; Discord takes files of 10 MiB
NAME: Final = "my-data.json"
HERE_IT_IS: Final = N_("Here's everything we store about you. Only you see this message.")
TOO_LARGE: Final = N_(
    "Your data is too large for a file in Discord. Please ask whoever runs this bot for it:"
    " `bluffhouse people export` writes it."
)


class PrivacyHandlers:
    """Answers **My data…** and its controls.

    `matches_days`: how many days matches are kept; None: for ever.
    """

    def __init__(
        self, privacy: Privacy, people: People, matches_days: int | None, policy_url: str | None
    ) -> None:
        self._privacy = privacy
        self._people = people
        self._matches_days = matches_days
        self._policy_url = policy_url

    @on_press("privacy", "forgetno", looks=True)
    async def _show(self, interaction: Interaction, _: Press) -> None:
        """Show what is stored about the asker, in place of the pressed message."""
        summary = await answers.in_time(interaction, self._privacy.summary(interaction.user.id))
        board = privacy_board(summary, self._matches_days, self._policy_url)
        await answers.redraw(interaction, board)

    @on_press("hideme", "showme", looks=True)
    async def _hide(self, interaction: Interaction, press: Press) -> None:
        hiding = self._people.hide(interaction.user.id, hidden=press.verb == "hideme")
        await answers.in_time(interaction, hiding)
        await self._show(interaction, press)

    @on_press("forgetme", looks=True)
    async def _ask(self, interaction: Interaction, _: Press) -> None:
        await answers.redraw(interaction, forgetting_board())

    @on_press("forgetyes", looks=True)
    async def _forget(self, interaction: Interaction, _: Press) -> None:
        result = await answers.in_time(interaction, self._privacy.forget(interaction.user.id))
        board = forgotten_board(
            *((None,) if result is None else (result.matches, len(result.unread)))
        )
        await answers.redraw(interaction, board)

    @on_press("mydata", looks=True)
    async def _export(self, interaction: Interaction, _: Press) -> None:
        # in a new message, so that the one with the buttons stays
        async with answers.trying(interaction):
            await interaction.response.defer(ephemeral=True, thinking=True)
        if not interaction.response.is_done():
            return
        content = await self._privacy.export(interaction.user.id)
        name = NAME
        if len(content) > LARGEST:
            name, content = f"{NAME}.zip", zip_file(NAME, content)
        if len(content) > LARGEST:
            await answers.reply_privately(interaction, tr(TOO_LARGE))
            return
        await answers.hand_over(interaction, tr(HERE_IT_IS), {name: content})


def zip_file(name: str, content: bytes) -> bytes:
    """Return a zip archive with one file in it."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        file.writestr(name, content)
    return archive.getvalue()
