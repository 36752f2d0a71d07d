"""Statistics, leaderboards and seasons: what is asked of stored records, and the one answer.

Everything is a look-up, so nothing is remembered here. Custom ids hold what a page shows.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

import discord
from discord import ui

from bot.boards.board import Address, Board
from bot.boards.stats import (
    ALL_SEASONS,
    IN_A_PAGE,
    UNNAMED,
    Statistics,
    begun_board,
    called,
    leaders_board,
    nothing_board,
    scope_title,
    seasons_board,
    stats_board,
)
from bot.discord import answers, ids
from bot.discord.answers import Interaction
from bot.discord.forms import form, open_form, text_field
from bot.discord.people import People
from bot.discord.press import Press, fields_of, is_moderator, number_in, public_language
from bot.language.catalogues import speaking, tr
from bot.language.words import TypedText, plain
from bot.stats.folding import EVERY_SEASON, Scope
from bot.stats.ports import RecordStore, Season
from bot.tables import errors, ports
from bot.tables.service import Tables
from engine.variants import VARIANTS

LONGEST_NAME: Final = 40  # characters of a season's name
Handler = Callable[[Interaction, Press], Awaitable[None]]


class StatsHandlers:
    """Answers what is asked about records; the tables' handlers hands presses and forms on."""

    def __init__(
        self, store: RecordStore, people: People, clock: ports.Clock, tables: Tables
    ) -> None:
        self._store = store
        self._tables = tables
        self._people = people
        self._clock = clock
        self.verbs: dict[str, Handler] = {"leaders": self._turn, "newseason": self._name_season}
        self.forms: dict[str, Handler] = {"newseason": self._begin_season}

    async def seasons(self, guild_id: int) -> list[Season]:
        """The seasons of a server, the newest first. Raises `StoreUnavailable`."""
        return await self._store.seasons(guild_id)

    # -- statistics --------------------------------------------------------------------------------

    async def stats(
        self,
        interaction: Interaction,
        player: discord.User | discord.Member,
        game: str,
        season: str,
    ) -> None:
        """Somebody's statistics, for the whole channel. Raises `NoSeason`, `StoreUnavailable`.

        In a direct message they are the asker's own, of the server where they played last.
        """

        async def found() -> Board:
            guild = interaction.guild_id or await self._tables.played_last(interaction.user.id)
            seasons = await self.seasons(guild)
            scope = Scope(_season(season, seasons), game)
            language = await public_language(interaction, self._tables)
            with speaking(language):
                title = scope_title(scope, seasons)
            row = await self._store.person(guild, scope, player.id)
            if row is None:
                with speaking(language):
                    return nothing_board(player.id, title)
            rank = await self._store.rank(guild, scope, row)
            beats, beaten_by = await self._store.rivals(guild, scope, player.id)
            rivals = [pair.other for pair in (beats, beaten_by) if pair is not None]
            names = await self._people.names(rivals) | {player.id: TypedText(player.display_name)}
            told = {feat.match_id for feat in (row.boldest, row.catch) if feat is not None}
            rules = await self._store.rules_of(tuple(told))
            statistics = Statistics(row, rank, beats, beaten_by)
            with speaking(language):
                return stats_board(statistics, title, scope, names, rules)

        await answers.reply(interaction, found(), ephemeral=False)

    async def own(self, interaction: Interaction) -> None:
        """The asker's own, of the current season."""
        await self.stats(interaction, interaction.user, "", "")

    # -- leaderboards ------------------------------------------------------------------------------

    async def leaderboard(self, interaction: Interaction, game: str, season: str) -> None:
        """The first page, for the whole channel. Raises `OfServers`, `NoSeason`."""
        if interaction.guild_id is None:  # whoever else is there need not be in that server
            raise errors.OfServers

        async def found() -> Board:
            seasons = await self.seasons(interaction.guild_id or 0)
            return await self._page(interaction, Scope(_season(season, seasons), game), 0, seasons)

        await answers.reply(interaction, found(), ephemeral=False)

    async def _turn(self, interaction: Interaction, press: Press) -> None:
        """Another page of it, in place."""
        scope, page = _of_page(press)

        async def found() -> Board:
            seasons = await self.seasons(interaction.guild_id or 0)
            return await self._page(interaction, scope, page, seasons)

        await answers.redraw(interaction, await answers.in_time(interaction, found()))

    async def _page(
        self, interaction: Interaction, scope: Scope, page: int, seasons: list[Season]
    ) -> Board:
        guild = interaction.guild_id or 0
        people = await self._store.on_leaderboard(guild, scope)
        page = min(page, max(0, (people - 1) // IN_A_PAGE))
        rows = await self._store.leaderboard(guild, scope, page * IN_A_PAGE, IN_A_PAGE)
        names = await self._people.names(row.player for row in rows)
        with speaking(await public_language(interaction, self._tables)):
            return leaders_board(rows, scope, scope_title(scope, seasons), names, page, people)

    # -- seasons -----------------------------------------------------------------------------------

    async def show_seasons(self, interaction: Interaction) -> None:
        """The seasons, for a moderator alone. Raises `NotModerator`, `OfServers`."""
        if interaction.guild_id is None:
            raise errors.OfServers
        _check_moderator(interaction)
        asked = self.seasons(interaction.guild_id or 0)
        seasons = await answers.in_time(interaction, asked, ephemeral=True)
        await answers.show(interaction, seasons_board(seasons), ephemeral=True)

    async def _name_season(self, interaction: Interaction, press: Press) -> None:
        """The form that names the next season: what was begun by mistake could not be undone."""
        _check_moderator(interaction)
        await open_form(interaction, season_form(_number(press.choice)))

    async def _begin_season(self, interaction: Interaction, press: Press) -> None:
        """Begin it, and tell everybody. Raises `NotModerator`, `MovedOn`, `StoreUnavailable`."""
        _check_moderator(interaction)
        after = _number(press.choice)
        typed = plain(" ".join(fields_of(interaction).get("name", ())))
        name = typed[:LONGEST_NAME] or UNNAMED.format(number=after + 1)
        begun = self._store.begin_season(interaction.guild_id or 0, after, name, self._clock.now())
        season = await answers.in_time(interaction, begun)
        with speaking(await public_language(interaction, self._tables)):
            board = begun_board(season)
        await answers.show(interaction, board, ephemeral=False)


def season_form(after: int) -> ui.Modal:
    """The form that begins the season after `after`; its name stands in it already."""
    told = tr("The leaderboard begins afresh; this cannot be undone.")
    proposed = tr(UNNAMED, number=after + 1)
    field = text_field("name", tr("Its name"), LONGEST_NAME, told, default=proposed)
    custom_id = ids.of_table("newseason", Address(0), str(after))
    return form(tr("Begin a new season"), custom_id, field)


def _check_moderator(interaction: Interaction) -> None:
    if not is_moderator(interaction):
        raise errors.NotModerator


def _season(asked: str, seasons: list[Season]) -> int:
    """The season that was asked for, by its number or name; the current one if none was.

    Raises `NoSeason`.
    """
    wanted = plain(asked).casefold()
    if not wanted:
        return seasons[0].number if seasons else 1
    if wanted in ("0", "all", ALL_SEASONS.casefold(), tr(ALL_SEASONS).casefold()):
        return EVERY_SEASON
    for one in seasons:
        known = (str(one.number), one.name.casefold(), called(one).drawn.casefold())
        if wanted in known:
            return one.number
    names = (*(called(one).drawn for one in seasons[:5]), tr(ALL_SEASONS))
    raise errors.NoSeason(asked, names)


def _of_page(press: Press) -> tuple[Scope, int]:
    """What a page's button stands for. Raises `MovedOn` for a forged one."""
    season, _, rest = press.choice.partition(".")
    page, _, game = rest.partition(".")
    if game and game not in VARIANTS:
        raise errors.MovedOn
    return Scope(_number(season), game), _number(page)


def _number(text: str) -> int:
    """The number of a season or a page in a custom id. Raises `MovedOn` for what is none."""
    number = number_in(text, 6)
    if number is None:
        raise errors.MovedOn
    return number
