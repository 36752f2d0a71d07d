"""Leaving a match: /forfeit asks first, and the answer to that is a button."""

from __future__ import annotations

from dataclasses import replace

from bot.boards.leaving import asking_board, told_board
from bot.discord import answers
from bot.discord.answers import Interaction
from bot.discord.tables.press import Press, asked, place_of
from bot.languages import tr
from bot.tables import refusals
from bot.tables.live import LiveTable
from bot.tables.service import Tables
from engine.errors import MatchIsOver, NotInMatch


class LeavingDesk:
    """Asks whether somebody means to forfeit, and has them do so."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables

    async def ask(self, interaction: Interaction, live: LiveTable) -> None:
        """Ask whether the asker means to forfeit; nothing has happened yet."""
        seat = live.seat(interaction.user.id)
        match = live.match
        if match is None:
            raise refusals.NotStarted
        if match.winner is not None:
            raise MatchIsOver(match.winner)
        if not match.seats[seat].live:
            raise NotInMatch(seat)
        await answers.show(interaction, asking_board(live, interaction.user.id), ephemeral=True)

    async def leave(self, interaction: Interaction, press: Press) -> None:
        """Have who was asked forfeit. Raises `MovedOn` for a match that is another by now."""
        seen = self._tables.see(press.address.table, place_of(interaction))
        live = await answers.in_time(interaction, seen)
        if live.table.match_id != press.address.match:
            raise refusals.MovedOn
        # whatever was played since it was asked: the answer is to the match, not to a move
        ask = replace(asked(interaction, press, redraws=False), at=None)
        await answers.in_time(interaction, self._tables.forfeit(press.address.table, ask))
        await answers.redraw(interaction, told_board(tr("You have left the match.")))

    async def stay(self, interaction: Interaction, press: Press) -> None:
        """Say that nothing has changed."""
        await answers.redraw(interaction, told_board(tr("You stay. Nothing has changed.")))
