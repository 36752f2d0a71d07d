"""/help: its buttons do what their commands do, where the person is."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Mapping

from bot.boards.board import Board
from bot.boards.help import WHICH, help_board, odds_board, which_game_board
from bot.boards.rules import rules_board
from bot.discord import answers
from bot.discord.answers import Interaction
from bot.discord.press import Press, place_of
from bot.tables import errors
from bot.tables.service import Tables
from engine.variants import VARIANTS


class HelpHandlers:
    """Shows what one can do. `with_game` and `at_once` are what it has done, by topic."""

    def __init__(
        self,
        tables: Tables,
        with_game: Mapping[str, Callable[[Interaction, str], Awaitable[None]]],
        at_once: Mapping[str, Callable[[Interaction], Awaitable[None]]],
    ) -> None:
        self._tables = tables
        self._with_game = {**with_game, "rules": self.rules}
        self._at_once = at_once

    async def show(self, interaction: Interaction) -> None:
        """What one can do, in a new private message."""
        board = help_board(in_server=interaction.guild_id is not None)
        await answers.show(interaction, board, ephemeral=True)

    async def rules(self, interaction: Interaction, game: str) -> None:
        """How a game is played, and which hand beats which."""
        await answers.show(interaction, rules_board(game), ephemeral=True)

    async def rulebook(self, interaction: Interaction, press: Press) -> None:
        """The rules by which a seat's table plays."""
        seen = self._tables.see(press.address.table, place_of(interaction))
        table = (await answers.in_time(interaction, seen, ephemeral=True)).table
        await answers.show(interaction, rules_board(table.variant, table.options), ephemeral=True)

    async def press(self, interaction: Interaction, press: Press) -> None:
        """A button of it. Raises `MovedOn` for one that is forged."""
        topic, _, game = press.choice.partition(".")
        if topic in self._with_game and game in VARIANTS:
            await self._with_game[topic](interaction, game)
        elif topic in self._at_once and not game:
            await self._at_once[topic](interaction)
        elif not answers.is_private(interaction):
            raise errors.MovedOn
        elif topic == "rules" and (board := await self._rules_here(interaction)) is not None:
            await answers.show(interaction, board, ephemeral=True)
        elif topic in WHICH:
            await answers.redraw(interaction, which_game_board(topic))
        elif topic == "odds":
            await answers.redraw(interaction, odds_board())
        else:
            await answers.redraw(
                interaction, help_board(in_server=interaction.guild_id is not None)
            )

    async def _rules_here(self, interaction: Interaction) -> Board | None:
        """The rules by which the channel's table plays; None where there is none."""
        with contextlib.suppress(errors.NoTable, errors.Damaged):
            table = (await self._tables.in_channel(interaction.channel_id or 0)).table
            return rules_board(table.variant, table.options)
        return None
