"""What a lobby offers to strangers: how to play, and word of the next table.

Everything here is for the asker alone and changes no table; the desk hands these presses on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bot.boards.board import Address
from bot.boards.howto import Stage, howto_board
from bot.discord import answers
from bot.discord.answers import Interaction
from bot.tables.live import chosen_ruleset
from bot.tables.service import Tables

if TYPE_CHECKING:
    from bot.discord.tables.desk import Press


class Lobby:
    """Answers the presses of people who look around."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def howto(self, interaction: Interaction, press: Press) -> None:
        """The next step of the example; the first press of it opens a private message."""
        asked = self._tables.see(press.address.table)
        live = await answers.in_time(interaction, asked, ephemeral=True)
        rules = chosen_ruleset(live.table)
        board = howto_board(rules, Stage.read(press.choice), Address(press.address.table))
        if interaction.message is not None and interaction.message.flags.ephemeral:
            await answers.redraw(interaction, board)
        else:
            await answers.show(interaction, board, ephemeral=True)
