"""Commands at a table, from /play to /end, and /rules: each parses, asks and replies."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable
from itertools import cycle, islice
from typing import Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.boards.rules import rules_board
from bot.discord import answers
from bot.discord.answers import Interaction
from bot.discord.contexts import anywhere, in_servers
from bot.discord.posting import check_posting, check_unlocked
from bot.discord.speech import guild_language
from bot.discord.tables.desk import Desk
from bot.discord.tables.press import is_moderator
from bot.languages import N_, speaking, tr
from bot.roster import CHARACTERS
from bot.tables import refusals
from bot.tables.absence import is_away
from bot.tables.house import language_of
from bot.tables.live import LiveTable
from bot.tables.power import THE_MATCH
from bot.tables.records import Status
from bot.tables.requests import Ask
from bot.wordings import game_words, others, said, understood, wording
from engine.errors import EngineError
from engine.play import legal
from engine.readings import LONGEST_TEXT
from engine.ruleset import Options
from engine.state import Match
from engine.variants import VARIANTS, ruleset

GAMES: Final = [
    app_commands.Choice(name=variant.title, value=key) for key, variant in VARIANTS.items()
]
MOST_CHOICES: Final = 25
MOST_COMPUTERS: Final = max(ruleset(key).most_players for key in VARIANTS) - 1

ENDED: Final = N_("{asker} has ended the match without a winner: it counts in no statistics.")


class TableCommands(commands.Cog):
    """The commands about tables. Each parses, asks the desk's tables, and replies."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._tables = desk.tables

    @app_commands.command()
    @in_servers
    @app_commands.describe(
        game="Which game to deal", computers="How many computer players sit down with you"
    )
    @app_commands.choices(game=GAMES)
    async def play(
        self,
        interaction: Interaction,
        game: app_commands.Choice[str],
        computers: app_commands.Range[int, 0, MOST_COMPUTERS] = 0,
    ) -> None:
        """Open a table in this channel."""
        guild, channel = interaction.guild_id or 0, interaction.channel_id or 0
        # one of each, then again; Discord keeps to the limits, a forged request need not
        wanted = min(max(computers, 0), MOST_COMPUTERS + 1)
        seated = list(islice(cycle(CHARACTERS), wanted))

        async def opened() -> LiveTable:
            await check_posting(interaction)
            language = guild_language(interaction)
            return await self._tables.open(
                ask_of(interaction), guild, channel, game.value, seated, language
            )

        live = await answers.in_time(interaction, opened())
        await self._desk.post_as_answer(interaction, live)
        await self._desk.greeter.welcome(interaction, live)
        await self._desk.lobby.opened(live)

    @app_commands.command()
    @in_servers
    @app_commands.describe(hand='What you bid, such as "pair of threes", "33" or "8c flush"')
    async def bid(
        self, interaction: Interaction, hand: app_commands.Range[str, 1, LONGEST_TEXT]
    ) -> None:
        """Make a bid at this channel's table."""

        async def made() -> str:
            live, match = await self._begun(interaction)
            rules = match.ruleset
            try:
                meant = understood(rules, hand)
                await self._tables.bid(live.table.id, ask_of(interaction), meant.key)
            except EngineError:
                self._desk.drafts.remember(live, interaction.user.id, hand)
                raise
            return f"{game_words(rules).bid}: **{said(rules, meant)}**."

        await self._reply(interaction, made())

    @bid.autocomplete("hand")
    async def complete_bid(
        self, interaction: Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        """The legal bids that the typed text may become."""
        try:
            _, match = await self._begun(interaction)
        except refusals.RefusedError:
            return []
        rules = match.ruleset
        rungs = legal(match).rungs
        found = wording(rules).complete(current, rungs, others(rules), MOST_CHOICES)
        return [
            app_commands.Choice(name=text, value=text)
            for text in (said(rules, bid) for bid in found)
        ]

    @app_commands.command()
    @in_servers
    async def challenge(self, interaction: Interaction) -> None:
        """Challenge (or check) the standing bid at this channel's table."""

        async def made() -> str:
            live, match = await self._begun(interaction)
            await self._tables.challenge(live.table.id, ask_of(interaction))
            return tr(
                "{challenge}! The cards are shown at the table.",
                challenge=game_words(match.ruleset).challenge,
            )

        await self._reply(interaction, made())

    @app_commands.command()
    @in_servers
    async def cards(self, interaction: Interaction) -> None:
        """See your own cards; nobody else does."""
        live = await answers.in_time(interaction, self._here(interaction), ephemeral=True)
        await self._desk.seat.show(interaction, live)

    @app_commands.command(name="table")
    @in_servers
    async def bring_down(self, interaction: Interaction) -> None:
        """Bring this channel's table down here again."""
        check_unlocked(interaction)  # elsewhere an answer shows it where the bot may not post, too
        live = await answers.in_time(interaction, self._here(interaction))
        await self._desk.post_as_answer(interaction, live)

    @app_commands.command()
    @in_servers
    async def forfeit(self, interaction: Interaction) -> None:
        """Leave the match for good (you are asked first), or your seat in the lobby."""
        live = await answers.in_time(interaction, self._here(interaction), ephemeral=True)
        if live.table.status is not Status.LOBBY:
            await self._desk.leaving.ask(interaction, live)
            return

        async def left() -> str:
            await self._tables.leave(live.table.id, ask_of(interaction))
            return tr("You have left the table.")

        await self._reply(interaction, left())

    @app_commands.command()
    @in_servers
    @app_commands.describe(player="Who is not there")
    async def away(self, interaction: Interaction, player: discord.User) -> None:
        """Say that another player is away; once two of you do, the house plays for them."""

        async def voted() -> str:
            live = await self._here(interaction)
            live = await self._tables.say_away(live.table.id, ask_of(interaction), player.id)
            if is_away(live.table, player.id):
                return tr(
                    "The house plays for {who} until they press **I'm back**.", who=player.mention
                )
            return tr(
                "You have said that {who} is away. If one more player does, the house plays for"
                " them.",
                who=player.mention,
            )

        await self._reply(interaction, voted())

    @app_commands.command()
    @in_servers
    @app_commands.describe(player="Who is to leave the match")
    async def drop(self, interaction: Interaction, player: discord.User) -> None:
        """Make an absent player leave; who is there leaves if two of the others ask for it."""

        async def dropped() -> LiveTable:
            live = await self._here(interaction)
            return await self._tables.drop(live.table.id, ask_of(interaction), player.id)

        live = await answers.in_time(interaction, dropped())
        asker, match = interaction.user.id, live.match
        seat = match.seat_of(player.id) if match is not None else None
        there = match is not None and seat is not None and match.seats[seat].live
        if there and live.table.status is Status.PLAYING:  # of two, one asks that the match end
            about = player.id if asker in live.table.votes.get(player.id, ()) else THE_MATCH
            await self._desk.leaving.ask_others(interaction, live, about)
            return
        with speaking(language_of(live.table)):
            told = tr("{who} has been dropped from the table.", who=player.mention)
            if there:
                told = tr(ENDED, asker=interaction.user.mention)
        await answers.tell(interaction, told)

    @app_commands.command()
    @in_servers
    async def end(self, interaction: Interaction) -> None:
        """End this channel's match without a winner, if another player agrees."""

        async def ended() -> LiveTable:
            live = await self._here(interaction)
            return await self._tables.end(live.table.id, ask_of(interaction))

        live = await answers.in_time(interaction, ended())
        if live.table.status is not Status.CLOSED:
            await self._desk.leaving.ask_others(interaction, live, THE_MATCH)
            return
        with speaking(language_of(live.table)):
            ended_match = N_("{asker} has closed the table.") if live.match is None else ENDED
            told = tr(ended_match, asker=interaction.user.mention)
        await answers.tell(interaction, told)

    @app_commands.command()
    @anywhere
    @app_commands.describe(game="Which game's rules")
    @app_commands.choices(game=GAMES)
    async def rules(
        self, interaction: Interaction, game: app_commands.Choice[str] | None = None
    ) -> None:
        """How the game is played, and which hand beats which."""
        key = game.value if game is not None else next(iter(VARIANTS))
        options: Options | None = None
        if game is None and interaction.guild_id is not None:
            with contextlib.suppress(refusals.NoTable, refusals.SetAside):
                table = (await self._here(interaction)).table
                key, options = table.variant, table.options
        await answers.show(interaction, rules_board(key, options), ephemeral=True)

    async def _here(self, interaction: Interaction) -> LiveTable:
        """The channel's table. Raises `NoTable`."""
        return await self._tables.in_channel(interaction.channel_id or 0)

    async def _begun(self, interaction: Interaction) -> tuple[LiveTable, Match]:
        """The channel's table and its match. Raises `NoTable`, `NotStarted`."""
        live = await self._here(interaction)
        if live.match is None:
            raise refusals.NotStarted
        return live, live.match

    async def _reply(self, interaction: Interaction, work: Awaitable[str]) -> None:
        """Do `work` and tell the asker alone what came of it."""
        said = await answers.in_time(interaction, work, ephemeral=True)
        await answers.whisper(interaction, said)


def ask_of(interaction: Interaction) -> Ask:
    """A request for whatever state is current."""
    return Ask(interaction.user.id, interaction.id, moderator=is_moderator(interaction))
