"""Let anybody look up a match privately: a round's bidding, the highlights and the fair deals.

The view of a fair deal shows its seal (a digest made before the deal), whether the seal was kept,
and a button to cut the cards.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

from bot.boards.bidding import bidding_pages
from bot.boards.board import Board
from bot.boards.cutting import deal_board, lobby_deal_board
from bot.boards.showdown import highlights_board
from bot.discord import answers
from bot.discord.answers import Interaction
from bot.discord.forms import cut_form, open_form
from bot.discord.people import People
from bot.discord.press import Press, ask_of_press, fields_of, number_in, table_of
from bot.discord.router import on_form, on_press
from bot.language.catalogues import N_, tr
from bot.services.tables import Tables
from bot.tables import cuts, errors, plans
from bot.tables.live import LiveTable
from bot.tables.model import Status
from bot.tables.requests import Ask
from engine.cutting import read_cut
from engine.errors import RuleViolation
from engine.view import view_of


class LookingBack:
    """Answers presses that only read a match's log."""

    def __init__(self, tables: Tables, people: People) -> None:
        self._tables = tables
        self._people = people

    @on_press("story", looks=True)
    async def highlights(self, interaction: Interaction, press: Press) -> None:
        """Show the highlights of a match that is over, round by round."""
        address = press.address

        async def build_board() -> Board:
            match, highlights = await self._tables.highlights_of(address.table, address.match)
            names = await self._people.names(tuple(seat.player for seat in match.seats))
            return highlights_board(view_of(match), highlights, names)

        await answers.reply(interaction, build_board())

    @on_press("bidding", looks=True)
    async def bidding(self, interaction: Interaction, press: Press) -> None:
        """Show all bids of a round to the asker only, in pages."""
        round_text, _, page = press.choice.partition(".")
        address, number = press.address, number_in(round_text) or 0
        looked = self._tables.round_of(address.table, address.match, number)
        match = await answers.in_time(interaction, looked, ephemeral=True)
        board = bidding_pages(view_of(match), address, number_in(page) or 0)
        await answers.show_own(interaction, board)


LATE: Final = N_(
    "Round {dealt} was dealt before your words arrived. They'll count from round {next_round} on."
)


class CuttingHandlers:
    """Answers *Fair deal*, the button that cuts the cards, and its form.

    `move` makes a move and redraws the message that was pressed.
    """

    def __init__(
        self,
        tables: Tables,
        move: Callable[[Interaction, Awaitable[LiveTable]], Awaitable[LiveTable]],
    ) -> None:
        self._tables = tables
        self._move = move

    @on_press("seal", looks=True)
    async def check(self, interaction: Interaction, press: Press) -> None:
        """Show the asker only how a deal was sealed, and whether the seal was kept."""
        address, number = press.address, number_in(press.choice) or 0
        if not address.match:
            live = await table_of(self._tables, interaction, press, ephemeral=True)
            if live.table.status is not Status.LOBBY:
                raise errors.MovedOn
            board = lobby_deal_board(live.table, interaction.user.id)
            await answers.show(interaction, board, ephemeral=True)
            return
        looked = self._fair(interaction, address.table, address.match, number)
        await answers.reply(interaction, looked)

    async def _fair(
        self, interaction: Interaction, table_id: int, match_id: int, number: int
    ) -> Board:
        deal = await self._tables.deal_of(table_id, match_id, number)
        live = await self._tables.see(table_id)
        try:
            cuts.may_cut(live, interaction.user.id)
        except (errors.RefusedError, RuleViolation):
            return deal_board(deal)
        may = live.table.match_id == match_id and not live.table.is_practice
        return deal_board(deal, live if may else None)

    @on_press("cut")
    async def open(self, interaction: Interaction, press: Press) -> None:
        """Open the form that cuts the cards.

        Raises `RefusedError`, and whatever `cuts.may_cut` raises.
        """
        live = await table_of(self._tables, interaction, press)
        cuts.may_cut(live, interaction.user.id)
        await open_form(interaction, cut_form(press.address, cuts.next_seal(live)))

    @on_form("cut")
    async def submit(self, interaction: Interaction, press: Press) -> None:
        """Cut the cards with the typed words.

        If cards were dealt after the form was opened, the words count from the next deal. Raises
        `CutTextError`, `RefusedError`, and whatever `cuts.may_cut` raises.
        """
        text = read_cut("".join(fields_of(interaction).get("text", ())))
        table, ask = press.address.table, replace(ask_of_press(interaction, press), at=None)
        private = answers.is_private(interaction)
        try:
            # in a message of an earlier version, the button was on the table's message
            if not private:
                await self._move(interaction, self._tables.change(table, ask, plans.cut, text))
                return
            live = await answers.in_time(
                interaction, self._tables.change(table, ask, plans.cut, text)
            )
        except errors.MovedOn:
            reply = await answers.in_time(interaction, self._late(press, ask, text), ephemeral=True)
            await answers.reply_privately(interaction, reply)
            return
        if live.match is None or live.match.round is None:
            board = lobby_deal_board(live.table, interaction.user.id)
            await answers.redraw(interaction, board)
        elif not press.address.match:  # the press was in the lobby
            await answers.reply_privately(interaction, _dealt_before(live))
        else:
            number, match_id = live.match.round.number, live.table.match_id or 0
            await answers.redraw(
                interaction, await self._fair(interaction, table, match_id, number)
            )

    async def _late(self, press: Press, ask: Ask, text: str) -> str:
        """Cut the cards although some were dealt after the form was opened; return the reply.

        Raises `MovedOn` if the match is over, and other kinds of `RefusedError`.
        """
        live = await self._tables.see(press.address.table)
        of_this_match = press.address.match in (0, live.table.match_id)
        if ask.place is None or live.table.status is not Status.PLAYING or not of_this_match:
            raise errors.MovedOn
        anywhere = replace(ask.place, message_id=None)
        late = replace(ask, place=anywhere)
        live = await self._tables.change(press.address.table, late, plans.cut, text)
        return _dealt_before(live)


def _dealt_before(live: LiveTable) -> str:
    coming = cuts.next_round(live)
    return tr(LATE, dealt=coming - 1, next_round=coming)
