"""Answer questions about stored records: statistics, leaderboards, seasons and daily deals.

The custom ids of buttons say which page they lead to. Only which deals were shared is kept in
memory, so that a second tap doesn't post them twice.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Final

import discord
from discord import app_commands, ui
from discord.ext.commands import Cog

from bot.boards.board import Address, Board
from bot.boards.daily import boards_board, field_board, result_board, shared_board
from bot.boards.stats import (
    ALL_SEASONS,
    IN_A_PAGE,
    UNNAMED,
    Statistics,
    begun_board,
    leaders_board,
    nothing_board,
    scope_title,
    season_title,
    seasons_board,
    stats_board,
)
from bot.discord import answers, ids
from bot.discord.answers import Interaction
from bot.discord.commands import GAMES, anywhere
from bot.discord.fair_use import SHARE
from bot.discord.forms import form, open_form, text_field
from bot.discord.odds.asking import MOST_CHOICES
from bot.discord.people import People
from bot.discord.press import (
    Press,
    check_moderator,
    fields_of,
    guild_of,
    number_in,
    public_language,
)
from bot.discord.replays.coach import Coach
from bot.discord.router import on_form, on_press
from bot.language.catalogues import speaking, tr
from bot.language.words import TypedText, plain
from bot.recent import Recent
from bot.replays.coaching import partings
from bot.replays.played import played_from
from bot.services.archive import Archive
from bot.services.tables import Tables
from bot.stats.folding import EVERY_SEASON, Scope
from bot.stats.standings import Season
from bot.storage.stats import SqlStats
from bot.tables import errors
from bot.tables.daily import PERSON, monday, streak
from bot.tables.model import DailyResult, KeptMatch
from bot.tables.scheduler import Clock
from engine.actions import Action, from_json
from engine.variants import VARIANTS

LONGEST_NAME: Final = 40  # characters of a season's name

RECORDS: Final = [
    app_commands.Choice(name="Stats", value="statistics"),
    app_commands.Choice(name="Leaderboard", value="leaderboard"),
    app_commands.Choice(name="Deal of the day", value="daily"),
    app_commands.Choice(name="Seasons, for moderators", value="seasons"),
]


class StatsHandlers(Cog):
    """Answers commands about stored records, and the presses and forms below them."""

    def __init__(
        self, store: SqlStats, people: People, clock: Clock, tables: Tables, daily: DailyHandlers
    ) -> None:
        self._store = store
        self._tables = tables
        self._people = people
        self._clock = clock
        self._daily = daily

    @app_commands.command()
    @anywhere
    @app_commands.describe(
        what="Default: stats",
        player="Default: you",
        game="Default: all games",
        season="Default: the current season",
    )
    @app_commands.choices(what=RECORDS, game=GAMES)
    async def stats(
        self,
        interaction: Interaction,
        what: app_commands.Choice[str] | None = None,
        player: discord.User | None = None,
        game: app_commands.Choice[str] | None = None,
        season: str = "",
    ) -> None:
        """Player stats, leaderboard and seasons."""
        of_game = game.value if game is not None else ""
        match what.value if what is not None else "":
            case "leaderboard":
                await self.leaderboard(interaction, of_game, season)
            case "daily":
                await self._daily.show_boards(interaction)
            case "seasons":
                await self.show_seasons(interaction)
            case _:
                chosen = player if interaction.guild_id is not None else None
                await self.show_stats(interaction, chosen or interaction.user, of_game, season)

    @stats.autocomplete("season")
    async def complete_season(
        self, interaction: Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        """Return the choices whose names contain the typed text: each season, and all seasons.

        Return an empty list if the seasons can't be read.
        """
        try:
            seasons = await self.seasons(guild_of(interaction))
        except errors.RefusedError:
            return []
        choices = [(season_title(known).visible_text, str(known.number)) for known in seasons]
        choices.append((tr(ALL_SEASONS), "all"))
        return [
            app_commands.Choice(name=name, value=value)
            for name, value in choices
            if current.casefold() in name.casefold()
        ][:MOST_CHOICES]

    async def seasons(self, guild_id: int) -> list[Season]:
        """Return the seasons of a server, the newest first. Raises `StoreUnavailable`."""
        return await self._store.seasons(guild_id)

    # -- statistics --------------------------------------------------------------------------------

    async def show_stats(
        self,
        interaction: Interaction,
        player: discord.User | discord.Member,
        game: str,
        season: str,
    ) -> None:
        """Show a player's statistics to the whole channel.

        In a direct message, use the server where the asker last played. `game`: a key, or empty for
        all games. `season`: as typed. Raises `NoSeason` if the server has no such season, and
        `StoreUnavailable`.
        """

        async def build_board() -> Board:
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
            mentioned = {feat.match_id for feat in (row.boldest, row.catch) if feat is not None}
            rules = await self._store.rules_of(tuple(mentioned))
            statistics = Statistics(row, rank, beats, beaten_by)
            with speaking(language):
                return stats_board(statistics, title, scope, names, rules)

        await answers.reply(interaction, build_board(), ephemeral=False)

    async def own(self, interaction: Interaction) -> None:
        """Show the asker's statistics for the current season to the whole channel."""
        await self.show_stats(interaction, interaction.user, "", "")

    # -- leaderboards ------------------------------------------------------------------------------

    async def leaderboard(self, interaction: Interaction, game: str, season: str) -> None:
        """Show a leaderboard's first page to the whole channel.

        `game`: a key, or empty for all games. `season`: as typed. Raises `OfServers` outside
        servers, `NoSeason` if the server has no such season, and `StoreUnavailable`.
        """
        # others in the direct message need not be members of that server
        if interaction.guild_id is None:
            raise errors.OfServers

        async def build_board() -> Board:
            seasons = await self.seasons(guild_of(interaction))
            return await self._page(interaction, Scope(_season(season, seasons), game), 0, seasons)

        await answers.reply(interaction, build_board(), ephemeral=False)

    @on_press("leaders", looks=True)
    async def _turn(self, interaction: Interaction, press: Press) -> None:
        """Show another page of the leaderboard in place."""
        scope, page = _of_page(press)

        async def build_board() -> Board:
            seasons = await self.seasons(guild_of(interaction))
            return await self._page(interaction, scope, page, seasons)

        await answers.redraw(interaction, await answers.in_time(interaction, build_board()))

    async def _page(
        self, interaction: Interaction, scope: Scope, page: int, seasons: list[Season]
    ) -> Board:
        guild = guild_of(interaction)
        people = await self._store.on_leaderboard(guild, scope)
        page = min(page, max(0, (people - 1) // IN_A_PAGE))
        rows = await self._store.leaderboard(guild, scope, page * IN_A_PAGE, IN_A_PAGE)
        names = await self._people.names(row.player for row in rows)
        with speaking(await public_language(interaction, self._tables)):
            return leaders_board(rows, scope, scope_title(scope, seasons), names, page, people)

    # -- seasons -----------------------------------------------------------------------------------

    async def show_seasons(self, interaction: Interaction) -> None:
        """Show the seasons to a moderator only.

        Raises `NotModerator` for anybody else, `OfServers` outside servers, and `StoreUnavailable`.
        """
        if interaction.guild_id is None:
            raise errors.OfServers
        check_moderator(interaction)
        query = self.seasons(guild_of(interaction))
        seasons = await answers.in_time(interaction, query, ephemeral=True)
        await answers.show(interaction, seasons_board(seasons), ephemeral=True)

    @on_press("newseason", looks=True)
    async def _name_season(self, interaction: Interaction, press: Press) -> None:
        """Open the form for the next season's name; submitting it can't be undone.

        Raises `NotModerator`, and `MovedOn` for a forged press.
        """
        check_moderator(interaction)
        await open_form(interaction, season_form(_number(press.choice)))

    @on_form("newseason")
    async def _begin_season(self, interaction: Interaction, press: Press) -> None:
        """Begin a season, and announce it.

        Raises `MovedOn` if another season has begun since the form was opened; also
        `NotModerator`, `NoServer`, `StoreUnavailable`.
        """
        check_moderator(interaction)
        after = _number(press.choice)
        typed = plain(" ".join(fields_of(interaction).get("name", ())))
        name = typed[:LONGEST_NAME] or UNNAMED.format(number=after + 1)
        begun = self._store.begin_season(guild_of(interaction), after, name, self._clock.now())
        season = await answers.in_time(interaction, begun)
        with speaking(await public_language(interaction, self._tables)):
            board = begun_board(season)
        await answers.show(interaction, board, ephemeral=False)


def season_form(after: int) -> ui.Modal:
    """Return the form that begins a season, with a name filled in.

    `after`: the number of the season before.
    """
    about = tr("The leaderboard starts from scratch. You can't undo this.")
    proposed = tr(UNNAMED, number=after + 1)
    field = text_field("name", tr("Its name"), LONGEST_NAME, about, default=proposed)
    custom_id = ids.of_table("newseason", Address(0), str(after))
    return form(tr("Start a new season"), custom_id, field)


def _season(typed: str, seasons: list[Season]) -> int:
    """Return the number of the season whose number or name was typed.

    Return the current season's number for an empty text, and `EVERY_SEASON` for "0", "all" or the
    name of the choice for all seasons. `seasons`: the newest first. Raises `NoSeason` if none fits.
    """
    text = plain(typed).casefold()
    if not text:
        return seasons[0].number if seasons else 1
    if text in ("0", "all", ALL_SEASONS.casefold(), tr(ALL_SEASONS).casefold()):
        return EVERY_SEASON
    for season in seasons:
        known = (
            str(season.number),
            season.name.casefold(),
            season_title(season).visible_text.casefold(),
        )
        if text in known:
            return season.number
    names = (*(season_title(season).visible_text for season in seasons[:5]), tr(ALL_SEASONS))
    raise errors.NoSeason(typed, names)


def _of_page(press: Press) -> tuple[Scope, int]:
    """Return (the scope, the page from 0) of a page's button. Raises `MovedOn` if forged."""
    season, _, page_and_game = press.choice.partition(".")
    page, _, game = page_and_game.partition(".")
    if game and game not in VARIANTS:
        raise errors.MovedOn
    return Scope(_number(season), game), _number(page)


def _number(text: str) -> int:
    """Return the number of a season or page in a custom id. Raises `MovedOn` if it isn't one."""
    number = number_in(text, 6)
    if number is None:
        raise errors.MovedOn
    return number


# -- the deal of the day: begun as a practice is, and shared for everybody to see ------------------

FIELD: Final = 50  # other players whose decisions are compared
SHARED: Final = 1000  # results whose post is remembered
_DEAL: Final = re.compile(r"(?P<game>[a-z_]+)\.(?P<day>\d{1,7})", re.ASCII)


class DailyHandlers:
    """Shows results of deals of the day, a server's best results, and other players' decisions."""

    def __init__(self, tables: Tables, people: People, archive: Archive, coach: Coach) -> None:
        self._tables = tables
        self._people = people
        self._archive = archive
        self._coach = coach
        self._shared = Recent[tuple[int, int | None, str], None](SHARED)

    async def show_result(self, interaction: Interaction, result: DailyResult) -> None:
        """Show how the asker did in a deal that they have played."""
        in_a_row = await self._in_a_row((result.player,))
        await answers.show(
            interaction, result_board(result, in_a_row[result.player]), ephemeral=True
        )

    async def show_boards(self, interaction: Interaction, day: int | None = None) -> None:
        """Show the whole channel a server's best results of a day and of that day's week.

        `day`: the day's number, as `Tables.today` counts; today by default. Raises `OfServers`
        outside servers, and `StoreUnavailable`.
        """
        if interaction.guild_id is None:
            raise errors.OfServers
        query = self._boards_of(interaction.guild_id, day)
        results, shown_day, in_a_row = await answers.in_time(interaction, query)
        with speaking(await public_language(interaction, self._tables)):
            board = boards_board(results, shown_day, in_a_row)
        await answers.show(interaction, board, ephemeral=False)

    @on_press(SHARE, looks=True)
    async def _share(self, interaction: Interaction, press: Press) -> None:
        """Post the asker's result in the channel, once. Raises the same errors as `_own`."""

        async def build_board() -> Board:
            result = await self._own(interaction, press)
            in_a_row = await self._in_a_row((result.player,))
            with speaking(await public_language(interaction, self._tables)):
                return shared_board(result, in_a_row[result.player])

        post = (interaction.user.id, interaction.channel_id, press.choice)
        if post in self._shared:  # nothing may be awaited between this check and the new entry
            await answers.reply_privately(interaction, tr("You've already shared this here."))
            return
        self._shared[post] = None
        message_id = None
        try:
            board = await answers.in_time(interaction, build_board())
            message_id = await answers.show(interaction, board, ephemeral=False)
        finally:
            if message_id is None:
                self._shared.pop(post, None)

    @on_press("dboard", looks=True)
    async def _boards(self, interaction: Interaction, press: Press) -> None:
        """Show the server's best results of the deal's day and week to the asker only.

        Raises `OfServers` outside servers, `MovedOn` for a forged press, and `StoreUnavailable`.
        """
        if interaction.guild_id is None:
            raise errors.OfServers
        _, day = _deal(press)
        query = self._boards_of(interaction.guild_id, day)
        answer = await answers.in_time(interaction, query, ephemeral=True)
        await answers.show(interaction, boards_board(*answer), ephemeral=True)

    @on_press("dfield", looks=True)
    async def _field(self, interaction: Interaction, press: Press) -> None:
        """Show where most other players played differently, once the asker has played the deal."""

        async def build_board() -> Board:
            result = await self._own(interaction, press)
            asker = interaction.user.id
            archived = await self._archive.match(result.match_id, partial(_sits, asker))
            names = await self._people.names(archived.match.players)
            with self._archive.replaying(result.match_id):
                played = played_from(archived.match, archived.seeds, names)
            others = await self._others(result)
            parted = partings(played.actions, PERSON, others)
            judged = await self._coach.of_player(played, PERSON, asker) if parted else ()
            advice = {decision.seq: decision for decision in judged}
            address = Address(archived.match.table_id, archived.match.id)
            advised = tuple(decision for decision in parted if decision.seq in advice)
            return field_board(
                played, archived.match.players, advised, advice, len(others), address
            )

        await answers.reply(interaction, build_board())

    async def _others(self, result: DailyResult) -> list[tuple[Action, ...]]:
        """Return the logs of others who played the same deal, skipping unreadable ones."""
        logs = []
        for entry in await self._tables.daily.of_deal(result.game, result.day, FIELD):
            if entry.player == result.player or entry.version != result.version:
                continue
            try:
                archived = await self._archive.match(entry.match_id, partial(_sits, entry.player))
                logs.append(tuple(from_json(line.body) for line in archived.match.actions))
            except (errors.NoSuchMatch, errors.Damaged, ValueError):
                continue  # the match may have been deleted
        return logs

    async def _own(self, interaction: Interaction, press: Press) -> DailyResult:
        """Return the asker's result in the deal that a button is for.

        Raises `MovedOn` if the press is forged or the asker has no result, and `StoreUnavailable`.
        """
        game, day = _deal(press)
        result = await self._tables.daily.result(interaction.user.id, game, day)
        if result is None:
            raise errors.MovedOn
        return result

    async def _boards_of(
        self, guild_id: int, day: int | None
    ) -> tuple[list[DailyResult], int, dict[int, int]]:
        shown_day = self._tables.today() if day is None else day
        since = await self._tables.daily.board(guild_id, monday(shown_day))
        results = [result for result in since if result.day <= shown_day]
        return results, shown_day, await self._in_a_row([result.player for result in results])

    async def _in_a_row(self, players: Sequence[int]) -> dict[int, int]:
        """Return how many days in a row, up to today, each player has finished a deal."""
        today = self._tables.today()
        days = await self._tables.daily.days(tuple(dict.fromkeys(players)))
        return {player: streak(days.get(player, ()), today) for player in players}


def _deal(press: Press) -> tuple[str, int]:
    """Return (the game, the day's number) that a button is for. Raises `MovedOn` if forged."""
    parsed = _DEAL.fullmatch(press.choice)
    if parsed is None or parsed["game"] not in VARIANTS or not 1 <= int(parsed["day"]) < 3_000_000:
        raise errors.MovedOn
    return parsed["game"], int(parsed["day"])


async def _sits(player: int, archived: KeptMatch) -> bool:
    return player in archived.match.players
