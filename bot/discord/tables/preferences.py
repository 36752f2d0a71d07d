"""What is remembered: a server's usual house rules, and a person's own choices.

Both (/settings, /preferences) are changed in forms. Tables that are open keep their rules; new
ones begin with the usual.
"""

from __future__ import annotations

from bot.boards.board import Address, Board, Button, Text
from bot.boards.lobby import USUAL
from bot.discord import answers
from bot.discord.answers import Interaction
from bot.discord.forms import open_form, options_form, own_form, read_chosen
from bot.discord.people import People
from bot.discord.press import Press, fields_of, is_moderator
from bot.language.catalogues import speak, tr
from bot.pictures.palette import GREEN
from bot.tables import errors
from bot.tables.model import Player
from bot.tables.preferences import PREFERENCES, language_of, preference
from bot.tables.service import Tables
from bot.tables.table_options import LANGUAGE, options_of, reads, unusual
from engine.ruleset import Options
from engine.variants import VARIANTS, variant


class PreferenceHandlers:
    """Answers what is asked about them; `handlers` hands presses and forms on."""

    def __init__(self, tables: Tables, people: People) -> None:
        self._tables = tables
        self._people = people

    # -- a server's usual rules --------------------------------------------------------------------

    async def show(self, interaction: Interaction, game: str) -> None:
        """The usual rules of new tables, with the buttons that change them."""
        usual = await self._usual(interaction, game)
        await answers.show(interaction, settings_board(game, usual), ephemeral=True)

    async def open_usual(self, interaction: Interaction, press: Press) -> None:
        """The form behind one of the buttons."""
        game = _game(press)
        usual = await self._usual(interaction, game)
        form = options_form(game, usual, press.verb, Address(0), game)
        await open_form(interaction, form)

    async def submit_usual(self, interaction: Interaction, press: Press) -> None:
        """Remember what a form chose; what it does not show stays."""
        game = _game(press)
        usual = await self._usual(interaction, game)
        now = {**usual, **read_chosen(options_of(game), fields_of(interaction))}
        keeping = self._keep(interaction.guild_id or 0, game, now)
        await answers.in_time(interaction, keeping, ephemeral=True)
        await answers.redraw(interaction, settings_board(game, now))

    async def _keep(self, guild: int, game: str, now: Options) -> None:
        """Remember the rules of one game; the language is that of all games."""
        await self._tables.keep_usual(guild, game, now)
        for other in VARIANTS:
            if other != game:
                usual = await self._tables.usual(guild, other)
                if usual[LANGUAGE.key] != now[LANGUAGE.key]:
                    both = {**usual, LANGUAGE.key: now[LANGUAGE.key]}
                    await self._tables.keep_usual(guild, other, both)

    async def _usual(self, interaction: Interaction, game: str) -> Options:
        """Raises `NotModerator` for anybody else."""
        if not is_moderator(interaction):
            raise errors.NotModerator
        asked = self._tables.usual(interaction.guild_id or 0, game)
        return await answers.in_time(interaction, asked, ephemeral=True, changes=False)

    # -- a person's own choices --------------------------------------------------------------------

    async def show_own(self, interaction: Interaction) -> None:
        """The asker's own choices, with the buttons that change them and tell what is stored."""
        known = await self._people.known(interaction.user.id)
        await answers.show(interaction, own_board(known), ephemeral=True)

    async def open_own(self, interaction: Interaction, _: Press) -> None:
        """The form of the asker's own choices."""
        known = await self._people.known(interaction.user.id)
        await open_form(interaction, own_form(known))

    async def submit_own(self, interaction: Interaction, press: Press) -> None:
        """Remember what the asker chose for themselves, and say what holds now."""
        chosen = read_chosen(PREFERENCES, fields_of(interaction))
        choosing = self._people.choose(interaction.user.id, chosen)
        known = await answers.in_time(interaction, choosing, ephemeral=True)
        speak(language_of(known))
        await answers.redraw(interaction, own_board(known))


def settings_board(game: str, usual: Options) -> Board:
    """The usual rules of a server's new tables, what differs from the game's own listed."""
    lines = [
        f"-# {tr(option.label)}: {reads(option, usual[option.key])}"
        for option in unusual(game, usual)
    ]
    head = tr("**New tables of {title} in this server**", title=tr(variant(game).title))
    text = "\n".join([head, *(lines or [tr(USUAL)])])
    row = (
        Button("usual", tr("House rules…"), choice=game),
        Button("usualpace", tr("Time and messages…"), choice=game),
        Button("usuallanguage", tr("Language…"), choice=game),
    )
    return Board(GREEN, (Text(text),), (row,))


def own_board(player: Player) -> Board:
    """What a person has chosen for themselves, and the way to what is stored of them."""
    lines = [
        f"-# {tr(option.label)}: {tr(option.label_of(preference(player, option)))}"
        for option in PREFERENCES
    ]
    row = (Button("me", tr("Change…"), "primary"), Button("privacy", tr("My data…")))
    return Board(GREEN, (Text("\n".join([tr("**Your choices**"), *lines])),), (row,))


def _game(press: Press) -> str:
    """The game that a control stands for. Raises `MovedOn` for a forged one."""
    if press.choice not in VARIANTS:
        raise errors.MovedOn
    return press.choice
