"""What may be looked up of a match, by anybody and for their eyes only: bidding, its story."""

from __future__ import annotations

from bot.boards.board import Board
from bot.boards.past import bidding_pages
from bot.boards.winner import story_board
from bot.discord import answers
from bot.discord.answers import Interaction
from bot.discord.people import People
from bot.discord.press import Press
from bot.tables.service import Tables
from engine.view import view


class LookingBack:
    """Answers presses that change nothing: they read a match's log."""

    def __init__(self, tables: Tables, people: People) -> None:
        self._tables = tables
        self._people = people

    async def story(self, interaction: Interaction, press: Press) -> None:
        """The match that is over, round by round."""
        address = press.address

        async def told() -> Board:
            match, story = await self._tables.story_of(address.table, address.match)
            names = await self._people.names(tuple(seat.player for seat in match.seats))
            return story_board(view(match), story, names)

        board = await answers.in_time(interaction, told(), ephemeral=True)
        await answers.show(interaction, board, ephemeral=True)

    async def bidding(self, interaction: Interaction, press: Press) -> None:
        """A round's whole bidding, for the asker alone, in pages."""
        round_text, _, page = press.choice.partition(".")
        match = await answers.in_time(
            interaction,
            self._tables.round_of(press.address.table, press.address.match, number_in(round_text)),
            ephemeral=True,
        )
        board = bidding_pages(view(match), press.address, number_in(page))
        if answers.is_private(interaction):
            await answers.redraw(interaction, board)
        else:
            await answers.show(interaction, board, ephemeral=True)


def number_in(text: str) -> int:
    """The number in a custom id; 0 for what is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 7 else 0
