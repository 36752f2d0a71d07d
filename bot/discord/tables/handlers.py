"""Answer presses, forms and commands about a table, each exactly once.

Handlers parse, call `bot.services.tables` and reply. A move is answered by redrawing the message it
came from: one request. A refusal is one ephemeral sentence, and changes nothing.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import cycle, islice
from typing import Final

import discord
import structlog
from discord import app_commands
from discord.ext.commands import Cog

from bot.boards.lobby import IN, OUT, latecomer_board
from bot.discord import answers
from bot.discord.answers import Interaction
from bot.discord.commands import GAMES, in_servers
from bot.discord.delivery.delivery import TableDelivery
from bot.discord.odds.asking import bid_choices
from bot.discord.posting import check_posting, check_unlocked, slow_mode
from bot.discord.press import (
    Press,
    ask_of,
    ask_of_press,
    channel_of,
    guild_language,
    guild_of,
    is_own,
    table_of,
)
from bot.discord.router import on_form, on_press
from bot.discord.tables.leaving import LeavingHandlers
from bot.discord.tables.lobby import Lobby
from bot.discord.tables.refusals import table_if_found
from bot.discord.tables.seat_handlers import SeatHandlers, typed_bid
from bot.discord.tables.table_replies import TableReplies
from bot.language.catalogues import N_, tr
from bot.language.wordings import bid_text, game_words, parse_typed_bid
from bot.roster import CHARACTERS
from bot.services.tables import Tables
from bot.tables import errors, plans
from bot.tables.live import LiveTable
from bot.tables.model import Status
from bot.tables.requests import NOBODY
from bot.tables.table_options import duration
from engine.bid_parser import LONGEST_TEXT
from engine.errors import EngineError
from engine.play import legal
from engine.state import Match
from engine.variants import VARIANTS, ruleset

log = structlog.get_logger(__name__)

SLOW_MODE: Final = N_(
    "This channel is in slow mode ({wait} between messages), and Discord may stop your friends'"
    " presses as well. Turn it off in the channel's settings, or open the table in a thread."
)

MOST_COMPUTERS: Final = max(ruleset(key).most_players for key in VARIANTS) - 1


class TableHandlers(Cog):
    """Answers commands about tables, and presses and forms of their messages."""

    def __init__(
        self,
        tables: Tables,
        delivery: TableDelivery,
        lobby: Lobby,
        seat: SeatHandlers,
        leaving: LeavingHandlers,
        replies: TableReplies,
    ) -> None:
        self.tables = tables
        self._delivery = delivery
        self._seats = delivery.seats
        self._lobby = lobby
        self._seat = seat
        self._leaving = leaving
        self._replies = replies
        self._move = replies.move

    async def channel_gone(self, channel_id: int) -> None:
        """End the table of a deleted channel; its match doesn't count in any statistics."""
        try:
            live = await self.tables.in_channel(channel_id)
            await self.tables.change(live.table.id, NOBODY, plans.close)
        except errors.RefusedError as refusal:
            log.info("handlers: nothing to end", channel=channel_id, refusal=type(refusal).__name__)

    # -- commands ----------------------------------------------------------------------------------

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
        await self.open(interaction, game.value, computers)

    @app_commands.command()
    @in_servers
    @app_commands.describe(hand='Your bid, such as "pair of threes", "33" or "8c flush"')
    async def bid(
        self, interaction: Interaction, hand: app_commands.Range[str, 1, LONGEST_TEXT]
    ) -> None:
        """Make a bid at this channel's table."""

        async def make() -> str:
            live, match = await self._begun(interaction)
            rules = match.ruleset
            try:
                meant = parse_typed_bid(rules, hand)
                await self.tables.change(live.table.id, ask_of(interaction), plans.bid, meant.key)
            except EngineError:
                self._seat.drafts.remember(live, interaction.user.id, hand)
                raise
            return f"{game_words(rules).bid}: **{bid_text(rules, meant)}**."

        await answers.reply_with_result(interaction, make())

    @bid.autocomplete("hand")
    async def complete_bid(
        self, interaction: Interaction, current: str
    ) -> list[app_commands.Choice[str]]:
        """Return at most 25 legal bids that complete the typed text; none if no match runs."""
        try:
            _, match = await self._begun(interaction)
        except errors.RefusedError:
            return []
        return bid_choices(current, match.ruleset, legal(match).rungs)

    @app_commands.command()
    @in_servers
    async def challenge(self, interaction: Interaction) -> None:
        "Challenge the current bid at this channel's table."

        async def make() -> str:
            live, match = await self._begun(interaction)
            judge = partial(plans.challenge, sure=False)
            await self.tables.change(live.table.id, ask_of(interaction), judge)
            return tr(
                "{challenge}! The cards are shown at the table.",
                challenge=game_words(match.ruleset).challenge,
            )

        await answers.reply_with_result(interaction, make())

    @app_commands.command()
    @in_servers
    async def table(self, interaction: Interaction) -> None:
        "Repost this channel's table and your seat at the bottom."
        await self.repost(interaction)

    async def _begun(self, interaction: Interaction) -> tuple[LiveTable, Match]:
        """Return (the channel's table, its match), and keep a command's token for the seat.

        Raises `RefusedError`, such as `NoTable` or `NotStarted`.
        """
        live = await self.tables.in_channel(channel_of(interaction))
        if live.match is None:
            raise errors.NotStarted
        if interaction.type is not discord.InteractionType.autocomplete:
            self._seats.remember(live.table.id, interaction)
        return live, live.match

    async def open(self, interaction: Interaction, game: str, computers: int = 0) -> None:
        """Open a table with `computers` computer players in the channel, then the asker's seat.

        Raises `CannotPost`, and other kinds of `RefusedError`.
        """
        guild, channel = guild_of(interaction), channel_of(interaction)
        # one of each character, then again; Discord enforces the limits, but a forged request may
        # not
        count = min(max(computers, 0), ruleset(game).most_players)
        seated = list(islice(cycle(CHARACTERS), count))

        async def open_table() -> LiveTable:
            await check_posting(interaction)
            language = guild_language(interaction)
            ask = ask_of(interaction)
            return await self.tables.open(ask, guild, channel, game, seated, language)

        live = await answers.in_time(interaction, open_table())
        await self._delivery.tables.show_as_answer(interaction, live)
        reached = await self._lobby.greet(interaction, live)
        await self._lobby.open_seat(interaction, live, reached=reached)
        await self._lobby.announce(live)
        if wait := slow_mode(interaction):
            await answers.reply_privately(interaction, tr(SLOW_MODE, wait=duration(wait)))

    async def repost(self, interaction: Interaction) -> None:
        """Answer with the channel's table in a new message, and move the asker's seat below it.

        Raises `RefusedError`, such as `NoTable` or `ThreadLocked`.
        """
        # in other channels, a command's answer shows the table even if the bot may not post
        check_unlocked(interaction)
        search = self.tables.in_channel(channel_of(interaction))
        live = await answers.in_time(interaction, search)
        self._seats.remember(live.table.id, interaction)
        barred = self._delivery.tables.is_barred(live.table.id)
        await self._delivery.tables.show_as_answer(interaction, live)
        now = await table_if_found(self.tables.see(live.table.id))
        if now is not None:
            self._seats.move_below(now, interaction.user.id)
        if now is not None and barred:
            why = await self._replies.hindrance(interaction, now)
            if why is not None:
                await answers.reply_privately(interaction, why)

    # -- the lobby --------------------------------------------------------------------------------

    @on_press("join", "in")  # "in": asked to play again
    async def _join(self, interaction: Interaction, press: Press) -> None:
        ask = ask_of_press(interaction, press)
        reached = True
        if press.verb == "in":
            await self._check_dealing(interaction)

        async def join() -> LiveTable:
            nonlocal reached
            live = await self.tables.change(press.address.table, ask, plans.join)
            reached = await self._lobby.greet(interaction, live, again=press.verb == "in")
            return live

        live = await self._move(interaction, join())
        if not self._seats.is_open(live, interaction.user.id):
            await self._lobby.open_seat(interaction, live, reached=reached)

    @on_press("leave")
    async def _leave(self, interaction: Interaction, press: Press) -> None:
        """Leave a lobby; or leave a match, if the press confirms the question of /leave."""
        if press.address.match:
            await self._leaving.leave(interaction, press)
            return
        ask = ask_of_press(interaction, press)
        await self._move(interaction, self.tables.change(press.address.table, ask, plans.leave))

    @on_press("decline")
    async def _decline(self, interaction: Interaction, press: Press) -> None:
        ask = ask_of_press(interaction, press)
        await self._check_dealing(interaction)
        await self._move(interaction, self.tables.change(press.address.table, ask, plans.decline))

    @on_press("seat", "mine")  # "mine" in messages of earlier versions
    async def _open_seat(self, interaction: Interaction, press: Press) -> None:
        """Open the asker's seat; if they are not in this match, offer a seat in the next.

        Raises `RefusedError`, such as `NotSeated` if they have no seat and no match is under way.
        """
        try:
            await self._seat.open(interaction, press)
        except errors.NotSeated:
            live = await table_of(self.tables, interaction, press, ephemeral=True)
            if live.table.status is not Status.PLAYING:
                raise
            board = latecomer_board(live, interaction.user.id)
            await answers.show(interaction, board, ephemeral=True)

    @on_press("wait")
    async def _wait(self, interaction: Interaction, press: Press) -> None:
        """Put the asker in the queue for the next match, or take them out."""
        ask = ask_of_press(interaction, press)
        joins = {IN: True, OUT: False}.get(press.choice)  # buttons of old messages say neither
        change = self.tables.change(press.address.table, ask, plans.wait, joins)
        live = await answers.in_time(interaction, change, ephemeral=True)
        await answers.show_own(interaction, latecomer_board(live, interaction.user.id))

    async def _check_dealing(self, interaction: Interaction) -> None:
        """Raise `CannotPost` before a press that may deal, if a new message can't be posted.

        Declining a rematch may deal too: the last answer starts the match.
        """
        await answers.in_time(interaction, check_posting(interaction))

    @on_press("start")
    async def _start(self, interaction: Interaction, press: Press) -> None:
        ask = ask_of_press(interaction, press)
        await self._check_dealing(interaction)
        live = await self._move(
            interaction, self.tables.change(press.address.table, ask, plans.start)
        )
        if interaction.user.id in live.table.players and not self._seats.is_open(
            live, interaction.user.id
        ):
            await self._seats.open(interaction, live)

    # -- a round ----------------------------------------------------------------------------------

    @on_press("pick")
    async def _bid(self, interaction: Interaction, press: Press) -> None:
        """Make the bid chosen in a table's list; a forged press may have no choice."""
        ask, key = ask_of_press(interaction, press), press.values[0] if press.values else ""
        await self._move(interaction, self.tables.change(press.address.table, ask, plans.bid, key))

    @on_press("challenge")
    async def _challenge(self, interaction: Interaction, press: Press) -> None:
        ask = ask_of_press(interaction, press)
        judge = partial(plans.challenge, sure=False)  # asks, in the person's seat, if it must lose
        await self._move(interaction, self.tables.change(press.address.table, ask, judge))

    @on_press("next")
    async def _next_round(self, interaction: Interaction, press: Press) -> None:
        ask = ask_of_press(interaction, press)
        await self._move(
            interaction, self.tables.change(press.address.table, ask, plans.next_round)
        )

    @on_form("bid")
    async def _submit_bid(self, interaction: Interaction, press: Press) -> None:
        ask = ask_of_press(interaction, press)
        bid = self.tables.change(press.address.table, ask, plans.bid, typed_bid(interaction))
        await self._move(interaction, bid)

    @on_press("again")
    async def _again(self, interaction: Interaction, press: Press) -> None:
        """Open a lobby for a rematch; if another player was quicker, show the asker the way to it.

        Raises `RefusedError`, such as `MovedOn` if the lobby doesn't wait for the asker.
        """
        try:
            await self._open_rematch(interaction, press)
        except errors.MovedOn:
            look = self.tables.see(press.address.table)
            live = await answers.in_time(interaction, look, ephemeral=True)
            if interaction.user.id not in live.table.awaited_players:
                raise
            await self._seats.open(interaction, live)

    async def _open_rematch(self, interaction: Interaction, press: Press) -> None:
        before = await table_of(self.tables, interaction, press)
        ask = ask_of_press(interaction, press)
        await self._check_dealing(interaction)
        live = await answers.in_time(
            interaction, self.tables.change(press.address.table, ask, plans.again)
        )
        # the end of a match stays as it is, but for the question: the lobby is a message of its own
        await answers.redraw(
            interaction, await self._delivery.boards.for_table(before, again=False)
        )
        reached = await self._lobby.greet(interaction, live, again=True)
        if not self._seats.is_open(live, interaction.user.id):
            await self._lobby.open_seat(interaction, live, reached=reached)

    @on_press("back")
    async def _back(self, interaction: Interaction, press: Press) -> None:
        if is_own(interaction):
            await self._seat.move(interaction, press)
            return
        ask = replace(ask_of_press(interaction, press), at=None)
        await self._move(interaction, self.tables.change(press.address.table, ask, plans.back))
