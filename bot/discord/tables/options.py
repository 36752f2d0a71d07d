"""The options of a lobby: a private message from which its rules, its company and more are chosen.

Each choice redraws that message, and the lobby by itself. Messages of earlier versions have these
buttons at the table; there the answer redraws the table.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from bot.boards.board import Board
from bot.boards.lobby import options_board
from bot.discord import answers
from bot.discord.answers import Interaction
from bot.discord.forms import open_form, pace_form, read_rules, rules_form
from bot.discord.press import Press, ask_of_press, fields_of, is_moderator, place_of
from bot.discord.tables.lobby import Lobby
from bot.tables import errors, plans
from bot.tables.live import LiveTable, may_manage
from bot.tables.model import Status
from bot.tables.service import Tables

Move = Callable[[Interaction, Awaitable[LiveTable]], Awaitable[LiveTable]]


class OptionsHandlers:
    """Answers *Options…* and what is behind it. `move` redraws the table that was pressed."""

    def __init__(self, tables: Tables, lobby: Lobby, move: Move) -> None:
        self._tables = tables
        self._lobby = lobby
        self._move = move

    async def open(self, interaction: Interaction, press: Press) -> None:
        """Show them. Raises `MovedOn` unless the table is a lobby."""
        live = await self._see(interaction, press)
        await answers.show(interaction, self._board(interaction, live), ephemeral=True)

    async def show(self, interaction: Interaction, live: LiveTable) -> None:
        """Redraw them."""
        await answers.redraw(interaction, self._board(interaction, live))

    async def open_rules(self, interaction: Interaction, press: Press) -> None:
        """A form of house rules, or of time and messages. Raises `NotHost`, `MovedOn`."""
        live = await self._see(interaction, press)
        may_manage(live.table, interaction.user.id, is_moderator(interaction))
        form = pace_form if press.verb == "pace" else rules_form
        table = live.table
        await open_form(interaction, form(table.variant, table.options, press.address))

    async def submit_rules(self, interaction: Interaction, press: Press) -> None:
        """What was chosen in it."""
        read = partial(read_rules, submitted=fields_of(interaction))
        ask = ask_of_press(interaction, press)
        await self._change(
            interaction, self._tables.change(press.address.table, ask, plans.choose, read)
        )

    async def seat_computer(self, interaction: Interaction, press: Press) -> None:
        """Seat a computer player, or what else the list of them offers."""
        changed = self._lobby.company(press, ask_of_press(interaction, press))
        await self._change(interaction, changed)

    async def cancel(self, interaction: Interaction, press: Press) -> None:
        """Close the lobby."""
        ask = ask_of_press(interaction, press)
        await self._change(interaction, self._tables.change(press.address.table, ask, plans.cancel))

    async def _change(self, interaction: Interaction, work: Awaitable[LiveTable]) -> None:
        if answers.is_private(interaction):
            await self.show(interaction, await answers.in_time(interaction, work))
        else:
            await self._move(interaction, work)

    async def _see(self, interaction: Interaction, press: Press) -> LiveTable:
        seen = self._tables.see(press.address.table, place_of(interaction))
        live = await answers.in_time(interaction, seen)
        if live.table.status is not Status.LOBBY:
            raise errors.MovedOn
        return live

    def _board(self, interaction: Interaction, live: LiveTable) -> Board:
        player = interaction.user.id
        return options_board(
            live.table,
            player,
            manages=player == live.table.host_id or is_moderator(interaction),
            seats_computers=self._tables.seats_computers,
        )
